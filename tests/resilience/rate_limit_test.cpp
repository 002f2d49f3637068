#include "resilience/rate_limit.hpp"

#include "hand_driven_loop.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// One call a second, three at once after a quiet time.
constexpr RateLimitSettings kRateSettings{.per_minute = 60, .burst = 3};

class RateLimitTest : public testing::Test {
protected:
    auto acquire(Deadline deadline = {}) { return loop_.start(limit_.acquire(deadline)); }

    /// Takes every token that is there now.
    void use_burst() {
        while (limit_.wait_time() == 0s) acquire();
    }

    void advance(Duration time) {
        clock_.advance(time);
        loop_.settle();
    }

    ManualClock clock_;
    RateLimit limit_{kRateSettings, clock_};
    test::HandDrivenLoop loop_;
};

TEST_F(RateLimitTest, LetsABurstGoAtOnceAndThenKeepsTheRate) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(acquire()->ended());
    const auto fourth = acquire();
    const auto fifth = acquire();
    advance(1s - 1ns);
    EXPECT_FALSE(fourth->ended());
    advance(1ns);
    EXPECT_TRUE(fourth->value.value());
    EXPECT_FALSE(fifth->ended());
    advance(1s);
    EXPECT_TRUE(fifth->value.value());
}

TEST_F(RateLimitTest, RefillsUpToTheBurstAndNoFurther) {
    use_burst();
    clock_.advance(1h);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(acquire()->ended());
    EXPECT_FALSE(acquire()->ended());
}

TEST_F(RateLimitTest, RefillsOneTokenAtATime) {
    use_burst();
    clock_.advance(2s);
    EXPECT_TRUE(acquire()->ended());
    EXPECT_TRUE(acquire()->ended());
    EXPECT_FALSE(acquire()->ended());
}

TEST_F(RateLimitTest, TellsHowLongACallWouldWait) {
    EXPECT_EQ(limit_.wait_time(), 0s);
    use_burst();
    EXPECT_EQ(limit_.wait_time(), 1s);
    acquire();
    EXPECT_EQ(limit_.wait_time(), 2s);
}

Task<Result<>> note(RateLimit& limit, int name, std::vector<int>& order) {
    auto result = co_await limit.acquire();
    order.push_back(name);
    co_return result;
}

