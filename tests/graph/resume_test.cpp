#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace quaestor::graph {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResumeTest : public RunTest {};

Answers only(json::value answer) {
    return {{kOnlyQuestion, std::move(answer)}};
}

TEST_F(ResumeTest, PassesANodesOwnErrorHandling) {
    const auto graph = in_a_row([](const Notes&, Context& context) -> Task<NotesUpdate> {
        try {
            const auto answer = context.interrupt("which?");
            co_return note(std::string(answer.as_string()));
        } catch (const std::exception&) {
            co_return note("swallowed");
        }
    });
    const auto asked = loop_.run(graph.run(Notes(), saved()));
    ASSERT_EQ(asked.status, RunStatus::interrupted);
    EXPECT_EQ(asked.interrupts.at(0).node, "n1");
    EXPECT_THAT(loop_.run(graph.resume(saved(), only("this"))).state.log, ElementsAre("this"));
}

struct Question {
    std::string text;
    std::vector<std::string> choices;
};
BOOST_DESCRIBE_STRUCT(Question, (), (text, choices))
struct Answer {
    int choice = 0;
    static constexpr auto kRequired = std::array{"choice"};
};
BOOST_DESCRIBE_STRUCT(Answer, (), (choice))

TEST_F(ResumeTest, AsksAndIsAnsweredWithTypes) {
    const auto graph = in_a_row([](const Notes&, Context& context) {
        return note(std::to_string(context.interrupt<Answer>(Question{"which?", {"a", "b"}}).choice));
    });
    const auto asked = loop_.run(graph.run(Notes(), saved()));
    EXPECT_EQ(to_text(asked.interrupts.at(0).question), R"({"text":"which?","choices":["a","b"]})");
    const auto refused = loop_.run(graph.resume(saved(), only(json::object{})));
    ASSERT_EQ(refused.status, RunStatus::interrupted);
    EXPECT_THAT(refused.interrupts.at(0).problem, HasSubstr("choice"));
    EXPECT_THAT(loop_.run(graph.resume(saved(), only({{"choice", 2}}))).state.log, ElementsAre("2"));
}

TEST_F(ResumeTest, TakesNullForAnAnswer) {
    const auto graph = in_a_row([](const Notes&, Context& context) {
        return note(context.interrupt("which?").is_null() ? "nothing" : "something");
    });
    loop_.run(graph.run(Notes(), saved()));
    EXPECT_THAT(loop_.run(graph.resume(saved(), only(nullptr))).state.log, ElementsAre("nothing"));
}

TEST_F(ResumeTest, AnswersASharedCachedNodeForEachWhoAsked) {
    Graph<Notes> graph("shared");
    const auto ask = [](const Notes&, const int& item, Context& context) -> Task<NotesUpdate> {
        co_await context.clock().sleep_for(std::chrono::milliseconds(1));
        co_return note(fmt::format("{}: {}", item, to_text(context.interrupt("how many?"))));
    };
    graph.node("ask", ask, {.cache_key = [](const Notes&) { return "same"; }});
    graph.node("join", [](const Notes&) { return NotesUpdate(); }).edge("join", kEnd);
    graph.fan_out(kStart, [](const Notes& state) { return state.items; }, "ask", {.join = "join"});
    const auto compiled = must_compile(graph, loop_.clock);
    const auto asked = loop_.run(compiled.run({.items = {1, 2}}, saved()));
    ASSERT_EQ(asked.interrupts.size(), 2u);
    EXPECT_EQ(asked.interrupts[0].id, "ask:0:0");
    EXPECT_EQ(asked.interrupts[1].id, "ask:1:0");
    EXPECT_EQ(asked.interrupts[1].question, json::value("how many?"));
    const auto answered = loop_.run(compiled.resume(saved(), {{"ask:0:0", 3}, {"ask:1:0", 3}}));
    EXPECT_EQ(answered.status, RunStatus::finished);
}

/// START -> a -> one of the targets, chosen by a function that can be made to throw.
struct Undecided {
    bool throws = true;
    std::string target = "ask";

    CompiledGraph<Notes> compile() {
        Graph<Notes> graph("undecided");
        graph.node("a", [](const Notes&) { return note("a"); }).edge(kStart, "a");
        graph.node("ask", [](const Notes&, Context& context) { return note(to_text(context.interrupt("which?"))); });
        graph.edge("ask", kEnd);
        graph.branch("a",
                     [this](const Notes&) {
                         if (throws) throw std::runtime_error("not now");
                         return target;
                     },
                     {"ask", std::string(kEnd)});
        return must_compile(graph);
    }
};

