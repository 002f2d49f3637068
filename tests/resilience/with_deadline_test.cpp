#include "resilience/with_deadline.hpp"

#include "hand_driven_loop.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

namespace quaestor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class WithDeadline : public testing::Test {
protected:
    Task<int> sleep_then(Duration time, int value) {
        co_await clock_.sleep_for(time);
        ++finished_;
        co_return value;
    }

    Task<int> sleep_stubbornly(Duration time, int value) {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        co_return co_await sleep_then(time, value);
    }

    Task<> nothing_after(Duration time) { co_await clock_.sleep_for(time); }

    /// Moves time inside the task, as a computation does that never looks up.
    Task<int> block_then(Duration time, int value) {
        clock_.advance(time);
        co_return value;
    }

    template <class T>
    Task<Result<T>> bounded(Duration limit, Task<T> task) {
        return with_deadline(clock_, Deadline::after(clock_, limit), CancelToken(), "node generate_sql",
                             std::move(task));
    }

    template <class T>
    Task<Result<T>> cancellable(Task<T> task) {
        return with_deadline(clock_, Deadline(), source_.token(), "node generate_sql", std::move(task));
    }

    void advance(Duration time) {
        clock_.advance(time);
        loop_.settle();
    }

    /// Event loop handlers that it takes to run `task` to its end.
    std::size_t handlers_to_run(Task<Result<int>> task) {
        asio::co_spawn(loop_.context(), std::move(task), asio::detached);
        loop_.context().restart();
        return loop_.context().poll();
    }

    ManualClock clock_;
    CancelSource source_;
    int finished_ = 0;
    test::HandDrivenLoop loop_;  // last, so that its tasks go before what they use
};

Task<Result<int>> just(int value) {
    co_return value;
}

Task<int> just_int(int value) {
    co_return value;
}

Task<int> throw_logic_error() {
    throw std::logic_error("broken");
    co_return 0;
}

Task<int> abort_by_itself() {
    throw boost::system::system_error(asio::error::operation_aborted);
    co_return 0;
}

TEST_F(WithDeadline, ReturnsTheValueOfATaskThatEndsInTime) {
    const auto run = loop_.start(bounded(5s, sleep_then(3s, 7)));
    EXPECT_FALSE(run->ended());
    advance(3s);
    EXPECT_EQ(run->result(), 7);
}

TEST_F(WithDeadline, ReturnsTheValueOfATaskThatEndsAtOnce) {
    EXPECT_EQ(loop_.start(bounded(5s, just_int(7)))->result(), 7);
    EXPECT_EQ(loop_.start(cancellable(just_int(8)))->result(), 8);
}

TEST_F(WithDeadline, LeavesNoSleeperBehind) {
    loop_.start(bounded(5s, just_int(7)));
    EXPECT_EQ(clock_.sleepers(), 0u);
}

/// A clock that stands still and counts who wanted to sleep.
class CountingClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return still_.now(); }
    [[nodiscard]] WallTime wall() const override { return still_.wall(); }
    Task<bool> slept_until(Instant when) override {
        ++sleeps;
        return still_.slept_until(when);
    }
    int sleeps = 0;

private:
    ManualClock still_;
};

TEST_F(WithDeadline, DoesNotSleepBesideATaskThatNeverWaits) {
    CountingClock clock;
    const auto run = loop_.start(with_deadline(clock, Deadline::after(clock, 5s), CancelToken(), "node", just_int(7)));
    EXPECT_EQ(run->result(), 7);
    EXPECT_EQ(clock.sleeps, 0);
}

TEST_F(WithDeadline, AddsNoTripThroughTheLoopWhenNothingBoundsTheTask) {
    auto unbounded = with_deadline(clock_, Deadline(), CancelToken(), "node", just_int(7));
    const std::size_t plain = handlers_to_run(just(7));
    EXPECT_EQ(handlers_to_run(std::move(unbounded)), plain);
}

TEST_F(WithDeadline, EndsATaskWithATimeoutWhenTheDeadlinePasses) {
    const auto run = loop_.start(bounded(5s, sleep_then(10s, 7)));
    advance(5s - 1ns);
    EXPECT_FALSE(run->ended());
    advance(1ns);
    EXPECT_EQ(run->error().code, Code::timeout);
    EXPECT_THAT(run->error().message, HasSubstr("node generate_sql"));
    EXPECT_EQ(finished_, 0);
    EXPECT_EQ(clock_.sleepers(), 0u) << "the task must not run on";
}

TEST_F(WithDeadline, DoesNotBeginAfterTheDeadline) {
    const Deadline deadline = Deadline::after(clock_, 1s);
    clock_.advance(1s);
    const auto run = loop_.start(with_deadline(clock_, deadline, CancelToken(), "node", block_then(1h, 7)));
    EXPECT_EQ(run->error().code, Code::timeout);
    EXPECT_TRUE(deadline.expired(clock_));
    EXPECT_EQ(deadline.when(), clock_.now()) << "the task must not have run";
}

