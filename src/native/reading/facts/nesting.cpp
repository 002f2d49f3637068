#include "native/reading/facts/nesting.hpp"

#include "native/reading/link_finders.hpp"
#include "native/reading/rules/cues.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace quaestor::native::facts {

namespace {

constexpr std::string_view kNothing = "the";
constexpr std::string_view kNestedRule = "nested";
/// What two questions in one cost beside a plain reading.
constexpr double kNested = 0.1;
/// Inner readings that leave more out are none.
constexpr double kWorstInner = -1.3;
/// Where only a kind is said, it must be somebody who is meant.
constexpr double kWorstKind = -0.28;
/// A noun by which a table surely goes.
constexpr double kSureNoun = 0.9;

/// Verbs behind the row that they are said of: "did the team with the most wins … score".
constexpr auto kLateVerbs = std::to_array<std::string_view>(
    {"score", "play",   "have", "make", "earn",    "win",   "get",     "finish", "average",
     "lose",  "come",   "go",   "grab", "attend",  "shoot", "weigh",   "cost",   "sell",
     "spend", "buy",    "work", "live", "belong",  "pay",   "receive", "order",  "join",
     "start", "record", "post", "from", "founded", "born",  "drafted", "paid",   "hired"});

/// A part of the question, and the word that asks for it.
struct Phrase {
    std::size_t first = 0;
    std::size_t last = 0;
    std::string_view lead;
    double worst = kWorstInner;  ///< readings of it that are worse are none
    bool is_several = false;     ///< of its rows some are asked for
    friend bool operator==(const Phrase&, const Phrase&) = default;
};

class Nesting {
public:
    Nesting(const LinkedQuestion& question, const Names& names, const Mentions& mentions, const rules::SchemaView& view)
        : question_(question), names_(names), said_(mentions), view_(view) {
        for (std::size_t at = 0; at < names.size(); ++at) folded_.push_back(names.folded(at));
        end_ = folded_.size();
        while (end_ > 0 && says(end_ - 1, {"?", ".", "!"})) --end_;
    }

    std::vector<FactReading> readings() {
        find_described_things();
        find_roles();
        find_kinds();
        find_among();
        std::vector<FactReading> out;
        for (const Phrase& phrase : phrases_) read(phrase, out);
        return out;
    }

private:
    [[nodiscard]] bool says(std::size_t at, std::initializer_list<std::string_view> words) const {
        return at < folded_.size() && std::ranges::find(words, std::string_view(folded_[at])) != words.end();
    }

    void add(const Phrase& phrase) {
        const bool is_new = std::ranges::find(phrases_, phrase) == phrases_.end();
        const bool is_part = phrase.first > 0 && (phrase.first > 1 || phrase.last + 1 < end_);
        if (is_new && is_part && phrases_.size() < kPhrasesMax) phrases_.push_back(phrase);
    }

    [[nodiscard]] bool names_a_table(std::size_t at) const {
        if (said_.taken[at]) return false;
        for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
            const auto id = static_cast<TableId>(table);
            if (names_.names_table(at, id) > kSureNoun && view_.has_names(id)) return true;
        }
        return false;
    }

    /// Where "the tallest" of "the tallest player" begins; nothing where the noun has no such word.
    [[nodiscard]] std::optional<std::size_t> superlative_before(std::size_t noun) const {
        for (std::size_t back = 1; back <= 3 && back < noun; ++back) {
            const auto cue = rules::cue_at(folded_, noun - back);
            const bool is_order =
                cue && (cue->cue == rules::Cue::highest || cue->cue == rules::Cue::lowest ||
                        cue->cue == rules::Cue::about || cue->cue == rules::Cue::top || cue->cue == rules::Cue::most);
            if (is_order && says(noun - back - 1, {"the"})) return noun - back;
        }
        return std::nullopt;
    }

    /// The phrase to the verb that is said of it, and to the end of the question; there only if it has no verb where it
    /// can have none within.
    void add_to_ends(std::size_t first, std::size_t from, bool may_have_verb) {
        for (std::size_t at = from; at < end_; ++at) {
            const bool is_verb = std::ranges::find(kLateVerbs, folded_[at]) != kLateVerbs.end();
            if (!is_verb || says(at - 1, {"who", "that", "which", "to"})) continue;
            add({first, at - 1, "which"});
            if (!may_have_verb) return;
            break;
        }
        add({first, end_ - 1, "which"});
    }

    /// "the team with the most wins", "the tallest player".
    void find_described_things() {
        for (std::size_t at = 1; at + 1 < end_; ++at) {
            if (!names_a_table(at)) continue;
            const bool is_one = says(at - 1, {"the"});
            if (is_one && says(at + 1, {"with", "who", "that", "which", "having"})) add_to_ends(at, at + 2, true);
            if (const auto order = superlative_before(at)) {
                add({*order, at, "which"});
                add_to_ends(*order, at + 1, false);
            }
        }
        const bool is_last = end_ > 2 && names_a_table(end_ - 1);
        if (const auto order = is_last ? superlative_before(end_ - 1) : std::nullopt) add({*order, end_ - 1, "which"});
    }

    /// The phrase with the time that is said of it: "2023 champion", "champion of 2023".
    [[nodiscard]] Phrase with_time(Phrase phrase) const {
        if (!said_.time) return phrase;
        const TimeMention& time = *said_.time;
        if (time.last + 1 == phrase.first || (time.last + 2 == phrase.first && says(time.last + 1, {"'", "s", "'s"}))) {
            phrase.first = time.first;
        }
        std::size_t next = phrase.last + 1;
        while (says(next, {"of", "in", "from", "for", "the"})) ++next;
        if (next == time.first) phrase.last = time.last;
        if (phrase.last == time.last && says(phrase.last + 1, {"season"})) ++phrase.last;
        return phrase;
    }

