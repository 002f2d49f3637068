// JSON Schema of a described type, from the same description that encode() and decode() use.
// For state exports, structured model output and documentation.
// Threads: pure functions.
#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"

#include <boost/describe.hpp>
#include <boost/mp11.hpp>

#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

namespace quaestor {

template <class T>
[[nodiscard]] json::value json_schema();

namespace schema_detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsDuration = false;
template <class Rep, class Period>
inline constexpr bool kIsDuration<std::chrono::duration<Rep, Period>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... Ts>
inline constexpr bool kIsVariant<std::variant<Ts...>> = true;
template <class T>
inline constexpr bool kIsJson =
    std::is_same_v<T, json::value> || std::is_same_v<T, json::object> || std::is_same_v<T, json::array>;

template <class T>
concept Map = requires { typename T::mapped_type; };
template <class T>
concept List = requires(T list) {
    typename T::value_type;
    list.begin();
} && !std::is_convertible_v<T, std::string_view> && !Map<T>;

template <class T>
json::value of_struct() {
    using namespace boost::describe;
    json::object properties;
    json::array required;
    boost::mp11::mp_for_each<describe_members<T, mod_public | mod_inherited>>([&](auto field) {
        using Field = std::remove_cvref_t<decltype(std::declval<T&>().*field.pointer)>;
        properties.emplace(field.name, json_schema<Field>());
        if constexpr (!kIsOptional<Field>) required.emplace_back(field.name);
    });
    return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

template <class T>
json::value of_enum() {
    json::array names;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
        [&](auto enumerator) { names.emplace_back(enumerator.name); });
    return {{"type", "string"}, {"enum", std::move(names)}};
}

template <class... Ts>
json::value of_variant(std::type_identity<std::variant<Ts...>>) {
    json::array alternatives;
    (alternatives.push_back(json_schema<Ts>()), ...);
    return {{"anyOf", std::move(alternatives)}};
}

}  // namespace schema_detail

/// Draft 2020-12. Fields that are no optionals are required: it describes what encode() writes.
template <class T>
json::value json_schema() {
    using namespace schema_detail;
    if constexpr (std::is_same_v<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::integral<T>) {
        return {{"type", "integer"}};
    } else if constexpr (std::floating_point<T> || kIsDuration<T>) {
        return {{"type", "number"}};
    } else if constexpr (std::is_same_v<T, WallTime>) {
        return {{"type", "string"}, {"format", "date-time"}};
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
        return {{"type", "string"}};
    } else if constexpr (kIsJson<T>) {
        return json::object{};
    } else if constexpr (kIsOptional<T>) {
        return json_schema<typename T::value_type>();
    } else if constexpr (kIsVariant<T>) {
        return of_variant(std::type_identity<T>{});
    } else if constexpr (std::is_enum_v<T>) {
        return of_enum<T>();
    } else if constexpr (Map<T>) {
        return {{"type", "object"}, {"additionalProperties", json_schema<typename T::mapped_type>()}};
    } else if constexpr (List<T>) {
        return {{"type", "array"}, {"items", json_schema<typename T::value_type>()}};
    } else {
        return of_struct<T>();
    }
}

}  // namespace quaestor
