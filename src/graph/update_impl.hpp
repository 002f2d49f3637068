// Bodies of update.hpp: finding a field's reducer, folding contributions, turning updates into patches and JSON.
// Included by update.hpp only.
// Threads: see update.hpp.
#pragma once

#include "base/text.hpp"
#include "graph/update.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace quaestor::graph {

namespace detail {

struct Replace {};

template <class Reducer>
struct ReducerMember;
template <auto Member>
struct ReducerMember<Append<Member>> : std::integral_constant<decltype(Member), Member> {};
template <auto Member>
struct ReducerMember<MergeById<Member>> : std::integral_constant<decltype(Member), Member> {};
template <auto Member, auto Function>
struct ReducerMember<Reduce<Member, Function>> : std::integral_constant<decltype(Member), Member> {};

template <class State>
consteval auto reducers_of() {
    if constexpr (requires { State::kReducers; }) {
        return State::kReducers;
    } else {
        return std::tuple{};
    }
}

/// The reducer type of the field that `Member` names: the one listed in kReducers, or Replace.
template <auto Member>
consteval auto find_reducer(std::tuple<>*) {
    return Replace{};
}
template <auto Member, class First, class... Rest>
consteval auto find_reducer(std::tuple<First, Rest...>*) {
    constexpr auto listed = ReducerMember<First>::value;
    if constexpr (std::is_same_v<std::remove_const_t<decltype(listed)>, std::remove_const_t<decltype(Member)>>) {
        if constexpr (listed == Member) {
            return First{};
        } else {
            return find_reducer<Member>(static_cast<std::tuple<Rest...>*>(nullptr));
        }
    } else {
        return find_reducer<Member>(static_cast<std::tuple<Rest...>*>(nullptr));
    }
}

template <class State, auto Member>
using ReducerOf =
    decltype(find_reducer<Member>(static_cast<std::remove_const_t<decltype(reducers_of<State>())>*>(nullptr)));

template <class T>
void fold(Replace, T& there, T change) {
    there = std::move(change);
}
template <auto Member, class T>
void fold(Append<Member>, T& there, T change) {
    there.insert(there.end(), std::make_move_iterator(change.begin()), std::make_move_iterator(change.end()));
}
template <auto Member, class T>
void fold(MergeById<Member>, T& there, T change) {
    for (auto& item : change) {
        auto same = std::ranges::find_if(there, [&](const auto& old) { return old.id == item.id; });
        if (same != there.end()) {
            *same = std::move(item);
        } else {
            there.push_back(std::move(item));
        }
    }
}
template <auto Member, auto Function, class T>
void fold(Reduce<Member, Function>, T& there, T change) {
    there = Function(std::move(there), std::move(change));
}

template <class Reducer>
inline constexpr bool kIsAppend = false;
template <auto Member>
inline constexpr bool kIsAppend<Append<Member>> = true;
template <class Reducer>
inline constexpr bool kIsMergeById = false;
template <auto Member>
inline constexpr bool kIsMergeById<MergeById<Member>> = true;

/// Calls `visit.operator()<Member, Index>(name)` for each field of State.
template <class State, class Visit>
void for_each_field(Visit&& visit) {
    boost::mp11::mp_for_each<boost::mp11::mp_iota_c<kFieldCount<State>>>([&](auto index) {
        using Field = boost::mp11::mp_at_c<Fields<State>, index>;
        visit.template operator()<Field::pointer, std::size_t{index}>(Field::name);
    });
}

template <class State>
Result<> require_field(std::string_view wanted) {
    std::vector<std::string> names;
    for_each_field<State>([&]<auto, std::size_t>(const char* name) { names.emplace_back(name); });
    if (std::ranges::find(names, wanted) != names.end()) return {};
    const auto meant = text::nearest(wanted, names);
    return fail(
        Code::invalid_argument, fmt::format("the state has no field \"{}\"", wanted),
        meant ? fmt::format("did you mean \"{}\"?", *meant) : fmt::format("its fields are {}", fmt::join(names, ", ")));
}

}  // namespace detail

template <class State>
template <auto Member, class Value>
void Update<State>::contribute(Value value) {
    constexpr std::size_t index = kFieldIndex<State, Member>;
    using Reducer = detail::ReducerOf<State, Member>;
    if (changed_.test(index)) {
        detail::fold(Reducer{}, values_.*Member, std::move(value));
        return;
    }
    changed_.set(index);
    if constexpr (detail::kIsMergeById<Reducer>) {  // the first contribution, too, may name an id twice
        (values_.*Member).clear();
        detail::fold(Reducer{}, values_.*Member, std::move(value));
    } else {
        values_.*Member = std::move(value);
    }
}

