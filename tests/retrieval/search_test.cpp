#include "base/ids.hpp"
#include "kit.hpp"
#include "retrieval/dense.hpp"
#include "retrieval/quantised.hpp"
#include "retrieval/relevance.hpp"
#include "retrieval/segment.hpp"
#include "retrieval/segment_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quaestor::retrieval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SearchTest : public testing::Test {
protected:
    SearchTest() {
        folder_.write("statement_2022-03-16.txt",
                      "The Committee decided to raise the target range to 1/4 to 1/2 percent.");
        folder_.write("statement_2023-07-26.txt",
                      "The Committee decided to raise the target range to 5-1/4 to 5-1/2 percent.");
        folder_.write(
            "minutes_2023-07-26.txt",
            "Staff Economic Outlook\nThe economic forecast prepared by the staff was stronger than before.\n\n"
            "Committee Policy Actions\nMembers agreed to raise the target range. They saw risks to growth.");
        folder_.write("guide.md",
                      "---\ntitle: A guide\nauthor: Smith\n---\n# Baking\n\nBread needs flour, water and salt.");
        EXPECT_TRUE(folder_.ingest().has_value());
    }
    CorpusFolder folder_;
};

TEST_F(SearchTest, FindsByWordsAndTellsWhere) {
    const auto chunks = folder_.search("Which economic forecast did the staff prepare?");
    ASSERT_FALSE(chunks.empty());
    const ChunkResult& best = chunks.front();
    EXPECT_EQ(best.document, "minutes_2023-07-26.txt");
    EXPECT_EQ(best.date, "2023-07-26");
    EXPECT_EQ(best.type, "minutes");
    EXPECT_EQ(best.section, "Staff Economic Outlook");
    EXPECT_EQ(best.chunk_id.size(), kChunkIdLength);
    const std::string text = folder_.open()->text_of(best.document).value();
    EXPECT_EQ(text.substr(best.start, best.end - best.start), best.text);
    EXPECT_GT(best.score, 0);
    EXPECT_LT(best.score, 1);
    for (std::size_t i = 1; i < chunks.size(); ++i) EXPECT_GE(chunks[i - 1].fused, chunks[i].fused);
}

TEST_F(SearchTest, FindsARateByAnotherWriting) {
    EXPECT_EQ(folder_.found("target range 5.25 to 5.50 percent").front(), "statement_2023-07-26.txt");
}

TEST_F(SearchTest, FiltersInsideTheSearch) {
    EXPECT_THAT(folder_.found("target range", {.from = "2022-01-01", .to = "2022-12-31"}),
                ElementsAre("statement_2022-03-16.txt"));
    EXPECT_THAT(folder_.found("target range", {.type = "statement"}).size(), 2U);
    EXPECT_THAT(folder_.found("target range", {.attributes = {{"author", "Smith"}}}), ElementsAre("guide.md"));
    EXPECT_THAT(folder_.found("bread", {.documents = {"statement_2022-03-16.txt"}}),
                ElementsAre("statement_2022-03-16.txt"));
    EXPECT_TRUE(folder_.found("target range", {.from = "2030-01-01"}).empty());
    EXPECT_TRUE(folder_.found("target range", {.from = "2023-07-27", .to = "2023-07-25"}).empty());
}

TEST_F(SearchTest, AFilterThatIsNoDateIsRefused) {
    const auto report =
        run_to_end(search(*folder_.open(), folder_.embedder(), {.query = "rate", .filter = {.from = "July"}}));
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, Code::invalid_argument);
    EXPECT_THAT(report.error().message, HasSubstr("July"));
}

TEST_F(SearchTest, OddQueriesAreAnsweredOrRefused) {
    const auto corpus = folder_.open();
    const auto code_of = [&](std::string query) {
        const auto report = run_to_end(search(*corpus, folder_.embedder(), {.query = std::move(query), .filter = {}}));
        return report ? Code::internal : report.error().code;
    };
    EXPECT_EQ(code_of(""), Code::invalid_argument);
    EXPECT_EQ(code_of("  \n "), Code::invalid_argument);
    EXPECT_EQ(code_of(std::string(kQueryBytesMax + 1, 'x')), Code::invalid_argument);
    for (const char* odd : {"the of and", "\" OR 1=1 --", "\xff\xfe", "日本語", "???"}) {
        EXPECT_EQ(code_of(odd), Code::internal) << odd;
    }
}

