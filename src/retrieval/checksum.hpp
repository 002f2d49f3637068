// Private to retrieval/: sums by which damage is seen, and names for contents.
// Functions over borrowed bytes.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <xxhash.h>

namespace quaestor::retrieval {

[[nodiscard]] inline std::uint64_t checksum_of(std::string_view bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

/// Enough bits that two contents never share one by chance.
struct ContentHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(const ContentHash&, const ContentHash&) = default;
};

[[nodiscard]] inline ContentHash hash_of_content(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

}  // namespace quaestor::retrieval
