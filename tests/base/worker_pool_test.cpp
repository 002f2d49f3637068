#include "base/worker_pool.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>

namespace quaestor {
namespace {

TEST(WorkerPool, RunsWorkOnAnotherThreadAndComesHome) {
    WorkerPool pool(1);
    std::thread::id worked_on;
    std::thread::id resumed_on;
    run_to_end([&]() -> Task<> {
        co_await pool.run([&] { worked_on = std::this_thread::get_id(); });
        resumed_on = std::this_thread::get_id();
    }());
    EXPECT_NE(worked_on, std::this_thread::get_id());
    EXPECT_EQ(resumed_on, std::this_thread::get_id());
}

TEST(WorkerPool, ReturnsWhatTheWorkReturns) {
    WorkerPool pool(1);
    EXPECT_EQ(run_to_end(pool.run([] { return 42; })), 42);
}

TEST(WorkerPool, TakesAndReturnsWhatCanOnlyBeMoved) {
    WorkerPool pool(1);
    auto number = std::make_unique<int>(7);
    const auto result = run_to_end(pool.run([number = std::move(number)]() mutable { return std::move(number); }));
    EXPECT_EQ(*result, 7);
}

TEST(WorkerPool, RethrowsWhatTheWorkThrows) {
    WorkerPool pool(1);
    EXPECT_THROW(run_to_end(pool.run([] { throw std::runtime_error("broken"); })), std::runtime_error);
    EXPECT_THROW(run_to_end(pool.run([]() -> int { throw std::logic_error("broken"); })), std::logic_error);
}

TEST(WorkerPool, RunsWorkAtTheSameTimeOnSeveralThreads) {
    WorkerPool pool(2);
    std::latch both(2);
    asio::io_context loop;
    for (int task = 0; task < 2; ++task) {
        co_spawn(loop, pool.run([&] { both.arrive_and_wait(); }), [](std::exception_ptr) {});
    }
    loop.run();
    EXPECT_TRUE(both.try_wait());
}

TEST(WorkerPool, DeliversTheResultToATaskThatIsCancelledMeanwhile) {
    WorkerPool pool(2);
    std::latch started(1);
    std::latch released(1);
    asio::io_context loop;
    asio::cancellation_signal cancel;
    int result = 0;
    auto work = [&] {
        started.count_down();
        released.wait();
        return 7;
    };
    co_spawn(loop, pool.run(work),
             asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr, int value) { result = value; }));
    loop.poll();
    started.wait();
    cancel.emit(asio::cancellation_type::all);
    released.count_down();
    loop.run();
    EXPECT_EQ(result, 7);
}

TEST(WorkerPool, WaitsInItsDestructorForWorkThatHasBegun) {
    auto pool = std::make_unique<WorkerPool>(1);
    std::latch started(1);
    std::latch released(1);
    std::atomic<bool> finished = false;
    asio::io_context loop;
    auto work = [&] {
        started.count_down();
        released.wait();
        finished = true;
    };
    co_spawn(loop, pool->run(work), [](std::exception_ptr) {});
    loop.poll();
    started.wait();
    released.count_down();
    pool.reset();
    EXPECT_TRUE(finished);
    loop.run();
}

TEST(WorkerPool, HasAtLeastTwoThreadsByDefault) {
    EXPECT_GE(WorkerPool::default_threads(), 2u);
}

}  // namespace
}  // namespace quaestor
