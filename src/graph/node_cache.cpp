#include "graph/node_cache.hpp"

namespace quaestor::graph {

NodeCache::NodeCache(const CacheSettings& settings, Clock& clock) : values_(settings, clock) {}

Task<Result<NodeCache::Value>> NodeCache::get_or_compute(std::string key,
                                                         std::function<Task<Result<Value>>()> compute) {
    return values_.get_or_compute(std::move(key), std::move(compute));
}

}  // namespace quaestor::graph
