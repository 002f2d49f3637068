// Looking into libpg_query's JSON: a node is {"Kind": {fields}}, a name {"String": {"sval": "…"}}; fields that are zero
// or empty are left out. Private to data/.
// Threads: pure functions over borrowed values.
#pragma once

#include "base/json.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data::postgres {

struct Node {
    std::string_view kind;
    const json::object* fields = nullptr;
};

/// The node in `value`; nothing when it is none. Fields with a fixed type (an alias, a type's name) hold no kind.
[[nodiscard]] std::optional<Node> node_in(const json::value& value);

[[nodiscard]] const json::object* object_in(const json::object& fields, std::string_view name);
/// Empty when there is no such list.
[[nodiscard]] const json::array& list_in(const json::object& fields, std::string_view name);
/// "" when there is no such text.
[[nodiscard]] std::string_view text_in(const json::object& fields, std::string_view name);
[[nodiscard]] bool flag_in(const json::object& fields, std::string_view name);

/// The names in a list of String nodes; other nodes of the list are left out.
[[nodiscard]] std::vector<std::string> names_in(const json::object& fields, std::string_view name);

[[nodiscard]] bool contains(std::span<const std::string> names, std::string_view name);

/// Where a node stands, if it says so.
[[nodiscard]] std::optional<std::size_t> location_of(const json::object& fields);

}  // namespace quaestor::data::postgres
