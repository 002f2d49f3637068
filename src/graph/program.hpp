// The typed half of a compiled graph: node bodies, branch and fan-out functions, and the box that holds a run's state.
// Program is owned by its CompiledGraph; a TypedBox by one run.
// Threads: Program is immutable apart from its caches, which are thread-safe; a TypedBox lives on the run's executor.
#pragma once

#include "graph/context.hpp"
#include "graph/engine.hpp"
#include "graph/node_cache.hpp"
#include "graph/update.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::graph {

/// How a node is run: again after a failure, not longer than a time, not at all when its result is known.
template <class State>
struct NodePolicy {
    RetrySettings retry;
    std::chrono::milliseconds timeout{0};  ///< 0: only the run's deadline
    std::function<std::string(const State&)>
        cache_key;  ///< empty: not cached; else states with one key share an update
    CacheSettings cache;
};

template <class T>
class TypedItem final : public Item {
public:
    explicit TypedItem(T item) : value(std::move(item)) {}
    [[nodiscard]] json::value to_json() const override { return encode(value); }
    const T value;
};

template <class State>
using BranchFunction = std::function<void(const State&, std::vector<std::string>& targets)>;
template <class State>
using SplitFunction = std::function<void(const State&, std::vector<std::shared_ptr<const Item>>& items)>;

template <class State>
struct NodeBody {
    std::function<Task<Update<State>>(const State&, Context&)> call;
    std::function<std::string(const State&)> cache_key;
    CacheSettings cache_settings;
    std::shared_ptr<NodeCache> cache;
    std::function<Result<std::shared_ptr<const Item>>(const json::value&)> restore_item;
};

template <class State>
struct Program {
    Plan plan;
    std::vector<NodeBody<State>> bodies;
    std::vector<BranchFunction<State>> branches;
    std::vector<SplitFunction<State>> splits;
};

template <class State>
class TypedBox final : public StateBox {
public:
    explicit TypedBox(const Program<State>& program) : program_(program) {}

    /// Slot 0: the input of a run, or the change of a fork.
    void put_update(Update<State> update) { updates_.assign(1, std::move(update)); }
    [[nodiscard]] State take_state() { return std::move(state_); }

    void prepare(std::size_t tasks) override {
        updates_.clear();
        updates_.resize(tasks);
    }

    Task<NodeStatus> run_node(const Scheduled& what, std::size_t slot, Context& context) override {
        const NodeBody<State>& body = program_.bodies[what.node];
        if (body.cache) co_return co_await run_cached(body, slot, context);
        updates_[slot] = co_await body.call(state_, context);
        co_return NodeStatus::success;
    }

    [[nodiscard]] const Error* failure(std::size_t slot) const override {
        return updates_[slot].failed() ? &updates_[slot].error() : nullptr;
    }
    [[nodiscard]] json::value update(std::size_t slot) const override { return updates_[slot].to_json(); }
    [[nodiscard]] Result<> restore_update(std::size_t slot, const json::value& update) override {
        auto restored = Update<State>::from_json(update);
        if (!restored) return fail(restored.error());
        updates_[slot] = std::move(*restored);
        return {};
    }
    [[nodiscard]] Result<Patch> merge(const ValueMemory* patch_memory) override {
        return graph::merge(state_, std::span(updates_), patch_memory);
    }

    void choose(std::size_t branch, std::vector<std::string>& targets) override {
        program_.branches[branch](state_, targets);
    }
    void split(std::size_t fan_out, std::vector<std::shared_ptr<const Item>>& items) override {
        program_.splits[fan_out](state_, items);
    }
    [[nodiscard]] Result<std::shared_ptr<const Item>> restore_item(NodeIndex worker, const json::value& item) override {
        return program_.bodies[worker].restore_item(item);
    }

    [[nodiscard]] json::object snapshot(const json::storage_ptr& storage) const override {
        return std::move(encode(state_, storage).as_object());
    }
    [[nodiscard]] Result<> load(const json::object& state) override {
        auto loaded = decode<State>(state);
        if (!loaded) return fail(loaded.error());
        state_ = std::move(*loaded);
        return {};
    }

private:
    Task<NodeStatus> run_cached(const NodeBody<State>& body, std::size_t slot, Context& context) {
        bool computed = false;
        auto update =
            co_await body.cache->get_or_compute(body.cache_key(state_), [&]() -> Task<Result<NodeCache::Value>> {
                computed = true;
                auto fresh = std::make_shared<const Update<State>>(co_await body.call(state_, context));
                if (fresh->failed()) co_return fail(fresh->error());
                co_return fresh;
            });
        updates_[slot] = update ? *static_cast<const Update<State>*>(update->get()) : Update<State>(update.error());
        co_return computed ? NodeStatus::success : NodeStatus::cached;
    }

    const Program<State>& program_;
    State state_{};
    std::vector<Update<State>> updates_;
};

}  // namespace quaestor::graph
