#include "graph/event.hpp"

#include "run_fixture.hpp"

#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>

#include <thread>

namespace quaestor::graph {

namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class EventTest : public RunTest {
protected:
    EventStream make_stream(std::size_t capacity, ReaderGone when_gone = ReaderGone::cancel_run) {
        return EventStream(loop_.context().get_executor(), when_gone, capacity);
    }

    RunOptions heard_by(EventStream& stream) {
        auto heard = options();
        heard.events = &stream;
        return heard;
    }

    /// Counts its calls and does nothing else.
    auto counting() {
        return [this](const Notes&) {
            ++calls_;
            return NotesUpdate();
        };
    }

    int calls_ = 0;
};

Event numbered(int number) {
    Event event;
    event.step = number;
    event.node = "a name that is too long for the small string optimisation";
    event.data = {{"text", "a text that is too long for it as well"}, {"number", number}};
    return event;
}

/// The text of every token, in order, until the run has ended.
Task<std::vector<std::string>> tokens_of(EventStream& stream) {
    std::vector<std::string> tokens;
    while (auto event = co_await stream.next()) {
        if (event->kind == EventKind::token) tokens.emplace_back(event->data.as_string());
    }
    co_return tokens;
}

/// A node that tells `count` tokens.
auto chatty(int count) {
    return [count](const Notes&, Context& context) -> Task<NotesUpdate> {
        for (int i = 0; i < count; ++i) co_await context.token(std::to_string(i));
        co_return NotesUpdate();
    };
}

std::vector<std::string> numbers_below(int count) {
    std::vector<std::string> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(std::to_string(i));
    return numbers;
}

// ---- The stream by itself

TEST_F(EventTest, ComesOutAsItWentIn) {
    auto stream = make_stream(10);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(loop_.run(stream.push(numbered(i))));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(encode(loop_.run(stream.next()).value()), encode(numbered(i)));
}

TEST_F(EventTest, StaysIntactWhenTheQueueWasFull) {
    auto stream = make_stream(1);
    std::vector<std::shared_ptr<Started<bool>>> pushes;
    for (int i = 0; i < 10; ++i) pushes.push_back(loop_.start(stream.push(numbered(i))));
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(std::ranges::count_if(pushes, [](const auto& push) { return push->ended(); }), i + 1);
        EXPECT_EQ(encode(loop_.run(stream.next()).value()), encode(numbered(i)));
        loop_.settle();
    }
}

TEST_F(EventTest, WakesAReaderThatWaits) {
    auto stream = make_stream(1);
    const auto reading = loop_.start(stream.next());
    EXPECT_FALSE(reading->ended());
    loop_.run(stream.push(numbered(1)));
    loop_.settle();
    ASSERT_TRUE(reading->ended());
    EXPECT_EQ((*reading->value)->step, 1);
}

TEST_F(EventTest, CanStillBeReadAfterTheEnd) {
    auto stream = make_stream(10);
    loop_.run(stream.push(numbered(1)));
    loop_.run(stream.push(numbered(2)));
    stream.finish();
    EXPECT_EQ(loop_.run(stream.next())->step, 1);
    EXPECT_EQ(loop_.run(stream.next())->step, 2);
    EXPECT_EQ(loop_.run(stream.next()), std::nullopt);
    EXPECT_EQ(loop_.run(stream.next()), std::nullopt);
}

TEST_F(EventTest, EndsForAReaderThatWaits) {
    auto stream = make_stream(1);
    const auto reading = loop_.start(stream.next());
    stream.finish();
    loop_.settle();
    ASSERT_TRUE(reading->ended());
    EXPECT_EQ(*reading->value, std::nullopt);
}

TEST_F(EventTest, IsNotKeptForAReaderThatHasLeft) {
    auto stream = make_stream(10);
    loop_.run(stream.push(numbered(1)));
    stream.leave();
    EXPECT_FALSE(loop_.run(stream.push(numbered(2))));
    EXPECT_EQ(loop_.run(stream.next()), std::nullopt);
}

TEST_F(EventTest, LetsAllWhoWaitForRoomGoWhenTheReaderLeaves) {
    auto stream = make_stream(1);
    std::vector<std::shared_ptr<Started<bool>>> pushes;
    for (int i = 0; i < 5; ++i) pushes.push_back(loop_.start(stream.push(numbered(i))));
    stream.leave();
    loop_.settle();
    for (const auto& push : pushes) EXPECT_TRUE(push->ended());
    EXPECT_FALSE(*pushes.back()->value);
}

TEST_F(EventTest, NeedsRoomForAtLeastOne) {
    auto stream = make_stream(0);
    EXPECT_TRUE(loop_.start(stream.push(numbered(1)))->ended());
}

// ---- Back-pressure on a run

TEST_F(EventTest, HoldsTheRunAtTheBoundUntilSomebodyReads) {
    auto stream = make_stream(3);  // run_start, and start and end of the first node
    const auto run = loop_.start(in_a_row(counting(), counting(), counting()).run(Notes(), heard_by(stream)));
    EXPECT_EQ(calls_, 1);
    EXPECT_FALSE(run->ended());
    loop_.run(stream.next());
    loop_.settle();
    EXPECT_EQ(calls_, 2);
    loop_.run(stream.next());
    loop_.settle();
    EXPECT_EQ(calls_, 2);
    loop_.start(tokens_of(stream));
    EXPECT_EQ(calls_, 3);
    EXPECT_TRUE(run->ended());
}

