// Private to json.hpp: reading variants.
// Tagged alternatives are chosen by their kind; the others are tried in order, and the first that fits is taken.
// Threads: pure functions.
#pragma once

#include "base/json_reader.hpp"

namespace quaestor::json_codec {

template <class T>
using IsTagged = std::bool_constant<Tagged<T>>;

/// Calls `visit.template operator()<T>()` for each type of the list.
template <class Types, class Visit>
constexpr void for_each_type(Visit visit) {
    boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, Types>>(
        [&]<class T>(std::type_identity<T>) { visit.template operator()<T>(); });
}

template <class T, class... All>
bool read_alternative(const json::value& in, std::variant<All...>& out, Reading& reading) {
    T alternative{};
    if constexpr (Tagged<T>) {
        if (!read_struct(in, alternative, reading, KindField::present)) return false;
    } else {
        if (!read(in, alternative, reading)) return false;
    }
    out.template emplace<T>(std::move(alternative));
    return true;
}

/// Nothing when `in` is of none of these kinds.
template <class Types, class... All>
std::optional<bool> read_by_kind(const json::value& in, std::variant<All...>& out, Reading& reading) {
    std::optional<bool> fits;
    for_each_type<Types>([&]<class T>() {
        if (!fits && is_of_kind(in, T::kKind)) fits = read_alternative<T>(in, out, reading);
    });
    return fits;
}

template <class Types, class... All>
bool read_first_that_fits(const json::value& in, std::variant<All...>& out, Reading& reading) {
    const bool was_muted = reading.problem.muted();
    reading.problem.mute(true);
    bool fits = false;
    for_each_type<Types>([&]<class T>() { fits = fits || read_alternative<T>(in, out, reading); });
    reading.problem.mute(was_muted);
    return fits;
}

/// Tells why none of the untagged alternatives fits: with its own words if one has at least the right shape.
template <class Types, class... All>
bool explain_misfit(const json::value& in, std::variant<All...>& out, Reading& reading) {
    bool explained = false;
    for_each_type<Types>([&]<class T>() {
        if (explained || !has_shape(in, shape<T>())) return;
        read_alternative<T>(in, out, reading);
        explained = true;
    });
    constexpr std::array shapes{shape<All>()...};
    return explained ? false : reading.problem.expected_one_of(shapes, in);
}

template <class... All>
bool read_variant(const json::value& in, std::variant<All...>& out, Reading& reading) {
    using Kinds = boost::mp11::mp_copy_if<boost::mp11::mp_list<All...>, IsTagged>;
    using Others = boost::mp11::mp_remove_if<boost::mp11::mp_list<All...>, IsTagged>;
    if (const auto fits = read_by_kind<Kinds>(in, out, reading)) return *fits;
    if (read_first_that_fits<Others>(in, out, reading)) return true;
    if constexpr (!boost::mp11::mp_empty<Kinds>::value) {
        constexpr auto kinds = []<class... T>(boost::mp11::mp_list<T...>) {
            return std::array{std::string_view(T::kKind)...};
        }(Kinds());
        if (in.is_object()) return unknown_kind(kinds, in.get_object(), reading);
    }
    return explain_misfit<Others>(in, out, reading);
}

}  // namespace quaestor::json_codec
