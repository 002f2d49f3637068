#include "store/materialise.hpp"

#include <fmt/format.h>

#include <ranges>
#include <unordered_set>

namespace quaestor::store {

namespace {

std::unexpected<Error> unreadable(std::string_view thread_id, std::string_view id, std::string_view why) {
    return fail(Code::corrupt, fmt::format("checkpoint {} of thread {} cannot be read: {}", id, thread_id, why),
                "go on from an older checkpoint, or delete the thread");
}

bool has_cycle(std::span<const ChainLink> chain) {
    std::unordered_set<std::string_view> seen;
    return !std::ranges::all_of(chain, [&](const ChainLink& link) { return seen.insert(link.id).second; });
}

}  // namespace

Result<json::object> materialise(std::string_view thread_id, std::span<const ChainLink> chain) {
    const std::string_view id = chain.front().id;
    if (chain.size() > kChainMax) {
        if (has_cycle(chain)) return unreadable(thread_id, id, "its ancestors form a cycle");
        return unreadable(thread_id, id, fmt::format("no snapshot among its last {} ancestors", kChainMax));
    }
    if (needs_parent(chain.back())) {
        return unreadable(thread_id, id, fmt::format("its ancestor {} is missing", chain.back().parent_id));
    }
    json::object state;
    for (const ChainLink& link : std::views::reverse(chain)) {
        if (auto applied = graph::apply(*link.change, state); !applied) {
            return unreadable(thread_id, id, applied.error().message);
        }
    }
    return state;
}

}  // namespace quaestor::store
