// Private to retrieval/: which chunks of a corpus a filter allows.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "base/error.hpp"
#include "retrieval/hits.hpp"
#include "retrieval/search.hpp"
#include "retrieval/segment.hpp"

#include <span>
#include <vector>

namespace quaestor::retrieval {

/// For each segment the ranges of chunks whose documents are there and pass the filter. Code::invalid_argument when a
/// bound is no date.
[[nodiscard]] Result<std::vector<AllowedChunks>> allowed_chunks(std::span<const LiveSegment> segments,
                                                                const Filter& filter);

}  // namespace quaestor::retrieval
