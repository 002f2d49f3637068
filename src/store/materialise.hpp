// Putting a state together: from the nearest snapshot, change by change, up to the checkpoint that is read.
// Backends find the chain, each in its own way; what it must look like, and what is said when it does not, is here.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "graph/checkpoint.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace quaestor::store {

/// Checkpoints read at most to put one state together. The runtime takes snapshots far more often than this.
inline constexpr std::size_t kChainMax = 4'096;

/// One checkpoint of a chain. Texts and change stay the backend's.
struct ChainLink {
    std::string_view id;
    std::string_view parent_id;
    bool is_snapshot = false;
    const graph::Patch* change = nullptr;
};

/// True when the checkpoint before `link` is needed to read it.
[[nodiscard]] inline bool needs_parent(const ChainLink& link) {
    return !link.is_snapshot && !link.parent_id.empty();
}

/// The state at the first link. `chain` leads from there to the first link that does not need its parent, or as far as
/// checkpoints were found, or to kChainMax + 1 links. Code::corrupt when that is not enough, or a change does not fit.
[[nodiscard]] Result<json::object> materialise(std::string_view thread_id, std::span<const ChainLink> chain);

}  // namespace quaestor::store