class ResumeUndecidedTest : public RunTest, public testing::WithParamInterface<Durability> {};

TEST_P(ResumeUndecidedTest, DecidesAndThenKeepsQuestionsAndAnswers) {
    Undecided undecided;
    const auto graph = undecided.compile();
    EXPECT_EQ(loop_.run(graph.run(Notes(), saved(GetParam()))).status, RunStatus::failed);
    undecided.throws = false;
    EXPECT_EQ(loop_.run(graph.resume(saved(GetParam()))).status, RunStatus::interrupted);
    const auto answered = loop_.run(graph.resume(saved(GetParam()), only(7)));
    EXPECT_EQ(answered.status, RunStatus::finished);
    EXPECT_THAT(answered.state.log, ElementsAre("a", "7"));
}

TEST_P(ResumeUndecidedTest, FinishesWhenTheWayLeadsToTheEnd) {
    Undecided undecided;
    undecided.target = kEnd;
    const auto graph = undecided.compile();
    EXPECT_EQ(loop_.run(graph.run(Notes(), saved(GetParam()))).status, RunStatus::failed);
    undecided.throws = false;
    const auto finished = loop_.run(graph.resume(saved(GetParam())));
    EXPECT_EQ(finished.status, RunStatus::finished);
    EXPECT_THAT(finished.state.log, ElementsAre("a"));
    EXPECT_EQ(loop_.run(graph.resume(saved(GetParam()))).error->code, Code::conflict);
}

TEST_P(ResumeUndecidedTest, ForksWithoutDeciding) {
    Undecided undecided;
    const auto graph = undecided.compile();
    const auto failed = loop_.run(graph.run(Notes(), saved(GetParam())));
    const auto forked = loop_.run(graph.fork(failed.checkpoint_id, NotesUpdate(), saved(GetParam())));
    ASSERT_TRUE(forked) << forked.error().describe();
    undecided.throws = false;
    EXPECT_EQ(loop_.run(graph.resume(saved(GetParam()))).status, RunStatus::interrupted);
}

INSTANTIATE_TEST_SUITE_P(Durabilities, ResumeUndecidedTest,
                         testing::Values(Durability::sync, Durability::async, Durability::exit),
                         [](const auto& info) { return boost::describe::enum_to_string(info.param, ""); });

// ---- Forks

TEST_F(ResumeTest, RefusesToForkWhatIsNotThere) {
    const auto graph = in_a_row([](const Notes&) { return NotesUpdate(); });
    loop_.run(graph.run(Notes(), saved()));
    const auto forked = loop_.run(graph.fork("nowhere", NotesUpdate(), saved()));
    ASSERT_FALSE(forked);
    EXPECT_EQ(forked.error().code, Code::not_found);
    EXPECT_EQ(forked.error().message, "thread thread has no checkpoint nowhere");
    EXPECT_EQ(loop_.run(graph.fork("nowhere", NotesUpdate(), options())).error().code, Code::invalid_argument);
}

TEST_F(ResumeTest, RefusesAForkWhoseChangeIsAnError) {
    const auto graph = in_a_row([](const Notes&) { return NotesUpdate(); });
    const auto result = loop_.run(graph.run(Notes(), saved()));
    const auto forked = loop_.run(graph.fork(result.checkpoint_id, Error{Code::not_found, "no change"}, saved()));
    ASSERT_FALSE(forked);
    EXPECT_EQ(forked.error().message, "no change");
}

TEST_F(ResumeTest, ForksSoThatTheOriginalMayBePruned) {
    const auto graph = in_a_row([](const Notes&) { return note("a"); }, [](const Notes&) { return note("b"); });
    loop_.run(graph.run(Notes(), saved()));
    const auto forked = loop_.run(graph.fork(checkpoints()[1].id, NotesUpdate(), saved()));
    ASSERT_TRUE(forked);
    ASSERT_TRUE(loop_.run(store_->checkpoints().prune({.thread_id = "thread", .keep_last = 1})));
    const auto resumed = loop_.run(graph.resume(saved()));
    EXPECT_THAT(resumed.state.log, ElementsAre("a", "b"));
}

// ---- Graphs that have changed since

