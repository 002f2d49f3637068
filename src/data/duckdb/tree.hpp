// DuckDB's parse tree as json_serialize_sql writes it: fields of a node, where a node may lack any of them.
// Private to data/.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace quaestor::data::tree {

template <std::size_t N>
constexpr bool is_among(std::string_view word, const std::array<std::string_view, N>& list) {
    return std::ranges::find(list, word) != list.end();
}

/// Empty when the field is missing or no text.
inline std::string_view text_field(const json::object& node, std::string_view field) {
    const auto* value = node.if_contains(field);
    const auto* text = value != nullptr ? value->if_string() : nullptr;
    return text != nullptr ? std::string_view(*text) : std::string_view();
}

inline bool is_true(const json::object& node, std::string_view field) {
    const auto* value = node.if_contains(field);
    return value != nullptr && value->is_bool() && value->get_bool();
}

inline const json::object* object_field(const json::object& node, std::string_view field) {
    const auto* value = node.if_contains(field);
    return value != nullptr ? value->if_object() : nullptr;
}

inline const json::array* list_field(const json::object& node, std::string_view field) {
    const auto* value = node.if_contains(field);
    return value != nullptr ? value->if_array() : nullptr;
}

/// The argument of a function or operator, when there are so many.
inline const json::object* argument(const json::object& node, std::size_t index) {
    const auto* children = list_field(node, "children");
    return children != nullptr && index < children->size() ? (*children)[index].if_object() : nullptr;
}

/// The value of a literal; nothing when the node is none, or is NULL.
inline const json::value* literal(const json::object& node) {
    if (text_field(node, "class") != "CONSTANT") return nullptr;
    const auto* value = object_field(node, "value");
    return value != nullptr ? value->if_contains("value") : nullptr;
}

/// Where the node stands in the text; DuckDB writes the largest number when it does not know.
inline std::optional<std::size_t> place_of(const json::object& node) {
    const auto* value = node.if_contains("query_location");
    if (value == nullptr || !value->is_int64()) return std::nullopt;
    return static_cast<std::size_t>(value->get_int64());
}

}  // namespace quaestor::data::tree