TEST_F(RateLimitTest, ServesInOrderOfArrival) {
    use_burst();
    std::vector<int> order;
    for (int name = 1; name <= 4; ++name) loop_.start(note(limit_, name, order));
    for (int i = 0; i < 4; ++i) advance(1s);
    EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_F(RateLimitTest, RefusesAtOnceWhenTheWaitWouldPassTheDeadline) {
    use_burst();
    const auto refused = acquire(Deadline::after(clock_, 900ms));
    EXPECT_EQ(refused->error().code, Code::rate_limited);
    EXPECT_THAT(refused->error().message, HasSubstr("60 a minute"));
    EXPECT_THAT(refused->error().hint, HasSubstr("1 s"));
    EXPECT_EQ(limit_.wait_time(), 1s) << "a refusal must not use a token";
}

TEST_F(RateLimitTest, WaitsWhenTheDeadlineAllowsIt) {
    use_burst();
    const auto call = acquire(Deadline::after(clock_, 1100ms));
    EXPECT_FALSE(call->ended());
    advance(1s);
    EXPECT_TRUE(call->value.value());
}

TEST_F(RateLimitTest, TakesThePlaceOfACancelledCallerBack) {
    use_burst();
    const auto first = acquire();
    const auto second = acquire();
    loop_.cancel(*first);
    loop_.cancel(*second);
    EXPECT_TRUE(first->aborted());
    EXPECT_EQ(limit_.wait_time(), 1s);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(RateLimitTest, KeepsThePromiseToThoseBehindACancelledCaller) {
    use_burst();
    const auto first = acquire();
    const auto second = acquire();
    loop_.cancel(*first);
    const auto third = acquire(Deadline::after(clock_, 3100ms));
    advance(2s);
    EXPECT_TRUE(second->ended());
    EXPECT_FALSE(third->ended());
    advance(1s);
    EXPECT_TRUE(third->value.value());
}

TEST_F(RateLimitTest, LetsNobodyGoDuringAPause) {
    limit_.throttled(5s);
    EXPECT_EQ(limit_.wait_time(), 5s);
    const auto call = acquire();
    advance(5s - 1ns);
    EXPECT_FALSE(call->ended());
    advance(1ns);
    EXPECT_TRUE(call->value.value());
}

TEST_F(RateLimitTest, HoldsThoseWhoWaitedWhenThePauseBegan) {
    use_burst();
    const auto call = acquire();
    advance(500ms);
    limit_.throttled(10s);
    advance(500ms);
    EXPECT_FALSE(call->ended()) << "its time has come, but nobody goes now";
    advance(9'500ms);
    EXPECT_FALSE(call->ended()) << "half a second of its wait is still to come";
    advance(500ms);
    EXPECT_TRUE(call->value.value());
}

TEST_F(RateLimitTest, LetsThemGoOneByOneAfterAPause) {
    limit_.throttled(5s);
    std::vector<int> order;
    for (int name = 1; name <= 3; ++name) loop_.start(note(limit_, name, order));
    advance(5s);
    EXPECT_THAT(order, ElementsAre(1));
    advance(1s);
    EXPECT_THAT(order, ElementsAre(1, 2));
    advance(1s);
    EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST_F(RateLimitTest, RefusesACallerWhoseDeadlineAPauseHasPutOutOfReach) {
    use_burst();
    const auto call = acquire(Deadline::after(clock_, 3s));
    limit_.throttled(10s);
    advance(1s);
    EXPECT_EQ(call->error().code, Code::rate_limited);
}

TEST_F(RateLimitTest, BacksOffTwiceAsLongEachTimeUpToTheCap) {
    for (const Duration step : {2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
        limit_.throttled();
        EXPECT_EQ(limit_.wait_time(), step);
        clock_.advance(step);
    }
}

TEST_F(RateLimitTest, TakesReportsDuringAPauseAsOne) {
    for (int i = 0; i < 5; ++i) limit_.throttled();
    EXPECT_EQ(limit_.wait_time(), 2s);
    clock_.advance(2s);
    limit_.throttled();
    EXPECT_EQ(limit_.wait_time(), 4s);
}

TEST_F(RateLimitTest, StartsTheBackoffOverAfterASuccess) {
    limit_.throttled();
    clock_.advance(2s);
    limit_.throttled();
    clock_.advance(4s);
    limit_.succeeded();
    limit_.throttled();
    EXPECT_EQ(limit_.wait_time(), 2s);
}

TEST_F(RateLimitTest, LengthensAPauseButNeverShortensIt) {
    limit_.throttled(5s);
    limit_.throttled(3s);
    EXPECT_EQ(limit_.wait_time(), 5s);
    limit_.throttled(8s);
    EXPECT_EQ(limit_.wait_time(), 8s);
    limit_.throttled(-1s);
    EXPECT_EQ(limit_.wait_time(), 8s);
}

TEST_F(RateLimitTest, BelievesNoEndlessRetryAfter) {
    limit_.throttled(Duration::max());
    EXPECT_EQ(limit_.wait_time(), kRetryAfterMax);
}

TEST_F(RateLimitTest, TakesSettingsOfZeroAsOne) {
    RateLimit slowest({.per_minute = 0, .burst = 0}, clock_);
    EXPECT_TRUE(loop_.start(slowest.acquire())->ended());
    EXPECT_EQ(slowest.wait_time(), 1min);
}

TEST_F(RateLimitTest, LetsOnlySoManyWait) {
    use_burst();
    for (std::size_t i = 0; i < kRateLimitQueueMax; ++i) {
        asio::co_spawn(loop_.context(), limit_.acquire(), asio::detached);
    }
    loop_.settle();
    const auto one_more = acquire();
    EXPECT_EQ(one_more->error().code, Code::rate_limited);
}

TEST_F(RateLimitTest, IsReleasedWithTheLoopWhileItWaits) {
    use_burst();
    auto loop = std::make_unique<test::HandDrivenLoop>();
    const auto call = loop->start(limit_.acquire());
    loop.reset();
    EXPECT_FALSE(call->ended());
    EXPECT_EQ(limit_.wait_time(), 1s);
}

/// Many callers on many threads, each counting itself as it goes and checking the count against the clock.
class RateLimitThreads : public testing::Test {
protected:
    static constexpr int kThreads = 4;
    static constexpr int kCallers = 400;

    Task<> call() {
        const auto result = co_await limit_.acquire();
        EXPECT_TRUE(result);
        const int gone = ++gone_;
        const auto allowed = kRateSettings.burst + (clock_.now() - begin_) / 1s;
        EXPECT_LE(gone, allowed);
    }

    /// Moves the clock on until `ended` callers have ended.
    void run_until(const std::atomic<int>& ended) {
        while (ended < kCallers) {
            clock_.advance(250ms);
            std::this_thread::yield();
        }
    }

    ManualClock clock_;
    RateLimit limit_{kRateSettings, clock_};
    const Instant begin_ = clock_.now();
    std::atomic<int> gone_ = 0;
    std::atomic<int> ended_ = 0;
};

TEST_F(RateLimitThreads, NeverLetMoreGoThanTheClockAllows) {
    asio::thread_pool pool(kThreads);
    for (int i = 0; i < kCallers; ++i) {
        asio::co_spawn(asio::make_strand(pool), call(), [this](std::exception_ptr) { ++ended_; });
    }
    run_until(ended_);
    pool.join();
    EXPECT_EQ(gone_, kCallers);
}

TEST_F(RateLimitThreads, MayBeCancelledAndThrottledAtAnyMoment) {
    asio::thread_pool pool(kThreads);
    std::vector<std::unique_ptr<asio::cancellation_signal>> signals;
    for (int i = 0; i < kCallers; ++i) {
        const auto strand = asio::make_strand(pool);
        auto& signal = *signals.emplace_back(std::make_unique<asio::cancellation_signal>());
        auto count = [this](std::exception_ptr) { ++ended_; };
        asio::co_spawn(strand, call(), asio::bind_cancellation_slot(signal.slot(), count));
        if (i % 2 == 0) asio::post(strand, [&signal] { signal.emit(asio::cancellation_type::terminal); });
        if (i % 50 == 0) limit_.throttled();
    }
    run_until(ended_);
    pool.join();
    EXPECT_GE(gone_, kCallers / 2);
    clock_.advance(1h);
    EXPECT_EQ(limit_.wait_time(), 0s) << "nobody may be left in the queue";
}

}  // namespace
}  // namespace quaestor
