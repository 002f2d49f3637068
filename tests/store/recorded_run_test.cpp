#include "store/recorded_run.hpp"

#include "graph/graph.hpp"
#include "store/memory.hpp"

#include <boost/describe/class.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

namespace quaestor::store {

namespace {

using graph::AnyResult;
using graph::Context;
using graph::Graph;
using graph::kEnd;
using graph::kStart;
using graph::RunStatus;
using graph::Update;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct State {
    std::string word;
    std::vector<std::string> log;

    static constexpr auto kReducers = std::tuple{graph::append<&State::log>};
};
BOOST_DESCRIBE_STRUCT(State, (), (word, log))

Update<State> log_entry(std::string entry) {
    return Update<State>{}.add<&State::log>(std::move(entry));
}

/// A store in memory whose records can be watched, and whose saving can be made to fail.
class WatchedStore final : public Store, public TraceStore {
public:
    graph::CheckpointStore& checkpoints() override { return inner_->checkpoints(); }
    ConversationStore& conversations() override { return inner_->conversations(); }
    TraceStore& traces() override { return *this; }
    Task<Result<StoreHealth>> health() override { return inner_->health(); }

    Task<Result<>> save(RunRecord record) override {
        statuses.push_back(record.status);
        if (record.status == fail_when) co_return fail(Code::unavailable, "the disk is full", "make room");
        co_return co_await inner_->traces().save(std::move(record));
    }
    Task<Result<std::optional<RunRecord>>> get(std::string run_id) override {
        return inner_->traces().get(std::move(run_id));
    }
    Task<Result<std::vector<RunRecord>>> list(RunQuery query) override {
        return inner_->traces().list(std::move(query));
    }

    std::vector<std::string> statuses;  ///< of every record that was to be saved
    std::string fail_when = "never";    ///< the status with which saving fails

private:
    std::unique_ptr<Store> inner_ = open_memory();
};

class RecordedRun : public testing::Test {
protected:
    /// A graph of two nodes: "first", which is given, and "second", which only logs.
    template <class Body>
    void build(Body first, graph::NodePolicy<State> policy = {}) {
        graph_ = std::make_unique<graph::CompiledGraph<State>>(Graph<State>("pair")
                                                                   .node("first", first, std::move(policy))
                                                                   .node("second", second_)
                                                                   .edge(kStart, "first")
                                                                   .edge("first", "second")
                                                                   .edge("second", kEnd)
                                                                   .compile()
                                                                   .value());
    }

    AnyResult run(Listener listener = {}, json::value input = {{"word", "go"}}) {
        return run_to_end(run_recorded(store_, *graph_, std::move(input), options(), std::move(listener)));
    }
    AnyResult resume(graph::Answers answers = {}) {
        return run_to_end(resume_recorded(store_, *graph_, record(), std::move(answers), options()));
    }
    RunRecord record() { return run_to_end(store_.get("run")).value().value(); }

    graph::RunOptions options() {
        graph::RunOptions options;
        options.run_id = "run";
        options.thread_id = "thread";
        options.durability = graph::Durability::sync;
        options.cancel = cancel_.token();
        options.clock = &clock_;
        return options;
    }

    /// "step node status attempt" of every step in the trace.
    std::vector<std::string> trace() {
        std::vector<std::string> lines;
        for (const auto& step : record().trace) {
            lines.push_back(fmt::format("{} {} {} {}", step.step, step.node, step.status, step.attempt));
        }
        return lines;
    }

