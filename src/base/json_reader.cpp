#include "base/json.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace quaestor::json_codec {

namespace {

/// Longest piece of a refused value that an error message shows.
constexpr std::size_t kShownColumns = 40;

std::string brief(const json::value& value) {
    if (value.is_object()) return std::string(kObjectShape);
    if (value.is_array()) return std::string(kListShape);
    return text::shorten(mask_secrets(to_text(value)), kShownColumns);  // in this order: a cut URL has no visible end
}

std::string quoted(std::string_view name) {
    return brief(json::value(name));
}

/// True for a key that can stand in a path without quotes.
bool is_plain(std::string_view key) {
    const auto allowed = [](unsigned char byte) { return std::isalnum(byte) || byte == '_' || byte >= 0x80; };
    return !key.empty() && std::ranges::all_of(key, allowed);
}

std::string join(Names names, std::string_view last_separator = ", ") {
    std::string line;
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (index > 0) line += index + 1 == names.size() ? last_separator : ", ";
        line += names[index];
    }
    return line;
}

std::string suggest(std::string_view name, Names allowed) {
    const std::vector<std::string> candidates(allowed.begin(), allowed.end());
    const auto meant = text::nearest(name, candidates);
    return meant ? fmt::format("did you mean {}? ", quoted(*meant)) : std::string();
}

/// Whole milliseconds and the fraction beyond them; nothing for what is no number or far too large.
struct Milliseconds {
    std::int64_t whole = 0;
    double fraction = 0;
};

std::optional<Milliseconds> milliseconds_of(const json::value& value) {
    if (value.is_int64()) return Milliseconds{value.get_int64(), 0};
    if (value.is_uint64() && std::in_range<std::int64_t>(value.get_uint64())) {
        return Milliseconds{static_cast<std::int64_t>(value.get_uint64()), 0};
    }
    if (!value.is_double() || !(std::abs(value.get_double()) < 0x1p63)) return std::nullopt;
    const double whole = std::trunc(value.get_double());
    return Milliseconds{static_cast<std::int64_t>(whole), value.get_double() - whole};
}

std::optional<std::int64_t> ticks_of(Milliseconds time, std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 1) {
        if (time.fraction != 0 || time.whole % numerator != 0) return std::nullopt;
        return time.whole / numerator;
    }
    std::int64_t ticks = 0;
    const auto rest = static_cast<std::int64_t>(std::llround(time.fraction * static_cast<double>(denominator)));
    if (__builtin_mul_overflow(time.whole, denominator, &ticks)) return std::nullopt;
    if (__builtin_add_overflow(ticks, rest, &ticks)) return std::nullopt;
    return ticks;
}

/// Numbers that JSON has no digits for, by the names that encode_double() gives them.
constexpr std::string_view kNotANumber = "NaN";
constexpr std::string_view kInfinity = "Infinity";
constexpr std::string_view kMinusInfinity = "-Infinity";

std::optional<double> unusual_number(const json::value& value) {
    using Limits = std::numeric_limits<double>;
    const auto* name = value.if_string();
    if (name == nullptr) return std::nullopt;
    if (*name == kNotANumber) return Limits::quiet_NaN();
    if (*name == kInfinity) return Limits::infinity();
    if (*name == kMinusInfinity) return -Limits::infinity();
    return std::nullopt;
}

}  // namespace

json::value encode_double(double number, const json::storage_ptr& storage) {
    if (std::isfinite(number)) return json::value(number, storage);
    return json::string(std::isnan(number) ? kNotANumber : number > 0 ? kInfinity : kMinusInfinity, storage);
}

json::value milliseconds(std::int64_t ticks, std::int64_t numerator, std::int64_t denominator) {
    if (denominator == 1) {
        std::int64_t product = 0;
        if (!__builtin_mul_overflow(ticks, numerator, &product)) return product;
        return static_cast<double>(ticks) * static_cast<double>(numerator);
    }
    if (ticks % denominator == 0) return ticks / denominator;
    return static_cast<double>(ticks / denominator) +
           static_cast<double>(ticks % denominator) / static_cast<double>(denominator);
}

bool read_bool(const json::value& in, bool& out, Reading& reading) {
    if (!in.is_bool()) return reading.problem.expected(kBoolShape, in);
    out = in.get_bool();
    return true;
}

bool read_double(const json::value& in, double& out, Reading& reading) {
    if (in.is_double()) {
        out = in.get_double();
    } else if (in.is_int64()) {
        out = static_cast<double>(in.get_int64());
    } else if (in.is_uint64()) {
        out = static_cast<double>(in.get_uint64());
    } else if (const auto number = unusual_number(in)) {
        out = *number;
    } else {
        return reading.problem.expected(kNumberShape, in);
    }
    return true;
}

bool read_string(const json::value& in, std::string& out, Reading& reading) {
    if (!in.is_string()) return reading.problem.expected(kStringShape, in);
    out = std::string_view(in.get_string());
    return true;
}

bool read_time(const json::value& in, WallTime& out, Reading& reading) {
    const auto time = in.is_string() ? from_iso8601(in.get_string()) : std::nullopt;
    if (!time) return reading.problem.expected("a time such as \"2026-11-15T02:39:58.123Z\"", in);
    out = *time;
    return true;
}

