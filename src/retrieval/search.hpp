// Finds the chunks of a corpus that answer a question: by meaning and by words, fused by reciprocal rank.
// A search keeps nothing; the corpus and the embedder outlive it.
// Threads: any; the work is done in the caller's thread, the embedding elsewhere.
#pragma once

#include "base/task.hpp"
#include "llm/embedder.hpp"
#include "resilience/cancellation.hpp"
#include "retrieval/corpus.hpp"

#include <boost/describe/class.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quaestor::retrieval {

inline constexpr std::size_t kTopMax = 1'000;
inline constexpr std::size_t kQueryBytesMax = 16'384;
inline constexpr std::size_t kNeighboursMax = 8;

/// Which documents are searched at all; applied inside the search, so that a narrow filter still gives `top` chunks.
struct Filter {
    std::string from;                    ///< "2023-01-01": not before this day; documents without a date are out
    std::string to;                      ///< nor after this one
    std::string type;                    ///< "minutes"
    std::vector<std::string> documents;  ///< names; empty: all
    std::map<std::string, std::string> attributes;  ///< from front matter: each must be so
};
BOOST_DESCRIBE_STRUCT(Filter, (), (from, to, type, documents, attributes))

struct SearchRequest {
    std::string query;
    Filter filter;
    std::size_t top = 10;
    std::size_t neighbours = 0;         ///< chunks before and after each that are joined to its text
    bool keep_near_duplicates = false;  ///< chunks that say the same on the same day, otherwise shown once
    bool explain = false;               ///< also compare with an exact search
};

struct ChunkResult {
    std::string chunk_id;  ///< the same as long as document and place are
    std::string document;  ///< name
    std::string title;
    std::string type;
    std::string date;
    std::string section;
    int page = 0;
    std::size_t start = 0;  ///< bytes of the document's text
    std::size_t end = 0;
    std::string text;
    double score = 0;  ///< how likely it answers, 0 to 1
    double fused = 0;  ///< reciprocal ranks, by which results are ordered
    RelevanceFeatures features;
    std::size_t dense_rank = 0;  ///< from 1; 0 when that search did not find it
    std::size_t keyword_rank = 0;
};
BOOST_DESCRIBE_STRUCT(ChunkResult, (),
                      (chunk_id, document, title, type, date, section, page, start, end, text, score, fused, features,
                       dense_rank, keyword_rank))

/// How the search went, when it was asked to explain.
struct SearchExplanation {
    std::vector<std::string> terms;    ///< words that were looked for
    std::size_t chunks_searched = 0;   ///< that the filter let through
    std::size_t vectors_rescored = 0;  ///< that the sketches left over
    std::size_t near_duplicates = 0;   ///< that were left out
    double recall = 1;                 ///< of the nearest vectors, how many were found
    double search_ms = 0;
};
BOOST_DESCRIBE_STRUCT(SearchExplanation, (),
                      (terms, chunks_searched, vectors_rescored, near_duplicates, recall, search_ms))

struct SearchReport {
    std::vector<ChunkResult> chunks;  ///< best first
    std::optional<SearchExplanation> explanation;
};

/// Embeds the query and searches. Code::invalid_argument for an empty query or a filter that is no date,
/// Code::conflict when the corpus is of another embedder, Code::corrupt when a document's text was damaged.
[[nodiscard]] Task<Result<SearchReport>> search(const Corpus& corpus, llm::Embedder& embedder, SearchRequest request,
                                                CancelToken cancel = {});

/// The same for a query whose vector is known. Blocking; well under a millisecond for 100,000 chunks.
[[nodiscard]] Result<SearchReport> search_with_vector(const Corpus& corpus, std::span<const float> query_vector,
                                                      const SearchRequest& request);

}  // namespace quaestor::retrieval