template <class State>
void Update<State>::add_to_patch(Patch& patch, std::bitset<kFieldCount<State>>& whole_fields) const {
    detail::for_each_field<State>([&]<auto Member, std::size_t index>(const char* name) {
        if (!changed_.test(index)) return;
        if constexpr (detail::kIsAppend<detail::ReducerOf<State, Member>>) {
            if (!replaced_.test(index) && !whole_fields.test(index)) {
                auto items = encode(values_.*Member, patch.append.storage());
                if (auto* there = patch.append.if_contains(name)) {
                    std::ranges::move(items.as_array(), std::back_inserter(there->as_array()));
                } else {
                    patch.append.emplace(name, std::move(items));
                }
                return;
            }
        }
        whole_fields.set(index);
    });
}

template <class State>
void Update<State>::apply_to(State& state) {
    detail::for_each_field<State>([&]<auto Member, std::size_t index>(const char*) {
        if (!changed_.test(index)) return;
        if (replaced_.test(index)) {
            state.*Member = std::move(values_.*Member);
        } else {
            detail::fold(detail::ReducerOf<State, Member>{}, state.*Member, std::move(values_.*Member));
        }
    });
}

template <class State>
json::value Update<State>::to_json() const {
    json::object set;
    json::object replace;
    detail::for_each_field<State>([&]<auto Member, std::size_t index>(const char* name) {
        if (changed_.test(index)) (replaced_.test(index) ? replace : set).emplace(name, encode(values_.*Member));
    });
    json::object result;
    if (!set.empty()) result.emplace("set", std::move(set));
    if (!replace.empty()) result.emplace("replace", std::move(replace));
    return result;
}

template <class State>
Result<Update<State>> Update<State>::from_json(const json::value& value, UnknownFields unknown) {
    auto parts = decode<std::map<std::string, json::object>>(value);
    if (!parts) return fail(parts.error());
    Update update;
    std::optional<Error> problem;
    detail::for_each_field<State>([&]<auto Member, std::size_t index>(const char* name) {
        for (const auto* part : {"set", "replace"}) {
            const auto fields = parts->find(part);
            if (fields == parts->end() || !fields->second.contains(name)) continue;
            auto field = decode<FieldType<Member>>(fields->second.at(name));
            if (!field) {
                problem = Error{field.error().code, fmt::format("{}: {}", name, field.error().message)};
                return;
            }
            update.values_.*Member = std::move(*field);
            update.changed_.set(index);
            update.replaced_.set(index, part == std::string_view("replace"));
        }
    });
    if (problem) return fail(std::move(*problem));
    if (unknown == UnknownFields::refuse) {
        for (const auto& [part, fields] : *parts) {
            if (part != "set" && part != "replace") {
                return fail(Code::invalid_argument, fmt::format("an update has no part \"{}\"", part),
                            "its parts are set and replace");
            }
            for (const auto& field : fields) {
                if (auto refused = detail::require_field<State>(field.key()); !refused) return fail(refused.error());
            }
        }
    }
    return update;
}

namespace detail {

/// A field that two of the updates set although nothing says how to bring the two together.
template <class State, class Updates>
std::optional<std::string> find_conflict(const Updates& updates) {
    std::optional<std::string> conflict;
    for_each_field<State>([&]<auto Member, std::size_t>(const char* name) {
        if constexpr (std::is_same_v<ReducerOf<State, Member>, Replace>) {
            const auto writers =
                std::ranges::count_if(updates, [](const auto& update) { return update.template has<Member>(); });
            if (writers > 1 && !conflict) conflict = name;
        }
    });
    return conflict;
}

}  // namespace detail

template <class State>
Result<Patch> merge(State& state, std::span<Update<State>> updates, const ValueMemory* patch_memory) {
    if (updates.size() > 1) {
        if (auto field = detail::find_conflict<State>(updates)) {
            return fail(Code::conflict,
                        fmt::format("several tasks of one step set \"{}\", which has no reducer", *field),
                        "give the field a reducer in kReducers, or let one node set it");
        }
    }
    const auto storage = patch_memory != nullptr ? patch_memory->storage() : json::storage_ptr();
    Patch patch{json::object(storage), json::object(storage)};
    std::bitset<kFieldCount<State>> whole_fields;
    if (patch_memory != nullptr) {
        for (const auto& update : updates) update.add_to_patch(patch, whole_fields);
    }
    for (auto& update : updates) update.apply_to(state);
    if (patch_memory != nullptr) {
        detail::for_each_field<State>([&]<auto Member, std::size_t index>(const char* name) {
            if (!whole_fields.test(index)) return;
            patch.append.erase(name);
            patch.set.emplace(name, encode(state.*Member, storage));
        });
    }
    return patch;
}

}  // namespace quaestor::graph
