#include "native/model/examples.hpp"
#include "native/text2sql_network.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {
namespace {

constexpr const char* kReleased = QUAESTOR_TEST_DIR "/../../models/text2sql.gguf";
constexpr const char* kGolden = QUAESTOR_TEST_DIR "/model/golden.jsonl";

/// The released weights; what the reference makes of them is in golden.jsonl.
class Golden : public testing::Test {
protected:
    void SetUp() override {
        auto opened = Text2SqlModel::open(kReleased);
        ASSERT_TRUE(opened) << opened.error().describe();
        model_ = *opened;
        examples_ = read_examples(kGolden);
        ASSERT_GE(examples_.size(), 20U);
    }

    std::shared_ptr<Text2SqlModel> model_;
    std::vector<Example> examples_;
};

TEST_F(Golden, LogitsAreThoseOfTheReference) {
    const auto weights = Text2SqlWeights::load(kReleased);
    ASSERT_TRUE(weights) << weights.error().describe();
    Text2SqlNetwork network(*weights, 2);
    for (const Example& example : examples_) {
        SCOPED_TRACE(example.question);
        ASSERT_TRUE(network.read(example.input, {}));
        Text2SqlNetwork::Branch branch{.token = static_cast<std::size_t>(keyword_id("BOS"))};
        for (std::size_t step = 0; step < example.logits.size(); ++step) {
            branch.parent = network.extend({&branch, 1});
            EXPECT_THAT(network.logits(0), testing::Pointwise(testing::FloatNear(1e-2F), example.logits[step]));
            branch.token = token_number(example.target[step], example.input).value();
        }
    }
}

constexpr double kGivenUpBelow = 12;

TEST_F(Golden, CandidatesAreThoseOfTheReference) {
    for (const Example& example : examples_) {
        SCOPED_TRACE(example.question);
        const auto found = model_->propose(example.input, example.schema);
        ASSERT_TRUE(found) << found.error().describe();
        ASSERT_EQ(found->size(), example.candidates.size());
        EXPECT_EQ(found->front().tokens, example.candidates.front().tokens);
        for (std::size_t at = 0; at < found->size(); ++at) {
            // The search gives up what is so far below the best; what of that had ended before is a matter of rounding.
            if (example.candidates[at].score < example.candidates.front().score - kGivenUpBelow) break;
            EXPECT_NEAR((*found)[at].score, example.candidates[at].score, 2e-2) << "candidate " << at;
        }
    }
}

}  // namespace
}  // namespace quaestor::native
