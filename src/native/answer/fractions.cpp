#include "native/answer/extract.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace quaestor::native {

namespace {

struct Sign {
    std::string_view written;
    double value;
};
constexpr std::array kSigns{Sign{"¼", 0.25},  Sign{"½", 0.5},   Sign{"¾", 0.75}, Sign{"⅛", 0.125},
                            Sign{"⅜", 0.375}, Sign{"⅝", 0.625}, Sign{"⅞", 0.875}};
constexpr std::size_t kDigitsMax = 4;
/// Hyphens that stand between a whole number and its fraction, as printed and as typed.
constexpr std::array<std::string_view, 4> kHyphens{"-", "‑", "–", "\xc2\xad"};

bool is_figure(char c) {
    return c >= '0' && c <= '9';
}

std::optional<int> figures_at(std::string_view text, std::size_t& at) {
    int value = 0;
    const std::size_t begin = at;
    while (at < text.size() && is_figure(text[at]) && at - begin < kDigitsMax) value = value * 10 + (text[at++] - '0');
    if (at == begin || (at < text.size() && is_figure(text[at]))) return std::nullopt;
    return value;
}

std::optional<double> sign_at(std::string_view text, std::size_t& at) {
    for (const Sign& sign : kSigns) {
        if (!text.substr(at).starts_with(sign.written)) continue;
        at += sign.written.size();
        return sign.value;
    }
    return std::nullopt;
}

/// "1/4" with a denominator of rulers and rates; a date such as 1/4/2023 is none.
std::optional<double> slashed_at(std::string_view text, std::size_t& at) {
    std::size_t end = at;
    const auto above = figures_at(text, end);
    if (!above || end >= text.size() || text[end] != '/') return std::nullopt;
    const auto below = figures_at(text, ++end);
    const bool is_measure = below && (*below == 2 || *below == 4 || *below == 8 || *below == 16);
    if (!is_measure || *above >= *below || (end < text.size() && text[end] == '/')) return std::nullopt;
    at = end;
    return static_cast<double>(*above) / *below;
}

std::optional<double> fraction_at(std::string_view text, std::size_t& at) {
    if (auto sign = sign_at(text, at)) return sign;
    return slashed_at(text, at);
}

struct Written {
    double value = 0;
    std::size_t end = 0;
    bool has_fraction = false;
};

/// "5-1/4", "5¼", "1/4" or "5" at a place that is not inside a number.
std::optional<Written> written_at(std::string_view text, std::size_t begin) {
    const bool is_inside =
        begin > 0 && (is_figure(text[begin - 1]) || text[begin - 1] == '.' || text[begin - 1] == '/');
    if (is_inside) return std::nullopt;
    std::size_t at = begin;
    if (const auto part = fraction_at(text, at)) return Written{*part, at, true};
    const auto whole = figures_at(text, at);
    if (!whole) return std::nullopt;
    std::size_t next = at;
    if (const auto part = sign_at(text, next)) return Written{*whole + *part, next, true};
    for (const std::string_view hyphen : kHyphens) {
        if (!text.substr(at).starts_with(hyphen)) continue;
        next = at + hyphen.size();
        if (const auto part = fraction_at(text, next)) return Written{*whole + *part, next, true};
    }
    const bool goes_on = at < text.size() && (text[at] == '.' || text[at] == '/' || text[at] == ',');
    return goes_on && at + 1 < text.size() && is_figure(text[at + 1])
               ? std::nullopt
               : std::optional(Written{double(*whole), at, false});
}

std::optional<std::size_t> after(std::string_view text, std::size_t at, std::string_view expected) {
    if (!text.substr(at).starts_with(expected)) return std::nullopt;
    return at + expected.size();
}

/// "5-1/4 to 5-1/2 percent", with a fraction in it.
struct Range {
    Written low;
    Written high;
    std::size_t end = 0;
};

std::optional<Range> range_at(std::string_view text, std::size_t at) {
    const auto low = written_at(text, at);
    if (!low) return std::nullopt;
    const auto to = after(text, low->end, " to ");
    const auto high = to ? written_at(text, *to) : std::nullopt;
    if (!high || !(low->has_fraction || high->has_fraction)) return std::nullopt;
    for (const std::string_view unit : {" percent", " per cent", "%", " %"}) {
        if (const auto end = after(text, high->end, unit)) return Range{*low, *high, *end};
    }
    return std::nullopt;
}

}  // namespace

std::string with_decimal_ranges(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto range = range_at(text, at);
        if (!range) {
            out += text[at++];
            continue;
        }
        out += text.substr(at, range->end - at);
        const bool is_said = text.substr(range->end).starts_with(" (");
        if (!is_said) out += fmt::format(" ({:.2f}–{:.2f} %)", range->low.value, range->high.value);
        at = range->end;
    }
    return out;
}

std::string with_decimals(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto number = written_at(text, at);
        if (number && number->has_fraction) {
            out += fmt::format("{}", number->value);
            at = number->end;
        } else {
            out += text[at++];
        }
    }
    return out;
}

}  // namespace quaestor::native
