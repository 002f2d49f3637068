#include "retrieval/dense.hpp"

#include "retrieval/quantised.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace quaestor::retrieval {

namespace {

/// Of so few vectors all are measured.
constexpr std::size_t kScanAllRows = 4'096;
/// Vectors of a segment that the sketches leave over: this many for each chunk that is wanted, and at least so many.
constexpr std::size_t kCandidatesPerHit = 20;
constexpr std::size_t kCandidatesMin = 1'000;
/// One distance in so many is looked at to see how near the nearest are.
constexpr std::size_t kSampleStep = 16;
constexpr std::size_t kBlock = 32;
constexpr std::size_t kPrefetchAhead = 8;
/// Vectors that are measured exactly for each chunk that is wanted.
constexpr std::size_t kExactPerHit = 2;

struct RowRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<RowRange> rows_of(const Segment& segment, const AllowedChunks& allowed, std::size_t& count) {
    std::vector<RowRange> ranges;
    count = 0;
    for (const ChunkRange range : allowed) {
        if (range.begin >= range.end) continue;
        const ChunkRecord& last = segment.chunks()[range.end - 1];
        ranges.push_back({segment.chunks()[range.begin].first_row, last.first_row + last.row_count});
        count += ranges.back().end - ranges.back().begin;
    }
    return ranges;
}

/// A distance below which there are about `wanted` of them.
std::uint16_t distance_of_nearest(std::span<const std::uint16_t> distances, std::size_t wanted, std::size_t bits) {
    std::vector<std::uint32_t> histogram(bits + 1);
    for (std::size_t i = 0; i < distances.size(); i += kSampleStep) ++histogram[distances[i]];
    const std::size_t sampled = (wanted + kSampleStep - 1) / kSampleStep;
    std::size_t seen = 0;
    std::size_t distance = 0;
    while (distance < bits && (seen += histogram[distance]) < sampled) ++distance;
    return static_cast<std::uint16_t>(distance);
}

/// Most blocks have none that are near, and are passed over as a whole.
void collect_near(std::span<const std::uint16_t> distances, std::uint16_t limit, std::size_t first_row,
                  std::vector<std::uint32_t>& rows) {
    std::size_t at = 0;
    const auto add = [&](std::size_t i) {
        if (distances[i] <= limit) rows.push_back(static_cast<std::uint32_t>(first_row + i));
    };
    for (; at + kBlock <= distances.size(); at += kBlock) {
        std::uint16_t smallest = std::numeric_limits<std::uint16_t>::max();
        for (std::size_t i = 0; i < kBlock; ++i) smallest = std::min(smallest, distances[at + i]);
        if (smallest > limit) continue;
        for (std::size_t i = 0; i < kBlock; ++i) add(at + i);
    }
    for (; at < distances.size(); ++at) add(at);
}

std::vector<std::uint32_t> candidates_of(const Segment& segment, std::span<const float> query,
                                         const AllowedChunks& allowed, std::size_t wanted) {
    std::size_t count = 0;
    const auto ranges = rows_of(segment, allowed, count);
    std::vector<std::uint32_t> rows;
    if (count <= std::max(kScanAllRows, wanted)) {
        for (const RowRange range : ranges) {
            for (std::size_t row = range.begin; row < range.end; ++row) rows.push_back(static_cast<std::uint32_t>(row));
        }
        return rows;
    }
    thread_local std::vector<std::uint16_t> distances;
    if (distances.size() < count) distances.resize(count);
    std::vector<std::uint64_t> wanted_bits(sketch_words(query.size()));
    sketch(query, segment.mean(), wanted_bits.data());
    std::size_t filled = 0;
    for (const RowRange range : ranges) {
        const std::size_t size = range.end - range.begin;
        sketch_distances(segment.sketch(range.begin), size, wanted_bits, distances.data() + filled);
        filled += size;
    }
    const std::span<const std::uint16_t> all(distances.data(), count);
    const std::uint16_t limit = distance_of_nearest(all, wanted, 64 * wanted_bits.size());
    rows.reserve(2 * wanted);
    filled = 0;
    for (const RowRange range : ranges) {
        collect_near(all.subspan(filled, range.end - range.begin), limit, range.begin, rows);
        filled += range.end - range.begin;
    }
    return rows;
}

/// A vector with its nearness.
struct RowHit {
    float score = 0;
    std::uint32_t segment = 0;
    std::uint32_t row = 0;
};

void keep_best_rows(std::vector<RowHit>& rows, std::size_t count) {
    if (rows.size() <= count) return;
    std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                     [](const RowHit& left, const RowHit& right) { return left.score > right.score; });
    rows.resize(count);
}

