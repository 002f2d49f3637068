#include "base/clock.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

/// Sleeps and then adds `name` to `order`.
Task<> sleep_and_tell(Clock& clock, Duration time, std::string name, std::vector<std::string>& order) {
    co_await clock.sleep_for(time);
    order.push_back(std::move(name));
}

/// How a task ended: true when Asio's cancellation ended it.
auto note_abort(bool& aborted) {
    return [&aborted](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const boost::system::system_error& thrown) {
            aborted = thrown.code() == asio::error::operation_aborted;
        }
    };
}

TEST(ManualClock, StandsStillAtNewYear2026UntilItIsAdvanced) {
    ManualClock clock;
    const Instant start = clock.now();
    EXPECT_EQ(to_iso8601(clock.wall()), "2026-01-01T00:00:00.000Z");
    EXPECT_EQ(clock.now(), start);
    clock.advance(90s);
    EXPECT_EQ(clock.now(), start + 90s);
    EXPECT_EQ(to_iso8601(clock.wall()), "2026-01-01T00:01:30.000Z");
}

TEST(ManualClock, StartsAfterADefaultInstant) {
    EXPECT_GT(ManualClock().now(), Instant{});
}

TEST(ManualClock, WakesSleepersInOrderOfTheirMoments) {
    ManualClock clock;
    asio::io_context loop;
    std::vector<std::string> order;
    const auto ignore = [](std::exception_ptr) {};
    co_spawn(loop, sleep_and_tell(clock, 3s, "third", order), ignore);
    co_spawn(loop, sleep_and_tell(clock, 1s, "first", order), ignore);
    co_spawn(loop, sleep_and_tell(clock, 2s, "second", order), ignore);
    loop.poll();
    EXPECT_EQ(clock.sleepers(), 3u);
    clock.advance(10s);
    EXPECT_EQ(clock.sleepers(), 0u);
    loop.poll();
    EXPECT_EQ(order, (std::vector<std::string>{"first", "second", "third"}));
}