    /// "the champion of 2023": by what a key to it is called.
    void find_roles() {
        for (std::size_t at = 1; at < end_; ++at) {
            if (said_.taken[at] || is_filler(folded_[at])) continue;
            const bool is_role = std::ranges::any_of(view_.schema().keys(), [&](const ForeignKey& key) {
                const TableId target = view_.table_of(key.to);
                return view_.has_word(key.from, names_.stem_of(at)) && !names_.has_in_name(target, at) &&
                       !view_.is_of_an_end(key.from) && view_.has_names(target) && folded_[at] != "id";
            });
            if (!is_role) continue;
            const bool has_noun = at + 1 < end_ && names_a_table(at + 1);
            add(with_time({at, has_noun ? at + 1 : at, "which"}));
        }
    }

    /// "the MVP of 2023": by the kind of a row that has somebody.
    void find_kinds() {
        for (const ValueMention& value : said_.values) {
            const bool is_kind = std::ranges::any_of(value.meanings, [this](const ValueMention::Meaning& meaning) {
                const TableId table = view_.table_of(meaning.column);
                const auto labels = view_.labels(table);
                const bool is_shared =
                    std::ranges::find(labels, meaning.column) != labels.end() && !view_.is_unique(meaning.column);
                return (is_shared || !view_.has_names(table)) && !view_.target_of(meaning.column) &&
                       std::ranges::any_of(view_.schema().keys(), [&](const ForeignKey& key) {
                           return view_.table_of(key.from) == table && view_.has_names(view_.table_of(key.to));
                       });
            });
            if (is_kind && value.first > 0 && !value.negated)
                add(with_time({value.first, value.last, "who", kWorstKind}));
        }
    }

    /// "Among second-round picks, who …".
    void find_among() {
        for (std::size_t at = 0; at + 1 < end_; ++at) {
            if (!says(at, {"among"})) continue;
            std::size_t last = at + 1;
            while (last + 1 < end_ && !says(last + 1, {",", "who", "which", "what"})) ++last;
            add({at + 1, last, "who", kWorstInner, true});
        }
    }

    /// What is mentioned inside the phrase, or outside it.
    [[nodiscard]] Mentions mentions_of_part(const Phrase& phrase, bool is_inside, Names& part) const {
        LinkedQuestion masked = question_;
        const auto is_inner = [&](std::size_t at) { return at >= phrase.first && at <= phrase.last; };
        std::erase_if(masked.links, [&](const Link& link) {
            return is_inner(link.first) != is_inside || is_inner(link.last) != is_inside;
        });
        for (std::size_t at = 0; at < part.size(); ++at) {
            if (is_inner(at) != is_inside) part.put(at, kNothing);
        }
        if (is_inside) part.put(phrase.first - 1, phrase.lead);
        return mentions_of(masked, part, view_);
    }

    void read(const Phrase& phrase, std::vector<FactReading>& out) const {
        Names inner_names = names_;
        Names outer_names = names_;
        Mentions inner = mentions_of_part(phrase, true, inner_names);
        Mentions outer = mentions_of_part(phrase, false, outer_names);
        bool is_said = false;
        for (std::size_t at = 0; at < outer_names.size(); ++at) is_said |= !outer.taken[at] && !outer.explained[at];
        if (!is_said) return;
        const bool has_own_time = outer.time.has_value();
        if (!inner.time && outer.time) {
            inner.time = outer.time;
            inner.shares_time = 0;
        }
        const auto described = best_described(inner_names, inner, phrase.worst);
        if (!described) return;
        if (!has_own_time && inner.time && described->described.time != 0) {
            outer.time = inner.time;
            outer.shares_time = described->described.time;
        }
        outer.described = {described->described};
        outer.described.front().is_several = phrase.is_several;
        for (std::size_t at = phrase.first; at <= phrase.last; ++at) outer.taken[at] = outer.explained[at] = true;
        for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
            auto reading = FactQuery(static_cast<TableId>(table), view_, outer_names, outer).reading();
            if (!reading) continue;
            reading->score += described->score - kNested;
            reading->rule = kNestedRule;
            out.push_back(std::move(*reading));
        }
    }

    [[nodiscard]] std::optional<KeyReading> best_described(const Names& names, const Mentions& inner,
                                                           double worst) const {
        std::optional<KeyReading> best;
        for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
            auto reading = FactQuery(static_cast<TableId>(table), view_, names, inner).key_reading();
            const bool is_described = reading && (reading->described.keys.where || reading->described.keys.limit);
            if (!is_described || reading->score < worst) continue;
            if (!best || reading->score > best->score) best = std::move(reading);
        }
        return best;
    }

    const LinkedQuestion& question_;
    const Names& names_;
    const Mentions& said_;
    const rules::SchemaView& view_;
    std::vector<std::string> folded_;
    std::size_t end_ = 0;
    std::vector<Phrase> phrases_;
};

}  // namespace

std::vector<FactReading> nested_readings(const LinkedQuestion& question, const Names& names, const Mentions& mentions,
                                         const rules::SchemaView& view) {
    return Nesting(question, names, mentions, view).readings();
}

}  // namespace quaestor::native::facts