void measure_coarsely(const Segment& segment, std::uint32_t number, const QuantisedQuery& query,
                      std::span<const std::uint32_t> rows, std::vector<RowHit>& out) {
    const std::size_t dimensions = segment.dimensions();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i + kPrefetchAhead < rows.size()) {
            const std::int8_t* next = segment.coarse(rows[i + kPrefetchAhead]);
            for (std::size_t byte = 0; byte < dimensions; byte += kPartAlignment) __builtin_prefetch(next + byte);
        }
        const auto sum = static_cast<float>(dot(query.numbers.data(), segment.coarse(rows[i]), dimensions));
        out.push_back({sum * segment.scale(rows[i]) * query.scale, number, rows[i]});
    }
}

/// Chunks of these vectors, each once.
std::vector<Hit> best_chunks(std::span<const LiveSegment> segments, const std::vector<RowHit>& rows,
                             std::size_t count) {
    std::vector<Hit> hits;
    hits.reserve(rows.size());
    for (const RowHit& row : rows) {
        hits.push_back({row.segment, segments[row.segment].segment->rows()[row.row], row.score});
    }
    const auto place = [](const Hit& hit) { return std::pair(hit.segment, hit.chunk); };
    std::ranges::sort(hits, [&](const Hit& left, const Hit& right) {
        return place(left) != place(right) ? place(left) < place(right) : left.score > right.score;
    });
    const auto repeated = std::ranges::unique(hits, {}, place);
    hits.erase(repeated.begin(), repeated.end());
    keep_best(hits, count);
    return hits;
}

void measure_exactly(std::span<const LiveSegment> segments, std::span<const float> query, std::vector<RowHit>& rows) {
    for (RowHit& hit : rows) {
        const Segment& segment = *segments[hit.segment].segment;
        hit.score = exact_dot(query, segment.coarse(hit.row), segment.fine(hit.row), segment.scale(hit.row));
    }
}

}  // namespace

NearestChunks nearest_chunks(std::span<const LiveSegment> segments, std::span<const float> query,
                             std::span<const AllowedChunks> allowed, std::size_t count) {
    NearestChunks found;
    const QuantisedQuery numbers(query);
    const std::size_t wanted = std::max(kCandidatesMin, kCandidatesPerHit * count);
    std::vector<RowHit> rows;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = *segments[i].segment;
        const auto candidates = candidates_of(segment, query, allowed[i], wanted);
        found.rescored += candidates.size();
        rows.reserve(rows.size() + candidates.size());
        measure_coarsely(segment, static_cast<std::uint32_t>(i), numbers, candidates, rows);
    }
    // A chunk has a few vectors, so there must be more of them than chunks that are wanted.
    keep_best_rows(rows, kExactPerHit * count);
    measure_exactly(segments, query, rows);
    found.hits = best_chunks(segments, rows, count);
    return found;
}

std::vector<Hit> nearest_chunks_exactly(std::span<const LiveSegment> segments, std::span<const float> query,
                                        std::span<const AllowedChunks> allowed, std::size_t count) {
    std::vector<RowHit> rows;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        std::size_t total = 0;
        for (const RowRange range : rows_of(*segments[i].segment, allowed[i], total)) {
            for (std::size_t row = range.begin; row < range.end; ++row) {
                rows.push_back({0, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(row)});
            }
        }
    }
    measure_exactly(segments, query, rows);
    return best_chunks(segments, rows, count);
}

float nearness(const Segment& segment, std::uint32_t chunk, std::span<const float> query) {
    const ChunkRecord& record = segment.chunks()[chunk];
    float best = -1;
    for (std::size_t row = record.first_row; row < record.first_row + record.row_count; ++row) {
        best = std::max(best, exact_dot(query, segment.coarse(row), segment.fine(row), segment.scale(row)));
    }
    return best;
}

}  // namespace quaestor::retrieval
