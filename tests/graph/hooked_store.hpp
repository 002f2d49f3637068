// A checkpoint store that asks a hook before each call; the hook may let it pass, refuse it, or do something on the
// way. Stands in front of another store, which it does not own. Threads: those of the hook.
#pragma once

#include "graph/checkpoint.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quaestor::graph {

class HookedStore final : public CheckpointStore {
public:
    /// Gets the name of the call; an error is returned to the caller instead of making the call.
    using Hook = std::function<Result<>(std::string_view call)>;

    HookedStore(CheckpointStore& inner, Hook hook) : inner_(inner), hook_(std::move(hook)) {}

    Task<Result<>> put(Checkpoint checkpoint) override {
        if (auto passed = hook_("put"); !passed) co_return passed;
        co_return co_await inner_.put(std::move(checkpoint));
    }
    Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id,
                              std::vector<PendingWrite> writes) override {
        if (auto passed = hook_("put_writes"); !passed) co_return passed;
        co_return co_await inner_.put_writes(std::move(thread_id), std::move(checkpoint_id), std::move(writes));
    }
    Task<Result<std::optional<SavedCheckpoint>>> get(std::string thread_id, std::optional<std::string> id) override {
        if (auto passed = hook_("get"); !passed) co_return fail(passed.error());
        co_return co_await inner_.get(std::move(thread_id), std::move(id));
    }
    Task<Result<std::vector<CheckpointInfo>>> list(CheckpointQuery query) override {
        return inner_.list(std::move(query));
    }
    Task<Result<std::size_t>> delete_thread(std::string thread_id) override {
        return inner_.delete_thread(std::move(thread_id));
    }
    Task<Result<std::size_t>> copy_thread(std::string from, std::string to) override {
        return inner_.copy_thread(std::move(from), std::move(to));
    }
    Task<Result<std::size_t>> prune(PruneQuery query) override { return inner_.prune(std::move(query)); }

private:
    CheckpointStore& inner_;
    Hook hook_;
};

}  // namespace quaestor::graph
