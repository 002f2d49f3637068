// Puts found passages in order by what their sentences say, once the search has found them by likeness: the second look
// of a search. Private to the workflow.
// Threads: pure functions over a corpus.
#pragma once

#include "workflows/cited/searching.hpp"

#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

/// Those of the named time first, of them those of the named kind, of them those that have the likeliest sentence.
[[nodiscard]] std::vector<retrieval::ChunkResult> in_order(const Librarian& librarian, const Wish& wish,
                                                           std::vector<retrieval::ChunkResult> chunks);

/// A passage as the extractor takes it; borrows the chunk and its context.
[[nodiscard]] native::ExtractPassage passage_of(const retrieval::ChunkResult& chunk, std::string_view context);

}  // namespace quaestor::workflows::cited
