// What a run does against what a client of document 001 is told of it.
#include "server/api/event_map.hpp"

#include "server/api/totals.hpp"
#include "server/api/turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::server::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using workflows::Answer;
using workflows::AnswerStatus;

graph::Event step(graph::EventKind kind, std::string node, std::int64_t task = 0, json::value data = {}) {
    graph::Event event;
    event.kind = kind;
    event.node = std::move(node);
    event.task = task;
    event.data = std::move(data);
    if (kind == graph::EventKind::node_end) event.status = graph::NodeStatus::success;
    return event;
}
graph::Event starts(std::string node, std::int64_t task = 0) {
    return step(graph::EventKind::node_start, std::move(node), task);
}
graph::Event ends(std::string node, json::object set = {}, std::int64_t task = 0) {
    return step(graph::EventKind::node_end, std::move(node), task, {{"set", std::move(set)}});
}

std::vector<std::string> names(const EventMap::Events& events) {
    std::vector<std::string> all;
    for (const auto& event : events) all.push_back(event.name);
    return all;
}

EventMap map_of(const std::string& question) {
    return EventMap({.run_id = "r1", .thread_id = "t1", .owner = "", .agent = "nba", .question = question});
}

const json::value& field(const ServerEvent& event, std::string_view name) {
    return event.data.at(name);
}

TEST(EventMapOfTools, TellsACallBeforeItsFirstStepAndItsOutputAfterItsLast) {
    auto map = map_of("How many teams?");
    EXPECT_THAT(names(map.hear(starts("select_tables"))), ElementsAre("node_start"));
    EXPECT_THAT(names(map.hear(ends("select_tables"))), ElementsAre("pipeline_state"));
    const auto begun = map.hear(starts("generate_sql"));
    ASSERT_THAT(names(begun), ElementsAre("tool_call", "node_start"));
    EXPECT_EQ(field(begun[0], "name"), json::value("query_tool"));
    EXPECT_EQ(field(begun[0], "content"), json::value("How many teams?"));
    EXPECT_EQ(field(begun[0], "message_type"), json::value("tool_call"));
    EXPECT_EQ(field(begun[0], "source"), json::value("agent"));
    EXPECT_THAT(names(map.hear(ends("generate_sql"))), ElementsAre("pipeline_state"));
    (void)map.hear(starts("execute_sql"));
    const json::object found{{"sql", "SELECT 1"}, {"result", {{"columns", {"n"}}, {"rows", {{1}}}, {"row_count", 1}}}};
    const auto ended = map.hear(ends("execute_sql", {{"finding", found}}));
    ASSERT_THAT(names(ended), ElementsAre("pipeline_state", "tool_output"));
    EXPECT_EQ(field(ended[1], "content"), json::value("rows: 1"));
    EXPECT_EQ(field(ended[1], "source"), json::value("execute_sql"));
}

TEST(EventMapOfTools, KeepsSubQuestionsApartAndCallsAgainForAnotherTry) {
    auto map = map_of("Compare them");
    const auto first = map.hear(starts("answer_sub_query", 0));
    const auto second = map.hear(starts("answer_sub_query", 1));
    EXPECT_EQ(field(first[0], "query_index"), json::value(1));
    EXPECT_EQ(field(second[0], "query_index"), json::value(2));
    EXPECT_THAT(names(map.hear(ends("answer_sub_query", {}, 1))), ElementsAre("pipeline_state", "tool_output"));
    EXPECT_THAT(names(map.hear(starts("answer_sub_query", 1))), ElementsAre("tool_call", "node_start"));
}

TEST(EventMapOfTools, GivesACallThatWasBrokenOffAnOutputBeforeTheEnd) {
    auto map = map_of("How many?");
    (void)map.hear(starts("search_corpus"));
    Answer answer;
    answer.status = AnswerStatus::failed;
    answer.answer = "I could not finish.";
    const auto told = names(map.end(answer));
    EXPECT_EQ(std::ranges::count(told, "tool_output"), 1);
    EXPECT_EQ(told.back(), "done");
    (void)map.hear(starts("generate_sql"));
    EXPECT_EQ(std::ranges::count(names(map.fail(Error{Code::internal, "gone", {}, {}})), "tool_output"), 1);
}

