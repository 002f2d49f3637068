#include "retrieval/search.hpp"

#include "base/clock.hpp"
#include "base/text.hpp"
#include "retrieval/bm25.hpp"
#include "retrieval/dense.hpp"
#include "retrieval/filter.hpp"
#include "retrieval/segment.hpp"
#include "retrieval/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace quaestor::retrieval {

namespace {

/// Reciprocal ranks count from here on, so that the first places do not decide alone.
constexpr double kRankOffset = 60;
/// Chunks that each of the two searches gives.
constexpr std::size_t kDeep = 50;
/// Fused chunks that are looked at more closely for each one that is wanted; most of those that follow are never shown.
constexpr std::size_t kRankedPerResult = 4;

struct Fused {
    Hit hit;
    double score = 0;
    std::size_t dense_rank = 0;
    std::size_t keyword_rank = 0;
    float nearness = 0;  ///< only where the search by meaning found it
    RelevanceFeatures features{};
    double relevance = 0;
};

std::vector<Fused> fuse(const std::vector<Hit>& dense, const std::vector<Hit>& keyword) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Fused> by_place;
    const auto reciprocal = [](std::size_t rank) { return 1 / (kRankOffset + static_cast<double>(rank)); };
    for (std::size_t i = 0; i < dense.size(); ++i) {
        by_place[{dense[i].segment, dense[i].chunk}] = {
            .hit = dense[i], .score = reciprocal(i + 1), .dense_rank = i + 1, .nearness = dense[i].score};
    }
    for (std::size_t i = 0; i < keyword.size(); ++i) {
        Fused& fused = by_place[{keyword[i].segment, keyword[i].chunk}];
        fused.hit = keyword[i];
        fused.score += reciprocal(i + 1);
        fused.keyword_rank = i + 1;
    }
    std::vector<Fused> all;
    all.reserve(by_place.size());
    for (auto& [place, fused] : by_place) all.push_back(fused);
    return all;
}

Result<> check(const Corpus& corpus, const SearchRequest& request) {
    if (text::trim(request.query).empty()) {
        return fail(Code::invalid_argument, "there is no question to search for", "give some words");
    }
    if (request.query.size() > kQueryBytesMax) {
        return fail(Code::invalid_argument, fmt::format("the question is longer than {} bytes", kQueryBytesMax),
                    "shorten it");
    }
    if (corpus.size().documents == 0) {
        return fail(Code::not_found, "the corpus has no documents", "add some with quaestor ingest");
    }
    return {};
}

class Searching {
public:
    Searching(const Corpus& corpus, std::span<const float> vector, const SearchRequest& request,
              std::vector<AllowedChunks> allowed)
        : corpus_(corpus),
          segments_(corpus.segments()),
          vector_(vector),
          request_(request),
          allowed_(std::move(allowed)),
          words_(segments_, request.query) {}

    Result<SearchReport> run() {
        const std::size_t top = std::clamp<std::size_t>(request_.top, 1, kTopMax);
        const std::size_t deep = std::max(kDeep, 2 * top);
        const NearestChunks nearest = nearest_chunks(segments_, vector_, allowed_, deep);
        rescored_ = nearest.rescored;
        dense_ = nearest.hits;
        SearchReport report;
        for (const Fused& fused :
             ranked(fuse(dense_, words_.search(segments_, allowed_, deep)), kRankedPerResult * top)) {
            if (report.chunks.size() == top) break;
            if (is_repetition(fused.hit)) continue;
            auto result = result_of(fused);
            if (!result) return fail(result.error());
            report.chunks.push_back(std::move(*result));
            shown_.push_back(fused.hit);
        }
        return report;
    }

    [[nodiscard]] SearchExplanation explain() const {
        SearchExplanation explanation{.vectors_rescored = rescored_, .near_duplicates = repetitions_};
        for (const auto& word : words_.words()) explanation.terms.push_back(word.term);
        for (const AllowedChunks& ranges : allowed_) {
            for (const ChunkRange range : ranges) explanation.chunks_searched += range.end - range.begin;
        }
        const auto exact = nearest_chunks_exactly(segments_, vector_, allowed_, dense_.size());
        const auto is_found = [&](const Hit& wanted) {
            return std::ranges::any_of(
                dense_, [&](const Hit& hit) { return hit.segment == wanted.segment && hit.chunk == wanted.chunk; });
        };
        if (!exact.empty()) {
            explanation.recall =
                static_cast<double>(std::ranges::count_if(exact, is_found)) / static_cast<double>(exact.size());
        }
        return explanation;
    }

private:
    [[nodiscard]] const Segment& segment_of(const Hit& hit) const { return *segments_[hit.segment].segment; }
    [[nodiscard]] const ChunkRecord& chunk_of(const Hit& hit) const { return segment_of(hit).chunks()[hit.chunk]; }
    [[nodiscard]] const DocumentRecord& document_of(const Hit& hit) const {
        return segment_of(hit).documents()[chunk_of(hit).document];
    }