TEST_F(ResumeTest, SaysWhichNodeAChangedGraphIsMissing) {
    Graph<Notes> old_graph("row");
    old_graph.node("gone", [](const Notes&, Context& context) { return note(to_text(context.interrupt("?"))); });
    old_graph.edge(kStart, "gone").edge("gone", kEnd);
    loop_.run(must_compile(old_graph).run(Notes(), saved()));

    const auto resumed = loop_.run(in_a_row([](const Notes&) { return NotesUpdate(); }).resume(saved(), only(1)));
    EXPECT_EQ(resumed.status, RunStatus::failed);
    EXPECT_EQ(resumed.error->code, Code::corrupt);
    EXPECT_EQ(resumed.error->message, "the checkpoint names node \"gone\", which graph row does not have");
    EXPECT_EQ(resumed.error->hint, "the graph has changed since; start a new thread, or run the older version");
}

struct OtherNotes {
    int log = 0;
};
BOOST_DESCRIBE_STRUCT(OtherNotes, (), (log))

TEST_F(ResumeTest, SaysWhichFieldOfAChangedStateDoesNotFit) {
    loop_.run(in_a_row([](const Notes&) { return note("a"); }).run(Notes(), saved()));
    Graph<OtherNotes> graph("row");
    graph.node("n1", [](const OtherNotes&) { return Update<OtherNotes>(); }).edge(kStart, "n1").edge("n1", kEnd);
    const auto compiled = must_compile(graph);
    for (const bool resumes : {true, false}) {
        const auto result = loop_.run(resumes ? compiled.resume(saved()) : compiled.run(OtherNotes(), saved()));
        EXPECT_EQ(result.error->code, Code::corrupt);
        EXPECT_THAT(result.error->message, HasSubstr("does not fit graph row"));
        EXPECT_THAT(result.error->describe(), HasSubstr("log: expected"));
    }
}

/// A fan-out over the state's items whose worker is `work`.
template <class Work, class Split>
CompiledGraph<Notes> fanning_out(Split split, Work work) {
    Graph<Notes> graph("fan");
    graph.node("work", work).node("join", [](const Notes&) { return NotesUpdate(); }).edge("join", kEnd);
    graph.fan_out(kStart, split, "work", {.join = "join"});
    return must_compile(graph);
}

TEST_F(ResumeTest, SaysThatAnItemOfAChangedFanOutDoesNotFit) {
    const auto old_graph =
        fanning_out([](const Notes&) { return std::vector<std::string>{"a"}; },
                    [](const Notes&, const std::string&) -> NotesUpdate { return fail(Code::internal, "down"); });
    loop_.run(old_graph.run(Notes(), saved()));
    const auto new_graph = fanning_out([](const Notes&) { return std::vector<int>{1}; },
                                       [](const Notes&, const int&) { return NotesUpdate(); });
    const auto resumed = loop_.run(new_graph.resume(saved()));
    EXPECT_EQ(resumed.status, RunStatus::failed);
    EXPECT_THAT(resumed.error->describe(), HasSubstr("expected a whole number"));
}

TEST_F(ResumeTest, SaysThatAWorkerHasBecomeAnOrdinaryNode) {
    const auto old_graph =
        fanning_out([](const Notes&) { return std::vector<int>{1}; },
                    [](const Notes&, const int&) -> NotesUpdate { return fail(Code::internal, "no"); });
    loop_.run(old_graph.run(Notes(), saved()));
    Graph<Notes> graph("fan");
    graph.node("work", [](const Notes&) { return NotesUpdate(); }).edge(kStart, "work").edge("work", kEnd);
    const auto resumed = loop_.run(must_compile(graph).resume(saved()));
    EXPECT_EQ(resumed.error->code, Code::corrupt);
    EXPECT_EQ(resumed.error->message, "the checkpoint schedules node \"work\" with an item");
}

TEST_F(ResumeTest, SurvivesMetadataThatSomebodyElseWrote) {
    Checkpoint checkpoint;
    checkpoint.thread_id = "thread";
    checkpoint.id = "strange";
    checkpoint.is_snapshot = true;
    checkpoint.change.set = encode(Notes()).as_object();
    checkpoint.position = {{"after", json::array()}, {"next", nullptr}};
    checkpoint.metadata = {{"step", "three"}, {"depth", -1.5}};
    ASSERT_TRUE(loop_.run(store_->checkpoints().put(std::move(checkpoint))));
    const auto graph = in_a_row([](const Notes&) { return note("a"); });
    EXPECT_EQ(loop_.run(graph.resume(saved())).status, RunStatus::finished);
}

}  // namespace

}  // namespace quaestor::graph
