// How output_schema() is made from a type's description.
// A private header of llm/; include output_schema.hpp. Threads: pure functions.
#pragma once

#include "base/clock.hpp"
#include "base/json_types.hpp"
#include "llm/output_schema.hpp"

#include <boost/describe/enumerators.hpp>
#include <boost/mp11.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace quaestor::llm::schema_of {

template <class T>
inline constexpr auto kExplainedFields = [] {
    if constexpr (requires { T::kExplained; }) {
        return T::kExplained;
    } else {
        return std::array<Explained, 0>();
    }
}();

template <class T>
inline constexpr auto kExplainedValues = [] {
    if constexpr (requires { explain(std::type_identity<T>()); }) {
        return explain(std::type_identity<T>());
    } else {
        return std::array<Explained, 0>();
    }
}();

/// Whether everything that is explained is there: a renamed field must not lose its explanation unnoticed.
template <class Descriptors>
consteval bool names_all(const auto& explained) {
    return std::ranges::all_of(explained, [](const Explained& one) {
        bool found = false;
        boost::mp11::mp_for_each<Descriptors>([&](auto known) { found = found || one.name == known.name; });
        return found;
    });
}

[[nodiscard]] constexpr std::string_view meaning_of(std::string_view name, const auto& explained) {
    const auto found = std::ranges::find(explained, name, &Explained::name);
    return found == explained.end() ? std::string_view() : found->meaning;
}

/// Puts `meaning` before what the schema says already, such as the lines of an enum.
inline void describe(json::object& schema, std::string_view meaning) {
    if (meaning.empty()) return;
    std::string description(meaning);
    if (const auto* before = schema.if_contains("description")) {
        description.append("\n").append(before->as_string());
    }
    schema["description"] = description;
}

/// The same, or null.
inline json::object nullable(json::object schema) {
    if (schema.contains("properties") || schema.contains("anyOf")) {
        return {{"anyOf", json::array{std::move(schema), json::object{{"type", "null"}}}}};
    }
    if (auto* values = schema.if_contains("enum")) values->as_array().emplace_back(nullptr);
    auto& type = schema["type"];
    type = json::array{std::move(type), "null"};
    return schema;
}

template <class T>
json::object of_enum() {
    using Values = boost::describe::describe_enumerators<T>;
    static_assert(names_all<Values>(kExplainedValues<T>), "explain() names a value that the enum does not have");
    json::array names;
    std::string lines;
    boost::mp11::mp_for_each<Values>([&](auto value) {
        names.emplace_back(value.name);
        const std::string_view meaning = meaning_of(value.name, kExplainedValues<T>);
        if (meaning.empty()) return;
        if (!lines.empty()) lines += '\n';
        lines.append("- ").append(value.name).append(" : ").append(meaning);
    });
    json::object schema{{"type", "string"}, {"enum", std::move(names)}};
    describe(schema, lines);
    return schema;
}

template <class T, class... Around>
json::object of();

template <class T, class... Around>
json::object of_struct() {
    using Fields = json_codec::Fields<T>;
    static_assert(!(std::same_as<T, Around> || ...), "a type that holds itself has no strict schema");
    static_assert(names_all<Fields>(kExplainedFields<T>), "kExplained names a field that the struct does not have");
    json::object properties;
    json::array required;
    boost::mp11::mp_for_each<Fields>([&](auto field) {
        json::object schema = of<std::remove_cvref_t<decltype(std::declval<T&>().*field.pointer)>, T, Around...>();
        describe(schema, meaning_of(field.name, kExplainedFields<T>));
        properties.emplace(field.name, std::move(schema));
        required.emplace_back(field.name);
    });
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

/// `Around` are the structs that T stands in.
template <class T, class... Around>
json::object of() {
    using namespace json_codec;
    if constexpr (std::same_as<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (Integer<T>) {
        return {{"type", "integer"}};
    } else if constexpr (Floating<T>) {
        return {{"type", "number"}};
    } else if constexpr (std::same_as<T, std::string>) {
        return {{"type", "string"}};
    } else if constexpr (Enum<T>) {
        return of_enum<T>();
    } else if constexpr (Optional<T>) {
        return nullable(of<typename T::value_type, Around...>());
    } else if constexpr (std::same_as<T, WallTime>) {
        return {{"type", "string"}, {"description", "a time such as 2026-11-15T02:39:58Z"}};
    } else if constexpr (DurationType<T>) {
        return {{"type", "integer"}, {"description", "in milliseconds"}};
    } else if constexpr (Struct<T> && !Hooked<T>) {
        return of_struct<T, Around...>();
    } else if constexpr (List<T> && !StringMap<T> && !JsonType<T>) {
        return {{"type", "array"}, {"items", of<typename T::value_type, Around...>()}};
    } else {
        static_assert(kUnsupported<T>, "no provider can be held to a map, a variant or free JSON: use a struct");
    }
}

}  // namespace quaestor::llm::schema_of

namespace quaestor::llm {

template <class T>
json::value output_schema() {
    static_assert(json_codec::Struct<T>, "a reply is an object: give it a described struct");
    return schema_of::of<T>();
}

}  // namespace quaestor::llm
