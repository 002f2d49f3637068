// How values travel to PostgreSQL and back: times as nanoseconds since 1970, counts within bigint, JSON as text.
// Private to the PostgreSQL backend.
// Threads: pure functions.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace quaestor::store::postgres {

[[nodiscard]] inline std::string to_value(WallTime time) {
    return std::to_string(std::chrono::nanoseconds(time.time_since_epoch()).count());
}

[[nodiscard]] inline WallTime to_time(std::int64_t nanoseconds) {
    return WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(nanoseconds)));
}

/// A limit or count; what is beyond bigint means "all" there too.
[[nodiscard]] inline std::string to_value(std::size_t count) {
    constexpr std::size_t kMost = std::numeric_limits<std::int64_t>::max();
    return std::to_string(std::min(count, kMost));
}

/// An enum value by its name.
template <class Enum>
[[nodiscard]] std::string name_of(Enum value) {
    return boost::describe::enum_to_string(value, "");
}

/// The reverse. Code::corrupt when there is no such name.
template <class Enum>
[[nodiscard]] Result<Enum> read_name(std::string_view name) {
    Enum value{};
    if (boost::describe::enum_from_string(std::string(name).c_str(), value)) return value;
    return fail(Code::corrupt, fmt::format("\"{}\" is stored where a known name belongs", name));
}

/// Reads a stored JSON column. Code::corrupt when it is no JSON or not what it ought to be.
template <class T>
[[nodiscard]] Result<T> read_column(std::string_view text) {
    auto value = parse_json(text);
    auto decoded = value ? decode<T>(*value) : Result<T>(fail(value.error()));
    if (decoded) return decoded;
    const Error unreadable{.code = Code::corrupt, .message = "a stored value cannot be read", .hint = {}, .cause = {}};
    return fail(unreadable.because(decoded.error()));
}

}  // namespace quaestor::store::postgres
