// Replies to questions asked before in nearly the same words. Found by prompt, model and closeness of meaning; a
// question that holds somebody's conversation is kept for that session only. Lives in memory. Threads: all members may
// be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "llm/embedder.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::llm {

struct SemanticCacheSettings {
    bool on = true;
    double similarity = 0.95;  ///< least cosine of two questions that count as the same
    std::chrono::milliseconds lifetime{std::chrono::hours(24)};
    std::size_t capacity = 10'000;
};
BOOST_DESCRIBE_STRUCT(SemanticCacheSettings, (), (on, similarity, lifetime, capacity))

struct SemanticCacheStats {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::size_t size = 0;
    [[nodiscard]] double hit_rate() const;
};
BOOST_DESCRIBE_STRUCT(SemanticCacheStats, (), (hits, misses, size))

/// Where an answer may be found again. Two questions meet only in the same place.
struct CachePlace {
    std::string prompt;
    std::string model;
    std::string session;  ///< empty: shared by all
    /// What must be the same to the letter, for close vectors do not see it: the numbers, dates and quoted texts of the
    /// question ("top 5" and "top 50" are close), and whatever else the answer depends on, such as a schema.
    std::string exact;
};

class SemanticCache {
public:
    /// The embedder outlives the cache.
    SemanticCache(SemanticCacheSettings settings, Embedder& embedder, Clock& clock);
    ~SemanticCache();

    /// The reply to the nearest question, if it is near enough and not too old. A text that cannot be embedded misses.
    Task<std::optional<json::value>> find(const CachePlace& place, std::string text);
    Task<> keep(const CachePlace& place, std::string text, json::value reply);
    /// Forgets the questions of prompts whose key, or whose text, matches: * stands for anything. Says how many.
    std::size_t invalidate(std::string_view pattern);
    [[nodiscard]] SemanticCacheStats stats() const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

/// The numbers, dates and quoted texts of a question in order; part of CachePlace::exact.
[[nodiscard]] std::string exact_parts(std::string_view text);

}  // namespace quaestor::llm
