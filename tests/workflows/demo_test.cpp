#include "workflows/demo/demo.hpp"

#include "store/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace quaestor::workflows::demo {

namespace {

using graph::RunStatus;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class DemoGraph : public testing::Test {
protected:
    graph::RunResult<State> run(State input) { return run_to_end(graph_.run(std::move(input), options())); }

    graph::RunResult<State> answer(const std::string& verdict) {
        return run_to_end(graph_.resume(options(), {{graph::kOnlyQuestion, json::value(verdict)}}));
    }

    /// Goes back to the newest checkpoint after which `node` runs, changes the state, and runs on.
    graph::RunResult<State> run_again_from(const std::string& node, graph::Update<State> change) {
        const auto saved = run_to_end(store_->checkpoints().list({.thread_id = "thread"})).value();
        for (const auto& checkpoint : saved) {
            const auto& next = checkpoint.position.at("next").as_array();
            if (next.empty() || next.front().at("node") != json::value(node)) continue;
            run_to_end(graph_.fork(checkpoint.id, std::move(change), options())).value();
            return run_to_end(graph_.resume(options()));
        }
        ADD_FAILURE() << "no checkpoint before " << node;
        return {};
    }

    graph::RunOptions options() {
        graph::RunOptions options;
        options.thread_id = "thread";
        options.checkpoints = &store_->checkpoints();
        return options;
    }

    graph::CompiledGraph<State> graph_ = make_graph();
    std::unique_ptr<store::Store> store_ = store::open_memory();
};

TEST_F(DemoGraph, ComesWithinItsMarginForMostSeeds) {
    // The margin is that of 95 of 100 runs; the seeds make the outcome the same every time.
    constexpr int kSeeds = 20;
    int within = 0;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        store_ = store::open_memory();
        const auto result = run({.tolerance = 0.02, .seed = seed});
        ASSERT_EQ(result.status, RunStatus::finished);
        EXPECT_LE(result.state.margin, 0.02);
        const double error = std::abs(result.state.estimate - std::numbers::pi);
        EXPECT_LT(error, 2 * result.state.margin) << "seed " << seed;
        if (error <= result.state.margin) ++within;
    }
    EXPECT_GE(within, kSeeds * 8 / 10);
}

TEST_F(DemoGraph, GivesTheSameAnswerForTheSameSeed) {
    const auto first = run({.tolerance = 0.01, .seed = 7});
    store_ = store::open_memory();
    const auto second = run({.tolerance = 0.01, .seed = 7});
    store_ = store::open_memory();
    const auto other = run({.tolerance = 0.01, .seed = 8});
    EXPECT_EQ(encode(first.state), encode(second.state));
    EXPECT_NE(first.state.estimate, other.state.estimate);
}

