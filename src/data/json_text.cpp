#include "data/json_text.hpp"

#include "base/text.hpp"
#include "data/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace quaestor::data {

namespace {

/// Whole numbers up to here are exact as doubles, which is what most readers of JSON make of them.
constexpr std::int64_t kExactMax = std::int64_t{1} << 53;
/// Decimal digits that a double always gives back.
constexpr std::ptrdiff_t kExactDigits = std::numeric_limits<double>::digits10;

template <class Number>
void write_digits(Number value, std::string& out) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    out.append(buffer.data(), end);
}

bool needs_care(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
}

void write_escaped(std::string_view value, std::string& out) {
    for (const char c : value) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\r':
                out += "\\r";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
                } else {
                    out += c;
                }
        }
    }
}

/// "-12.50": digits, at most one point with digits on both sides, no needless zero in front.
bool is_json_number(std::string_view value) {
    if (value.starts_with('-')) value.remove_prefix(1);
    const auto whole = std::min(value.find('.'), value.size());
    const auto digits = value.substr(0, whole);
    const auto fraction = value.substr(std::min(whole + 1, value.size()));
    return !digits.empty() && std::ranges::all_of(digits, is_digit) && (digits.size() == 1 || digits.front() != '0') &&
           std::ranges::all_of(fraction, is_digit) && (whole == value.size() || !fraction.empty());
}

/// A number from text stays one only where no reader would change it.
bool stays_number(std::string_view value) {
    return is_json_number(value) && std::ranges::count_if(value, is_digit) <= kExactDigits;
}

}  // namespace

void write_json_string(std::string_view value, std::string& out) {
    out += '"';
    if (std::ranges::none_of(value, needs_care)) {
        out += value;
    } else if (text::is_utf8(value)) {
        write_escaped(value, out);
    } else {
        write_escaped(text::clean(value), out);
    }
    out += '"';
}

void write_json_integer(std::int64_t value, std::string& out) {
    const bool is_exact = value <= kExactMax && value >= -kExactMax;
    if (!is_exact) out += '"';
    write_digits(value, out);
    if (!is_exact) out += '"';
}

void write_json_number(double value, std::string& out) {
    if (std::isfinite(value)) {
        write_digits(value, out);
    } else {
        out += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    }
}

void write_json_digits(std::string_view value, std::string& out) {
    if (stays_number(value)) {
        out += value;
    } else {
        write_json_string(value, out);
    }
}

void write_number(double value, std::string& out) {
    write_digits(value, out);
}

}  // namespace quaestor::data
