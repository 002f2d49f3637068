// JSON for described types: structs (BOOST_DESCRIBE_STRUCT), enums by name, optionals, variants, maps, lists, time.
// encode() never fails; decode() reports the path of what did not fit: "plan.steps[2].node: expected a string, got 7".
// Threads: pure functions.
#pragma once

#include "base/error.hpp"

#include <boost/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace quaestor {

namespace json = boost::json;

/// What decode() does with a field of the text that the struct does not have.
enum class UnknownFields { ignore, refuse };

/// Deepest nesting that parse_json() accepts.
inline constexpr std::size_t kJsonDepthMax = 128;

/// Reads JSON text. The error says the line and column.
[[nodiscard]] Result<json::value> parse_json(std::string_view text);

/// One line without spaces. Malformed UTF-8 in it is replaced by U+FFFD, so that the text is always valid JSON.
[[nodiscard]] std::string to_text(const json::value& value);

/// Indented, for people.
[[nodiscard]] std::string to_pretty_text(const json::value& value);

/// Error as {"code", "message", "hint", "cause"}, empty parts left out; and back.
[[nodiscard]] json::value encode(const Error& error);
[[nodiscard]] Error decode_error(const json::value& value);

/// How a C++ type looks in JSON:
///   described struct        object; an empty optional is left out, a missing field keeps its default
///   described enum          its name as a string
///   optional<T>             T or, on reading, null or missing
///   variant<A, B, …>        structs with a `static constexpr std::string_view kKind`: their object with "kind" first;
///                           other alternatives: as themselves, the first that fits on reading
///   vector, array, set      array
///   map<string, T>          object
///   chrono duration         milliseconds as a number; WallTime: ISO 8601 text
///   bool, number, string    themselves; a number that does not fit its type is an error, never cut; what JSON has no
///                           number for is "NaN", "Infinity" or "-Infinity"
///   json::value and kin     themselves
///   others                  encode_json(const T&), decode_json(std::type_identity<T>, const json::value&) beside them
template <class T>
[[nodiscard]] json::value encode(const T& value, const json::storage_ptr& storage = {});

/// The reverse. A missing field keeps the struct's default unless the struct lists it in `kRequired`:
/// `static constexpr auto kRequired = std::array{"name"}`.
template <class T>
[[nodiscard]] Result<T> decode(const json::value& value, UnknownFields unknown = UnknownFields::ignore);

}  // namespace quaestor

#include "base/json_codec.hpp"
