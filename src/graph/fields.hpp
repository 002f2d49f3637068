// The fields of a described struct by member pointer: how many, which index, which name, which type.
// Compile-time only.
// Threads: nothing to share.
#pragma once

#include <boost/describe/members.hpp>
#include <boost/mp11.hpp>

#include <cstddef>
#include <type_traits>

namespace quaestor::graph {

template <class State>
using Fields = boost::describe::describe_members<State, boost::describe::mod_public | boost::describe::mod_inherited>;

template <class State>
inline constexpr std::size_t kFieldCount = boost::mp11::mp_size<Fields<State>>::value;

namespace detail {

template <class Member>
struct MemberType;
template <class Class, class Type>
struct MemberType<Type Class::*> {
    using type = Type;
};

template <class State, auto Member>
consteval std::size_t field_index() {
    std::size_t index = kFieldCount<State>;
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<kFieldCount<State>>>([&](auto i) {
        constexpr auto candidate = boost::mp11::mp_at_c<Fields<State>, i>::pointer;
        if constexpr (std::is_same_v<decltype(candidate), const decltype(Member)>) {
            if (candidate == Member) index = i;
        }
    });
    return index;
}

}  // namespace detail

/// Type of the field that a member pointer names.
template <auto Member>
using FieldType = typename detail::MemberType<decltype(Member)>::type;

/// Place of the field in the description of State; does not compile for a member that is not described.
template <class State, auto Member>
    requires(detail::field_index<State, Member>() < kFieldCount<State>)
inline constexpr std::size_t kFieldIndex = detail::field_index<State, Member>();

}  // namespace quaestor::graph