TEST_F(EventTest, TellsEverythingInOrderThroughANarrowQueue) {
    auto stream = make_stream(1);
    const auto heard = loop_.start(tokens_of(stream));
    const auto result = loop_.run(in_a_row(chatty(100)).run(Notes(), heard_by(stream)));
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_EQ(loop_.finish(*heard), numbers_below(100));
}

TEST_F(EventTest, StopsANodeThatWaitsForRoom) {
    auto stream = make_stream(4);
    const auto run = loop_.start(in_a_row(chatty(100)).run(Notes(), heard_by(stream)));
    cancel_.cancel(CancelReason::user_request);
    loop_.settle();
    EXPECT_FALSE(run->ended());  // it has more to tell: how the node and the run ended
    const auto heard = loop_.start(tokens_of(stream));
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(run->value->status, RunStatus::cancelled);
    EXPECT_EQ(loop_.finish(*heard), numbers_below(2));
}

// ---- Readers that leave

TEST_F(EventTest, CancelsTheRunWhenTheReaderLeaves) {
    auto stream = make_stream(100);
    const auto run = loop_.start(in_a_row([](const Notes&, Context& context) -> Task<NotesUpdate> {
                                     co_await context.clock().sleep_for(1h);
                                     co_return NotesUpdate();
                                 }).run(Notes(), heard_by(stream)));
    EXPECT_FALSE(run->ended());
    stream.leave();
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(run->value->status, RunStatus::cancelled);
    EXPECT_EQ(run->value->error->describe(), "node n1 was stopped: stopped because the client went away");
}

TEST_F(EventTest, CancelsARunThatWaitsForRoomWhenTheReaderLeaves) {
    auto stream = make_stream(2);
    const auto run = loop_.start(in_a_row(counting(), counting()).run(Notes(), heard_by(stream)));
    EXPECT_FALSE(run->ended());
    stream.leave();
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_EQ(run->value->status, RunStatus::cancelled);
    EXPECT_EQ(calls_, 1);
}

TEST_F(EventTest, LetsTheRunFinishWithoutItsReader) {
    for (const std::size_t capacity : {1u, 2u, 3u, 100u}) {
        calls_ = 0;
        auto stream = make_stream(capacity, ReaderGone::finish_run);
        const auto run = loop_.start(in_a_row(counting(), chatty(10), counting()).run(Notes(), heard_by(stream)));
        stream.leave();
        loop_.settle();
        ASSERT_TRUE(run->ended());
        EXPECT_EQ(run->value->status, RunStatus::finished);
        EXPECT_EQ(calls_, 2);
    }
}

TEST_F(EventTest, LetsAllTasksOfAFanOutFinishWithoutTheirReader) {
    Graph<Notes> graph("fan");
    graph.node("work", [](const Notes&, const int& item, Context& context) -> Task<NotesUpdate> {
        co_await context.token("working");
        co_return note(std::to_string(item));
    });
    graph.node("join", counting()).edge("join", kEnd);
    graph.fan_out(kStart, [](const Notes& state) { return state.items; }, "work", {.join = "join"});
    auto stream = make_stream(2, ReaderGone::finish_run);
    const auto run = loop_.start(must_compile(graph).run({.items = {1, 2, 3, 4, 5}}, heard_by(stream)));
    EXPECT_FALSE(run->ended());
    stream.leave();
    loop_.settle();
    ASSERT_TRUE(run->ended());
    EXPECT_THAT(run->value->state.log, ElementsAre("1", "2", "3", "4", "5"));
}

TEST_F(EventTest, CancelsAsSoonAsTheCallerOrTheReaderWantsIt) {
    auto stream = make_stream(100);
    cancel_.cancel(CancelReason::budget);
    const auto result = loop_.run(in_a_row(counting()).run(Notes(), heard_by(stream)));
    EXPECT_EQ(result.status, RunStatus::cancelled);
    EXPECT_EQ(result.error->message, "stopped because the budget is used up");
    EXPECT_EQ(calls_, 0);
}

// ---- Readers in other threads

TEST_F(EventTest, ReachesAReaderInAnotherThread) {
    asio::thread_pool other(1);
    EventStream stream(other.get_executor(), ReaderGone::cancel_run, 4);
    std::vector<std::string> heard;
    asio::co_spawn(other, tokens_of(stream),
                   [&](std::exception_ptr, std::vector<std::string> tokens) { heard = std::move(tokens); });
    const auto result = run_to_end(in_a_row(chatty(2'000)).run(Notes(), heard_by(stream)));
    other.join();
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_EQ(heard, numbers_below(2'000));
}

TEST_F(EventTest, LosesItsReaderInAnotherThreadAtAnyMoment) {
    for (int round = 0; round < 200; ++round) {
        const auto when_gone = round % 2 == 0 ? ReaderGone::cancel_run : ReaderGone::finish_run;
        asio::thread_pool other(1);
        EventStream stream(other.get_executor(), when_gone, 2);
        const auto read_some_and_leave = [&]() -> Task<> {
            for (int i = 0; i < round / 2; ++i) co_await stream.next();
            stream.leave();
        };
        asio::co_spawn(other, read_some_and_leave, asio::detached);
        const auto result = run_to_end(in_a_row(chatty(20), counting()).run(Notes(), heard_by(stream)));
        other.join();
        if (when_gone == ReaderGone::finish_run) EXPECT_EQ(result.status, RunStatus::finished);
        EXPECT_NE(result.status, RunStatus::failed);
    }
}

}  // namespace

}  // namespace quaestor::graph