TEST_F(DemoGraph, TakesMoreRoundsForASmallerTolerance) {
    const auto rough = run({.tolerance = 0.02});
    store_ = store::open_memory();
    const auto fine = run({.tolerance = 0.005});
    EXPECT_EQ(rough.state.round, 1);
    EXPECT_EQ(fine.state.round, 3);
    EXPECT_EQ(fine.state.tally.thrown, 4 * (20'000 + 40'000 + 80'000));
    EXPECT_THAT(rough.state.answer, HasSubstr("in 1 round"));
    EXPECT_THAT(fine.state.answer, HasSubstr("in 3 rounds"));
}

TEST_F(DemoGraph, SharesTheWorkAmongItsWorkers) {
    const auto result = run({.tolerance = 0.05, .workers = 10});
    EXPECT_EQ(result.state.tally.thrown, 10 * 20'000);
    EXPECT_THAT(result.state.notes,
                ElementsAre("round 1: 10 workers throw 20000 points each", StartsWith("round 1: pi is about 3.1")));
}

TEST_F(DemoGraph, AsksBeforeTheAnswerIsGivenWhenReviewed) {
    const auto asked = run({.tolerance = 0.02, .review = true});
    ASSERT_EQ(asked.status, RunStatus::interrupted);
    ASSERT_EQ(asked.interrupts.size(), 1U);
    EXPECT_EQ(asked.state.answer, "");
    EXPECT_THAT(to_text(asked.interrupts.front().question), HasSubstr("Is that good enough?"));

    const auto accepted = answer("accept");
    EXPECT_EQ(accepted.status, RunStatus::finished);
    EXPECT_EQ(accepted.state.round, asked.state.round);
    EXPECT_THAT(accepted.state.answer, StartsWith("pi is 3.1"));
}

TEST_F(DemoGraph, RefinesAlsoWhenItWasBetterThanAsked) {
    const auto asked = run({.tolerance = 0.5, .review = true});
    ASSERT_EQ(asked.status, RunStatus::interrupted);
    const auto refined = answer("refine");
    ASSERT_EQ(refined.status, RunStatus::interrupted);
    EXPECT_LE(refined.state.margin, asked.state.margin / 2);
    EXPECT_GT(refined.state.round, asked.state.round);
    EXPECT_EQ(answer("accept").status, RunStatus::finished);
}

TEST_F(DemoGraph, AsksAgainAfterAnAnswerThatDoesNotFit) {
    ASSERT_EQ(run({.tolerance = 0.05, .review = true}).status, RunStatus::interrupted);
    const auto again = answer("perhaps");
    ASSERT_EQ(again.status, RunStatus::interrupted);
    EXPECT_THAT(again.interrupts.front().problem, HasSubstr("perhaps"));
    EXPECT_EQ(answer("accept").status, RunStatus::finished);
}

class DemoInput : public DemoGraph, public testing::WithParamInterface<State> {};

TEST_P(DemoInput, ThatCannotWorkFailsWithAdvice) {
    const auto result = run(GetParam());
    ASSERT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.error->code, Code::invalid_argument);
    EXPECT_THAT(result.error->describe(), StartsWith("node plan failed: cannot plan"));
    EXPECT_THAT(std::string(result.error->advice()), HasSubstr("must be"));
}

INSTANTIATE_TEST_SUITE_P(Bad, DemoInput,
                         testing::Values(State{.tolerance = 0}, State{.tolerance = -1},
                                         State{.tolerance = std::numeric_limits<double>::quiet_NaN()},
                                         State{.workers = 0}, State{.workers = -4}, State{.workers = 1'001},
                                         State{.round = -1}, State{.round = 30},
                                         State{.round = std::numeric_limits<std::int64_t>::max()}));

TEST_F(DemoGraph, TakesAnySeed) {
    for (const auto seed : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        store_ = store::open_memory();
        EXPECT_EQ(run({.tolerance = 0.05, .seed = seed}).status, RunStatus::finished);
    }
}

TEST_F(DemoGraph, StaysBoundedWhenAForkChangedThePlan) {
    ASSERT_EQ(run({.tolerance = 0.05}).status, RunStatus::finished);
    auto change = graph::Update<State>{}.set<&State::workers>(1'000'000'000).set<&State::points>(10);
    const auto many = run_again_from("throw_points", std::move(change.set<&State::tolerance>(1)));
    EXPECT_EQ(many.status, RunStatus::finished);
    EXPECT_EQ(many.state.tally.thrown, 1'000 * 10);
}

TEST_F(DemoGraph, RefusesToCountNoPoints) {
    ASSERT_EQ(run({.tolerance = 0.05}).status, RunStatus::finished);
    const auto none = run_again_from("throw_points", graph::Update<State>{}.set<&State::points>(-5));
    ASSERT_EQ(none.status, RunStatus::failed);
    EXPECT_THAT(none.error->describe(), StartsWith("node combine failed: 0 of 0 points"));
}

TEST(DemoTally, AddsUp) {
    const Tally sum = add({1, 2}, {10, 20});
    EXPECT_EQ(sum.inside, 11);
    EXPECT_EQ(sum.thrown, 22);
}

}  // namespace

}  // namespace quaestor::workflows::demo
