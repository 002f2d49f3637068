#include "native/characters.hpp"
#include "native/reading/facts/mention_collector.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/reading/rules/cues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace quaestor::native::facts {

namespace {

/// Links of values below it are guesses.
constexpr double kValueMin = 0.6;
/// A word of a longer value, that is written small, is rarely meant as that value.
constexpr double kSureValue = 0.95;
/// A word of values that several of few have.
constexpr std::size_t kSharedBytesMin = 4;
constexpr std::size_t kSharedValuesMax = 60;
/// Letters that may stand for the words of a name, and links to names above which they say nothing.
constexpr std::size_t kInitialsMax = 3;
constexpr std::ptrdiff_t kInitialsShared = 4;

/// Words that say nothing about what is in a database.
constexpr auto kEmptyWords = std::to_array<std::string_view>(
    {"league",   "game's",   "overall", "altogether", "please",  "stats",     "stat",   "statistics",
     "numbers",  "history",  "time",    "times",      "play",    "plays",     "played", "playing",
     "season",   "seasons",  "year",    "years",      "regular", "during",    "career", "head",
     "main",     "produced", "produce", "wear",       "shoot",   "shot",      "grab",   "grabbed",
     "post",     "posted",   "reach",   "reached",    "finish",  "finished",  "total",  "average",
     "averaged", "averages", "member",  "members",    "wide",    "nationwide"});

}  // namespace

Mentions Collector::collect() {
    out_.asks_whether = says(0, {"did", "does", "do", "is", "are", "was", "were", "has", "have"});
    add_values();
    add_numbered_rows();
    add_times();
    add_ordinals();
    add_cues();
    add_other_time();
    add_stock();
    add_frequency();
    add_numbers();
    add_asked();
    add_average();
    add_shared_words();
    add_unknown();
    add_present();
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const bool is_empty =
            is_filler(folded_[at]) || std::ranges::find(kEmptyWords, folded_[at]) != kEmptyWords.end();
        // A record that is best or worst is one of games won, not just something kept.
        const bool is_measure = says(at, {"record"}) && at > 0 && says(at - 1, {"best", "worst", "better"});
        const bool is_owned = says(at, {"own", "owns", "owned"}) && is_in_some_name(at);
        if (out_.taken[at] || is_empty) out_.explained[at] = !is_measure && !is_owned;
    }
    return std::move(out_);
}

bool Collector::is_in_some_name(std::size_t at) const {
    for (std::size_t id = 1; id < view_.schema().columns().size(); ++id) {
        if (names_.is_in_name(static_cast<ColumnId>(id), at)) return true;
    }
    return false;
}

bool Collector::is_free(std::size_t first, std::size_t last) const {
    return std::none_of(out_.taken.begin() + static_cast<long>(first), out_.taken.begin() + static_cast<long>(last) + 1,
                        [](bool taken) { return taken; });
}

void Collector::take(std::size_t first, std::size_t last) {
    std::fill(out_.taken.begin() + static_cast<long>(first), out_.taken.begin() + static_cast<long>(last) + 1, true);
}

bool Collector::says(std::size_t at, std::initializer_list<std::string_view> words) const {
    return at < folded_.size() && std::ranges::find(words, std::string_view(folded_[at])) != words.end();
}

/// The word before, leaving out articles.
std::size_t Collector::before(std::size_t at) const {
    while (at-- > 0) {
        if (!says(at, {"the", "a", "an", "of"})) return at;
    }
    return folded_.size();
}

void Collector::add_values() {
    std::vector<const Link*> links;
    for (const Link& link : question_.links) {
        if (link.kind == LinkKind::value && link.score >= kValueMin && is_value(link)) links.push_back(&link);
    }
    std::ranges::sort(links, {}, [](const Link* link) {
        return std::tuple(-static_cast<long>(link->last - link->first), -link->score, link);
    });
    for (const Link* link : links) {
        const auto same = std::ranges::find_if(out_.values, [link](const ValueMention& one) {
            return one.first == link->first && one.last == link->last;
        });
        if (same != out_.values.end()) {
            same->meanings.push_back({link->column, value_of(*link), link->score});
        } else if (is_free(link->first, link->last)) {
            take(link->first, link->last);
            out_.values.push_back(
                {link->first, link->last, {{link->column, value_of(*link), link->score}}, false, is_plain_word(*link)});
        }
    }
    std::ranges::sort(out_.values, {}, &ValueMention::first);
    for (ValueMention& value : out_.values) {
        mark_negation(value);
        value.is_idle = true;
        for (std::size_t at = value.first; at <= value.last; ++at) {
            value.is_idle &= std::ranges::find(kEmptyWords, folded_[at]) != kEmptyWords.end();
        }
    }
}