bool read_error(const json::value& in, Error& out, Reading& reading) {
    if (!in.is_object()) return reading.problem.expected(kObjectShape, in);
    out = decode_error(in);
    return true;
}

bool read_ticks(const json::value& in, std::int64_t numerator, std::int64_t denominator, std::int64_t& out,
                Reading& reading) {
    const auto time = milliseconds_of(in);
    const auto ticks = time ? ticks_of(*time, numerator, denominator) : std::nullopt;
    if (ticks) {
        out = *ticks;
        return true;
    }
    if (denominator > 1) return reading.problem.expected("a number of milliseconds", in);
    if (numerator == 1) return reading.problem.expected("a whole number of milliseconds", in);
    return reading.problem.expected(fmt::format("a number of milliseconds in steps of {}", numerator), in);
}

std::optional<std::int64_t> whole(double number) {
    // Doubles hold every whole number up to here.
    if (!(std::abs(number) <= 0x1p53) || std::trunc(number) != number) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

bool is_of_kind(const json::value& value, std::string_view kind) {
    if (!value.is_object()) return false;
    const json::value* field = value.get_object().if_contains(kKindField);
    return field && field->is_string() && std::string_view(field->get_string()) == kind;
}

bool unknown_kind(Names kinds, const json::object& object, Reading& reading) {
    const json::value* kind = object.if_contains(kKindField);
    if (!kind) return reading.problem.missing_field(kKindField, "allowed: " + join(kinds));
    if (!kind->is_string()) {
        reading.problem.expected(kStringShape, *kind);
    } else {
        reading.problem.expected_name(kinds, kind->get_string());
    }
    return reading.problem.inside(kKindField);
}

bool has_shape(const json::value& value, std::string_view shape) {
    switch (value.kind()) {
        case json::kind::null:
            return false;
        case json::kind::bool_:
            return shape == kBoolShape;
        case json::kind::string:
            return shape == kStringShape;
        case json::kind::array:
            return shape == kListShape;
        case json::kind::object:
            return shape == kObjectShape;
        default:
            return shape == kNumberShape || shape == kWholeNumberShape;
    }
}

bool knows_all(const json::object& object, Names fields, KindField kind, Reading& reading) {
    for (const auto& [key, value] : object) {
        const std::string_view name = key;
        if (kind == KindField::present && name == kKindField) continue;
        if (std::ranges::find(fields, name) == fields.end()) return reading.problem.unknown_field(fields, name);
    }
    return true;
}

bool Problem::expected(std::string_view what, const json::value& got) {
    return muted_ ? false : failed(fmt::format("expected {}, got {}", what, brief(got)));
}

bool Problem::expected_whole_number(std::int64_t least, std::uint64_t most, const json::value& got) {
    if (muted_) return false;
    const bool has_fraction = got.is_double() && std::trunc(got.get_double()) != got.get_double();
    if (!got.is_number() || has_fraction) return expected(kWholeNumberShape, got);
    return expected(fmt::format("a whole number from {} to {}", least, most), got);
}

bool Problem::expected_items(std::size_t count, std::size_t got) {
    return muted_ ? false : failed(fmt::format("expected a list of {} items, got {}", count, got));
}

bool Problem::expected_one_of(Names shapes, const json::value& got) {
    if (muted_) return false;
    std::vector<std::string_view> different;
    for (const std::string_view shape : shapes) {
        if (std::ranges::find(different, shape) == different.end()) different.push_back(shape);
    }
    return expected(join(different, " or "), got);
}

bool Problem::expected_name(Names names, std::string_view got) {
    if (muted_) return false;
    return failed(fmt::format("unknown value {}", quoted(got)), suggest(got, names) + "allowed: " + join(names));
}

bool Problem::unknown_field(Names fields, std::string_view got) {
    if (muted_) return false;
    return failed(fmt::format("unknown field {}", quoted(got)), suggest(got, fields) + "allowed: " + join(fields));
}

bool Problem::missing_field(std::string_view field, std::string hint) {
    return muted_ ? false : failed(fmt::format("missing field {}", quoted(field)), std::move(hint));
}

bool Problem::because(Error error) {
    error_ = std::move(error);
    return false;
}

bool Problem::failed(std::string message, std::string hint) {
    return because(Error{Code::invalid_argument, std::move(message), std::move(hint), nullptr});
}

bool Problem::inside(std::string_view field) {
    return muted_ ? false : prefix(std::string(field));
}

bool Problem::inside_key(std::string_view key) {
    if (muted_) return false;
    return is_plain(key) ? prefix(std::string(key)) : prefix(fmt::format("[{}]", quoted(key)));
}

bool Problem::inside_item(std::size_t index) {
    return muted_ ? false : prefix(fmt::format("[{}]", index));
}

bool Problem::prefix(std::string step) {
    const bool needs_dot = !path_.empty() && !path_.starts_with('[');
    path_ = std::move(step) + (needs_dot ? "." : "") + path_;
    return false;
}

Error Problem::error() && {
    if (!path_.empty()) error_.message = path_ + ": " + error_.message;
    return std::move(error_);
}

}  // namespace quaestor::json_codec