TEST(ManualClock, WakesSleepersOfOneMomentInOrderOfArrival) {
    ManualClock clock;
    asio::io_context loop;
    std::vector<std::string> order;
    for (const char* name : {"a", "b", "c"}) {
        co_spawn(loop, sleep_and_tell(clock, 1s, name, order), [](std::exception_ptr) {});
    }
    loop.poll();
    clock.advance(1s);
    loop.poll();
    EXPECT_EQ(order, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(ManualClock, LeavesThoseAsleepWhoseMomentHasNotCome) {
    ManualClock clock;
    asio::io_context loop;
    std::vector<std::string> order;
    co_spawn(loop, sleep_and_tell(clock, 10s, "late", order), [](std::exception_ptr) {});
    loop.poll();
    clock.advance(10s - 1ns);
    loop.poll();
    EXPECT_EQ(clock.sleepers(), 1u);
    EXPECT_TRUE(order.empty());
    clock.advance(1ns);
    loop.poll();
    EXPECT_EQ(order.size(), 1u);
}

TEST(ManualClock, DoesNotHoldATaskWhoseMomentHasPassed) {
    ManualClock clock;
    run_to_end([](Clock& c) -> Task<> {
        co_await c.sleep_until(c.now());
        co_await c.sleep_until(c.now() - 1h);
        co_await c.sleep_for(0s);
    }(clock));
    EXPECT_EQ(clock.sleepers(), 0u);
}

TEST(ManualClock, EndsACancelledSleepWithOperationAbortedAndForgetsIt) {
    ManualClock clock;
    asio::io_context loop;
    asio::cancellation_signal cancel;
    bool aborted = false;
    co_spawn(loop, clock.sleep_for(1h), asio::bind_cancellation_slot(cancel.slot(), note_abort(aborted)));
    loop.poll();
    ASSERT_EQ(clock.sleepers(), 1u);
    cancel.emit(asio::cancellation_type::terminal);
    loop.run();
    EXPECT_TRUE(aborted);
    EXPECT_EQ(clock.sleepers(), 0u);
}

TEST(ManualClock, KeepsTheOtherSleepersWhenOneIsCancelled) {
    ManualClock clock;
    asio::io_context loop;
    asio::cancellation_signal cancel;
    bool aborted = false;
    std::vector<std::string> order;
    co_spawn(loop, sleep_and_tell(clock, 1s, "one", order), [](std::exception_ptr) {});
    co_spawn(loop, clock.sleep_for(1s), asio::bind_cancellation_slot(cancel.slot(), note_abort(aborted)));
    co_spawn(loop, sleep_and_tell(clock, 1s, "two", order), [](std::exception_ptr) {});
    loop.poll();
    cancel.emit(asio::cancellation_type::terminal);
    loop.poll();
    EXPECT_EQ(clock.sleepers(), 2u);
    clock.advance(1s);
    loop.poll();
    EXPECT_EQ(order, (std::vector<std::string>{"one", "two"}));
}

TEST(ManualClock, ForgetsTheSleepersOfALoopThatIsDestroyed) {
    ManualClock clock;
    {
        asio::io_context loop;
        co_spawn(loop, clock.sleep_for(1h), [](std::exception_ptr) {});
        loop.poll();
        ASSERT_EQ(clock.sleepers(), 1u);
    }
    EXPECT_EQ(clock.sleepers(), 0u);
    clock.advance(2h);
}

TEST(ManualClock, ResumesEachSleeperOnItsOwnExecutor) {
    ManualClock clock;
    asio::io_context loop;
    std::thread::id resumed_on;
    co_spawn(
        loop,
        [&]() -> Task<> {
            co_await clock.sleep_for(1s);
            resumed_on = std::this_thread::get_id();
        },
        [](std::exception_ptr) {});
    std::thread runner([&] { loop.run(); });
    while (clock.sleepers() == 0) std::this_thread::yield();
    const auto runner_id = runner.get_id();
    clock.advance(1s);
    runner.join();
    EXPECT_EQ(resumed_on, runner_id);
}

TEST(ManualClock, WakesSleepersOnManyThreads) {
    constexpr std::size_t kTasks = 200;
    ManualClock clock;
    asio::thread_pool threads(4);
    std::atomic<std::size_t> woken = 0;
    for (std::size_t task = 0; task < kTasks; ++task) {
        co_spawn(threads, clock.sleep_for(std::chrono::milliseconds(1 + task % 7)),
                 [&](std::exception_ptr error) { woken += error ? 0 : 1; });
    }
    while (clock.sleepers() < kTasks) std::this_thread::yield();
    std::thread other([&] { clock.advance(3ms); });
    clock.advance(4ms);
    other.join();
    threads.join();
    EXPECT_EQ(woken, kTasks);
    EXPECT_EQ(clock.sleepers(), 0u);
}

TEST(SystemClock, MovesForward) {
    Clock& clock = system_clock();
    const Instant before = clock.now();
    run_to_end(clock.sleep_for(1us));
    EXPECT_GE(clock.now(), before + 1us);
}

TEST(SystemClock, EndsACancelledSleepWithOperationAborted) {
    asio::io_context loop;
    asio::cancellation_signal cancel;
    bool aborted = false;
    co_spawn(loop, system_clock().sleep_for(1h), asio::bind_cancellation_slot(cancel.slot(), note_abort(aborted)));
    loop.poll();
    cancel.emit(asio::cancellation_type::terminal);
    loop.run();
    EXPECT_TRUE(aborted);
}

TEST(Iso8601, WritesMilliseconds) {
    const WallTime day = std::chrono::sys_days(std::chrono::year(2024) / 2 / 29);
    EXPECT_EQ(to_iso8601(day), "2024-02-29T00:00:00.000Z");
    EXPECT_EQ(to_iso8601(day + 23h + 59min + 59s + 999'999'999ns), "2024-02-29T23:59:59.999Z");
    EXPECT_EQ(to_iso8601(WallTime(-1ns)), "1969-12-31T23:59:59.999Z");
}

TEST(Iso8601, WritesFinerTimesExactly) {
    EXPECT_EQ(to_iso8601_exact(WallTime(5ms)), "1970-01-01T00:00:00.005Z");
    EXPECT_EQ(to_iso8601_exact(WallTime(5us)), "1970-01-01T00:00:00.000005Z");
    EXPECT_EQ(to_iso8601_exact(WallTime(5ns)), "1970-01-01T00:00:00.000000005Z");
    EXPECT_EQ(to_iso8601_exact(WallTime(-5ns)), "1969-12-31T23:59:59.999999995Z");
}

TEST(Iso8601, ReadsWhatItWrites) {
    for (const WallTime time : {WallTime(0ns), WallTime(1ns), WallTime(-1ns), WallTime(1'700'000'000'123ms),
                                WallTime(4'102'444'799'999'999us)}) {
        EXPECT_EQ(from_iso8601(to_iso8601_exact(time)), time);
    }
}

TEST(Iso8601, ReadsAnyNumberOfFractionDigitsUpToNine) {
    EXPECT_EQ(from_iso8601("1970-01-01T00:00:01Z"), WallTime(1s));
    EXPECT_EQ(from_iso8601("1970-01-01T00:00:01.5Z"), WallTime(1500ms));
    EXPECT_EQ(from_iso8601("1970-01-01T00:00:01.123456789Z"), WallTime(1'123'456'789ns));
}

TEST(Iso8601, RefusesEverythingElse) {
    for (const char* text : {"",
                             "Z",
                             "2026-01-01",
                             "2026-01-01T00:00:00",
                             "2026-01-01 00:00:00Z",
                             "2026-01-01T00:00:00+01:00",
                             "2026-01-01T00:00Z",
                             "2026-1-1T00:00:00Z",
                             "2026-13-01T00:00:00Z",
                             "2026-02-29T00:00:00Z",
                             "2026-00-10T00:00:00Z",
                             "2026-01-01T24:00:00Z",
                             "2026-01-01T00:60:00Z",
                             "2026-01-01T00:00:60Z",
                             "2026-01-01T00:00:00.Z",
                             "2026-01-01T00:00:00.1234567890Z",
                             "2026-01-01T00:00:00Z ",
                             "+026-01-01T00:00:00Z",
                             "1677-12-31T00:00:00Z",
                             "2262-01-01T00:00:00Z",
                             "9999-12-31T23:59:59Z"}) {
        EXPECT_FALSE(from_iso8601(text)) << text;
    }
}

}  // namespace
}  // namespace quaestor
