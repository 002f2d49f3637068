// Retrieval: how long a hybrid query takes, how long opening, what ingest costs beside embedding, and how far a scan
// goes. usage: retrieval_bench query FOLDER | ingest | million
//   query    FOLDER is made by the peer's make_corpus.py: chunks.txt, vectors.f32, queries.txt, qvectors.f32,
//   truth.json ingest   documents with the bundled embedder; the figure is the share of time that is not embedding
//   million  a million vectors: sketches and rescoring, beside a scan of eight bits for each dimension
#include "base/task.hpp"
#include "bench_kit.hpp"
#include "llm/llama/llama.hpp"
#include "retrieval/bm25.hpp"
#include "retrieval/corpus_writer.hpp"
#include "retrieval/dense.hpp"
#include "retrieval/ingest.hpp"
#include "retrieval/quantised.hpp"
#include "retrieval/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace quaestor;
using namespace quaestor::bench;
using namespace quaestor::retrieval;

namespace {

constexpr int kRounds = 3;
constexpr int kWarmUp = 20;
constexpr std::size_t kDimensions = 384;
constexpr std::size_t kTop = 10;
constexpr std::size_t kDeep = 50;
constexpr std::size_t kChunksOfDocument = 20;
constexpr double kOpenBar = 50;
constexpr double kIngestBar = 10;

std::string whole_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) give_up("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) give_up("cannot read " + path.string());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

std::vector<float> floats_of(const std::filesystem::path& path) {
    const std::string bytes = whole_file(path);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
    return values;
}

std::span<const float> row_of(const std::vector<float>& values, std::size_t row) {
    return std::span(values).subspan(row * kDimensions, kDimensions);
}

/// Medians of rounds over all queries, and the 99th percentile of the last round.
template <class Ask>
void measure(const std::string& variant, std::size_t queries, Ask ask, json::object more = {}) {
    for (std::size_t i = 0; i < kWarmUp; ++i) ask(i % queries);
    std::vector<double> medians;
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        times.clear();
        for (std::size_t i = 0; i < queries; ++i) {
            const double began = now_us();
            ask(i);
            times.push_back((now_us() - began) / 1000);
        }
        medians.push_back(median(times));
    }
    std::ranges::sort(times);
    more.emplace("p99", times[times.size() * 99 / 100]);
    emit(variant, "query_p50", medians, "ms", static_cast<int>(queries), std::move(more));
}

NewDocument document_of(std::size_t number, std::span<const std::string> lines, std::vector<float> vectors) {
    NewDocument document;
    document.name = fmt::format("document-{}", number);
    document.source = "/" + document.name;
    document.document.metadata.date = fmt::format("{}-06-15", 2000 + number % 25);
    for (const std::string& line : lines) {
        const std::size_t begin = document.document.text.size();
        document.document.text += line + "\n";
        const Span place{begin, begin + line.size()};
        document.chunks.push_back({.place = place, .tokens = 60, .section = {}, .page = 0, .windows = {place}});
    }
    document.vectors = std::move(vectors);
    return document;
}

/// All in one segment and in order, so that a chunk's number is its line's.
void build(const std::filesystem::path& folder, const std::filesystem::path& given) {
    const auto chunks = lines_of(given / "chunks.txt");
    const auto vectors = floats_of(given / "vectors.f32");
    auto writer = checked(CorpusWriter::open(folder, {.embedder = "bench", .chunking = {}}));
    const double began = now_us();
    for (std::size_t first = 0; first < chunks.size(); first += kChunksOfDocument) {
        const std::size_t count = std::min(kChunksOfDocument, chunks.size() - first);
        const float* begin = vectors.data() + first * kDimensions;
        writer.add(document_of(first / kChunksOfDocument, std::span(chunks).subspan(first, count),
                               {begin, begin + count * kDimensions}));
    }
    checked(writer.commit());
    emit("build", "seconds", {(now_us() - began) / 1e6}, "s", static_cast<int>(chunks.size()));
}