TEST_F(SearchTest, NeighboursAreJoined) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += fmt::format("Sentence {} of a long text about many different things.\n\n", i);
    folder_.write("long.txt", text);
    ASSERT_TRUE(folder_.ingest({.chunking = {.tokens = 40, .overlap = 0}, .rebuild = true}).has_value());
    const auto corpus = folder_.open();
    const auto find = [&](std::size_t neighbours) {
        return run_to_end(search(*corpus, folder_.embedder(),
                                 {.query = "Sentence 30", .filter = {}, .top = 1, .neighbours = neighbours}))
            ->chunks.front();
    };
    const auto alone = find(0);
    const auto joined = find(1);
    EXPECT_EQ(alone.chunk_id, joined.chunk_id);
    EXPECT_LT(joined.start, alone.start);
    EXPECT_GT(joined.end, alone.end);
    EXPECT_THAT(joined.text, HasSubstr(alone.text));
}

TEST_F(SearchTest, WhatSaysTheSameOnTheSameDayIsShownOnce) {
    const std::string sentence = "The Committee voted to keep its holdings of agency debt unchanged at this meeting.";
    folder_.write("copy_2021-05-05.txt", sentence);
    folder_.write("again/copy_2021-05-05.md", sentence);
    folder_.write("later_2021-06-16.txt", sentence);
    ASSERT_TRUE(folder_.ingest().has_value());
    const auto names = folder_.found("keep holdings of agency debt unchanged");
    EXPECT_EQ(std::ranges::count_if(names, [](const auto& name) { return name.contains("copy_"); }), 1);
    EXPECT_THAT(names, testing::Contains("later_2021-06-16.txt"));
    const auto all = run_to_end(
        search(*folder_.open(), folder_.embedder(),
               {.query = "keep holdings of agency debt unchanged", .filter = {}, .keep_near_duplicates = true}));
    EXPECT_GT(all->chunks.size(), names.size());
}

TEST_F(SearchTest, TextsThatDifferInAFigureAreNoCopies) {
    folder_.write("a_2021-05-05.txt",
                  "The Committee decided to buy 80 billion dollars of bonds in each month of the year.");
    folder_.write("b_2021-05-05.txt",
                  "The Committee decided to buy 40 billion dollars of bonds in each month of the year.");
    ASSERT_TRUE(folder_.ingest().has_value());
    const auto names =
        folder_.found("billion dollars of bonds in each month", {.from = "2021-05-05", .to = "2021-05-05"});
    EXPECT_EQ(names.size(), 2U);
}

TEST_F(SearchTest, ExplainsItself) {
    const auto report = run_to_end(
        search(*folder_.open(), folder_.embedder(), {.query = "raise the rates", .filter = {}, .explain = true}));
    ASSERT_TRUE(report->explanation.has_value());
    EXPECT_THAT(report->explanation->terms, ElementsAre("rais", "rate"));
    EXPECT_EQ(report->explanation->recall, 1.0);
    EXPECT_EQ(report->explanation->chunks_searched, folder_.open()->size().chunks);
}

TEST_F(SearchTest, ChunkIdsStayWhenOtherDocumentsChange) {
    const std::string before = folder_.search("bread flour").front().chunk_id;
    folder_.write("other.txt", "Other words.");
    ASSERT_TRUE(folder_.ingest({.rebuild = true}).has_value());
    EXPECT_EQ(folder_.search("bread flour").front().chunk_id, before);
}

/// Vectors around centres, as embeddings are.
std::vector<float> clustered(std::size_t rows, std::size_t dimensions, std::mt19937& random) {
    std::normal_distribution<float> normal;
    std::vector<float> centres(50 * dimensions);
    for (float& value : centres) value = normal(random) + 0.5F;
    std::vector<float> all(rows * dimensions);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t centre = random() % 50;
        const auto vector = std::span(all).subspan(row * dimensions, dimensions);
        for (std::size_t i = 0; i < dimensions; ++i) vector[i] = centres[centre * dimensions + i] + normal(random);
        llm::normalise(vector);
    }
    return all;
}

/// Chunks without words, each with one vector.
std::string make_segment(const store::TemporaryFolder& folder, std::vector<float> vectors, std::size_t dimensions) {
    NewDocument document{.name = "x", .source = "/x", .hash = {}, .document = {}, .chunks = {}, .vectors = {}};
    document.document.text = "x";
    document.chunks.assign(vectors.size() / dimensions, Chunk{.place = {0, 1}, .tokens = 1, .windows = {{0, 1}}});
    document.vectors = std::move(vectors);
    SegmentBuilder builder(dimensions);
    builder.add(document);
    const std::string file = folder.file("segment");
    EXPECT_TRUE(builder.write(file).has_value());
    return file;
}

