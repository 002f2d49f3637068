#include "data/duckdb/sizes.hpp"

#include "data/duckdb/tree.hpp"

#include <fmt/format.h>

namespace quaestor::data {

namespace {

using tree::argument;
using tree::is_among;
using tree::literal;
using tree::object_field;
using tree::text_field;

struct SizedFunction {
    std::string_view name;
    std::size_t argument;  ///< that tells the size
};

constexpr auto kSizedFunctions = std::to_array<SizedFunction>({
    {"array_resize", 1},
    {"bitstring", 1},
    {"equi_width_bins", 2},
    {"list_resize", 1},
    {"lpad", 1},
    {"repeat", 1},
    {"rpad", 1},
});
constexpr auto kSeries = std::to_array<std::string_view>({"generate_series", "range"});
constexpr auto kFormats = std::to_array<std::string_view>({"format", "printf"});
/// Of an interval that is written INTERVAL 1 DAY.
constexpr auto kCalendarUnits = std::to_array<std::string_view>(
    {"to_days", "to_decades", "to_hours", "to_months", "to_quarters", "to_weeks", "to_years"});
/// Of one that is written INTERVAL '1 day'.
constexpr auto kCalendarWords = std::to_array<std::string_view>({"day", "hour", "month", "quarter", "week", "year"});

/// Digits in a row that a width in a format, or the year of a date, may have.
constexpr std::size_t kFormatDigitsMax = 3;
constexpr std::size_t kYearDigitsMax = 4;

bool has_longer_number(std::string_view text, std::size_t digits_max) {
    std::size_t digits = 0;
    for (const char c : text) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > digits_max) return true;
    }
    return false;
}

const json::object* without_cast(const json::object* node) {
    while (node != nullptr && text_field(*node, "class") == "CAST") node = object_field(*node, "child");
    return node;
}

std::string_view literal_text(const json::object* node) {
    const json::object* inner = without_cast(node);
    const auto* value = inner != nullptr ? literal(*inner) : nullptr;
    return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

/// A small number, or least(…, a small number).
bool is_small(const json::object* node) {
    node = without_cast(node);
    if (node == nullptr) return false;
    if (const auto* value = literal(*node)) {
        constexpr auto kMax = static_cast<double>(kValueSizeMax);
        const double number = value->is_int64()    ? static_cast<double>(value->get_int64())
                              : value->is_uint64() ? static_cast<double>(value->get_uint64())
                              : value->is_double() ? value->get_double()
                                                   : 2 * kMax;
        return number <= kMax && number >= -kMax;
    }
    const auto function = text_field(*node, "function_name");
    if (function == "-") return argument(*node, 1) == nullptr && is_small(argument(*node, 0));
    if (function != "least") return false;
    for (std::size_t i = 0; const auto* one = argument(*node, i); ++i) {
        if (is_small(one)) return true;
    }
    return false;
}

/// Steps of an hour or more, from and to dates that are not beyond all measure: few enough.
bool is_calendar(const json::object& series) {
    const auto* step = without_cast(argument(series, 2));
    if (step == nullptr) return false;
    for (const std::size_t i : {0U, 1U}) {
        if (has_longer_number(literal_text(argument(series, i)), kYearDigitsMax)) return false;
    }
    if (is_among(text_field(*step, "function_name"), kCalendarUnits)) return true;
    const auto written = literal_text(step);
    const auto names = [&](std::string_view unit) { return written.find(unit) != std::string_view::npos; };
    return std::ranges::any_of(kCalendarWords, names) && !names("min") && !names("sec");
}

bool is_small_series(const json::object& series) {
    if (is_calendar(series)) return true;
    for (std::size_t i = 0; const auto* one = argument(series, i); ++i) {
        if (!is_small(one)) return false;
    }
    return true;
}

/// A format that is written out, without a width that is large or comes from an argument: %*d, {:>{}}.
bool is_small_format(std::string_view format) {
    if (format.empty() || has_longer_number(format, kFormatDigitsMax)) return false;
    bool in_field = false;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const bool is_doubled = i + 1 < format.size() && format[i] == format[i + 1];
        if (format[i] == '*') return false;
        if (format[i] == '{' && in_field) return false;
        if (format[i] == '{' && is_doubled) {
            ++i;  // a bracket that is meant as such
        } else if (format[i] == '{') {
            in_field = true;
        } else if (format[i] == '}') {
            in_field = false;
        }
    }
    return true;
}

}  // namespace

std::string objection_to_size(const json::object& function, bool is_method) {
    const auto name = text_field(function, "function_name");
    if (is_among(name, kSeries) && (is_method || !is_small_series(function))) {
        return fmt::format("stand it in FROM, which makes its rows one by one: FROM {}(…)", name);
    }
    if (is_among(name, kFormats) && (is_method || !is_small_format(literal_text(argument(function, 0))))) {
        return "write the format itself, with widths below 1000";
    }
    const auto* sized = std::ranges::find(kSizedFunctions, name, &SizedFunction::name);
    if (sized == kSizedFunctions.end()) return {};
    const auto* size = argument(function, sized->argument - (is_method ? 1 : 0));
    if (size == nullptr || is_small(size)) return {};
    return fmt::format("tell it a number up to {0}, or least(…, {0})", kValueSizeMax);
}

}  // namespace quaestor::data