double recall_of(const Corpus& corpus, const std::vector<float>& queries, const json::array& truth) {
    const std::vector<AllowedChunks> all{corpus.segments()[0].live};
    std::size_t found = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const auto nearest = nearest_chunks(corpus.segments(), row_of(queries, i), all, kDeep);
        for (std::size_t at = 0; at < kTop; ++at) {
            const auto wanted = static_cast<std::uint32_t>(truth[i].as_array()[at].as_int64());
            const auto top = std::span(nearest.hits).first(kTop);
            found += std::ranges::count(top, wanted, &Hit::chunk) > 0 ? 1 : 0;
        }
    }
    return static_cast<double>(found) / static_cast<double>(truth.size() * kTop);
}

void bench_query(const std::filesystem::path& given) {
    const TemporaryFolder folder;
    build(folder.path / "corpus", given);
    const auto queries = lines_of(given / "queries.txt");
    const auto vectors = floats_of(given / "qvectors.f32");
    const auto truth = checked(parse_json(whole_file(given / "truth.json")));
    std::vector<double> openings;
    for (int round = 0; round < 5; ++round) {
        const double began = now_us();
        const auto corpus = checked(Corpus::open(folder.path / "corpus"));
        openings.push_back((now_us() - began) / 1000);
    }
    const auto corpus = checked(Corpus::open(folder.path / "corpus"));
    const auto size = corpus->size();
    emit("open", "corpus", openings, "ms", static_cast<int>(size.chunks),
         {{"at_most", kOpenBar}, {"bytes", size.bytes}});
    const double recall = recall_of(*corpus, vectors, truth.as_array());
    const auto ask = [&](std::size_t i, Filter filter) {
        const SearchRequest request{.query = queries[i], .filter = std::move(filter), .top = kTop};
        if (checked(search_with_vector(*corpus, row_of(vectors, i), request)).chunks.empty()) give_up("nothing found");
    };
    measure("hybrid", queries.size(), [&](std::size_t i) { ask(i, {}); }, {{"recall_at_10", recall}});
    const Filter year{.from = "2010-01-01", .to = "2010-12-31"};
    measure("hybrid_filtered", queries.size(), [&](std::size_t i) { ask(i, year); });
    const std::vector<AllowedChunks> all{corpus->segments()[0].live};
    measure("meaning", queries.size(),
            [&](std::size_t i) {
                if (nearest_chunks(corpus->segments(), row_of(vectors, i), all, kDeep).hits.size() != kDeep)
                    give_up("few");
            },
            {{"recall_at_10", recall}});
    measure("words", queries.size(), [&](std::size_t i) {
        const WordQuery words(corpus->segments(), queries[i]);
        if (words.search(corpus->segments(), all, kDeep).empty()) give_up("no words found");
    });
}

/// Sentences like those of reports, different in every document.
std::string make_report(std::mt19937& random) {
    constexpr std::array kWords{"inflation", "the", "committee", "rate", "of",     "growth",  "labor",  "market", "and",
                                "prices",    "in",  "quarter",   "was",  "higher", "members", "agreed", "risks",  "to"};
    std::string text;
    for (int sentence = 0; sentence < 150; ++sentence) {
        for (int word = 0; word < 18; ++word) text += fmt::format("{} ", kWords[random() % kWords.size()]);
        text.back() = '.';
        text += sentence % 6 == 5 ? "\n\n" : " ";
    }
    return text;
}

void bench_ingest() {
    const TemporaryFolder folder;
    std::mt19937 random(1);
    std::filesystem::create_directories(folder.path / "files");
    for (int i = 0; i < 12; ++i) {
        std::ofstream(folder.path / "files" / fmt::format("minutes_20{:02}-07-26.txt", i + 10)) << make_report(random);
    }
    const auto embedder = checked(llm::open_llama_embedder({.path = checked(llm::bundled_embedder_path())}));
    const auto report = checked(run_to_end(ingest({folder.path / "files"}, folder.path / "corpus", *embedder)));
    emit("ingest", "time_beside_embedding", {100 * (1 - report.embedding_seconds / report.seconds)}, "%",
         static_cast<int>(report.chunks), {{"at_most", kIngestBar}, {"seconds", report.seconds}});
    emit("ingest_rate", "chunks", {static_cast<double>(report.chunks) / report.seconds}, "chunks/s",
         static_cast<int>(report.chunks));
}

