#include "resilience/retry.hpp"

#include "hand_driven_loop.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

/// Always the same fraction: 0, a half or (nearly) 1.
class FixedRandom final : public Random {
public:
    explicit FixedRandom(std::uint64_t bits) : bits_(bits) {}
    std::uint64_t bits() override { return bits_; }

private:
    std::uint64_t bits_;
};

constexpr std::uint64_t kLowest = 0;
constexpr std::uint64_t kMiddle = std::uint64_t{1} << 63;
constexpr std::uint64_t kHighest = std::numeric_limits<std::uint64_t>::max();

constexpr RetrySettings kRetrySettings{.attempts = 10, .delay = 500ms, .factor = 2.0, .cap = 3s, .jitter = 0.1};

TEST(DelayAfter, DoublesUpToTheCap) {
    FixedRandom middle(kMiddle);
    EXPECT_EQ(delay_after(kRetrySettings, 1, middle), 500ms);
    EXPECT_EQ(delay_after(kRetrySettings, 2, middle), 1s);
    EXPECT_EQ(delay_after(kRetrySettings, 3, middle), 2s);
    EXPECT_EQ(delay_after(kRetrySettings, 4, middle), 3s);
    EXPECT_EQ(delay_after(kRetrySettings, 5, middle), 3s);
}

TEST(DelayAfter, VariesByTheJitterBothWays) {
    FixedRandom lowest(kLowest);
    FixedRandom highest(kHighest);
    EXPECT_EQ(delay_after(kRetrySettings, 1, lowest), 450ms);
    EXPECT_LE(delay_after(kRetrySettings, 1, highest), 550ms);
    EXPECT_GT(delay_after(kRetrySettings, 1, highest), 549ms);
}

TEST(DelayAfter, NeverPassesTheCapByJitter) {
    FixedRandom highest(kHighest);
    EXPECT_EQ(delay_after(kRetrySettings, 9, highest), 3s);
}

TEST(DelayAfter, StaysBetweenItsBoundsForAnyRandomness) {
    SeededRandom random(7);
    for (int i = 0; i < 1000; ++i) {
        const Duration delay = delay_after(kRetrySettings, 2, random);
        EXPECT_GE(delay, 900ms);
        EXPECT_LE(delay, 1100ms);
    }
}

TEST(DelayAfter, DoesNotOverflowAfterManyAttempts) {
    FixedRandom middle(kMiddle);
    EXPECT_EQ(delay_after(kRetrySettings, std::numeric_limits<int>::max(), middle), 3s);
}

TEST(DelayAfter, IsNeverNegative) {
    FixedRandom lowest(kLowest);
    RetrySettings wild = kRetrySettings;
    wild.jitter = 3.0;
    EXPECT_EQ(delay_after(wild, 1, lowest), 0s);
}

Error error_of(Code code) {
    return Error{code, "not now", "", nullptr};
}

TEST(ShouldRetry, OnlyForPassingFailuresAndWhileAttemptsAreLeft) {
    const RetrySettings twice{.attempts = 2};
    EXPECT_TRUE(should_retry(twice, 1, error_of(Code::unavailable)));
    EXPECT_TRUE(should_retry(twice, 1, error_of(Code::timeout)));
    EXPECT_FALSE(should_retry(twice, 1, error_of(Code::invalid_argument)));
    EXPECT_FALSE(should_retry(twice, 1, error_of(Code::cancelled)));
    EXPECT_FALSE(should_retry(twice, 2, error_of(Code::unavailable)));
}

TEST(ShouldRetry, AsksThePredicateOfTheSettings) {
    RetrySettings settings{.attempts = 2};
    settings.retryable = [](const Error& error) { return error.code == Code::conflict; };
    EXPECT_TRUE(should_retry(settings, 1, error_of(Code::conflict)));
    EXPECT_FALSE(should_retry(settings, 1, error_of(Code::unavailable)));
}

/// Work that fails with `code` a given number of times and then returns the number of its successful attempt.
struct Flaky {
    int failures;
    Code code = Code::unavailable;
    int calls = 0;

    Task<Result<int>> operator()(int attempt) {
        ++calls;
        if (calls <= failures) co_return fail(code, "not now");
        co_return attempt;
    }
};

class Retrying : public testing::Test {
protected:
    auto start(Flaky& work, RetrySettings settings) {
        return loop_.start(retrying(clock_, random_, settings, std::ref(work)));
    }

    ManualClock clock_;
    FixedRandom random_{kMiddle};
    test::HandDrivenLoop loop_;
};

TEST_F(Retrying, ReturnsTheFirstSuccessWithoutWaiting) {
    Flaky work{.failures = 0};
    const auto run = start(work, kRetrySettings);
    EXPECT_EQ(run->result(), 1);
}

TEST_F(Retrying, WaitsLongerAfterEachFailure) {
    Flaky work{.failures = 2};
    const auto run = start(work, kRetrySettings);
    EXPECT_EQ(work.calls, 1);
    clock_.advance(499ms);
    loop_.settle();
    EXPECT_EQ(work.calls, 1);
    clock_.advance(1ms);
    loop_.settle();
    EXPECT_EQ(work.calls, 2);
    clock_.advance(1s);
    loop_.settle();
    EXPECT_EQ(run->result(), 3);
}

TEST_F(Retrying, GivesUpWithTheLastErrorWhenTheAttemptsAreUsedUp) {
    Flaky work{.failures = 100};
    const auto run = start(work, {.attempts = 3});
    for (int i = 0; i < 5; ++i) {
        clock_.advance(1min);
        loop_.settle();
    }
    EXPECT_EQ(work.calls, 3);
    EXPECT_EQ(run->error().code, Code::unavailable);
}

TEST_F(Retrying, DoesNotRepeatAFailureThatStays) {
    Flaky work{.failures = 1, .code = Code::permission_denied};
    const auto run = start(work, kRetrySettings);
    EXPECT_EQ(work.calls, 1);
    EXPECT_EQ(run->error().code, Code::permission_denied);
}

TEST_F(Retrying, DoesNotRepeatAnException) {
    int calls = 0;
    const auto work = [&calls](int) -> Task<Result<int>> {
        ++calls;
        throw std::logic_error("broken");
        co_return 0;
    };
    const auto run = loop_.start(retrying(clock_, random_, kRetrySettings, work));
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(run->thrown);
}

TEST_F(Retrying, IsCancelledWhileItWaits) {
    Flaky work{.failures = 100};
    const auto run = start(work, kRetrySettings);
    ASSERT_EQ(clock_.sleepers(), 1u);
    loop_.cancel(*run);
    EXPECT_TRUE(run->aborted());
    EXPECT_EQ(work.calls, 1);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

}  // namespace
}  // namespace quaestor
