// Cuts a document into chunks: pieces that are found, shown and cited, measured in tokens of the embedding model.
// A chunk holds whole sentences of one section.
// Threads: pure functions; the counter is called from the caller's thread.
#pragma once

#include "retrieval/document.hpp"

#include <boost/describe/class.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

struct ChunkingOptions {
    std::size_t tokens = 512;  ///< of a chunk at most
    std::size_t overlap = 50;  ///< tokens that a chunk repeats of the one before it, in whole sentences
    std::size_t window = 256;  ///< tokens that one vector sees; a longer chunk gets several
    friend bool operator==(const ChunkingOptions&, const ChunkingOptions&) = default;
};
BOOST_DESCRIBE_STRUCT(ChunkingOptions, (), (tokens, overlap, window))

struct Chunk {
    Span place;  ///< in the document's text
    std::size_t tokens = 0;
    std::string section;        ///< titles above it: "Policy › Votes"
    int page = 0;               ///< where it begins; 0 without pages
    std::vector<Span> windows;  ///< pieces of at most `window` tokens that cover it; each gets a vector
};

/// Tokens of a text; adding up over its sentences.
using TokenCounter = std::function<std::size_t(std::string_view)>;

/// Chunks in order. A new section begins a new chunk; a sentence is cut only when it alone is longer than a chunk, at
/// a line end or else between words. A text without words has no chunks.
[[nodiscard]] std::vector<Chunk> chunk_document(const Document& document, const TokenCounter& count,
                                                const ChunkingOptions& options);

/// What stands before the text of a chunk when it is embedded and indexed, so that it can be found by what only the
/// whole document says: "Minutes of the FOMC (July 26, 2023): Staff Economic Outlook".
[[nodiscard]] std::string context_of(const Metadata& metadata, std::string_view section);

}  // namespace quaestor::retrieval
