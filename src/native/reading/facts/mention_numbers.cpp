#include "native/characters.hpp"
#include "native/reading/facts/mention_collector.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace quaestor::native::facts {

namespace {

constexpr auto kOrdinals = std::to_array<std::string_view>(
    {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"});
/// What is numbered, so that its number tells rows apart.
constexpr auto kNumbered = std::to_array<std::string_view>(
    {"round", "pick", "overall", "place", "week", "quarter", "period", "half", "inning", "lap", "stage", "rank",
     "position", "floor", "grade", "edition", "heat", "leg", "semester"});
/// Of these, words that follow say something else: "second round picks".
constexpr auto kSpans =
    std::to_array<std::string_view>({"round", "week", "quarter", "period", "half", "inning", "lap", "stage", "leg"});

/// "third", "3rd".
std::string ordinal_number(std::string_view word) {
    const auto named = std::ranges::find(kOrdinals, word);
    if (named != kOrdinals.end()) return std::to_string(named - kOrdinals.begin() + 1);
    const bool has_ending =
        word.ends_with("st") || word.ends_with("nd") || word.ends_with("rd") || word.ends_with("th");
    const std::string_view digits = has_ending ? word.substr(0, word.size() - 2) : std::string_view();
    const bool is_number = !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::string(digits) : std::string();
}

}  // namespace

/// "out of stock": none of what is on stock.
void Collector::add_stock() {
    for (std::size_t at = 2; at < folded_.size(); ++at) {
        if (!says(at, {"stock"}) || !says(at - 1, {"of"}) || !says(at - 2, {"out"})) continue;
        out_.explained[at - 1] = out_.explained[at - 2] = true;
        out_.numbers.push_back({.first = at, .last = at, .number = "0", .is_said = true});
    }
}

/// The column that an ordinal numbers by the words behind it: the more of its name is said, the better.
std::optional<OrdinalMention> Collector::ordinal_at(std::size_t at) const {
    const std::string number = ordinal_number(folded_[at]);
    const std::size_t next = at + 1 < folded_.size() && folded_[at + 1] == "-" ? at + 2 : at + 1;
    if (number.empty() || next >= folded_.size() || out_.taken[at]) return std::nullopt;
    const std::string& noun = names_.stem_of(next);
    if (std::ranges::find(kNumbered, noun) == kNumbered.end()) return std::nullopt;
    const bool is_span = std::ranges::find(kSpans, noun) != kSpans.end();
    std::optional<OrdinalMention> best;
    int best_rank = 0;
    for (std::size_t id = 1; id < view_.schema().columns().size(); ++id) {
        const auto column = static_cast<ColumnId>(id);
        if (!view_.column(column).is_amount() || view_.target_of(column) || !view_.has_word(column, noun)) continue;
        std::size_t last = next;
        while (!is_span && last + 1 < folded_.size() && view_.has_word(column, names_.stem_of(last + 1))) ++last;
        const auto words = stems(view_.column(column).words);
        int unsaid = 0;
        for (const std::string& word : words) {
            bool is_said = word == "number" || word == "no";
            for (std::size_t word_at = next; word_at <= last; ++word_at) is_said |= names_.stem_of(word_at) == word;
            unsaid += is_said ? 0 : 1;
        }
        const int rank = 10 + static_cast<int>(last - next) * 3 - unsaid * 2;
        if (rank <= best_rank) continue;
        best_rank = rank;
        best = OrdinalMention{at, last, column, number};
    }
    return best;
}

void Collector::add_ordinals() {
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        const auto ordinal = ordinal_at(at);
        if (!ordinal) continue;
        out_.ordinals.push_back(*ordinal);
        take(ordinal->first, ordinal->last);
    }
}

/// "more than the league average".
void Collector::add_average() {
    for (const Link& link : question_.links) {
        if (link.kind != LinkKind::comparison || (link.text != ">" && link.text != "<")) continue;
        for (std::size_t at = link.last + 1; at <= link.last + 3; ++at) {
            if (says(at, {"average", "mean", "avg"})) {
                out_.beats_average = link.text == ">" ? Comparison::greater : Comparison::less;
                out_.aggregate.reset();
            }
        }
    }
}

void Collector::add_numbers() {
    for (const Link& link : question_.links) {
        if (link.kind == LinkKind::limit && !link.text.empty() && out_.limit == 0) set_limit(link);
    }
    for (const Link& link : question_.links) {
        if (link.kind != LinkKind::number || link.score < 1 || !is_free(link.first, link.last)) continue;
        if (link.first == link.last && begins_name(link.first)) continue;
        if (link.first > 0 && says(link.first - 1, {"top", "first", "best", "bottom", "last"})) {
            set_limit(link);
            continue;
        }
        if (out_.descending && link.first < folded_.size() && link.last + 1 <= out_.order_at + 1 &&
            link.last < out_.order_at) {
            set_limit(link);
            continue;
        }
        if (link.first > 0 && says(link.first - 1, {"in"}) && is_scale(link.first)) {
            add_unit(link.first);
        } else {
            add_number(link);
        }
    }
    for (std::size_t at = 1; at < folded_.size(); ++at) {
        if (says(at - 1, {"in", "many"}) && !out_.taken[at] && is_unit(at)) add_unit(at);
    }
}

/// "three pointers", where a column is called so.
bool Collector::begins_name(std::size_t at) const {
    if (at + 1 >= folded_.size() || is_digit(folded_[at].front())) return false;
    for (std::size_t id = 1; id < view_.schema().columns().size(); ++id) {
        const auto column = static_cast<ColumnId>(id);
        const bool has_both = view_.has_word(column, folded_[at]) && view_.has_word(column, names_.stem_of(at + 1));
        if (has_both) return true;
    }
    return false;
}

bool Collector::is_scale(std::size_t at) const {
    return says(at, {"thousands", "millions", "billions", "thousand", "million", "billion"});
}

bool Collector::is_unit(std::size_t at) const {
    return says(at, {"dollars",     "euros",       "usd",   "metres",  "meters",    "feet", "inches",
                     "centimetres", "centimeters", "cm",    "pounds",  "kilograms", "kg",   "kilometres",
                     "kilometers",  "km",          "miles", "percent", "minutes",   "hours"});
}

/// "in millions of dollars": how it is to be shown.
void Collector::add_unit(std::size_t at) {
    if (is_unit(at)) out_.unit_at = at;
    while (at < folded_.size() && (is_scale(at) || is_unit(at) || says(at, {"of", "us"}))) out_.explained[at++] = true;
}

void Collector::set_limit(const Link& link) {
    const auto [end, problem] = std::from_chars(link.text.data(), link.text.data() + link.text.size(), out_.limit);
    if (problem != std::errc() || end != link.text.data() + link.text.size()) out_.limit = 0;
    if (out_.limit > 0) take(link.first, link.last);
}

Comparison comparison_of(std::string_view text) {
    return text == ">"    ? Comparison::greater
           : text == ">=" ? Comparison::greater_equal
           : text == "<"  ? Comparison::less
           : text == "<=" ? Comparison::less_equal
                          : Comparison::equal;
}

void Collector::add_number(const Link& link) {
    NumberMention mention{.first = link.first, .last = link.last, .number = link.text};
    // "above $40 million"
    std::size_t led_from = link.first;
    while (led_from > 0 && says(led_from - 1, {"$", "€", "£"})) --led_from;
    for (const Link& comparison : question_.links) {
        if (comparison.kind != LinkKind::comparison || comparison.score < 0.8) continue;
        const bool is_before = comparison.last + 1 == led_from;
        const bool is_after = comparison.first == link.last + 1 && (comparison.text == ">=" || comparison.text == "<=");
        if (!is_before && !is_after) continue;
        mention.comparison = comparison_of(comparison.text);
        mention.is_said = true;
        for (std::size_t at = comparison.first; at <= comparison.last; ++at) out_.explained[at] = true;
    }
    // "40-point games": at least so many.
    if (!mention.is_said && says(link.last + 1, {"-"}) && link.last + 3 < folded_.size()) {
        mention.comparison = Comparison::greater_equal;
        mention.is_said = true;
    }
    // "got to 50", "reached 50".
    const std::size_t verb = says(led_from - 1, {"to"}) ? led_from - 2 : led_from - 1;
    if (!mention.is_said && led_from > 1 && says(verb, {"got", "reached", "hit", "reach", "made"})) {
        mention.comparison = Comparison::greater_equal;
        mention.is_said = out_.explained[verb] = true;
    }
    // "Did anybody score 60": or more.
    if (!mention.is_said && out_.asks_whether && says(1, {"any", "anyone", "anybody"})) {
        mention.comparison = Comparison::greater_equal;
    }
    for (std::size_t at = led_from; at < link.first; ++at) out_.explained[at] = true;
    take(link.first, link.last);
    if (says(link.last + 1, {"dollars", "dollar", "euros", "usd", "percent", "%"}))
        out_.explained[link.last + 1] = true;
    out_.numbers.push_back(std::move(mention));
}

}  // namespace quaestor::native::facts