/// Rows around centres, as embeddings cluster.
class ClusteredRows {
public:
    ClusteredRows() : centres_(1'000 * kDimensions) {
        for (float& value : centres_) value = normal_(random_);
    }
    void fill(std::span<float> row) {
        const float* centre = centres_.data() + random_() % 1'000 * kDimensions;
        for (std::size_t i = 0; i < kDimensions; ++i) row[i] = centre[i] + 0.8F * normal_(random_);
        llm::normalise(row);
    }

private:
    std::mt19937 random_{1};
    std::normal_distribution<float> normal_;
    std::vector<float> centres_;
};

void bench_million() {
    constexpr std::size_t kRows = 1'000'000;
    constexpr std::size_t kRowsOfDocument = 1'000;
    constexpr std::size_t kQueries = 50;
    const TemporaryFolder folder;
    ClusteredRows rows;
    const std::vector<std::string> lines(kRowsOfDocument, "x");
    {
        auto writer = checked(CorpusWriter::open(folder.path / "corpus", {.embedder = "bench", .chunking = {}}));
        for (std::size_t document = 0; document < kRows / kRowsOfDocument; ++document) {
            std::vector<float> vectors(kRowsOfDocument * kDimensions);
            for (std::size_t i = 0; i < kRowsOfDocument; ++i) {
                rows.fill(std::span(vectors).subspan(i * kDimensions, kDimensions));
            }
            writer.add(document_of(document, lines, std::move(vectors)));
            if (document % 250 == 249) checked(writer.commit());
        }
        checked(writer.commit());
    }
    const auto corpus = checked(Corpus::open(folder.path / "corpus"));
    std::vector<AllowedChunks> all;
    for (const LiveSegment& live : corpus->segments()) all.push_back(live.live);
    std::vector<float> queries(kQueries * kDimensions);
    for (std::size_t i = 0; i < kQueries; ++i) rows.fill(std::span(queries).subspan(i * kDimensions, kDimensions));
    std::size_t found = 0;
    for (std::size_t i = 0; i < kQueries; ++i) {
        const auto exact = nearest_chunks_exactly(corpus->segments(), row_of(queries, i), all, kTop);
        const auto near = nearest_chunks(corpus->segments(), row_of(queries, i), all, kDeep);
        for (const Hit& hit : exact) {
            found += std::ranges::any_of(std::span(near.hits).first(kTop), [&](const Hit& other) {
                return other.segment == hit.segment && other.chunk == hit.chunk;
            });
        }
    }
    const double recall = static_cast<double>(found) / static_cast<double>(kQueries * kTop);
    measure(
        "million_sketches", kQueries,
        [&](std::size_t i) { static_cast<void>(nearest_chunks(corpus->segments(), row_of(queries, i), all, kDeep)); },
        {{"recall_at_10", recall}});
    std::int64_t sum = 0;
    measure("million_int8_scan", kQueries, [&](std::size_t i) {
        const QuantisedQuery query(row_of(queries, i));
        for (const LiveSegment& live : corpus->segments()) {
            for (std::size_t row = 0; row < live.segment->rows().size(); ++row) {
                sum += dot(query.numbers.data(), live.segment->coarse(row), kDimensions);
            }
        }
    });
    if (sum == 42) give_up("the sums are used");
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view what = count > 1 ? arguments[1] : "";
    if (what == "query" && count == 3) {
        bench_query(arguments[2]);
    } else if (what == "ingest" && count == 2) {
        bench_ingest();
    } else if (what == "million" && count == 2) {
        bench_million();
    } else {
        fmt::print(stderr, "usage: retrieval_bench query FOLDER | ingest | million\n");
        return 2;
    }
}
