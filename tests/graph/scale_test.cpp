#include "run_fixture.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace quaestor::graph {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

constexpr std::size_t kRuns = 10'000;

using Running = std::shared_ptr<Started<RunResult<Notes>>>;

class ScaleTest : public RunTest {
protected:
    RunOptions on_thread(std::size_t number) {
        auto own = saved();
        own.thread_id = fmt::format("thread-{}", number);
        return own;
    }
};

TEST_F(ScaleTest, HoldsTenThousandRunsThatWaitInsideANode) {
    const auto graph = in_a_row([](const Notes& state, Context& context) -> Task<NotesUpdate> {
        co_await context.clock().sleep_for(1h);
        co_return note("woken " + state.route);
    });
    std::vector<Running> runs;
    for (std::size_t i = 0; i < kRuns; ++i)
        runs.push_back(loop_.start(graph.run({.route = std::to_string(i)}, options())));
    ASSERT_EQ(loop_.clock.sleepers(), kRuns);
    loop_.clock.advance(1h);
    loop_.settle();
    for (std::size_t i = 0; i < kRuns; ++i) {
        ASSERT_TRUE(runs[i]->ended());
        ASSERT_THAT(runs[i]->value->state.log, ElementsAre(fmt::format("woken {}", i)));
    }
}

TEST_F(ScaleTest, StopsTenThousandRunsAtOnce) {
    const auto graph = in_a_row([](const Notes&, Context& context) -> Task<NotesUpdate> {
        co_await context.clock().sleep_for(1h);
        co_return note("woken");
    });
    std::vector<Running> runs;
    for (std::size_t i = 0; i < kRuns; ++i) runs.push_back(loop_.start(graph.run(Notes(), options())));
    cancel_.cancel(CancelReason::shutdown);
    loop_.settle();
    EXPECT_EQ(loop_.clock.sleepers(), 0u);
    for (const auto& run : runs) ASSERT_EQ(run->value->status, RunStatus::cancelled);
}

TEST_F(ScaleTest, KeepsTenThousandRunsThatWaitForAnswersAndResumesThemAll) {
    const auto graph =
        in_a_row([](const Notes& state) { return note("asking " + state.route); },
                 [](const Notes&, Context& context) { return note(to_text(context.interrupt("which?"))); });
    for (std::size_t i = 0; i < kRuns; ++i) {
        const auto asked = loop_.start(graph.run({.route = std::to_string(i)}, on_thread(i)));
        ASSERT_TRUE(asked->ended());
        ASSERT_EQ(asked->value->status, RunStatus::interrupted);
    }
    std::vector<Running> resumed;
    for (std::size_t i = 0; i < kRuns; ++i) {
        resumed.push_back(loop_.start(graph.resume(on_thread(i), {{"n2:0:0", json::string(std::to_string(i))}})));
    }
    for (std::size_t i = 0; i < kRuns; ++i) {
        ASSERT_TRUE(resumed[i]->ended());
        ASSERT_EQ(resumed[i]->value->status, RunStatus::finished);
        ASSERT_THAT(resumed[i]->value->state.log, ElementsAre(fmt::format("asking {}", i), fmt::format("\"{}\"", i)));
    }
}

// ---- Several threads

/// A fan-out over 20 items whose worker is cached by the route, then a join.
CompiledGraph<Notes> shared_graph() {
    Graph<Notes> graph("shared");
    graph.node("work",
               [](const Notes&, const int&, Context& context) -> Task<NotesUpdate> {
                   co_await asio::post(asio::use_awaitable);
                   co_await context.token("working");
                   co_return note("worked");
               },
               {.cache_key = [](const Notes& state) { return state.route; }});
    graph.node("join", [](const Notes& state) { return note(std::to_string(state.log.size())); }).edge("join", kEnd);
    graph.fan_out(kStart, [](const Notes&) { return std::vector<int>(20); }, "work", {.join = "join"});
    return must_compile(graph);
}

TEST_F(ScaleTest, RunsOneGraphInSeveralThreads) {
    const auto graph = shared_graph();
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (std::size_t round = 0; round < 50; ++round) {
                auto own = on_thread(i * 100 + round);
                own.durability = Durability::async;
                const auto result = run_to_end(graph.run({.route = std::to_string(round)}, own));
                EXPECT_EQ(result.status, RunStatus::finished);
                EXPECT_EQ(result.state.log.back(), "20");
            }
        });
    }
}

TEST_F(ScaleTest, RunsOnAStrandOfAPoolWithSeveralThreads) {
    const auto graph = shared_graph();
    asio::thread_pool pool(4);
    std::atomic<int> finished = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        asio::co_spawn(asio::make_strand(pool), graph.run({.route = std::to_string(i)}, on_thread(i)),
                       [&](std::exception_ptr thrown, const RunResult<Notes>& result) {
                           if (!thrown && result.status == RunStatus::finished) ++finished;
                       });
    }
    pool.join();
    EXPECT_EQ(finished, 50);
}

}  // namespace

}  // namespace quaestor::graph
