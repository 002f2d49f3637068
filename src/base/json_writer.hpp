// Private to json.hpp: the templates that write C++ types as JSON.
// They build boost::json values directly and know their sizes beforehand.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "base/json_types.hpp"

#include <boost/describe/enum_to_string.hpp>

#include <cstdint>
#include <utility>

namespace quaestor::json_codec {

json::value encode_double(double number, const json::storage_ptr& storage);

/// `ticks` of numerator/denominator milliseconds each, in milliseconds: a whole number where it is one.
[[nodiscard]] json::value milliseconds(std::int64_t ticks, std::int64_t numerator, std::int64_t denominator);

using Storage = json::storage_ptr;

template <class T>
json::value encode_enum(T value, const Storage& storage) {
    if (const char* name = boost::describe::enum_to_string(value, nullptr)) return json::string(name, storage);
    return encode(std::to_underlying(value), storage);
}

template <class T>
void encode_fields(const T& value, json::object& object) {
    const Storage storage = object.storage();
    boost::mp11::mp_for_each<Fields<T>>([&](auto field) {
        const auto& member = value.*field.pointer;
        if constexpr (Optional<std::remove_cvref_t<decltype(member)>>) {
            if (!member) return;
        }
        object.emplace(field.name, encode(member, storage));
    });
}

template <class T>
json::value encode_struct(const T& value, const Storage& storage) {
    json::object object(storage);
    object.reserve(boost::mp11::mp_size<Fields<T>>::value);
    encode_fields(value, object);
    return object;
}

template <Tagged T>
json::value encode_tagged(const T& value, const Storage& storage) {
    json::object object(storage);
    object.reserve(boost::mp11::mp_size<Fields<T>>::value + 1);
    object.emplace(kKindField, std::string_view(T::kKind));
    encode_fields(value, object);
    return object;
}

template <class... Alternatives>
json::value encode_variant(const std::variant<Alternatives...>& value, const Storage& storage) {
    return std::visit(
        [&]<class T>(const T& alternative) {
            if constexpr (Tagged<T>) {
                return encode_tagged(alternative, storage);
            } else {
                return encode(alternative, storage);
            }
        },
        value);
}

template <StringMap T>
json::value encode_map(const T& map, const Storage& storage) {
    json::object object(storage);
    object.reserve(map.size());
    for (const auto& [key, item] : map) object.emplace(key, encode(item, storage));
    return object;
}

template <List T>
json::value encode_list(const T& list, const Storage& storage) {
    json::array array(storage);
    if constexpr (std::ranges::sized_range<T>) array.reserve(std::ranges::size(list));
    for (const typename T::value_type& item : list) array.push_back(encode(item, storage));
    return array;
}

}  // namespace quaestor::json_codec