bool Collector::is_value(const Link& link) const {
    const std::string_view said = question_.span(link.first, link.last);
    const bool is_small = !said.empty() && said.front() >= 'a' && said.front() <= 'z';
    const bool is_whole_text = link.score < kSureValue && plain_words(link.text).size() > 1;
    if (is_small && (is_whole_text || is_filler(folded_[link.first]))) return false;
    if (link.first == link.last && (year_of(folded_[link.first]) || names_a_thing(link.first))) return false;
    const bool is_now = says(link.first, {"right"}) && says(link.last + 1, {"now", "away"});
    if (is_one_of_many(link) || is_now) return false;
    return !is_in_date(link);
}

/// Letters that begin the words of several values stand for none of them.
bool Collector::is_one_of_many(const Link& link) const {
    const std::string_view said = question_.span(link.first, link.last);
    const auto is_shortened = [&](const Link& other) {
        return other.kind == LinkKind::value && other.first == link.first && other.last == link.last &&
               other.text.size() > said.size() * 2 && !fold(other.text).contains(fold(said));
    };
    const bool is_short = link.first == link.last && said.size() <= kInitialsMax && is_shortened(link);
    return is_short && std::ranges::count_if(question_.links, is_shortened) > kInitialsShared;
}

/// "skater 100", "order 10248": the row with that key.
void Collector::add_numbered_rows() {
    for (std::size_t at = 1; at < folded_.size(); ++at) {
        const bool is_number = is_digit(folded_[at][0]) && !out_.taken[at];
        const bool is_one = folded_[at - 1] == names_.stem_of(at - 1) && !out_.taken[at - 1];
        for (std::size_t table = 0; table < view_.schema().tables().size() && is_number && is_one; ++table) {
            const auto id = static_cast<TableId>(table);
            const ColumnId key = names_.names_table(at - 1, id) == 1 ? view_.primary(id) : 0;
            const bool is_meant =
                key != 0 && view_.column(key).kind == ColumnKind::number && !view_.is_year(key) && !out_.taken[at];
            if (!is_meant) continue;
            take(at, at);
            out_.explained[at - 1] = true;
            out_.values.push_back({at, at, {{key, Words{at, at}, 1}}, false, false});
        }
    }
    std::ranges::sort(out_.values, {}, &ValueMention::first);
}

/// "more than once", "at least five times".
void Collector::add_frequency() {
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const bool is_times = at > 0 && says(at, {"times"});
        std::size_t first = at;
        std::string number = says(at, {"once"}) ? "1" : says(at, {"twice"}) ? "2" : "";
        if (is_times && says(at - 1, {"multiple", "several"})) {
            out_.times = {.first = at - 1, .last = at, .comparison = Comparison::greater, .number = "1"};
            take(at - 1, at);
            return;
        }
        for (const Link& link : question_.links) {
            if (!is_times || link.kind != LinkKind::number || link.last + 1 != at) continue;
            number = link.text;
            first = link.first;
        }
        if (number.empty() || out_.taken[at]) continue;
        for (const Link& link : question_.links) {
            const bool is_said = link.kind == LinkKind::comparison && link.score >= 0.8 && link.last + 1 == first;
            if (!is_said || (link.text != ">" && link.text != ">=" && link.text != "<" && link.text != "<=")) continue;
            out_.times = {.first = first, .last = at, .comparison = comparison_of(link.text), .number = number};
            take(link.first, at);
            return;
        }
        if (number == "1") continue;
        out_.times = {.first = first, .last = at, .comparison = Comparison::greater_equal, .number = number};
        take(first, at);
        return;
    }
}