    /// Of two lists there are many that are first here and second there: then the likelier one comes first.
    [[nodiscard]] std::vector<Fused> ranked(std::vector<Fused> all, std::size_t count) const {
        std::ranges::sort(all, std::ranges::greater(), &Fused::score);
        all.resize(std::min(all.size(), count));
        for (Fused& fused : all) {
            const auto match = words_.match(segments_, fused.hit);
            const float near =
                fused.dense_rank > 0 ? fused.nearness : nearness(segment_of(fused.hit), fused.hit.chunk, vector_);
            fused.features = {std::clamp(static_cast<double>(near), 0.0, 1.0), match.score, match.coverage};
            fused.relevance = corpus_.relevance().probability(fused.features);
        }
        std::ranges::sort(all, [](const Fused& left, const Fused& right) {
            if (left.score != right.score) return left.score > right.score;
            if (left.relevance != right.relevance) return left.relevance > right.relevance;
            return std::pair(left.hit.segment, left.hit.chunk) < std::pair(right.hit.segment, right.hit.chunk);
        });
        return all;
    }

    /// What says the same on another day is another fact.
    bool is_repetition(const Hit& hit) {
        if (request_.keep_near_duplicates) return false;
        const bool is_shown = std::ranges::any_of(shown_, [&](const Hit& other) {
            return document_of(other).day == document_of(hit).day &&
                   are_near_duplicates(chunk_of(other), chunk_of(hit));
        });
        repetitions_ += is_shown ? 1 : 0;
        return is_shown;
    }

    /// The chunk with as many before and after it as were asked for.
    [[nodiscard]] Span place_of(const Hit& hit) const {
        const DocumentRecord& document = document_of(hit);
        const auto around = static_cast<std::uint32_t>(std::min(request_.neighbours, kNeighboursMax));
        const std::uint32_t first = std::max(document.first_chunk, hit.chunk - std::min(hit.chunk, around));
        const std::uint32_t last = std::min(document.first_chunk + document.chunk_count - 1, hit.chunk + around);
        const auto chunks = segment_of(hit).chunks();
        return {chunks[first].begin, std::max(chunks[last].end, chunks[hit.chunk].end)};
    }

    [[nodiscard]] Result<ChunkResult> result_of(const Fused& fused) const {
        const Segment& segment = segment_of(fused.hit);
        const ChunkRecord& chunk = chunk_of(fused.hit);
        const DocumentRecord& document = document_of(fused.hit);
        const auto text = segment.checked_text(document);
        if (!text) return fail(text.error());
        const Span place = place_of(fused.hit);
        return ChunkResult{.chunk_id = chunk_id_text(chunk.id),
                           .document = std::string(segment.string(document.name)),
                           .title = std::string(segment.string(document.title)),
                           .type = std::string(segment.string(document.type)),
                           .date = date_text(document.day),
                           .section = std::string(segment.string(chunk.section)),
                           .page = chunk.page,
                           .start = place.begin,
                           .end = place.end,
                           .text = std::string(place.of(*text)),
                           .score = fused.relevance,
                           .fused = fused.score,
                           .features = fused.features,
                           .dense_rank = fused.dense_rank,
                           .keyword_rank = fused.keyword_rank};
    }

    const Corpus& corpus_;
    const std::vector<LiveSegment>& segments_;
    std::span<const float> vector_;
    const SearchRequest& request_;
    const std::vector<AllowedChunks> allowed_;
    const WordQuery words_;
    std::vector<Hit> dense_;
    std::vector<Hit> shown_;
    std::size_t rescored_ = 0;
    std::size_t repetitions_ = 0;
};

}  // namespace

Result<SearchReport> search_with_vector(const Corpus& corpus, std::span<const float> query_vector,
                                        const SearchRequest& request) {
    if (auto checked = check(corpus, request); !checked) return fail(checked.error());
    if (query_vector.size() != corpus.dimensions()) {
        return fail(Code::conflict, fmt::format("the question's vector has {} dimensions, and the corpus has {}",
                                                query_vector.size(), corpus.dimensions()));
    }
    const Instant began = system_clock().now();
    auto allowed = allowed_chunks(corpus.segments(), request.filter);
    if (!allowed) return fail(allowed.error());
    Searching searching(corpus, query_vector, request, std::move(*allowed));
    auto report = searching.run();
    const auto took = std::chrono::duration<double, std::milli>(system_clock().now() - began);
    if (report && request.explain) {
        report->explanation = searching.explain();
        report->explanation->search_ms = took.count();
    }
    return report;
}

Task<Result<SearchReport>> search(const Corpus& corpus, llm::Embedder& embedder, SearchRequest request,
                                  CancelToken cancel) {
    if (auto checked = check(corpus, request); !checked) co_return fail(checked.error());
    if (embedder.name() != corpus.embedder()) {
        co_return fail(
            Code::conflict,
            fmt::format("the corpus was embedded with {}, and {} is configured", corpus.embedder(), embedder.name()),
            "set llm.embeddings back, or build the corpus again: quaestor ingest --rebuild");
    }
    const auto vectors = co_await embedder.embed({request.query}, std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    co_return search_with_vector(corpus, (*vectors)[0], request);
}

}  // namespace quaestor::retrieval