TEST(EventMapOfLinks, SendsEachAddressOnceAndDirectlyAfterItsStage) {
    auto map = map_of("What does Kenya export?");
    const json::array links{{{"url", "https://a"}, {"label", "Kenya"}}, {{"url", "https://b"}, {"label", "Tea"}}};
    const auto first = map.hear(ends("format_graphql_results", {{"atlas_links", links}}));
    ASSERT_THAT(names(first), ElementsAre("pipeline_state", "atlas_links"));
    EXPECT_EQ(field(first[1], "atlas_links").as_array().size(), 2u);
    EXPECT_EQ(field(first[1], "query_index"), json::value(1));
    const auto again = map.hear(ends("format_graphql_results", {{"atlas_links", links}}, 1));
    EXPECT_THAT(names(again), ElementsAre("pipeline_state"));
}

Answer timed_answer() {
    Answer answer;
    answer.status = AnswerStatus::answered;
    answer.timing_ms = 100;
    answer.trace = {
        {"generate_sql", "error", 1, 20}, {"generate_sql", "success", 2, 10}, {"execute_sql", "success", 1, 15}};
    answer.queries.push_back({"sql", "SELECT 42", "made up", {"teams"}, {{{"n"}}, {{42}}, 1, false, 12.5}});
    return answer;
}

TEST(StepTiming, SaysForEachNodeAndPipelineWhereTheTimeWent) {
    const auto timing = step_timing(timed_answer());
    const auto& generated = timing.at("by_node").at("generate_sql");
    EXPECT_EQ(generated.at("wall_time_ms"), json::value(30.0));
    EXPECT_EQ(generated.at("call_count"), json::value(2));
    EXPECT_EQ(generated.at("llm_time_ms"), json::value(0));
    EXPECT_EQ(timing.at("by_node").at("execute_sql").at("io_time_ms"), json::value(12.5));
    EXPECT_EQ(timing.at("by_pipeline").at("query_tool").at("wall_time_ms"), json::value(45.0));
    EXPECT_EQ(timing.at("total").at("wall_time_ms"), json::value(100.0));
    EXPECT_EQ(timing.at("total").at("overhead_ms"), json::value(55.0));
    EXPECT_FALSE(timing.at("total").as_object().contains("call_count"));
    EXPECT_EQ(timing.at("slowest_node"), json::value("generate_sql"));
}

TEST(StepTiming, IsEmptyWithoutStepsAndDoesNotPretendToKnowAModelsTime) {
    const auto none = step_timing(Answer{});
    EXPECT_THAT(none.at("by_node").as_object(), IsEmpty());
    EXPECT_TRUE(none.at("slowest_node").is_null());
    auto answer = timed_answer();
    answer.usage.llm_calls = 1;
    EXPECT_TRUE(step_timing(answer).at("total").at("llm_time_ms").is_null());
}

TEST(Totals, CountSearchesOfDocumentsAsCallsOfTheirTool) {
    auto answer = timed_answer();
    answer.trace.push_back({"search_corpus", "success", 1, 3});
    const auto totals = totals_of(answer);
    EXPECT_EQ(totals.at("tool_call_counts"), (json::object{{"query_tool", 1}, {"docs_tool", 1}}));
    EXPECT_EQ(totals.at("total_execution_time_ms"), json::value(12.5));
}

TEST(TurnSummary, NamesTheDocumentsThatWereCitedEachOnce) {
    TurnRecord turn;
    turn.answer = {{"citations", {{{"document", "a.md"}}, {{"document", "b.md"}}, {{"document", "a.md"}}}}};
    const auto summary = summary_json(turn);
    EXPECT_EQ(summary.at("docs_consulted"), (json::array{"a.md", "b.md"}));
    EXPECT_EQ(metadata_json(summary).at("has_docs_consulted"), json::value(true));
    EXPECT_EQ(metadata_json(summary).at("has_queries"), json::value(false));
}

}  // namespace

}  // namespace quaestor::server::testing
