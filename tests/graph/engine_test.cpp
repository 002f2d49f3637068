#include "run_fixture.hpp"

#include <boost/system/system_error.hpp>
#include <gmock/gmock.h>

#include <new>
#include <thread>

namespace quaestor::graph {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class EngineTest : public RunTest {};

Task<NotesUpdate> sleep_for_an_hour(const Notes&, Context& context) {
    co_await context.clock().sleep_for(1h);
    co_return note("slept");
}

// ---- Stopping

class EngineCancelTest : public RunTest, public testing::WithParamInterface<CancelReason> {};

TEST_P(EngineCancelTest, StopsANodeThatWaits) {
    const auto graph = in_a_row(sleep_for_an_hour);
    const auto run = loop_.start(graph.run(Notes(), options()));
    ASSERT_EQ(loop_.clock.sleepers(), 1u);

    cancel_.cancel(GetParam(), "said the test");
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(loop_.clock.sleepers(), 0u);
    EXPECT_EQ(run->value->status, RunStatus::cancelled);
    EXPECT_EQ(run->value->error->code, GetParam() == CancelReason::deadline ? Code::timeout : Code::cancelled);
    EXPECT_EQ(run->value->error->message, "node n1 was stopped");
    EXPECT_EQ(run->value->error->cause->message, cancel_.token().error().message);
    EXPECT_THAT(run->value->state.log, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Reasons, EngineCancelTest,
                         testing::Values(CancelReason::user_request, CancelReason::client_gone, CancelReason::deadline,
                                         CancelReason::budget, CancelReason::shutdown),
                         [](const auto& info) { return std::string(to_string(info.param)); });

TEST_F(EngineTest, IsCancelledFromAnotherThread) {
    std::jthread canceller;
    const auto graph = in_a_row([&](const Notes&, Context& context) -> Task<NotesUpdate> {
        canceller = std::jthread([this] { cancel_.cancel(CancelReason::user_request); });
        co_await context.clock().sleep_for(1h);
        co_return note("slept");
    });
    auto real_time = options();
    real_time.clock = &system_clock();
    const auto result = run_to_end(graph.run(Notes(), real_time));
    EXPECT_EQ(result.status, RunStatus::cancelled);
}

TEST_F(EngineTest, LeavesANodeThatDoesNotStopToItsEndButDropsWhatItReturns) {
    asio::steady_timer unstoppable(loop_.context(), asio::steady_timer::time_point::max());
    const auto graph = in_a_row([&](const Notes&, Context&) -> Task<NotesUpdate> {
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        boost::system::error_code ignored;
        co_await unstoppable.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_return note("late");
    });
    const auto run = loop_.start(graph.run(Notes(), options()));
    cancel_.cancel(CancelReason::user_request);
    loop_.settle();
    EXPECT_FALSE(run->ended());
    unstoppable.cancel();
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(run->value->status, RunStatus::cancelled);
    EXPECT_THAT(run->value->state.log, IsEmpty());
}

TEST_F(EngineTest, GivesANodeTheEarlierOfItsTwoDeadlines) {
    std::vector<Duration> left;
    Graph<Notes> graph("deadlines");
    const auto look = [&](const Notes&, Context& context) {
        left.push_back(context.deadline().left(context.clock()));
        return NotesUpdate();
    };
    graph.node("short", look, {.timeout = 1s}).node("long", look, {.timeout = 1min}).node("none", look);
    graph.edge(kStart, "short").edge("short", "long").edge("long", "none").edge("none", kEnd);
    const auto compiled = must_compile(graph);

    auto bounded = options();
    bounded.deadline = Deadline::after(loop_.clock, 10s);
    loop_.run(compiled.run(Notes(), bounded));
    EXPECT_THAT(left, ElementsAre(1s, 10s, 10s));
    left.clear();
    loop_.run(compiled.run(Notes(), options()));
    EXPECT_THAT(left, ElementsAre(1s, 1min, Duration::max()));
}

TEST_F(EngineTest, StopsANodeWhenItsTimeoutPassesAndNotBefore) {
    Graph<Notes> graph("slow");
    graph.node("think", sleep_for_an_hour, {.timeout = 30s}).edge(kStart, "think").edge("think", kEnd);
    const auto compiled = must_compile(graph);
    const auto run = loop_.start(compiled.run(Notes(), options()));
    loop_.clock.advance(30s - 1ns);
    loop_.settle();
    EXPECT_FALSE(run->ended());
    loop_.clock.advance(1ns);
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(run->value->status, RunStatus::failed);
    EXPECT_EQ(run->value->error->code, Code::timeout);
    EXPECT_EQ(run->value->error->describe(), "node think failed: node think did not finish in time");
    EXPECT_EQ(run->value->error->hint, "try again, or allow more time for it");
}

TEST_F(EngineTest, StopsARunBetweenStepsWhenItsDeadlineHasPassed) {
    const auto graph = in_a_row(
        [this](const Notes&) {
            loop_.clock.advance(1s);
            return note("one");
        },
        [](const Notes&) { return note("two"); });
    auto bounded = saved();
    bounded.deadline = Deadline::after(loop_.clock, 2s);
    loop_.clock.advance(1s);
    const auto result = loop_.run(graph.run(Notes(), bounded));
    EXPECT_EQ(result.error->code, Code::timeout);
    const auto resumed = loop_.run(graph.resume(saved()));
    EXPECT_EQ(resumed.status, RunStatus::finished);
    EXPECT_EQ(resumed.state.log.back(), "two");
}

// ---- Trying again

struct Attempts {
    std::vector<Duration> at;

    NotesUpdate fail_until(int attempt, Context& context, Instant began) {
        at.push_back(context.clock().now() - began);
        if (context.attempt() < attempt) return Error{Code::unavailable, "down"};
        return note("up");
    }
};

TEST_F(EngineTest, PausesBetweenAttemptsAsThePolicySays) {
    Attempts attempts;
    const Instant began = loop_.clock.now();
    Graph<Notes> graph("retry");
    graph.node("fetch", [&](const Notes&, Context& context) { return attempts.fail_until(5, context, began); },
               {.retry = {.attempts = 5, .delay = 100ms, .factor = 2, .cap = 300ms, .jitter = 0}});
    graph.edge(kStart, "fetch").edge("fetch", kEnd);
    const auto result = loop_.run(must_compile(graph).run(Notes(), options()));
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_THAT(attempts.at, ElementsAre(0ms, 100ms, 300ms, 600ms, 900ms));
}

TEST_F(EngineTest, DoesNotPauseBeyondTheDeadlineOfTheRun) {
    Attempts attempts;
    const Instant began = loop_.clock.now();
    Graph<Notes> graph("retry");
    graph.node("fetch", [&](const Notes&, Context& context) { return attempts.fail_until(9, context, began); },
               {.retry = {.attempts = 9, .delay = 100ms, .jitter = 0}});
    graph.edge(kStart, "fetch").edge("fetch", kEnd);
    auto bounded = options();
    bounded.deadline = Deadline::after(loop_.clock, 150ms);
    const auto result = loop_.run(must_compile(graph).run(Notes(), bounded));
    EXPECT_THAT(attempts.at, ElementsAre(0ms, 100ms));
    EXPECT_EQ(loop_.clock.now() - began, 150ms);
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.error->describe(), "node fetch failed at attempt 2 of 9: down");
}

TEST_F(EngineTest, AsksThePolicyWhichErrorsAreWorthAnotherTry) {
    int calls = 0;
    Graph<Notes> graph("retry");
    graph.node(
        "fetch", [&](const Notes&) { return ++calls < 2 ? NotesUpdate(fail(Code::internal, "odd")) : note("up"); },
        {.retry = {.attempts = 2, .retryable = [](const Error& error) { return error.code == Code::internal; }}});
    graph.edge(kStart, "fetch").edge("fetch", kEnd);
    EXPECT_EQ(loop_.run(must_compile(graph).run(Notes(), options())).status, RunStatus::finished);
    EXPECT_EQ(calls, 2);
}

// ---- Failing

template <class Thrown>
auto throwing(Thrown thrown) {
    return [thrown](const Notes&, Context&) -> Task<NotesUpdate> {
        throw thrown;
        co_return NotesUpdate();
    };
}

TEST_F(EngineTest, TurnsExceptionsOfAnyTypeIntoErrors) {
    const auto error_of = [this](const CompiledGraph<Notes>& graph) {
        const auto result = loop_.run(graph.run(Notes(), options()));
        EXPECT_EQ(result.status, RunStatus::failed);
        return *result.error;
    };
    EXPECT_EQ(error_of(in_a_row(throwing(std::runtime_error("broken")))).describe(), "node n1 failed: broken");
    EXPECT_EQ(error_of(in_a_row(throwing(42))).describe(), "node n1 failed: an exception of unknown type");
    EXPECT_EQ(error_of(in_a_row(throwing(std::string("text")))).code, Code::internal);
    EXPECT_EQ(error_of(in_a_row(throwing(std::bad_alloc()))).code, Code::limit_exceeded);
    EXPECT_EQ(error_of(in_a_row(throwing(Error{Code::timeout, "thrown by mistake"}))).code, Code::internal);
    const boost::system::system_error aborted(asio::error::operation_aborted);
    EXPECT_EQ(error_of(in_a_row(throwing(aborted))).code, Code::internal);
}

TEST_F(EngineTest, TurnsAnExceptionOfAPlainFunctionIntoAnError) {
    const auto graph = in_a_row([](const Notes&) -> NotesUpdate { throw std::runtime_error("broken"); });
    EXPECT_EQ(loop_.run(graph.run(Notes(), options())).error->describe(), "node n1 failed: broken");
}

TEST_F(EngineTest, RefusesAnInputThatIsAnError) {
    int calls = 0;
    const auto graph = in_a_row([&](const Notes&) {
        ++calls;
        return NotesUpdate();
    });
    const auto result = loop_.run(graph.run(NotesUpdate(Error{Code::not_found, "no question"}), saved()));
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.error->message, "no question");
    EXPECT_EQ(calls, 0);
    EXPECT_THAT(checkpoints(), IsEmpty());
}