    ManualClock clock_;
    CancelSource cancel_;
    WatchedStore store_;
    std::unique_ptr<graph::AnyGraph> graph_;

private:
    static Update<State> second_(const State&) { return log_entry("second"); }
};

TEST_F(RecordedRun, AppearsAsRunningBeforeItsFirstNode) {
    std::optional<RunRecord> seen;
    build([&](const State&, Context&) -> Task<Update<State>> {
        seen = (co_await store_.get("run")).value();
        co_return log_entry("first");
    });
    EXPECT_EQ(run().status, RunStatus::finished);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->status, "running");
    EXPECT_EQ(seen->graph, "pair");
    EXPECT_EQ(seen->input, json::value({{"word", "go"}}));
    EXPECT_FALSE(seen->ended_at);
    EXPECT_THAT(store_.statuses, ElementsAre("running", "finished"));
}

TEST_F(RecordedRun, IsCompleteWhenItHasFinished) {
    build([&](const State&) {
        clock_.advance(std::chrono::seconds(2));
        return log_entry("first");
    });
    const auto began = clock_.wall();
    const auto result = run();
    const auto kept = record();
    EXPECT_EQ(result.run_id, "run");
    EXPECT_EQ(kept.status, "finished");
    EXPECT_EQ(kept.thread_id, "thread");
    EXPECT_EQ(kept.started_at, began);
    EXPECT_EQ(kept.ended_at, began + std::chrono::seconds(2));
    EXPECT_EQ(to_text(kept.outcome), R"({"state":{"word":"go","log":["first","second"]}})");
    EXPECT_THAT(trace(), ElementsAre("1 first success 1", "2 second success 1"));
    EXPECT_EQ(kept.trace.front().latency_ms, 2'000);
}

TEST_F(RecordedRun, KeepsEveryAttemptWithItsError) {
    int calls = 0;
    build(
        [&](const State&) -> Update<State> {
            if (++calls == 1) return Error{Code::unavailable, "down"}.because({Code::unavailable, "no route"});
            return log_entry("first");
        },
        {.retry = {.attempts = 2, .delay = std::chrono::milliseconds(0)}});
    EXPECT_EQ(run().status, RunStatus::finished);
    EXPECT_THAT(trace(), ElementsAre("1 first error 1", "1 first success 2", "2 second success 1"));
    EXPECT_EQ(record().trace.front().error, "down: no route");
    EXPECT_EQ(record().trace.back().error, "");
}

TEST_F(RecordedRun, KeepsWhyItFailed) {
    build(
        [](const State&) -> Update<State> { return Error{Code::invalid_argument, "it cannot work", "try otherwise"}; });
    const auto result = run();
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(record().status, "failed");
    EXPECT_TRUE(record().ended_at);
    EXPECT_EQ(decode_error(record().outcome.at("error")).describe(), "node first failed: it cannot work");
    EXPECT_THAT(trace(), ElementsAre("1 first error 1"));
}

TEST_F(RecordedRun, KeepsTheOpenQuestionAndThenTheAnswer) {
    build([](const State&, Context& context) { return log_entry(context.interrupt<std::string>("which?")); });
    const auto began = clock_.wall();
    EXPECT_EQ(run().status, RunStatus::interrupted);
    EXPECT_EQ(record().status, "interrupted");
    EXPECT_THAT(to_text(record().outcome), HasSubstr(R"("question":"which?")"));

    clock_.advance(std::chrono::hours(1));
    EXPECT_EQ(resume({{graph::kOnlyQuestion, "this"}}).status, RunStatus::finished);
    EXPECT_EQ(record().status, "finished");
    EXPECT_EQ(record().started_at, began);
    EXPECT_EQ(record().ended_at, began + std::chrono::hours(1));
    EXPECT_EQ(to_text(record().outcome), R"({"state":{"word":"go","log":["this","second"]}})");
    EXPECT_THAT(trace(), ElementsAre("1 first interrupted 1", "1 first success 1", "2 second success 1"));
    EXPECT_THAT(store_.statuses, ElementsAre("running", "interrupted", "running", "finished"));
}

TEST_F(RecordedRun, CanGoOnAfterItWasCancelled) {
    build([this, is_first_time = std::make_shared<bool>(true)](const State&) {
        if (std::exchange(*is_first_time, false)) cancel_.cancel(CancelReason::user_request);
        return log_entry("first");
    });
    EXPECT_EQ(run().status, RunStatus::cancelled);
    EXPECT_EQ(record().status, "cancelled");
    EXPECT_EQ(record().outcome.at("error").at("code"), json::value("cancelled"));

    cancel_ = CancelSource();
    EXPECT_EQ(resume().status, RunStatus::finished);
    EXPECT_EQ(record().status, "finished");
    EXPECT_THAT(trace(), testing::Contains("2 second success 1"));
}

TEST_F(RecordedRun, StaysAsItWasWhenItCannotGoOn) {
    build([](const State&, Context& context) { return log_entry(context.interrupt<std::string>("which?")); });
    ASSERT_EQ(run().status, RunStatus::interrupted);
    const auto waiting = encode(record());
    EXPECT_EQ(resume({{"first:0:9", "this"}}).status, RunStatus::failed);
    EXPECT_EQ(encode(record()), waiting);

    ASSERT_EQ(resume({{graph::kOnlyQuestion, "this"}}).status, RunStatus::finished);
    const auto finished = encode(record());
    const auto again = resume();
    EXPECT_EQ(again.status, RunStatus::failed);
    EXPECT_EQ(again.error->code, Code::conflict);
    EXPECT_EQ(encode(record()), finished);
}

TEST_F(RecordedRun, OverACheckpointOfAnotherIsARunOfItsOwn) {
    build([](const State&) { return log_entry("first"); });
    ASSERT_EQ(run().status, RunStatus::finished);
    RunRecord fork{.run_id = "fork", .thread_id = "thread", .graph = "pair", .started_at = clock_.wall()};
    const auto result = run_to_end(resume_recorded(store_, *graph_, fork, {}, options()));
    EXPECT_EQ(result.status, RunStatus::failed);  // the thread is at its end
    EXPECT_EQ(result.run_id, "fork");
    EXPECT_EQ(run_to_end(store_.get("fork")).value()->status, "failed");
    EXPECT_EQ(record().status, "finished");
}

TEST_F(RecordedRun, IsRecordedAlsoWhenItsInputDoesNotFit) {
    build([](const State&) { return log_entry("first"); });
    const auto result = run({}, {{"wrd", "go"}});
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.run_id, "run");
    EXPECT_EQ(record().status, "failed");
    EXPECT_THAT(record().trace, IsEmpty());
}

TEST_F(RecordedRun, GetsIdsWhereNoneAreGiven) {
    build([](const State&) { return log_entry("first"); });
    const auto result = run_to_end(run_recorded(store_, *graph_, json::object{}, {}));
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_TRUE(is_valid_id(result.run_id));
    EXPECT_EQ(result.thread_id, result.run_id);
    EXPECT_EQ(run_to_end(store_.get(result.run_id)).value()->status, "finished");
}

TEST_F(RecordedRun, DoesNotBeginWhenThatCannotBeRecorded) {
    bool was_called = false;
    build([&](const State&) {
        was_called = true;
        return log_entry("first");
    });
    store_.fail_when = "running";
    const auto result = run();
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.run_id, "run");
    EXPECT_EQ(result.error->describe(), "the disk is full");
    EXPECT_FALSE(was_called);
}