TEST_F(WithDeadline, DoesNotBeginWhenCancelledAlready) {
    source_.cancel(CancelReason::shutdown);
    const Instant before = clock_.now();
    const auto run = loop_.start(cancellable(block_then(1h, 7)));
    EXPECT_EQ(run->error().code, Code::cancelled);
    EXPECT_EQ(clock_.now(), before) << "the task must not have run";
}

TEST_F(WithDeadline, EndsATaskWithTheErrorOfItsToken) {
    const auto run = loop_.start(cancellable(sleep_then(10s, 7)));
    EXPECT_FALSE(run->ended());
    source_.cancel(CancelReason::client_gone, "connection 12");
    loop_.settle();
    EXPECT_EQ(run->error().code, Code::cancelled);
    EXPECT_THAT(run->error().message, HasSubstr("connection 12"));
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(WithDeadline, TakesATokenAndADeadlineTogether) {
    const Deadline deadline = Deadline::after(clock_, 5s);
    const auto make = [&] { return with_deadline(clock_, deadline, source_.token(), "node", sleep_then(10s, 7)); };
    const auto cancelled = loop_.start(make());
    source_.cancel(CancelReason::user_request);
    loop_.settle();
    EXPECT_EQ(cancelled->error().code, Code::cancelled);
    EXPECT_EQ(clock_.sleepers(), 0u);

    const CancelSource quiet;
    const auto late = loop_.start(with_deadline(clock_, deadline, quiet.token(), "node", sleep_then(10s, 7)));
    advance(5s);
    EXPECT_EQ(late->error().code, Code::timeout);
}

TEST_F(WithDeadline, ReportsATokenThatWasCancelledForADeadlineAsATimeout) {
    const auto run = loop_.start(cancellable(sleep_then(10s, 7)));
    source_.cancel(CancelReason::deadline);
    loop_.settle();
    EXPECT_EQ(run->error().code, Code::timeout);
}

TEST_F(WithDeadline, PutsACancellationBeforeATimeout) {
    const auto run =
        loop_.start(with_deadline(clock_, Deadline::after(clock_, 5s), source_.token(), "node", sleep_then(10s, 7)));
    clock_.advance(5s);
    source_.cancel(CancelReason::user_request);
    loop_.settle();
    EXPECT_EQ(run->error().code, Code::cancelled);
}

TEST_F(WithDeadline, WaitsForATaskThatIgnoresCancellationAndReportsTheTimeout) {
    const auto run = loop_.start(bounded(5s, sleep_stubbornly(10s, 7)));
    advance(5s);
    EXPECT_FALSE(run->ended());
    advance(5s);
    EXPECT_EQ(run->error().code, Code::timeout);
    EXPECT_EQ(finished_, 1);
}

TEST_F(WithDeadline, WaitsForATaskThatIgnoresItsToken) {
    const auto run = loop_.start(cancellable(sleep_stubbornly(10s, 7)));
    source_.cancel(CancelReason::user_request);
    loop_.settle();
    EXPECT_FALSE(run->ended());
    advance(10s);
    EXPECT_EQ(run->error().code, Code::cancelled);
}

TEST_F(WithDeadline, ReportsATimeoutWhenTheTaskBlockedPastTheDeadline) {
    const auto run = loop_.start(bounded(5s, block_then(6s, 7)));
    EXPECT_EQ(run->error().code, Code::timeout);
}

TEST_F(WithDeadline, RethrowsAnExceptionOfTheTask) {
    const auto before_a_deadline = loop_.start(bounded(5s, throw_logic_error()));
    const auto before_a_cancellation = loop_.start(cancellable(throw_logic_error()));
    ASSERT_TRUE(before_a_deadline->thrown && before_a_cancellation->thrown);
    EXPECT_THROW(std::rethrow_exception(before_a_deadline->thrown), std::logic_error);
    EXPECT_THROW(std::rethrow_exception(before_a_cancellation->thrown), std::logic_error);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(WithDeadline, RethrowsAnAbortThatItDidNotCause) {
    EXPECT_TRUE(loop_.start(bounded(5s, abort_by_itself()))->aborted());
}

TEST_F(WithDeadline, CancelsTheTaskWhenItsParentIsCancelled) {
    const auto run =
        loop_.start(with_deadline(clock_, Deadline::after(clock_, 5s), source_.token(), "node", sleep_then(10s, 7)));
    ASSERT_EQ(clock_.sleepers(), 2u);
    loop_.cancel(*run);
    EXPECT_TRUE(run->aborted());
    EXPECT_EQ(finished_, 0);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(WithDeadline, RunsTasksThatReturnNothing) {
    const auto in_time = loop_.start(bounded(5s, nothing_after(1s)));
    const auto too_late = loop_.start(bounded(5s, nothing_after(10s)));
    const auto unbounded = loop_.start(with_deadline(clock_, Deadline(), CancelToken(), "node", nothing_after(0s)));
    advance(1s);
    advance(4s);
    EXPECT_TRUE(in_time->value.value());
    EXPECT_EQ(too_late->error().code, Code::timeout);
    EXPECT_TRUE(unbounded->value.value());
}

TEST_F(WithDeadline, KeepsAResultInsideTheResult) {
    const auto work = []() -> Task<Result<int>> { co_return fail(Code::not_found, "no table"); };
    const auto run = loop_.start(bounded(5s, work()));
    ASSERT_TRUE(run->value.value());
    EXPECT_EQ(run->value->value().error().code, Code::not_found);
}

struct Stone {
    explicit Stone(int weight) : grams(std::make_unique<int>(weight)) {}
    std::unique_ptr<int> grams;
};

TEST_F(WithDeadline, TakesValuesThatCanOnlyBeMoved) {
    const auto make = []() -> Task<Stone> { co_return Stone(7); };
    const auto weigh = [&]() -> Task<int> {
        const Result<Stone> stone = co_await bounded(5s, make());
        co_return *stone->grams;
    };
    EXPECT_EQ(loop_.start(weigh())->value, 7);
}

TEST_F(WithDeadline, LetsATaskCancelItsOwnToken) {
    const auto stop_itself = [this]() -> Task<int> {
        source_.cancel(CancelReason::budget);
        co_return co_await sleep_then(10s, 7);
    };
    const auto run = loop_.start(cancellable(stop_itself()));
    EXPECT_EQ(run->error().code, Code::cancelled);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(WithDeadline, NestsAndTheInnerTimeoutLeavesTheOuterTaskRunning) {
    const auto outer = [this]() -> Task<int> {
        const Result<int> inner = co_await bounded(2s, sleep_then(10s, 1));
        EXPECT_EQ(inner.error().code, Code::timeout);
        co_return co_await sleep_then(1s, 2);
    };
    const auto run = loop_.start(bounded(5s, outer()));
    advance(2s);
    EXPECT_FALSE(run->ended());
    advance(1s);
    EXPECT_EQ(run->result(), 2);
}

TEST_F(WithDeadline, NestsAndTheOuterTimeoutEndsTheInnerTask) {
    const auto outer = [this]() -> Task<int> {
        const Result<int> inner = co_await bounded(8s, sleep_then(10s, 1));
        co_return inner.value_or(0);
    };
    const auto run = loop_.start(bounded(5s, outer()));
    advance(5s);
    EXPECT_EQ(run->error().code, Code::timeout);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

TEST_F(WithDeadline, IsReleasedWithTheLoopWhileItWaits) {
    auto loop = std::make_unique<test::HandDrivenLoop>();
    const auto run =
        loop->start(with_deadline(clock_, Deadline::after(clock_, 5s), source_.token(), "node", sleep_then(10s, 7)));
    loop.reset();
    EXPECT_FALSE(run->ended());
    EXPECT_EQ(clock_.sleepers(), 0u);
    source_.cancel(CancelReason::shutdown);  // must reach nobody
}

Task<int> go_round(int times) {
    for (int i = 0; i < times; ++i) co_await asio::post(asio::use_awaitable);
    co_return times;
}

TEST_F(WithDeadline, MayBeCancelledByAnotherThreadAsTheTaskEnds) {
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
        CancelSource source;
        auto task = with_deadline(clock_, Deadline::after(clock_, 5s), source.token(), "node", go_round(round % 40));
        std::jthread canceller([&] { source.cancel(CancelReason::user_request); });
        const Result<int> result = run_to_end(std::move(task));
        EXPECT_TRUE(result ? *result == round % 40 : result.error().code == Code::cancelled);
    }
}

TEST_F(WithDeadline, TimesOutEveryLateTaskOfAThreadPool) {
    constexpr int kTasks = 300;
    constexpr int kThreads = 4;
    std::atomic<int> late = 0;
    std::atomic<int> ended = 0;
    asio::thread_pool pool(kThreads);
    for (int i = 0; i < kTasks; ++i) {
        // Two of three sleep longer than they may; the third may end either way.
        const Duration time = i % 3 == 0 ? 1s : 10s;
        auto task =
            with_deadline(clock_, Deadline::after(clock_, 5s), source_.token(), "node",
                          [](Clock& clock, Duration rest) -> Task<> { co_await clock.sleep_for(rest); }(clock_, time));
        asio::co_spawn(asio::make_strand(pool), std::move(task), [&, i](std::exception_ptr thrown, Result<> result) {
            EXPECT_FALSE(thrown);
            if (i % 3 != 0 && !result && result.error().code == Code::timeout) ++late;
            ++ended;
        });
    }
    while (ended < kTasks) {
        clock_.advance(100ms);
        std::this_thread::yield();
    }
    pool.join();
    EXPECT_EQ(late, kTasks / 3 * 2);
    EXPECT_EQ(clock_.sleepers(), 0u);
}

}  // namespace
}  // namespace quaestor
