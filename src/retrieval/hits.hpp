// Private to retrieval/: what the searches by words and by meaning share: which chunks are allowed, and which are
// found. Plain values. Threads: plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quaestor::retrieval {

/// Chunks [begin, end) of a segment.
struct ChunkRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// The chunks of a segment that may be found, as ranges in order.
using AllowedChunks = std::vector<ChunkRange>;

/// Joined to the last range where it follows on it.
inline void add_range(AllowedChunks& ranges, ChunkRange range) {
    if (range.begin >= range.end) return;
    if (!ranges.empty() && ranges.back().end == range.begin) {
        ranges.back().end = range.end;
    } else {
        ranges.push_back(range);
    }
}

struct Hit {
    std::uint32_t segment = 0;
    std::uint32_t chunk = 0;
    float score = 0;
};

/// Keeps the best `count` hits, best first; those that are as good in the order of their places.
inline void keep_best(std::vector<Hit>& hits, std::size_t count) {
    const auto is_better = [](const Hit& left, const Hit& right) {
        if (left.score != right.score) return left.score > right.score;
        return left.segment != right.segment ? left.segment < right.segment : left.chunk < right.chunk;
    };
    if (hits.size() > count) {
        std::nth_element(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(count), hits.end(), is_better);
        hits.resize(count);
    }
    std::sort(hits.begin(), hits.end(), is_better);
}

}  // namespace quaestor::retrieval