TEST_F(EngineTest, TellsWhichBranchFunctionThrew) {
    Graph<Notes> graph("choice");
    graph.node("a", [](const Notes&) { return note("a"); }).edge(kStart, "a");
    graph.branch("a", [](const Notes&) -> std::string { throw std::runtime_error("no idea"); }, {std::string(kEnd)});
    const auto result = loop_.run(must_compile(graph).run(Notes(), saved()));
    EXPECT_EQ(result.error->describe(), "choosing the way after node a failed: no idea");
    EXPECT_THAT(result.state.log, ElementsAre("a"));
}

TEST_F(EngineTest, LimitsHowManyTasksAFanOutMakes) {
    Graph<Notes> graph("wide");
    graph.node("work", [](const Notes&, const int&) { return NotesUpdate(); });
    graph.node("join", [](const Notes&) { return NotesUpdate(); }).edge("join", kEnd);
    graph.fan_out(kStart, [](const Notes&) { return std::vector<int>(kFanOutMax + 1); }, "work", {.join = "join"});
    const auto result = loop_.run(must_compile(graph).run(Notes(), options()));
    EXPECT_EQ(result.error->code, Code::limit_exceeded);
    EXPECT_EQ(result.error->message, "the fan-out after \"START\" made 100001 tasks; at most 100000 are allowed");
}

