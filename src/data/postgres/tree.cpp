#include "data/postgres/tree.hpp"

#include <algorithm>

namespace quaestor::data::postgres {

std::optional<Node> node_in(const json::value& value) {
    const json::object* object = value.if_object();
    if (object == nullptr || object->size() != 1) return std::nullopt;
    const auto& [kind, content] = *object->begin();
    const bool is_kind = !kind.empty() && kind.front() >= 'A' && kind.front() <= 'Z';
    if (!is_kind || !content.is_object()) return std::nullopt;
    return Node{.kind = kind, .fields = &content.get_object()};
}

const json::object* object_in(const json::object& fields, std::string_view name) {
    const json::value* value = fields.if_contains(name);
    return value == nullptr ? nullptr : value->if_object();
}

const json::array& list_in(const json::object& fields, std::string_view name) {
    static const json::array kNone;
    const json::value* value = fields.if_contains(name);
    return value == nullptr || !value->is_array() ? kNone : value->get_array();
}

std::string_view text_in(const json::object& fields, std::string_view name) {
    const json::value* value = fields.if_contains(name);
    return value == nullptr || !value->is_string() ? std::string_view() : std::string_view(value->get_string());
}

bool flag_in(const json::object& fields, std::string_view name) {
    const json::value* value = fields.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
}

std::vector<std::string> names_in(const json::object& fields, std::string_view name) {
    std::vector<std::string> names;
    for (const json::value& item : list_in(fields, name)) {
        const auto node = node_in(item);
        if (node && node->kind == "String") names.emplace_back(text_in(*node->fields, "sval"));
    }
    return names;
}

bool contains(std::span<const std::string> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::optional<std::size_t> location_of(const json::object& fields) {
    const json::value* value = fields.if_contains("location");
    if (value == nullptr || !value->is_int64() || value->get_int64() < 0) return std::nullopt;
    return static_cast<std::size_t>(value->get_int64());
}

}  // namespace quaestor::data::postgres
