#include "native/reading/facts/mention_collector.hpp"

#include <algorithm>

namespace quaestor::native::facts {

using rules::Cue;

void Collector::add_cues() {
    for (std::size_t at = 0; at < folded_.size();) {
        const auto cue = rules::cue_at(folded_, at);
        if (!cue || out_.taken[at]) {
            add_word(at++);
            continue;
        }
        add_cue(*cue, at);
        for (std::size_t word = at; word < at + cue->words; ++word) {
            // "tallest" and "largest" are about a column, too.
            const bool is_about = cue->cue == Cue::about || cue->cue == Cue::time_unit ||
                                  says(word, {"largest", "biggest", "smallest", "dearest", "cheapest"}) ||
                                  (cue->cue == Cue::how_many_more && word > at + 1 && !says(word, {"more", "less"}));
            out_.explained[word] = cue->cue != Cue::filler && !is_about;
            out_.weak[word] = cue->cue == Cue::filler || is_about;
        }
        at += cue->words;
    }
}

void Collector::add_word(std::size_t at) {
    if (says(at, {"led", "leads", "lead", "leader", "leaders", "leading"})) {
        order(true, at);
        out_.explained[at] = true;
    }
    if (says(at, {"better", "best", "worse", "worst", "more"}) && !out_.taken[at]) {
        if (!says(at, {"more"})) out_.is_better = true;
        if (!says(at, {"more"})) order(says(at, {"better", "best"}), at);
        out_.explained[at] = true;
    }
    if (says(at, {"trend", "progression", "develop", "developed"})) {
        out_.is_over_time = true;
        out_.explained[at] = true;
    }
    if (says(at, {"common", "frequent", "popular"})) {
        out_.is_commonest = out_.explained[at] = true;
    }
    const bool is_won =
        says(at, {"won", "win", "wins", "winning", "victory", "victories", "beat", "beaten", "defeated"});
    if (is_won || says(at, {"lost", "lose", "loses", "losing", "loss", "losses", "defeats"})) {
        out_.outcome = {at, is_won};
    }
    const bool is_given_up = says(at, {"gave", "give", "given"}) && says(at + 1, {"up"});
    if (is_given_up || says(at, {"allowed", "allow", "conceded", "concede", "opponents", "opponent"})) {
        out_.of_others_at = at;
        if (is_given_up) out_.weak[at + 1] = true;
    }
    const bool is_participle = folded_[at].size() > 5 && (folded_[at].ends_with("ed") || folded_[at].ends_with("ing"));
    if (is_participle) out_.weak[at] = true;
    if (says(at, {"ranked", "placed"}) && out_.asks_where) {
        out_.rank_at = at;
        out_.explained[at] = true;
    }
    // "the single-game record": the most there has been, and whose it is.
    if (says(at, {"record", "records"}) && out_.is_single && !out_.descending) {
        order(true, at);
        out_.explained[at] = out_.asks_who = true;
    }
    if (says(at, {"payroll", "payrolls"}) && !out_.aggregate) out_.aggregate = Aggregate::sum;
    if (says(at, {"who"})) out_.asks_who = true;
    if (says(at, {"revenue", "turnover", "takings", "spent", "spend", "spending", "earnings"})) out_.worth_at = at;
}

void Collector::order(bool descending, std::size_t at) {
    if (out_.descending) {
        out_.has_both_ends |= *out_.descending != descending;
        return;
    }
    out_.descending = descending;
    out_.order_at = at;
}

void Collector::add_cue(const rules::CueMatch& cue, std::size_t at) {
    const std::size_t next = at + cue.words;
    switch (cue.cue) {
        case Cue::who:
            out_.asks_who = true;
            break;
        case Cue::ask:
            out_.asks_which = true;
            out_.asks_when |= says(at, {"when"});
            out_.asks_where |= says(at, {"where"}) && cue.words == 1;
            break;
        case Cue::how_many:
        case Cue::count:
            out_.asks_how_many = true;
            break;
        case Cue::how_many_more:
            out_.asks_how_many = says(at + 1, {"many"});
            out_.is_difference = true;
            out_.is_second_minus_first = says(next - 1, {"less", "fewer", "lower"});
            break;
        case Cue::difference:
            out_.is_difference = true;
            break;
        case Cue::ratio:
            out_.per_at = ratio_end(next);
            out_.is_ratio = out_.per_at.has_value();
            break;
        case Cue::sum:
        case Cue::in_total:
            out_.aggregate = Aggregate::sum;
            break;
        case Cue::average:
            out_.aggregate = Aggregate::avg;
            break;
        case Cue::maximum:
            out_.aggregate = Aggregate::max;
            break;
        case Cue::minimum:
            out_.aggregate = Aggregate::min;
            break;
        case Cue::distinct:
            out_.is_distinct = true;
            break;
        case Cue::most:
            out_.is_most = true;
            order(true, at);
            break;
        case Cue::highest:
            out_.is_highest |= says(at, {"highest", "largest", "biggest", "greatest"});
            order(true, at);
            break;
        case Cue::top:
            out_.is_better = !says(at, {"first"});
            order(!says(at, {"first"}), at);
            break;
        case Cue::least:
        case Cue::lowest:
        case Cue::bottom:
            order(false, at);
            break;
        case Cue::about:
            if (says(at, {"last"}) && is_number(next)) {
                out_.is_last_of_time = true;
                break;
            }
            if (out_.descending) {
                out_.has_both_ends |= cue.detail.size() > 1 && opens_otherwise(cue.detail);
                break;
            }
            order(true, at);
            out_.order_about = cue.detail;
            break;
        case Cue::compare:
        case Cue::versus:
            out_.is_compared = true;
            break;
        case Cue::share:
            out_.share_at = at;
            break;
        case Cue::change:
        case Cue::growth:
        case Cue::over_time:
            out_.is_over_time = true;
            break;
        case Cue::single:
            out_.is_single = true;
            break;
        case Cue::rank:
            if (out_.asks_where) out_.rank_at = at;
            break;
        case Cue::negation:
        case Cue::never:
            for (std::size_t word = at; word < next; ++word) out_.is_never |= says(word, {"never"});
            out_.has_negation = true;
            out_.negations.push_back(next - 1);
            break;
        case Cue::group:
        case Cue::by:
            if (says(at, {"per"}) && next < folded_.size()) out_.per_at = next;
            if (next < folded_.size()) out_.grouped_by.push_back(says(next, {"the"}) ? next + 1 : next);
            break;
        default:
            break;
    }
    if (says(at, {"best", "worst"})) out_.is_better = true;
    if (says(at, {"who", "whom"}) && (at == 0 || says(at - 1, {",", ":"}))) out_.asks_who = true;
}

/// Whether the first column of an order goes the other way than that of the order before it: "cheapest" and
/// "dearest".
bool Collector::opens_otherwise(std::string_view about) const {
    const std::string_view before = out_.order_about;
    const auto sign = [](std::string_view text) { return text[text.find_first_of("+-")]; };
    return !before.empty() && sign(before) != sign(about);
}

/// "ratio of refunds to sales": where what is divided by is said.
std::optional<std::size_t> Collector::ratio_end(std::size_t from) const {
    for (std::size_t at = from; at + 1 < folded_.size(); ++at) {
        if (says(at, {"to"})) return at + 1;
    }
    return std::nullopt;
}

bool Collector::is_in_value(std::size_t at) const {
    return std::ranges::any_of(out_.values,
                               [at](const ValueMention& value) { return value.first <= at && at <= value.last; });
}

bool Collector::is_number(std::size_t at) const {
    return std::ranges::any_of(question_.links, [at](const Link& link) {
        return (link.kind == LinkKind::number || link.kind == LinkKind::limit) && link.first <= at && at <= link.last;
    });
}

/// The words after what asks, up to the first that begins something else.
void Collector::add_asked() {
    const auto begins_other = [this](std::size_t at) {
        return out_.taken[at] || says(at, {"per", "in",  "of",   "on",   "at",  "with", "that", "who", "whose",
                                           "did", "do",  "does", "is",   "are", "was",  "were", "has", "have",
                                           "had", "for", "by",   "from", "to",  "and",  ",",    "?"});
    };
    const auto asks = [this](std::size_t at) {
        return says(at, {"which",  "what",  "list", "show",  "give",       "find",   "many",
                         "number", "top",   "all",  "every", "most",       "fewest", "display",
                         "name",   "count", "best", "worst", "percentage", "share",  "proportion"});
    };
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const bool begins = at == 0 && !says(0, {"who", "how", "when", "where", "did", "is", "was", "are"});
        const bool is_whether_any = out_.asks_whether && at == 1 && says(at, {"any"});
        if (!asks(at) && !begins && !is_whether_any && !(says(at, {"are", "were"}) && out_.asks_who)) continue;
        std::size_t next = begins && !asks(at) ? at : at + 1;
        while (next < folded_.size() &&
               (is_number(next) || says(next, {"me", "the", "of", "all", "a", "an", "different", "are"})))
            ++next;
        for (; next < folded_.size() && (is_in_value(next) || !begins_other(next)); ++next) {
            // "the most points a player has scored": not who, but how many.
            const bool is_any = next > at + 1 && says(next - 1, {"a", "an", "any"}) && !says(at, {"any"});
            if (!out_.taken[next] && !is_any) out_.asked.push_back(next);
        }
    }
    out_.asks_who |= std::ranges::any_of(out_.asked, [this](std::size_t at) { return says_who_does(at); });
}

/// "rebounders": those who have what a column counts.
bool Collector::says_who_does(std::size_t at) const {
    const std::string& word = names_.stem_of(at);
    if (!word.ends_with("er") || names_a_thing(at)) return false;
    for (std::size_t id = 1; id < view_.schema().columns().size(); ++id) {
        const auto column = static_cast<ColumnId>(id);
        if (view_.is_measure(column) && !view_.has_word(column, word) && names_.is_in_name(column, at)) return true;
    }
    return false;
}

}  // namespace quaestor::native::facts
