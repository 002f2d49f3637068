// Cache with a lifetime and a largest size; least recently used entries leave first. get_or_compute() guards against
// stampedes: one caller computes, the others wait for its value; a failure reaches all of them and is not kept.
// Threads: all members may be called from any thread; each waiter resumes on its own executor.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "resilience/deadline.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace quaestor {

struct CacheSettings {
    std::size_t capacity = 1'000;                   ///< entries kept at most
    std::chrono::milliseconds lifetime{3'600'000};  ///< how long an entry is good
};
BOOST_DESCRIBE_STRUCT(CacheSettings, (), (capacity, lifetime))

struct CacheStats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t joined = 0;   ///< callers that waited for somebody else's computation
    std::uint64_t evicted = 0;  ///< left because the cache was full
    std::uint64_t expired = 0;  ///< left because their lifetime was over
    std::size_t size = 0;
};
BOOST_DESCRIBE_STRUCT(CacheStats, (), (hits, misses, joined, evicted, expired, size))

template <class Key, class Value, class Hash = std::hash<Key>>
class TtlCache {
public:
    TtlCache(CacheSettings settings, Clock& clock);

    /// The value if it is there and still good.
    [[nodiscard]] std::optional<Value> get(const Key& key);
    void put(const Key& key, Value value);
    void erase(const Key& key);
    /// Removes every entry whose key satisfies `matches`, which must not use the cache; returns how many.
    std::size_t erase_if(const std::function<bool(const Key&)>& matches);
    void clear();

    /// The cached value, or `compute()`'s (a Task<Result<Value>>), computed once for all who ask meanwhile.
    /// If the computing caller is cancelled, one of the waiters computes instead. A key that is put or erased meanwhile
    /// does not get the computed value, only those who wait do. compute() must not ask for its own key.
    template <class Compute>
    Task<Result<Value>> get_or_compute(Key key, Compute compute);

    [[nodiscard]] CacheStats stats() const;

private:
    struct Entry {
        Key key;
        Value value;
        Deadline good_until;
    };
    using Entries = std::list<Entry>;
    struct Outcome;      ///< how a compute() ended
    struct Computation;  ///< a compute() that is running, and those who wait for it
    class Seat;          ///< one caller's part in a computation

    template <class Compute>
    static Task<Outcome> outcome_of(Compute& compute);

    // These need the mutex.
    Entry* find(const Key& key);
    void store(const Key& key, Value value);
    void remove(typename Entries::iterator entry);
    bool detach(const Key& key, const Computation& computation);  // false: the key was put or erased meanwhile

    const CacheSettings settings_;
    Clock& clock_;
    mutable std::mutex mutex_;
    Entries entries_;  ///< most recently used first
    std::unordered_map<Key, typename Entries::iterator, Hash> index_;
    std::unordered_map<Key, std::shared_ptr<Computation>, Hash> running_;
    CacheStats stats_;
};

}  // namespace quaestor

#include "resilience/ttl_cache_computation.hpp"
#include "resilience/ttl_cache_impl.hpp"
