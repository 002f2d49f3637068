#include "llm/embedder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace quaestor::llm {
namespace {

Embeddings embedded(Embedder& embedder, std::vector<std::string> texts) {
    return run_to_end(embedder.embed(std::move(texts))).value();
}

TEST(CosineTest, IsOneForTheSameDirectionAndZeroForUnrelatedOnes) {
    const std::array<float, 3> x = {1, 0, 0};
    const std::array<float, 3> y = {0, 1, 0};
    EXPECT_FLOAT_EQ(cosine(x, x), 1);
    EXPECT_FLOAT_EQ(cosine(x, y), 0);
}

TEST(CosineTest, SeesEveryComponentOfALongVector) {
    for (const std::size_t size : {1U, 15U, 16U, 17U, 384U, 401U}) {
        const std::vector<float> ones(size, 1);
        EXPECT_FLOAT_EQ(cosine(ones, ones), static_cast<float>(size));
    }
}

TEST(NormaliseTest, ScalesToLengthOneAndLeavesZeroAlone) {
    std::vector<float> vector = {3, 4};
    normalise(vector);
    EXPECT_FLOAT_EQ(vector[0], 0.6F);
    EXPECT_FLOAT_EQ(vector[1], 0.8F);
    std::vector<float> zero = {0, 0};
    normalise(zero);
    EXPECT_EQ(zero, (std::vector<float>{0, 0}));
}

TEST(NormaliseTest, TakesVeryLargeAndVerySmallNumbers) {
    std::vector<float> large = {1e30F, 1e30F};
    normalise(large);
    EXPECT_NEAR(large[0], std::sqrt(0.5), 1e-6);
    std::vector<float> small = {1e-30F, 0};
    normalise(small);
    EXPECT_FLOAT_EQ(small[0], 1);
}

TEST(HashingEmbedderTest, GivesARowOfLengthOneForEachText) {
    const auto embedder = hashing_embedder(64);
    const Embeddings rows = embedded(*embedder, {"how many orders", "", "?!", "how many orders"});
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows.dimensions(), 64U);
    for (std::size_t row = 0; row < rows.size(); ++row) EXPECT_NEAR(cosine(rows[row], rows[row]), 1, 1e-5);
    EXPECT_NEAR(cosine(rows[0], rows[3]), 1, 1e-6);
}

TEST(HashingEmbedderTest, PutsTextsThatShareWordsCloserTogether) {
    const auto embedder = hashing_embedder();
    const Embeddings rows =
        embedded(*embedder, {"revenue by country last year", "Revenue last year, by COUNTRY", "a poem about autumn"});
    EXPECT_NEAR(cosine(rows[0], rows[1]), 1, 1e-5) << "case, order and punctuation do not count";
    EXPECT_LT(cosine(rows[0], rows[2]), 0.5F);
}

TEST(HashingEmbedderTest, StopsForOneWhoLeft) {
    CancelSource source;
    source.cancel(CancelReason::user_request);
    const auto rows = run_to_end(hashing_embedder()->embed({"x"}, source.token()));
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::cancelled);
}

}  // namespace
}  // namespace quaestor::llm
