#include "store/prune_plan.hpp"

#include <algorithm>
#include <unordered_set>

namespace quaestor::store {

PrunePlan plan_prune(std::span<const PruneCandidate> candidates, const graph::PruneQuery& query) {
    const std::size_t old_count = candidates.size() - std::min(candidates.size(), query.keep_last);
    const auto goes = [&](std::size_t place) {
        return place < old_count && (!query.older_than || candidates[place].created_at < *query.older_than);
    };
    PrunePlan plan;
    std::unordered_set<std::string_view> removed;
    for (std::size_t place = 0; place < candidates.size(); ++place) {
        if (!goes(place)) continue;
        plan.remove.push_back(place);
        removed.insert(candidates[place].id);
    }
    for (std::size_t place = 0; place < candidates.size(); ++place) {
        if (!goes(place) && removed.contains(candidates[place].parent_id)) plan.detach.push_back(place);
    }
    return plan;
}

}  // namespace quaestor::store
