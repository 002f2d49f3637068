#include "retrieval/word_weights.hpp"

#include "retrieval/bm25.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor::retrieval {

std::vector<WordWeight> weigh_words(const Corpus& corpus, std::string_view text) {
    double chunks = 0;
    for (const LiveSegment& live : corpus.segments()) chunks += static_cast<double>(live.segment->chunks().size());
    const double of_unknown = std::log(1 + (chunks + 0.5) / 0.5);
    std::vector<WordWeight> weights;
    for (const auto& word : WordQuery(corpus.segments(), text).words()) {
        WordWeight weight{word.term, std::clamp(word.weight / of_unknown, 0.0, 1.0), 0};
        for (const Postings& postings : word.postings) weight.chunks += postings.chunks.size();
        weights.push_back(std::move(weight));
    }
    return weights;
}

}  // namespace quaestor::retrieval