TEST(Dense, FindsNearlyAllThatAnExactSearchFinds) {
    for (const std::size_t dimensions : {std::size_t{384}, std::size_t{100}}) {
        std::mt19937 random(7);
        const store::TemporaryFolder folder;
        const auto vectors = clustered(12'000, dimensions, random);
        const auto segment = Segment::open(make_segment(folder, vectors, dimensions)).value();
        std::vector<LiveSegment> live(1);
        live[0].segment = segment;
        const std::vector<AllowedChunks> all{{{0, 12'000}}};
        double found = 0;
        for (std::size_t query = 0; query < 20; ++query) {
            const auto vector = std::span(vectors).subspan(query * 500 * dimensions, dimensions);
            const auto exact = nearest_chunks_exactly(live, vector, all, 10);
            const auto nearest = nearest_chunks(live, vector, all, 10);
            EXPECT_EQ(exact.front().chunk, query * 500);
            EXPECT_NEAR(exact.front().score, 1, 1e-4);
            EXPECT_LT(nearest.rescored, 6'000U);
            for (const Hit& hit : exact) {
                found += std::ranges::count(nearest.hits, hit.chunk, &Hit::chunk) > 0 ? 1 : 0;
            }
        }
        EXPECT_GE(found / 200, 0.97) << dimensions;
    }
}

TEST(Dense, KeepsToWhatIsAllowed) {
    std::mt19937 random(3);
    const store::TemporaryFolder folder;
    const auto vectors = clustered(10'000, 64, random);
    std::vector<LiveSegment> live(1);
    live[0].segment = Segment::open(make_segment(folder, vectors, 64)).value();
    const std::vector<AllowedChunks> some{{{100, 200}, {3'000, 8'500}}};
    for (const Hit& hit : nearest_chunks(live, std::span(vectors).first(64), some, 50).hits) {
        EXPECT_TRUE((hit.chunk >= 100 && hit.chunk < 200) || (hit.chunk >= 3'000 && hit.chunk < 8'500));
    }
    EXPECT_TRUE(nearest_chunks(live, std::span(vectors).first(64), std::vector<AllowedChunks>(1), 5).hits.empty());
}

TEST(Quantised, RowsComeBackNearlyExactly) {
    std::mt19937 random(5);
    const auto row = clustered(1, 384, random);
    const auto query = clustered(1, 384, random);
    std::vector<std::int8_t> coarse(384);
    std::vector<std::int8_t> fine(384);
    const float scale = quantise(row, coarse.data(), fine.data());
    EXPECT_NEAR(exact_dot(query, coarse.data(), fine.data(), scale), llm::cosine(query, row), 2e-5);
    const QuantisedQuery numbers(query);
    const auto rough = static_cast<float>(dot(numbers.numbers.data(), coarse.data(), 384)) * scale * numbers.scale;
    EXPECT_NEAR(rough, llm::cosine(query, row), 5e-3);
    const std::vector<float> zeros(384);
    EXPECT_EQ(exact_dot(query, coarse.data(), fine.data(), quantise(zeros, coarse.data(), fine.data())), 0);
}

TEST(RelevanceMap, IsFittedFromExamples) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform;
    const Relevance truth{-5, 7, 1, 3};
    std::vector<LabelledFeatures> examples;
    for (int i = 0; i < 3'000; ++i) {
        const RelevanceFeatures features{uniform(random), uniform(random), uniform(random)};
        examples.push_back({features, uniform(random) < truth.probability(features)});
    }
    const auto fitted = fit_relevance(examples);
    ASSERT_TRUE(fitted.has_value());
    EXPECT_NEAR(fitted->dense, truth.dense, 1.2);
    EXPECT_NEAR(fitted->coverage, truth.coverage, 1.0);
    EXPECT_GT(fitted->probability({0.9, 0.8, 0.9}), 0.9);
    EXPECT_LT(fitted->probability({0.1, 0.1, 0.1}), 0.1);
}

TEST(RelevanceMap, NeedsBothKindsAndIsNeverCertain) {
    const std::vector<LabelledFeatures> one{{{0.9, 0.9, 0.9}, true}};
    EXPECT_EQ(fit_relevance(one).error().code, Code::invalid_argument);
    EXPECT_EQ(fit_relevance({}).error().code, Code::invalid_argument);
    const std::vector<LabelledFeatures> two{{{0.9, 0.9, 0.9}, true}, {{0.1, 0.1, 0.1}, false}};
    const auto fitted = fit_relevance(two);
    EXPECT_LT(fitted->probability({1, 1, 1}), 0.999);
    EXPECT_GE(fitted->keyword, 0);
}

}  // namespace
}  // namespace quaestor::retrieval
