#include "native/answer/subjects.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

using namespace std::string_view_literals;

/// No committee sets a wider one; two numbers that are further apart are something else.
constexpr double kWidestRange = 1;
constexpr std::size_t kDecimalBytesMax = 8;

/// Before a range: then it is a wish, an expectation or somebody else's matter.
constexpr std::array kNotDone{"would"sv,     "could"sv,      "might"sv,     "if"sv,          "should"sv,
                              "preferred"sv, "prefer"sv,     "prefers"sv,   "favored"sv,     "favoured"sv,
                              "wanted"sv,    "voting"sv,     "dissented"sv, "expected"sv,    "median"sv,
                              "projected"sv, "projection"sv, "option"sv,    "respondents"sv, "directs"sv,
                              "undertake"sv, "necessary"sv,  "operations"sv};
constexpr std::array kUpVerbs{"raise"sv, "raised"sv, "increase"sv, "increased"sv, "up"sv,
                              "hiked"sv, "lifted"sv, "rose"sv,     "raising"sv,   "higher"sv};
constexpr std::array kDownVerbs{"lower"sv, "lowered"sv, "cut"sv,      "reduce"sv, "reduced"sv,
                                "down"sv,  "slashed"sv, "lowering"sv, "fell"sv,   "decreased"sv};
constexpr std::array kSameVerbs{"maintain"sv, "maintained"sv, "keep"sv,   "kept"sv,      "hold"sv,
                                "held"sv,     "leave"sv,      "left"sv,   "unchanged"sv, "stayed"sv,
                                "remained"sv, "paused"sv,     "retain"sv, "stays"sv};

template <class List>
bool has_listed(const std::vector<std::string>& words, const List& list) {
    return std::ranges::any_of(words, [&](const auto& word) { return std::ranges::find(list, word) != list.end(); });
}

bool is_digit_byte(char c) {
    return c >= '0' && c <= '9';
}

struct Decimal {
    double value = 0;
    std::size_t end = 0;
};

std::optional<Decimal> decimal_at(std::string_view text, std::size_t begin) {
    double value = 0;
    double unit = 0;
    std::size_t at = begin;
    for (; at < text.size() && at - begin < kDecimalBytesMax; ++at) {
        const bool is_point =
            text[at] == '.' && unit == 0 && at > begin && at + 1 < text.size() && is_digit_byte(text[at + 1]);
        if (is_point) {
            unit = 1;
        } else if (is_digit_byte(text[at])) {
            value = value * 10 + (text[at] - '0');
            unit *= 10;
        } else {
            break;
        }
    }
    if (at == begin) return std::nullopt;
    return Decimal{unit == 0 ? value : value / unit, at};
}

struct PercentRange {
    double low = 0;
    double high = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// "5.25 to 5.5 percent", "5.00–5.25 percent", "2 percent to 2.25 percent", in a text without fractions.
std::optional<PercentRange> percent_range_at(std::string_view text, std::size_t begin) {
    const bool is_inside = begin > 0 && (is_digit_byte(text[begin - 1]) || ".,$"sv.contains(text[begin - 1]));
    const auto low = is_inside ? std::nullopt : decimal_at(text, begin);
    if (!low) return std::nullopt;
    for (const std::string_view joint : {" to "sv, " percent to "sv, "–"sv, "-"sv, " and "sv}) {
        if (!text.substr(low->end).starts_with(joint)) continue;
        const auto high = decimal_at(text, low->end + joint.size());
        if (!high) return std::nullopt;
        const auto rest = text.substr(high->end);
        const bool is_percent = rest.starts_with(" percent") || rest.starts_with("%") || rest.starts_with(" %") ||
                                rest.starts_with(" per cent");
        const bool is_range = high->value > low->value && high->value - low->value <= kWidestRange;
        if (!is_percent || rest.starts_with(" percentage") || !is_range) return std::nullopt;
        return PercentRange{low->value, high->value, begin, high->end};
    }
    return std::nullopt;
}

std::vector<PercentRange> percent_ranges_in(std::string_view text) {
    std::vector<PercentRange> ranges;
    for (std::size_t at = 0; at < text.size();) {
        const auto range = percent_range_at(text, at);
        if (range) ranges.push_back(*range);
        at = range ? range->end : at + 1;
    }
    return ranges;
}

Direction direction_by_verb(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (std::ranges::find(kUpVerbs, word) != kUpVerbs.end()) return Direction::up;
        if (std::ranges::find(kDownVerbs, word) != kDownVerbs.end()) return Direction::down;
        if (std::ranges::find(kSameVerbs, word) != kSameVerbs.end()) return Direction::same;
    }
    return Direction::none;
}

/// "…; before that it had been 2.00 to 2.25 percent": the first is the new one.
bool names_new_one_first(std::string_view between) {
    return between.contains("before") || between.contains("had been") || between.contains(" from ");
}

Direction direction_between(double before, double after) {
    if (before == after) return Direction::same;
    return after > before ? Direction::up : Direction::down;
}

}  // namespace

std::optional<RangeDecision> range_decision_in(std::string_view sentence) {
    const std::string text = fold(with_decimals(sentence));
    const auto ranges = percent_ranges_in(text);
    if (ranges.empty()) return std::nullopt;
    const auto words = plain_words(std::string_view(text).substr(0, ranges.front().begin));
    const bool has_both = ranges.size() > 1;
    const bool names_rate = text.contains("range") || text.contains("funds rate") || text.contains("rates") ||
                            (has_both && text.contains("basis points"));
    // In small letters: a month is none.
    const bool is_supposed = has_listed(words, kNotDone) || sentence.contains(" may ");
    if (!names_rate || is_supposed) return std::nullopt;
    if (!has_both) {
        const Direction direction = direction_by_verb(words);
        if (direction == Direction::none) return std::nullopt;
        return RangeDecision{ranges.front().low, ranges.front().high, {}, direction};
    }
    const std::size_t first_end = ranges.front().end;
    const bool is_swapped = names_new_one_first(std::string_view(text).substr(first_end, ranges[1].begin - first_end));
    const PercentRange& after = is_swapped ? ranges[0] : ranges[1];
    const PercentRange& before = is_swapped ? ranges[1] : ranges[0];
    return RangeDecision{after.low, after.high, before.low, direction_between(before.low, after.low)};
}

bool names_step(std::string_view sentence) {
    const std::string folded = fold(sentence);
    return folded.contains("basis point") || folded.contains("percentage point") || folded.contains("quarter point") ||
           folded.contains("half point");
}

std::optional<int> basis_points_in(std::string_view sentence) {
    const std::size_t unit = sentence.find(" basis points");
    if (unit == std::string_view::npos) return std::nullopt;
    std::size_t begin = unit;
    while (begin > 0 && is_digit_byte(sentence[begin - 1])) --begin;
    const auto number = decimal_at(sentence, begin);
    return number && number->end == unit ? std::optional(static_cast<int>(number->value)) : std::nullopt;
}

}  // namespace quaestor::native
