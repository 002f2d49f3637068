// The updates of a node that is cached, by key. It does not know the state's type, so that it is compiled once.
// Owned by the compiled graph whose node it belongs to; shared by its runs.
// Threads: safe from any.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "resilience/ttl_cache.hpp"

#include <functional>
#include <memory>
#include <string>

namespace quaestor::graph {

class NodeCache {
public:
    NodeCache(const CacheSettings& settings, Clock& clock);

    /// The value kept under `key`, or what `compute` makes. Many that ask at once compute it once; an error reaches all
    /// of them and is not kept.
    using Value = std::shared_ptr<const void>;
    Task<Result<Value>> get_or_compute(std::string key, std::function<Task<Result<Value>>()> compute);

private:
    TtlCache<std::string, Value> values_;
};

}  // namespace quaestor::graph
