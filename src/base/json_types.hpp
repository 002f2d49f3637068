// Behind json.hpp, and for others who must take the same types: which C++ types have which look in JSON.
// Concepts only; json_codec.hpp says what is done with each.
// Threads: nothing to share.
#pragma once

#include "base/error.hpp"

#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/json.hpp>
#include <boost/mp11.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <optional>
#include <ranges>
#include <ratio>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>

namespace quaestor::json_codec {

template <class T, template <class...> class Template>
inline constexpr bool kIsA = false;
template <template <class...> class Template, class... Arguments>
inline constexpr bool kIsA<Template<Arguments...>, Template> = true;

template <class T>
concept Hooked = requires(const T& value) {
    { encode_json(value) } -> std::same_as<boost::json::value>;
    { decode_json(std::type_identity<T>(), boost::json::value()) } -> std::same_as<Result<T>>;
};

template <class T>
concept JsonType = boost::mp11::mp_contains<
    boost::mp11::mp_list<boost::json::value, boost::json::object, boost::json::array, boost::json::string>, T>::value;

template <class T>
concept Integer =
    boost::mp11::mp_contains<boost::mp11::mp_list<signed char, short, int, long, long long, unsigned char,
                                                  unsigned short, unsigned, unsigned long, unsigned long long>,
                             T>::value;

template <class T>
concept Floating = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
concept Enum = std::is_enum_v<T> && boost::describe::has_describe_enumerators<T>::value;

template <class T>
concept Struct = boost::describe::has_describe_members<T>::value;

/// A struct that tells itself apart from the other alternatives of a variant.
template <class T>
concept Tagged = Struct<T> && requires {
    { T::kKind } -> std::convertible_to<std::string_view>;
};

template <class T>
concept Optional = kIsA<T, std::optional>;

template <class T>
concept Variant = kIsA<T, std::variant>;

/// Milliseconds that one tick of the duration T lasts, as a ratio.
template <class T>
using TickLength = std::ratio_divide<typename T::period, std::milli>;

/// A duration that counts whole milliseconds or whole parts of one.
template <class T>
concept DurationType =
    kIsA<T, std::chrono::duration> && Integer<typename T::rep> && (TickLength<T>::num == 1 || TickLength<T>::den == 1);

template <class T>
concept StringMap = std::ranges::range<T> && requires {
    typename T::mapped_type;
    requires std::same_as<typename T::key_type, std::string>;
};

template <class T>
concept FixedList = requires { std::tuple_size<T>::value; } && std::ranges::range<T>;

template <class T>
concept List = FixedList<T> || (std::ranges::range<T> && requires(T list, typename T::value_type item) {
                   list.clear();
                   list.insert(list.end(), item);
               });

template <class T>
inline constexpr bool kUnsupported = false;

/// Public fields of T and of its described bases.
template <class T>
using Fields = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

inline constexpr std::string_view kKindField = "kind";

}  // namespace quaestor::json_codec
