// Private to retrieval/: search by words (BM25) over the segments of a corpus.
// Pure functions over a corpus.
// Threads: safe everywhere; each thread keeps a buffer for its sums.
#pragma once

#include "retrieval/hits.hpp"
#include "retrieval/segment.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

/// Fills in LiveSegment::lengths, against the mean length over all segments.
void weigh_lengths(std::vector<LiveSegment>& segments);

/// The words of a question that are looked for, and how much each says.
class WordQuery {
public:
    WordQuery(std::span<const LiveSegment> segments, std::string_view text);

    struct Word {
        std::string term;
        double weight = 0;               ///< the rarer the higher
        std::vector<Postings> postings;  ///< for each segment
    };
    [[nodiscard]] const std::vector<Word>& words() const { return words_; }

    /// The best `count` chunks among those allowed, best first.
    [[nodiscard]] std::vector<Hit> search(std::span<const LiveSegment> segments, std::span<const AllowedChunks> allowed,
                                          std::size_t count) const;

    struct Match {
        double score = 0;     ///< as a share of what a perfect match would have
        double coverage = 0;  ///< weight of the words that occur, of all
    };
    [[nodiscard]] Match match(std::span<const LiveSegment> segments, const Hit& hit) const;

private:
    std::vector<Word> words_;
    double weights_ = 0;
};

}  // namespace quaestor::retrieval
