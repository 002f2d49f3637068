#include "native/answer/saying.hpp"

#include "base/text.hpp"
#include "native/answer/answer_writer.hpp"
#include "native/characters.hpp"
#include "native/lower.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <vector>

namespace quaestor::native {

namespace {

struct UnitWord {
    std::string_view word;  ///< in a name
    std::string_view before;
    std::string_view after;
};

constexpr auto kUnitWords = std::to_array<UnitWord>({
    {"percent", "", " %"},       {"percentage", "", " %"}, {"pct", "", " %"},         {"usd", "$", ""},
    {"dollars", "$", ""},        {"dollar", "$", ""},      {"eur", "€", ""},          {"euros", "€", ""},
    {"euro", "€", ""},           {"gbp", "£", ""},         {"years", "", " years"},   {"months", "", " months"},
    {"weeks", "", " weeks"},     {"days", "", " days"},    {"hours", "", " hours"},   {"minutes", "", " minutes"},
    {"seconds", "", " seconds"}, {"kg", "", " kg"},        {"km", "", " km"},         {"cm", "", " cm"},
    {"mm", "", " mm"},           {"miles", "", " miles"},  {"meters", "", " m"},      {"metres", "", " m"},
    {"kmh", "", " km/h"},        {"mph", "", " mph"},      {"kilograms", "", " kg"},  {"kilometers", "", " km"},
    {"kilometres", "", " km"},   {"celsius", "", " °C"},   {"fahrenheit", "", " °F"}, {"liters", "", " l"},
    {"litres", "", " l"},        {"feet", "", " feet"},    {"inches", "", " inches"}, {"pounds", "", " pounds"},
    {"grams", "", " g"},
});

/// Numbers that name something, and are not counted or added.
constexpr auto kPlainEndings = std::to_array<std::string_view>(
    {"id", "code", "key", "zip", "phone", "year", "season", "month", "quarter", "day", "weekday", "number", "no"});
/// Words that a unit may stand behind: "height in cm".
constexpr auto kBeforeUnit = std::to_array<std::string_view>({"in", "of"});

template <class List>
bool is_in(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    std::string marked;
    for (const char c : name) marked += c == '%' ? std::string(" pct ") : c == '$' ? " usd " : std::string(1, c);
    // Not name_words(): that writes abbreviations out, and a unit is one.
    for (const WordSpan& span : split_words(marked)) {
        std::string part;
        for (const char c : marked.substr(span.begin, span.end - span.begin)) {
            if (c == '_' || c == '-') {
                if (!part.empty()) words.push_back(lower(part));
                part.clear();
            } else {
                part += c;
            }
        }
        if (part.size() > 1 || (part.size() == 1 && is_word_point(static_cast<unsigned char>(part.front())))) {
            words.push_back(lower(part));
        }
    }
    return words;
}

/// Whether all numbers lie between 0 and 1 and some are no whole ones.
bool holds_fractions(const data::ResultColumn& column) {
    bool has_fraction = false;
    for (std::size_t row = 0; row < std::min(column.size(), kJudgedRowsMax); ++row) {
        const auto value = column.number(row);
        if (!value) continue;
        if (*value < 0 || *value > 1) return false;
        has_fraction = has_fraction || (*value > 0 && *value < 1);
    }
    return has_fraction;
}

/// Takes the unit out of a name: {"height", "in", "cm"} → {"height"}.
void take_unit(std::vector<std::string>& words, NumberStyle& style) {
    const auto is_unit = [](const std::string& word) {
        return is_in(kUnitWords | std::views::transform(&UnitWord::word), word);
    };
    const auto found = std::ranges::find_if(words, is_unit);
    if (found == words.end()) return;
    const auto* const unit = std::ranges::find(kUnitWords, *found, &UnitWord::word);
    style.before = unit->before;
    style.after = unit->after;
    // "points as percent of total" and "field goal percentage" need their words.
    if (style.is_percent() || std::next(found) != words.end() || std::ranges::find(words, "as") != words.end()) return;
    const auto begin = found != words.begin() && is_in(kBeforeUnit, *std::prev(found)) ? std::prev(found) : found;
    words.erase(begin, words.end());
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string rounded(double value, int decimals) {
    return with_thousands(without_trailing_zeros(fmt::format("{:.{}f}", value, decimals)));
}

/// "5.21 million" where nothing that is known is lost, or digits would mean nothing.
std::optional<std::string> in_millions(double value, bool is_whole) {
    constexpr std::array<std::pair<double, std::string_view>, 3> kScales{
        {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}}};
    for (const auto& [scale, word] : kScales) {
        if (std::abs(value) < scale) continue;
        const double hundredths = value / scale * 100;
        if (is_whole && std::nearbyint(hundredths) != hundredths) return std::nullopt;
        return fmt::format("{} {}", rounded(value / scale, 2), word);
    }
    return std::nullopt;
}

std::string say_digits(double value, const NumberStyle& style) {
    constexpr double kLargest = 1e15;
    if (!std::isfinite(value) || std::abs(value) >= kLargest) return fmt::format("{}", value);
    const bool is_whole = std::nearbyint(value) == value;
    if (style.is_plain) return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
    if (style.is_percent()) return rounded(value, std::abs(value) < 1 ? 2 : 1);
    if (const auto millions = style.in_full ? std::nullopt : in_millions(value, style.is_whole)) return *millions;
    if (is_whole) return with_thousands(fmt::format("{:.0f}", value));
    if (!style.before.empty()) return with_thousands(fmt::format("{:.2f}", value));
    constexpr double kSmallest = 1e-4;
    if (std::abs(value) < kSmallest) return fmt::format("{:.3g}", value);
    return rounded(value, style.decimals.value_or(decimals_of(value)));
}

struct DateDigits {
    int year = 0;
    int month = 0;
    int day = 0;
};

std::optional<DateDigits> date_digits(std::string_view text) {
    constexpr std::string_view kShape = "dddd-dd-dd";
    const bool fits = text.size() >= kShape.size() &&
                      std::ranges::equal(text.substr(0, kShape.size()), kShape,
                                         [](char c, char s) { return s == 'd' ? is_digit(c) : c == s; });
    if (!fits || (text.size() > kShape.size() && text[kShape.size()] != ' ' && text[kShape.size()] != 'T'))
        return std::nullopt;
    const auto number = [text](std::size_t at, std::size_t count) {
        int value = 0;
        for (const char c : text.substr(at, count)) value = value * 10 + (c - '0');
        return value;
    };
    const DateDigits date{number(0, 4), number(5, 2), number(8, 2)};
    const bool is_day = date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31;
    return is_day ? std::optional(date) : std::nullopt;
}

bool needs_escape(std::string_view line, std::size_t at) {
    const char c = line[at];
    if (std::string_view("\\`*_[]<>|~").contains(c)) return true;
    if (at == 0 && std::string_view("#+-").contains(c) && line.size() > 1 && line[1] == ' ') return true;
    if (c == '#' && at == 0) return true;
    if (c == ':') return line.substr(at).starts_with("://");
    return c == '.' && at >= 3 && lower(line.substr(at - 3, 3)) == "www";
}

}  // namespace

int decimals_of(double value) {
    const double size = std::abs(value);
    if (size >= 100) return 1;
    if (size >= 1) return 2;
    return 4;
}

NumberStyle style_of(const data::ResultColumn& column) {
    NumberStyle style;
    std::vector<std::string> words = words_of(column.name());
    const bool is_number = data::is_numeric(column.kind());
    style.is_whole = column.kind() == data::ValueKind::integer;
    const bool is_aggregate =
        !words.empty() && is_in(std::to_array<std::string_view>({"count", "total", "average"}), words.front());
    const bool says_year = !words.empty() && words.front() == "year";  // "year founded"
    if (is_number && !is_aggregate)
        style.is_plain = says_year || (!words.empty() && is_in(kPlainEndings, words.back()));
    if (is_number) take_unit(words, style);
    const bool is_calculated = std::ranges::find(words, "as") != words.end();
    style.is_fraction = style.is_percent() && !is_calculated && holds_fractions(column);
    if (words.empty()) {
        if (!style.is_percent()) style.after = "";
        words = words_of(column.name());
    }
    if (words.empty()) words.emplace_back("value");
    style.name = name_words(fmt::format("{}", fmt::join(words, " ")));
    return style;
}

std::string say_number(double value, const NumberStyle& style) {
    const std::string digits = say_digits(style.is_fraction ? 100 * value : value, style);
    const bool is_below = digits.starts_with('-') && !style.before.empty();
    return fmt::format("{}{}{}{}", is_below ? "-" : "", style.before, is_below ? digits.substr(1) : digits,
                       style.after);
}

std::optional<std::string> say_date(std::string_view text) {
    const auto date = date_digits(text);
    if (!date) return std::nullopt;
    const std::string month = capitalised(std::string(kMonths[static_cast<std::size_t>(date->month - 1)].word));
    std::string said = fmt::format("{} {}, {}", month, date->day, date->year);
    constexpr std::size_t kDateBytes = 10;
    if (text.size() < kDateBytes + 6) return said;
    const std::string_view time = text.substr(kDateBytes + 1, 5);
    return time == "00:00" || time[2] != ':' ? said : fmt::format("{}, {}", said, time);
}

std::string escaped_words(std::string_view text) {
    std::string line;
    for (const char c : text::clean(text::trim(text))) {
        line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    std::string out;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (needs_escape(line, at)) out += '\\';
        out += line[at];
    }
    return out;
}

std::string escaped(std::string_view text) {
    const std::string_view shown = first_points(text, kCellPointsMax);
    return escaped_words(shown) + (shown.size() < text.size() ? "…" : "");
}

std::string say_value(const data::ResultColumn& column, std::size_t row, const NumberStyle& style) {
    using data::ValueKind;
    if (column.is_null(row)) return "nothing recorded";
    if (column.kind() == ValueKind::boolean) return column.text(row) == "true" ? "yes" : "no";
    if (data::is_numeric(column.kind())) {
        if (const auto number = column.number(row)) return say_number(*number, style);
    }
    const std::string text = column.text(row);
    if (const auto date = say_date(text)) return *date;
    const std::string shown = escaped(text);
    return shown.empty() ? "an empty text" : shown;
}

std::string say_cell(const data::ResultColumn& column, std::size_t row) {
    return say_value(column, row, style_of(column));
}

}  // namespace quaestor::native
