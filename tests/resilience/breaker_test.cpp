#include "resilience/breaker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr BreakerSettings kBreakerSettings{.failure_limit = 3, .open_time = 60s};

class BreakerTest : public testing::Test {
protected:
    void fail_times(int count) {
        for (int i = 0; i < count; ++i) breaker_.admit()->failed();
    }

    ManualClock clock_;
    Breaker breaker_{"the database", kBreakerSettings, clock_};
};

using BreakerState = Breaker::State;

TEST_F(BreakerTest, LetsCallsThroughWhileTheySucceed) {
    for (int i = 0; i < 10; ++i) {
        auto permit = breaker_.admit();
        ASSERT_TRUE(permit);
        permit->succeeded();
    }
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
    EXPECT_EQ(breaker_.retry_after(), 0s);
}

TEST_F(BreakerTest, OpensAfterTheLimitOfFailuresInARow) {
    fail_times(2);
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
    fail_times(1);
    EXPECT_EQ(breaker_.state(), BreakerState::open);
    EXPECT_EQ(breaker_.retry_after(), 60s);
}

TEST_F(BreakerTest, CountsFailuresFromTheLastSuccess) {
    fail_times(2);
    breaker_.admit()->succeeded();
    fail_times(2);
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
}

TEST_F(BreakerTest, IgnoresCallsThatSayNothing) {
    fail_times(2);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(breaker_.admit());
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
    fail_times(1);
    EXPECT_EQ(breaker_.state(), BreakerState::open);
}

TEST_F(BreakerTest, SaysWhatRestsAndForHowLong) {
    fail_times(3);
    clock_.advance(18s);
    const auto refused = breaker_.admit();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::unavailable);
    EXPECT_EQ(refused.error().message, "the database is resting after 3 failures for another 42 s");
    EXPECT_THAT(refused.error().hint, HasSubstr("42 s"));
}

TEST_F(BreakerTest, LetsExactlyOneProbeThrough) {
    fail_times(3);
    clock_.advance(60s);
    EXPECT_EQ(breaker_.state(), BreakerState::half_open);
    const auto probe = breaker_.admit();
    EXPECT_TRUE(probe);
    const auto second = breaker_.admit();
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::unavailable);
    EXPECT_THAT(second.error().message, HasSubstr("one call is probing it"));
}

TEST_F(BreakerTest, ClosesWhenTheProbeSucceeds) {
    fail_times(3);
    clock_.advance(60s);
    breaker_.admit()->succeeded();
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
    fail_times(2);
    EXPECT_EQ(breaker_.state(), BreakerState::closed) << "the count must start over";
}

TEST_F(BreakerTest, RestsAgainWhenTheProbeFails) {
    fail_times(3);
    clock_.advance(70s);
    breaker_.admit()->failed();
    EXPECT_EQ(breaker_.state(), BreakerState::open);
    EXPECT_EQ(breaker_.retry_after(), 60s);
    EXPECT_FALSE(breaker_.admit());
}

TEST_F(BreakerTest, MakesRoomForAnotherProbeWhenOneSaysNothing) {
    fail_times(3);
    clock_.advance(60s);
    {
        const auto cancelled = breaker_.admit();
    }
    EXPECT_EQ(breaker_.state(), BreakerState::half_open);
    EXPECT_TRUE(breaker_.admit());
}

TEST_F(BreakerTest, IgnoresResultsFromBeforeItOpened) {
    auto slow_success = breaker_.admit();
    auto slow_failure = breaker_.admit();
    fail_times(3);
    clock_.advance(60s);
    const auto probe = breaker_.admit();
    slow_success->succeeded();
    EXPECT_EQ(breaker_.state(), BreakerState::half_open) << "a success from before must not close it";
    slow_failure->failed();
    EXPECT_EQ(breaker_.retry_after(), 0s) << "a failure from before must not make it rest longer";
    EXPECT_FALSE(breaker_.admit()) << "neither must free the probe's place";
}

TEST_F(BreakerTest, IgnoresFailuresFromBeforeItClosed) {
    std::vector<Result<Breaker::Permit>> slow;
    for (int i = 0; i < 5; ++i) slow.push_back(breaker_.admit());
    fail_times(3);
    clock_.advance(60s);
    breaker_.admit()->succeeded();
    for (auto& permit : slow) permit->failed();
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
}

TEST_F(BreakerTest, TakesOnlyTheFirstReportOfAPermit) {
    auto permit = breaker_.admit();
    for (int i = 0; i < 5; ++i) permit->failed();
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
}

TEST_F(BreakerTest, FollowsAPermitThatIsMoved) {
    fail_times(3);
    clock_.advance(60s);
    auto probe = breaker_.admit();
    Breaker::Permit moved = std::move(*probe);
    probe = fail(Code::internal, "gone");
    EXPECT_FALSE(breaker_.admit()) << "the moved permit still probes";
    moved.succeeded();
    EXPECT_EQ(breaker_.state(), BreakerState::closed);
}

TEST_F(BreakerTest, CountsOneFailureInTheSingular) {
    Breaker touchy("the model", {.failure_limit = 1, .open_time = 500ms}, clock_);
    touchy.admit()->failed();
    EXPECT_EQ(touchy.admit().error().message, "the model is resting after 1 failure for another 500 ms");
}

TEST_F(BreakerTest, NeverHasTwoProbesAtOnceAcrossThreads) {
    constexpr int kThreads = 4;
    constexpr int kTries = 2'000;
    fail_times(3);
    std::atomic<int> probing = 0;
    std::atomic<int> most = 0;
    std::atomic<int> probes = 0;
    // Probes fail or say nothing, so the circuit never closes and every permit is a probe.
    const auto hammer = [&](int thread) {
        for (int i = 0; i < kTries; ++i) {
            clock_.advance(1s);
            auto permit = breaker_.admit();
            if (!permit) continue;
            ++probes;
            const int now = ++probing;
            if (now > most) most = now;
            std::this_thread::yield();
            --probing;
            if ((i + thread) % 2 == 0) permit->failed();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(hammer, thread);
    }
    EXPECT_EQ(most, 1);
    EXPECT_GT(probes, 1);
}

}  // namespace
}  // namespace quaestor
