// Private to retrieval/: search by meaning over the segments of a corpus: the chunks whose vectors are nearest.
// Sketches of all vectors leave a few candidates, which are then measured as if exactly. Pure functions.
// Threads: safe everywhere; each thread keeps a buffer for distances.
#pragma once

#include "retrieval/hits.hpp"
#include "retrieval/segment.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace quaestor::retrieval {

struct NearestChunks {
    std::vector<Hit> hits;     ///< best first; a chunk counts with the best of its vectors
    std::size_t rescored = 0;  ///< vectors that were more than looked at
};

[[nodiscard]] NearestChunks nearest_chunks(std::span<const LiveSegment> segments, std::span<const float> query,
                                           std::span<const AllowedChunks> allowed, std::size_t count);

/// The same by measuring every vector; to see what the other one misses.
[[nodiscard]] std::vector<Hit> nearest_chunks_exactly(std::span<const LiveSegment> segments,
                                                      std::span<const float> query,
                                                      std::span<const AllowedChunks> allowed, std::size_t count);

/// Cosine of the query and the best vector of a chunk.
[[nodiscard]] float nearness(const Segment& segment, std::uint32_t chunk, std::span<const float> query);

}  // namespace quaestor::retrieval
