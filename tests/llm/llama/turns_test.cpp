#include "llm/llama/turns.hpp"

#include "base/clock.hpp"
#include "resilience/with_deadline.hpp"

#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace quaestor::llm::llama {

namespace {

TEST(Turns, GoInTheOrderOfAsking) {
    asio::io_context loop;
    Turns turns;
    Bell go_on(loop.get_executor());
    std::vector<int> order;
    const auto visit = [&](int number) -> Task<> {
        const auto turn = co_await turns.take();
        if (number == 0) co_await go_on.wait();
        order.push_back(number);
    };
    for (int i = 0; i < 4; ++i) asio::co_spawn(loop, visit(i), asio::detached);
    loop.poll();
    EXPECT_TRUE(order.empty());
    go_on.ring();
    loop.restart();
    loop.run();
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3}));
}

TEST(Turns, OneWhoIsCancelledLeavesTheQueue) {
    asio::io_context loop;
    Turns turns;
    Bell go_on(loop.get_executor());
    CancelSource cancel;
    std::vector<int> order;
    bool was_refused = false;
    const auto hold = [&]() -> Task<> {
        const auto turn = co_await turns.take();
        co_await go_on.wait();
        order.push_back(0);
    };
    const auto leave = [&]() -> Task<> {
        const auto turn = co_await with_deadline(system_clock(), {}, cancel.token(), "a turn", turns.take());
        was_refused = !turn && turn.error().code == Code::cancelled;
    };
    const auto visit = [&]() -> Task<> {
        const auto turn = co_await turns.take();
        order.push_back(2);
    };
    asio::co_spawn(loop, hold(), asio::detached);
    asio::co_spawn(loop, leave(), asio::detached);
    asio::co_spawn(loop, visit(), asio::detached);
    loop.poll();
    cancel.cancel(CancelReason::user_request);
    loop.restart();
    loop.poll();
    EXPECT_TRUE(was_refused);
    EXPECT_TRUE(order.empty());
    go_on.ring();
    loop.restart();
    loop.run();
    EXPECT_EQ(order, (std::vector{0, 2}));
}

TEST(Turns, OnlyOneAtATimeAlsoFromManyThreads) {
    Turns turns;
    std::atomic<int> inside = 0;
    std::atomic<int> visits = 0;
    std::atomic<bool> met = false;
    const auto visit = [&]() -> Task<> {
        for (int i = 0; i < 50; ++i) {
            const auto turn = co_await turns.take();
            if (++inside > 1) met = true;
            ++visits;
            --inside;
        }
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { run_to_end(visit()); });
    threads.clear();
    EXPECT_FALSE(met);
    EXPECT_EQ(visits, 200);
}

}  // namespace

}  // namespace quaestor::llm::llama