bool reducer_is_broken = false;
std::vector<std::string> join_or_throw(std::vector<std::string> there, const std::vector<std::string>& change) {
    if (reducer_is_broken) throw std::runtime_error("reducer is out of order");
    there.insert(there.end(), change.begin(), change.end());
    return there;
}
struct Fragile {
    std::vector<std::string> log;
    static constexpr auto kReducers = std::tuple{reduce<&Fragile::log, &join_or_throw>};
};
BOOST_DESCRIBE_STRUCT(Fragile, (), (log))

TEST_F(EngineTest, SurvivesAReducerThatThrows) {
    for (const auto durability : {Durability::sync, Durability::async, Durability::exit}) {
        store_ = store::open_memory();
        Graph<Fragile> graph("fragile");
        graph.node("a", [](const Fragile&) { return Update<Fragile>().add<&Fragile::log>("a"); });
        graph.node("b", [](const Fragile&) {
            reducer_is_broken = true;
            return Update<Fragile>().add<&Fragile::log>("b");
        });
        graph.edge(kStart, "a").edge("a", "b").edge("b", kEnd);
        const auto compiled = must_compile(graph);
        const auto result = loop_.run(compiled.run(Fragile(), saved(durability)));
        reducer_is_broken = false;
        EXPECT_EQ(result.error->describe(), "a reducer failed to apply an update: reducer is out of order");
        const auto stored = loop_.run(store_->checkpoints().get("thread")).value();
        ASSERT_EQ(stored.has_value(), durability != Durability::exit);
        if (stored) EXPECT_EQ(to_text(stored->state), R"({"log":["a"]})");
    }
}