TEST_F(RecordedRun, FailsWhenItsEndCannotBeRecorded) {
    build([](const State&) { return log_entry("first"); });
    store_.fail_when = "finished";
    const auto result = run();
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.error->code, Code::unavailable);
    EXPECT_EQ(result.error->describe(), "the run ended, but that could not be recorded: the disk is full");
    EXPECT_EQ(result.error->advice(), "make room");
    EXPECT_EQ(to_text(result.state), R"({"word":"go","log":["first","second"]})");
    EXPECT_EQ(record().status, "running");
}

TEST_F(RecordedRun, KeepsItsOwnErrorWhenRecordingFailsToo) {
    build([](const State&) -> Update<State> { return Error{Code::not_found, "nothing there"}; });
    store_.fail_when = "failed";
    EXPECT_EQ(run().error->describe(), "node first failed: nothing there");
}

TEST_F(RecordedRun, TellsTheListenerEverythingInOrder) {
    build([](const State&) { return log_entry("first"); });
    std::vector<std::string> heard;
    std::ignore = run([&](const graph::Event& event) {
        heard.push_back(fmt::format("{} {}", encode(event.kind).as_string().c_str(), event.node));
    });
    EXPECT_THAT(heard, ElementsAre("run_start ", "checkpoint ", "node_start first", "node_end first", "checkpoint ",
                                   "node_start second", "node_end second", "checkpoint ", "run_end "));
}

TEST_F(RecordedRun, EndsAlsoWhenTheListenerThrows) {
    build([](const State&, Context& context) -> Task<Update<State>> {
        for (int i = 0; i < 1'000; ++i) co_await context.emit("more", i);  // more than wait for a reader
        co_return log_entry("first");
    });
    EXPECT_THROW(std::ignore = run([](const graph::Event&) { throw std::runtime_error("broken"); }),
                 std::runtime_error);
    EXPECT_EQ(record().status, "finished");
}

}  // namespace

}  // namespace quaestor::store