/// What belongs to somebody at present: said where no column has such a word.
void Collector::add_present() {
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const bool is_present =
            says(at, {"today", "current", "currently", "active", "roster", "rosters", "now", "nowadays"});
        if (is_present && !out_.taken[at] && !is_in_some_name(at)) out_.present_at.push_back(at);
    }
}

/// A word written small that tables or columns also go by.
bool Collector::is_plain_word(const Link& link) const {
    const std::string_view said = question_.word(link.first);
    if (link.first != link.last || said.empty() || said.front() < 'a' || said.front() > 'z') return false;
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        if (names_.has_in_name(static_cast<TableId>(table), link.first)) return true;
    }
    for (std::size_t column = 1; column < view_.schema().columns().size(); ++column) {
        const auto id = static_cast<ColumnId>(column);
        if (id != link.column && names_.is_about(id, link.first)) return true;
    }
    return false;
}

bool Collector::names_a_thing(std::size_t at) const {
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        if (names_.names_table(at, static_cast<TableId>(table)) == 1) return true;
    }
    return false;
}

Value Collector::value_of(const Link& link) const {
    const auto spelling = view_.knowledge().values().spelling(link.column, question_.span(link.first, link.last));
    if (spelling.text == link.text) return Words{link.first, link.last};
    return Constant{link.text};
}

void Collector::mark_negation(ValueMention& value) {
    for (std::size_t back = 1; back <= 5 && back <= value.first; ++back) {
        const std::size_t at = value.first - back;
        if (out_.taken[at]) return;
        if (says(at, {"not", "outside", "except", "excluding", "without", "non"})) {
            value.negated = true;
            out_.explained[at] = true;
        }
    }
}

/// "guards" where positions are "Point Guard" and "Shooting Guard".
void Collector::add_shared_words() {
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const auto is_meant = [at](const Link& link) {
            return link.first <= at && at <= link.last && link.kind != LinkKind::filler;
        };
        const bool is_open =
            !out_.taken[at] && !out_.explained[at] && folded_[at].size() >= kSharedBytesMin && !is_filler(folded_[at]);
        if (!is_open || std::ranges::any_of(question_.links, is_meant)) continue;
        for (std::size_t column = 1; column < view_.schema().columns().size(); ++column) {
            const auto id = static_cast<ColumnId>(column);
            const auto values = view_.knowledge().values().values_of(id);
            if (values.size() < 2 || values.size() > kSharedValuesMax) continue;
            const auto has_word = [&](const KnownValue& value) {
                const auto words = stems(value.spelling);
                return std::ranges::find(words, names_.stem_of(at)) != words.end();
            };
            if (std::ranges::count_if(values, has_word) < 2) continue;
            take(at, at);
            out_.values.push_back({at, at, {{id, Constant{names_.stem_of(at)}, 0.8, true}}, false, false});
            break;
        }
    }
}

/// Words with capitals that nothing is linked to.
void Collector::add_unknown() {
    const auto is_unknown = [this](std::size_t at) {
        const std::string_view word = question_.word(at);
        const bool is_name = !word.empty() && word.front() >= 'A' && word.front() <= 'Z';
        return is_name && !out_.taken[at] && !is_filler(folded_[at]) &&
               std::ranges::none_of(question_.links, [at](const Link& link) {
                   return link.first <= at && at <= link.last && link.kind != LinkKind::filler;
               });
    };
    for (std::size_t at = 1; at < folded_.size(); ++at) {
        const std::size_t led_by = before(at);
        if (!is_unknown(at) || !says(led_by, {"from", "in", "at", "by", "of", "for", "named", "called"})) continue;
        std::size_t last = at;
        while (last + 1 < folded_.size() && is_unknown(last + 1)) ++last;
        out_.unknown = {at, last, folded_[led_by]};
        take(at, last);
        return;
    }
}

std::string TimeMention::last_year() const {
    return rules::day_before(after).substr(0, 4);
}

bool TimeMention::is_years() const {
    return from.ends_with("-01-01") && after.ends_with("-01-01");
}

Mentions mentions_of(const LinkedQuestion& question, const Names& names, const rules::SchemaView& view) {
    return Collector(question, names, view).collect();
}

}  // namespace quaestor::native::facts
