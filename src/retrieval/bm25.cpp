#include "retrieval/bm25.hpp"

#include "retrieval/terms.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor::retrieval {

namespace {

constexpr float kSaturation = 1.2F;     ///< k1: how soon more of a word says nothing new
constexpr float kLengthWeight = 0.75F;  ///< b: how much long chunks are held back
constexpr std::size_t kQueryWordsMax = 64;

/// Sums for chunks. All are 0 between searches: only those that were touched are cleared.
struct Sums {
    std::vector<float> of_chunk;
    std::vector<std::uint32_t> touched;
};

float word_score(std::uint8_t count, float length) {
    const auto times = static_cast<float>(count);
    return times * (kSaturation + 1) / (times + length);
}

void add_word(const WordQuery::Word& word, const Postings& postings, ChunkRange range, std::span<const float> lengths,
              Sums& sums) {
    const auto begin = std::ranges::lower_bound(postings.chunks, range.begin) - postings.chunks.begin();
    const auto weight = static_cast<float>(word.weight);
    for (auto i = static_cast<std::size_t>(begin); i < postings.chunks.size() && postings.chunks[i] < range.end; ++i) {
        const std::uint32_t chunk = postings.chunks[i];
        float& sum = sums.of_chunk[chunk];
        if (sum == 0) sums.touched.push_back(chunk);
        sum += weight * word_score(postings.counts[i], lengths[chunk]);
    }
}

/// How often the word is in the chunk.
std::uint8_t count_in(const Postings& postings, std::uint32_t chunk) {
    const auto found = std::ranges::lower_bound(postings.chunks, chunk);
    if (found == postings.chunks.end() || *found != chunk) return 0;
    return postings.counts[static_cast<std::size_t>(found - postings.chunks.begin())];
}

}  // namespace

void weigh_lengths(std::vector<LiveSegment>& segments) {
    double total = 0;
    double count = 0;
    for (const LiveSegment& live : segments) {
        for (const ChunkRecord& chunk : live.segment->chunks()) total += chunk.terms;
        count += static_cast<double>(live.segment->chunks().size());
    }
    const double mean = std::max(total / std::max(count, 1.0), 1.0);
    for (LiveSegment& live : segments) {
        live.lengths.clear();
        live.lengths.reserve(live.segment->chunks().size());
        for (const ChunkRecord& chunk : live.segment->chunks()) {
            const auto relative = static_cast<float>(chunk.terms / mean);
            live.lengths.push_back(kSaturation * (1 - kLengthWeight + kLengthWeight * relative));
        }
    }
}

WordQuery::WordQuery(std::span<const LiveSegment> segments, std::string_view text) {
    double chunks = 0;
    for (const LiveSegment& live : segments) chunks += static_cast<double>(live.segment->chunks().size());
    for (std::string& term : terms_of(text)) {
        if (words_.size() == kQueryWordsMax) break;
        if (std::ranges::find(words_, term, &Word::term) != words_.end()) continue;
        Word word{.term = std::move(term)};
        double found = 0;
        for (const LiveSegment& live : segments) {
            word.postings.push_back(live.segment->postings_of(word.term));
            found += static_cast<double>(word.postings.back().chunks.size());
        }
        word.weight = std::log(1 + (std::max(chunks - found, 0.0) + 0.5) / (found + 0.5));
        weights_ += word.weight;
        words_.push_back(std::move(word));
    }
}

std::vector<Hit> WordQuery::search(std::span<const LiveSegment> segments, std::span<const AllowedChunks> allowed,
                                   std::size_t count) const {
    thread_local Sums sums;
    std::vector<Hit> hits;
    for (std::size_t segment = 0; segment < segments.size(); ++segment) {
        const std::vector<float>& lengths = segments[segment].lengths;
        if (sums.of_chunk.size() < lengths.size()) sums.of_chunk.resize(lengths.size());
        for (const Word& word : words_) {
            for (const ChunkRange range : allowed[segment]) {
                add_word(word, word.postings[segment], range, lengths, sums);
            }
        }
        for (const std::uint32_t chunk : sums.touched) {
            hits.push_back({static_cast<std::uint32_t>(segment), chunk, sums.of_chunk[chunk]});
            sums.of_chunk[chunk] = 0;
        }
        sums.touched.clear();
    }
    keep_best(hits, count);
    return hits;
}

WordQuery::Match WordQuery::match(std::span<const LiveSegment> segments, const Hit& hit) const {
    Match match;
    if (weights_ <= 0) return match;
    for (const Word& word : words_) {
        const std::uint8_t times = count_in(word.postings[hit.segment], hit.chunk);
        if (times == 0) continue;
        const float length = segments[hit.segment].lengths[hit.chunk];
        match.score += word.weight * static_cast<double>(word_score(times, length));
        match.coverage += word.weight;
    }
    match.score /= weights_ * static_cast<double>(kSaturation + 1);
    match.coverage /= weights_;
    return match;
}

}  // namespace quaestor::retrieval
