// Update<State>: what a node wants changed, field by field, and the reducers that say how a change meets what is there.
// A plain value; the runtime applies it, so a node that fails half-way has changed nothing.
// Threads: a value like any other.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "graph/checkpoint.hpp"
#include "graph/fields.hpp"

#include <bitset>
#include <concepts>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace quaestor::graph {

// ---- Reducers. A state lists those that are not "replace" beside its fields:
//          static constexpr auto kReducers = std::tuple{append<&State::log>, merge_by_id<&State::messages>};

/// Adds the items of the change at the end.
template <auto Member>
struct Append {};
template <auto Member>
inline constexpr Append<Member> append{};

/// Adds items at the end; an item whose `id` is there already takes the old one's place.
template <auto Member>
struct MergeById {};
template <auto Member>
inline constexpr MergeById<Member> merge_by_id{};

/// Your own: `Function(there, change)` returns the new value. It must be associative, so that fan-outs can be joined.
template <auto Member, auto Function>
struct Reduce {};
template <auto Member, auto Function>
inline constexpr Reduce<Member, Function> reduce{};

template <class State>
class Update {
public:
    /// Changes nothing.
    Update() = default;
    /// The node failed: `co_return fail(…)` or `co_return rows.error()`.
    Update(Error error) : error_(std::make_shared<const Error>(std::move(error))) {}
    Update(std::unexpected<Error> failure) : Update(std::move(failure.error())) {}

    /// Every field of `state`, replacing what is there: the input of a run from scratch.
    [[nodiscard]] static Update whole(State state) {
        Update update;
        update.values_ = std::move(state);
        update.changed_.set();
        update.replaced_.set();
        return update;
    }

    /// Gives `value` to the field's reducer. Several calls for one field are reduced among themselves first.
    template <auto Member, class Self, std::convertible_to<FieldType<Member>> Value = FieldType<Member>>
    Self&& set(this Self&& self, Value&& value) {
        FieldType<Member> contribution = std::forward<Value>(value);
        self.template contribute<Member>(std::move(contribution));
        return std::forward<Self>(self);
    }

    /// Gives one more item to a list field with the append or merge_by_id reducer.
    template <auto Member, class Self, class Item>
    Self&& add(this Self&& self, Item&& item) {
        FieldType<Member> items;
        items.emplace_back(std::forward<Item>(item));
        self.template contribute<Member>(std::move(items));
        return std::forward<Self>(self);
    }

    /// Puts `value` in the field's place, past its reducer.
    template <auto Member, class Self, std::convertible_to<FieldType<Member>> Value = FieldType<Member>>
    Self&& replace(this Self&& self, Value&& value) {
        self.values_.*Member = std::forward<Value>(value);
        self.changed_.set(kFieldIndex<State, Member>);
        self.replaced_.set(kFieldIndex<State, Member>);
        return std::forward<Self>(self);
    }

    [[nodiscard]] bool failed() const { return error_ != nullptr; }
    /// Only when failed().
    [[nodiscard]] const Error& error() const { return *error_; }
    /// True when the update changes the field.
    template <auto Member>
    [[nodiscard]] bool has() const {
        return changed_.test(kFieldIndex<State, Member>);
    }
    /// The contribution to the field; only when has().
    template <auto Member>
    [[nodiscard]] const FieldType<Member>& get() const {
        return values_.*Member;
    }

    /// {"set": {…}, "replace": {…}}, and back.
    [[nodiscard]] json::value to_json() const;
    [[nodiscard]] static Result<Update> from_json(const json::value& value,
                                                  UnknownFields unknown = UnknownFields::ignore);

private:
    template <class S>
    friend Result<Patch> merge(S& state, std::span<Update<S>> updates, const ValueMemory* patch_memory);

    template <auto Member, class Value>
    void contribute(Value value);
    void add_to_patch(Patch& patch, std::bitset<kFieldCount<State>>& whole_fields) const;
    void apply_to(State& state);

    static constexpr std::size_t kCount = kFieldCount<State>;
    State values_{};
    std::bitset<kCount> changed_;
    std::bitset<kCount> replaced_;
    std::shared_ptr<const Error> error_;
};

/// Applies the updates of one superstep in order, by the fields' reducers, and returns the change as it is stored
/// (empty unless wanted). Code::conflict, and nothing changed, when two of them set a field that has no reducer.
template <class State>
[[nodiscard]] Result<Patch> merge(State& state, std::span<Update<State>> updates, const ValueMemory* patch_memory);

}  // namespace quaestor::graph

#include "graph/update_impl.hpp"