// ---- Running side by side

TEST_F(EngineTest, RunsNoMoreTasksAtOnceThanAllowed) {
    int running = 0;
    int most = 0;
    Graph<Notes> graph("wide");
    graph.node("work", [&](const Notes&, const int&, Context& context) -> Task<NotesUpdate> {
        most = std::max(most, ++running);
        co_await context.clock().sleep_for(10ms);
        --running;
        co_return NotesUpdate();
    });
    graph.node("join", [](const Notes&) { return NotesUpdate(); }).edge("join", kEnd);
    graph.fan_out(kStart, [](const Notes&) { return std::vector<int>(10); }, "work", {.join = "join"});
    const auto compiled = must_compile(graph);
    for (const int allowed : {0, 1, 3, 10, 100}) {
        const int limit = std::max(1, allowed);
        most = 0;
        auto limited = options();
        limited.parallel_limit = allowed;
        const Instant began = loop_.clock.now();
        EXPECT_EQ(loop_.run(compiled.run(Notes(), limited)).status, RunStatus::finished);
        EXPECT_EQ(most, std::min(limit, 10));
        EXPECT_EQ(loop_.clock.now() - began, 10ms * ((10 + limit - 1) / limit));
    }
}

TEST_F(EngineTest, RunsAThousandTasksAndKeepsTheirOrder) {
    Graph<Notes> graph("wide");
    graph.node("work", [](const Notes&, const int& item, Context& context) -> Task<NotesUpdate> {
        co_await context.clock().sleep_for(std::chrono::milliseconds(1'000 - item));  // the last one ends first
        co_return note(std::to_string(item));
    });
    graph.node("join", [](const Notes& state) { return note(fmt::format("{} found", state.log.size())); });
    graph.fan_out(kStart, [](const Notes& state) { return state.items; }, "work", {.join = "join"}).edge("join", kEnd);
    Notes input;
    for (int i = 0; i < 1'000; ++i) input.items.push_back(i);
    const auto result = loop_.run(must_compile(graph).run(std::move(input), saved(Durability::async)));
    ASSERT_EQ(result.status, RunStatus::finished);
    ASSERT_EQ(result.state.log.size(), 1'001u);
    for (int i = 0; i < 1'000; ++i) EXPECT_EQ(result.state.log[static_cast<std::size_t>(i)], std::to_string(i));
    EXPECT_EQ(result.state.log.back(), "1000 found");
}

TEST_F(EngineTest, GoesRoundALoopThirtyTimesAndSavesSnapshotsAtIntervals) {
    Graph<Notes> graph("loop");
    graph.node("count", [](const Notes& state) { return note(std::to_string(state.log.size() + 1)); });
    graph.branch("count", [](const Notes& state) { return state.log.size() < 30 ? "count" : "END"; },
                 {"count", std::string(kEnd)});
    graph.edge(kStart, "count");
    const auto compiled = must_compile(graph);
    const auto result = loop_.run(compiled.run(Notes(), saved()));
    EXPECT_EQ(result.steps, 30);

    auto stored = checkpoints();
    std::ranges::reverse(stored);
    ASSERT_EQ(stored.size(), 31u);
    for (std::size_t i = 0; i < stored.size(); ++i) {
        EXPECT_EQ(stored[i].is_snapshot, i % (kSnapshotInterval + 1) == 0) << i;
        const auto read = loop_.run(store_->checkpoints().get("thread", stored[i].id)).value();
        EXPECT_EQ(read->state.at("log").as_array().size(), i);
    }
}

TEST_F(EngineTest, JoinsTwoFanOutsOnceAlsoWhenOneOfThemIsEmpty) {
    Graph<Notes> graph("two");
    graph.node("plan", [](const Notes&) { return NotesUpdate(); }).edge(kStart, "plan");
    graph.node("number", [](const Notes&, const int& item) { return note(std::to_string(item)); });
    graph.node("word", [](const Notes&, const std::string& item) { return note(item); });
    graph.node("join", [](const Notes&) { return note("joined"); }).edge("join", kEnd);
    graph.fan_out("plan", [](const Notes& state) { return state.items; }, "number", {.join = "join"});
    graph.fan_out("plan", [](const Notes&) { return std::vector<std::string>{"a", "b"}; }, "word", {.join = "join"});
    const auto compiled = must_compile(graph);
    EXPECT_THAT(loop_.run(compiled.run({.items = {}}, options())).state.log, ElementsAre("a", "b", "joined"));
    EXPECT_THAT(loop_.run(compiled.run({.items = {7}}, options())).state.log, ElementsAre("7", "a", "b", "joined"));
}

TEST_F(EngineTest, CanBeRunManyTimesAtOnce) {
    const auto graph = in_a_row(sleep_for_an_hour, [](const Notes&) { return note("done"); });
    std::vector<std::shared_ptr<Started<RunResult<Notes>>>> runs;
    for (int i = 0; i < 10; ++i) runs.push_back(loop_.start(graph.run({.route = std::to_string(i)}, options())));
    loop_.clock.advance(1h);
    loop_.settle();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        ASSERT_TRUE(runs[i]->ended());
        EXPECT_EQ(runs[i]->value->state.route, std::to_string(i));
        EXPECT_THAT(runs[i]->value->state.log, ElementsAre("slept", "done"));
    }
}

TEST_F(EngineTest, OutlivesTheGraphItWasStartedFrom) {
    auto graph = std::make_unique<CompiledGraph<Notes>>(in_a_row(sleep_for_an_hour));
    const auto run = loop_.start(graph->run(Notes(), options()));
    graph.reset();
    loop_.clock.advance(1h);
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_THAT(run->value->state.log, ElementsAre("slept"));
}

// ---- What a node is told

TEST_F(EngineTest, TellsANodeWhereItRuns) {
    const auto graph = in_a_row([](const Notes&) { return note("first"); },
                                [](const Notes&, Context& context) {
                                    return note(fmt::format("{} {} {} {} {}", context.run_id(), context.thread_id(),
                                                            context.node(), context.step(), context.attempt()));
                                });
    auto named = options();
    named.run_id = "my-run";
    const auto result = loop_.run(graph.run(Notes(), named));
    EXPECT_EQ(result.state.log.back(), "my-run thread n2 2 1");
    EXPECT_EQ(result.run_id, "my-run");
}

TEST_F(EngineTest, NamesARunAndAThreadThatHaveNoName) {
    auto nameless = options();
    nameless.thread_id.clear();
    const auto result = loop_.run(in_a_row([](const Notes&) { return NotesUpdate(); }).run(Notes(), nameless));
    EXPECT_EQ(result.run_id.size(), 26u);
    EXPECT_EQ(result.thread_id, result.run_id);
    EXPECT_EQ(result.checkpoint_id, "");
}

TEST_F(EngineTest, KeepsTheCallersMetadataWithEveryCheckpoint) {
    auto labelled = saved();
    labelled.run_id = "my-run";
    labelled.metadata = {{"user", "ada"}, {"step", "mine is not the engine's"}};
    const auto result = loop_.run(in_a_row([](const Notes&) { return NotesUpdate(); }).run(Notes(), labelled));
    const auto stored = checkpoints();
    ASSERT_EQ(stored.size(), 2u);
    EXPECT_EQ(stored[0].id, result.checkpoint_id);
    for (const auto& checkpoint : stored) EXPECT_EQ(checkpoint.metadata.at("user"), json::value("ada"));
    EXPECT_EQ(stored[0].metadata.at("graph"), json::value("row"));
    EXPECT_EQ(stored[0].metadata.at("run_id"), json::value("my-run"));
    EXPECT_EQ(stored[0].metadata.at("step"), json::value(1));
}

}  // namespace

}  // namespace quaestor::graph
