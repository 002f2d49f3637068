// How TtlCache keeps its entries: a list in order of use, and an index into it.
// A private header of resilience/; include ttl_cache.hpp.
// Threads: as TtlCache; one mutex guards everything.
#pragma once

#include "resilience/ttl_cache.hpp"

#include <iterator>
#include <utility>

namespace quaestor {

template <class Key, class Value, class Hash>
TtlCache<Key, Value, Hash>::TtlCache(CacheSettings settings, Clock& clock) : settings_(settings), clock_(clock) {}

template <class Key, class Value, class Hash>
std::optional<Value> TtlCache<Key, Value, Hash>::get(const Key& key) {
    const std::lock_guard lock(mutex_);
    const Entry* entry = find(key);
    ++(entry ? stats_.hits : stats_.misses);
    return entry ? std::optional(entry->value) : std::nullopt;
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::put(const Key& key, Value value) {
    const std::lock_guard lock(mutex_);
    running_.erase(key);
    store(key, std::move(value));
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::erase(const Key& key) {
    const std::lock_guard lock(mutex_);
    running_.erase(key);
    if (const auto found = index_.find(key); found != index_.end()) remove(found->second);
}

template <class Key, class Value, class Hash>
std::size_t TtlCache<Key, Value, Hash>::erase_if(const std::function<bool(const Key&)>& matches) {
    const std::lock_guard lock(mutex_);
    std::erase_if(running_, [&](const auto& item) { return matches(item.first); });
    std::erase_if(index_, [&](const auto& item) { return matches(item.first); });
    return entries_.remove_if([&](const Entry& entry) { return !index_.contains(entry.key); });
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::clear() {
    const std::lock_guard lock(mutex_);
    running_.clear();
    index_.clear();
    entries_.clear();
}

template <class Key, class Value, class Hash>
CacheStats TtlCache<Key, Value, Hash>::stats() const {
    const std::lock_guard lock(mutex_);
    CacheStats stats = stats_;
    stats.size = entries_.size();
    return stats;
}

template <class Key, class Value, class Hash>
auto TtlCache<Key, Value, Hash>::find(const Key& key) -> Entry* {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    const auto entry = found->second;
    if (entry->good_until.expired(clock_)) {
        ++stats_.expired;
        remove(entry);
        return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, entry);
    return &*entry;
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::store(const Key& key, Value value) {
    const Deadline good_until = Deadline::after(clock_, settings_.lifetime);
    if (Entry* entry = find(key)) {
        entry->value = std::move(value);
        entry->good_until = good_until;
        return;
    }
    entries_.push_front(Entry{key, std::move(value), good_until});
    index_[key] = entries_.begin();
    if (entries_.size() > settings_.capacity) {
        const auto oldest = std::prev(entries_.end());
        ++(oldest->good_until.expired(clock_) ? stats_.expired : stats_.evicted);
        remove(oldest);
    }
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::remove(typename Entries::iterator entry) {
    index_.erase(entry->key);
    entries_.erase(entry);
}

template <class Key, class Value, class Hash>
bool TtlCache<Key, Value, Hash>::detach(const Key& key, const Computation& computation) {
    const auto running = running_.find(key);
    if (running == running_.end() || running->second.get() != &computation) return false;
    running_.erase(running);
    return true;
}

}  // namespace quaestor
