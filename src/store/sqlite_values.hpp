// What the tables of an SQLite store have in common: JSON as text, names of enum values, limits.
// What cannot be read back is Code::corrupt: somebody else wrote it, or the file was damaged.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace quaestor::store::sqlite {

/// The hint for what cannot be read back.
inline constexpr const char* kDamaged = "the file was damaged; restore it from a backup";

/// A limit as SQL understands it.
[[nodiscard]] std::int64_t sql_limit(std::size_t limit);

/// Stored JSON. `what` names the thing it belongs to: "run 42".
[[nodiscard]] Result<json::value> read_json(std::string_view what, std::string_view text);
[[nodiscard]] Result<json::object> read_json_object(std::string_view what, std::string_view text);

template <class Enum>
[[nodiscard]] std::string_view name_of(Enum value) {
    return boost::describe::enum_to_string(value, "");
}

template <class Enum>
[[nodiscard]] Result<Enum> read_name(std::string_view what, std::string_view name) {
    Enum value{};
    if (boost::describe::enum_from_string(std::string(name).c_str(), value)) return value;
    return fail(Code::corrupt, fmt::format("{} has \"{}\" stored where a known name belongs", what, name), kDamaged);
}

}  // namespace quaestor::store::sqlite
