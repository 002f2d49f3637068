#include "llm/providers/google_schema.hpp"

#include "llm/providers/wire.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace quaestor::llm {

namespace {

constexpr std::string_view kNull = "null";
constexpr std::array<std::string_view, 11> kSameInBoth{"title",     "description", "format",  "required",
                                                       "minItems",  "maxItems",    "minimum", "maximum",
                                                       "minLength", "maxLength",   "pattern"};

std::string in_capitals(std::string_view type) {
    std::string capitals(type);
    std::ranges::transform(capitals, capitals.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return capitals;
}

bool is_null_type(const json::value& schema) {
    const json::object* object = schema.if_object();
    return object && wire::text_at(*object, "type") == kNull;
}

/// One type stays the type; null among several makes it nullable; several others become alternatives.
void add_type(const json::value& type, json::object& out) {
    if (type.is_string()) out["type"] = in_capitals(type.get_string());
    if (!type.is_array()) return;
    json::array others;
    for (const json::value& one : type.get_array()) {
        if (one == json::value(kNull))
            out["nullable"] = true;
        else if (one.is_string())
            others.push_back({{"type", in_capitals(one.get_string())}});
    }
    if (others.size() == 1)
        out["type"] = others.front().at("type");
    else if (!others.empty())
        out["anyOf"] = std::move(others);
}

/// They know enums of strings only.
void add_enum(const json::array& values, json::object& out) {
    json::array texts;
    for (const json::value& value : values) {
        if (value.is_string()) texts.push_back(value);
        if (value.is_null()) out["nullable"] = true;
    }
    if (!texts.empty()) out["enum"] = std::move(texts);
}

void add_choices(const json::array& choices, json::object& out) {
    json::array others;
    for (const json::value& choice : choices) {
        if (is_null_type(choice))
            out["nullable"] = true;
        else if (choice.is_object())
            others.push_back(google_schema(choice.get_object()));
    }
    if (others.size() != 1) {
        out["anyOf"] = std::move(others);
        return;
    }
    for (const auto& [field, value] : others.front().get_object())
        if (!out.contains(field)) out[field] = value;
}

void add_properties(const json::object& properties, json::object& out) {
    json::object written;
    json::array order;
    for (const auto& [name, property] : properties) {
        if (!property.is_object()) continue;
        written[name] = google_schema(property.get_object());
        order.push_back(json::value(name));
    }
    out["properties"] = std::move(written);
    out["propertyOrdering"] = std::move(order);
}

}  // namespace

json::object google_schema(const json::object& schema) {
    json::object out;
    if (const json::value* type = schema.if_contains("type")) add_type(*type, out);
    for (const std::string_view field : kSameInBoth)
        if (const json::value* value = schema.if_contains(field)) out[field] = *value;
    if (const auto* values = wire::array_at(schema, "enum")) add_enum(*values, out);
    if (const auto* choices = wire::array_at(schema, "anyOf")) add_choices(*choices, out);
    if (const auto* properties = wire::object_at(schema, "properties")) add_properties(*properties, out);
    if (const auto* items = wire::object_at(schema, "items")) out["items"] = google_schema(*items);
    return out;
}

}  // namespace quaestor::llm
