// Which checkpoints of a thread a prune removes, and which it must make independent of what goes.
// Shared by the backends that hold a thread's list in memory while they prune it.
// Threads: pure functions.
#pragma once

#include "base/clock.hpp"
#include "graph/checkpoint.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace quaestor::store {

struct PruneCandidate {
    std::string_view id;
    std::string_view parent_id;
    WallTime created_at;
};

/// Places in the list of candidates.
struct PrunePlan {
    std::vector<std::size_t> remove;
    std::vector<std::size_t> detach;  ///< these stay but lose their parent: each becomes a snapshot that stands alone
};

/// `candidates`: all checkpoints of one thread, oldest first.
[[nodiscard]] PrunePlan plan_prune(std::span<const PruneCandidate> candidates, const graph::PruneQuery& query);

}  // namespace quaestor::store
