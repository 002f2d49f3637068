#include "cli/answer_view.hpp"

#include "cli/markdown_view.hpp"
#include "cli/run_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::Not;
using workflows::Answer;
using workflows::AnswerStatus;

constexpr ChartLook kLook{.width = 60, .is_unicode = false};

TEST(Markdown, FillsLinesAndLosesItsMarks) {
    EXPECT_EQ(draw_markdown("The **Lakers** won `52` games,\nthe Celtics **49**.", 24),
              "The Lakers won 52 games,\nthe Celtics 49.\n");
    EXPECT_EQ(draw_markdown("# Wins\n\n\nBoth *teams* did_well_ **", 40), "Wins\n\nBoth *teams* did_well_ **\n");
    EXPECT_EQ(draw_markdown("", 40), "");
    EXPECT_EQ(draw_markdown("\n \n", 40), "");
}

TEST(Markdown, IndentsListsBelowTheirMark) {
    EXPECT_EQ(draw_markdown("Two:\n- one two three four\n* two\n12. twelve\n  - inner", 16),
              "Two:\n"
              "  • one two\n"
              "    three four\n"
              "  • two\n"
              "  12. twelve\n"
              "    • inner\n");
}

TEST(Markdown, DrawsTablesToTheWidth) {
    const std::string table = "| team | points |\n| :--- | ---: |\n| L\\|A | 112.5 |\n| a &lt;b&gt; | 9 |\nafter";
    EXPECT_EQ(draw_markdown(table, 40),
              "team   points\n"
              "─────  ──────\n"
              "L|A     112.5\n"
              "a <b>       9\n"
              "after\n");
    EXPECT_EQ(draw_markdown("Sources:  \n  [1] one  \n  [2] two\nand more", 40),
              "Sources:\n  [1] one\n  [2] two and more\n");
    EXPECT_THAT(draw_markdown("| a | b |\n|---|---|\n| only one |\n| 1 | 2 | 3 |", 40), HasSubstr("only one"));
}

TEST(Markdown, ShowsWhatIsEscapedAsItIs) {
    EXPECT_EQ(draw_markdown(R"(\*\*not bold\*\* \| \# \\ &amp;)", 40), "**not bold** | # \\ &\n");
    EXPECT_EQ(draw_markdown("| no table", 40), "| no table\n");
}

TEST(Markdown, KeepsTheLinesOfCode) {
    EXPECT_EQ(draw_markdown("So:\n```sql\nSELECT  1\n  FROM t\n```\nDone", 40),
              "So:\n    SELECT  1\n      FROM t\nDone\n");
    EXPECT_EQ(draw_markdown("```\nnever closed", 40), "    never closed\n");
}

TEST(Markdown, DoesNothingToTheTerminal) {
    const std::string drawn = draw_markdown("a \x1b[2J b\x07 **\x1b]0;t** \xff", 40);
    EXPECT_THAT(drawn, Not(HasSubstr("\x1b")));
    EXPECT_THAT(drawn, Not(HasSubstr("\x07")));
    EXPECT_THAT(draw_markdown("| \x1b[1m |\n| --- |\n| \x1b[2J |", 40), Not(HasSubstr("\x1b")));
}

Answer sample_answer() {
    Answer answer;
    answer.answer = "**North** sold the most: 1,200.";
    answer.status = AnswerStatus::answered;
    answer.question = "and which region?";
    answer.resolved_question = "Which region sold the most?";
    answer.assumptions = {"\"sold\" means the sum of amount"};
    answer.method = "How I found this: I looked for the sum of amount by region.";
    answer.suggestions = {"And in 2022?"};
    answer.grounding = workflows::GroundingSummary{.checked = 1, .traced = 1, .untraced = {}, .claims = {}};
    answer.confidence = workflows::confidence_of(0.9);
    workflows::AskedQuery query;
    query.text = "SELECT region, sum(amount)\nFROM sales";
    query.result.columns = {{"region", data::ValueKind::text, "VARCHAR"}, {"sum", data::ValueKind::integer, "BIGINT"}};
    query.result.rows = {{"North", 1200}, {"South", nullptr}};
    query.result.row_count = 2;
    answer.queries = {query};
    answer.trace = {{"clarify_query", "success", 1, 2.04}};
    return answer;
}

TEST(AnswerView, HasTheAnswerWhatWasAssumedHowItWasFoundAndWhatToAskNext) {
    EXPECT_EQ(draw(sample_answer(), kLook, "Reply"),
              "North sold the most: 1,200.\n"
              "\n"
              "Assumed\n"
              "  • \"sold\" means the sum of amount\n"
              "\n"
              "How I found this: I looked for the sum of amount by region.\n"
              "  SELECT region, sum(amount)\n"
              "  FROM sales\n"
              "Checked: 1 of 1 fact traced to the result.\n"
              "\n"
              "You could ask next\n"
              "  • And in 2022?\n");
}

TEST(AnswerView, LeavesOutWhatIsNotThere) {
    Answer answer;
    answer.answer = "Hello.";
    EXPECT_EQ(draw(answer, kLook, ""), "Hello.\n");
}

TEST(AnswerView, NumbersTheOptionsOfAClarification) {
    Answer answer;
    answer.answer = "Which do you mean?";
    answer.clarification = workflows::Clarification{"Which do you mean?", {"by points", "by\x1b[1m wins"}};
    EXPECT_EQ(draw(answer, kLook, "Reply so"),
              "Which do you mean?\n"
              "\n"
              "  1. by points\n"
              "  2. by␛[1m wins\n"
              "Reply so\n");
}

TEST(AnswerView, WarnsWhereItIsNotSureAndNamesFiguresThatWereNotTraced) {
    auto answer = sample_answer();
    answer.confidence = workflows::confidence_of(0.3);
    answer.grounding->checked = 2;
    answer.grounding->untraced = {"1,300"};
    const auto drawn = draw(answer, kLook, "");
    EXPECT_THAT(drawn, HasSubstr("Checked: 1 of 2 facts traced to the result. Not traced: 1,300.\n"));
    EXPECT_THAT(drawn, HasSubstr("Confidence: low (0.30).\n"));
}

TEST(AnswerView, HasItsPartsForWhoLooksCloser) {
    const auto answer = sample_answer();
    EXPECT_EQ(draw_queries(answer), "SELECT region, sum(amount)\nFROM sales\n");
    EXPECT_EQ(draw_rows(answer.queries[0], 60),
              "region   sum\n"
              "──────  ────\n"
              "North   1200\n"
              "South   NULL\n"
              "2 rows\n");
    const auto reasons = draw_reasons(answer, 60);
    EXPECT_THAT(reasons, HasSubstr("Understood as: Which region sold the most?\n"));
    EXPECT_THAT(reasons, HasSubstr("clarify_query  success    1  2.0\n"));
    EXPECT_THAT(reasons, HasSubstr("No language model was asked.\n"));
}

TEST(AnswerView, SaysWhenThereAreMoreRowsThanItShows) {
    auto query = sample_answer().queries[0];
    query.result.row_count = 5'000;
    EXPECT_THAT(draw_rows(query, 60), HasSubstr("first 2 rows\n"));
}

TEST(AnswerStatus, DecidesTheExitCode) {
    EXPECT_EQ(exit_code_for(AnswerStatus::answered), ExitCode::done);
    EXPECT_EQ(exit_code_for(AnswerStatus::clarification), ExitCode::done);
    EXPECT_EQ(exit_code_for(AnswerStatus::uncertain), ExitCode::not_answered);
    EXPECT_EQ(exit_code_for(AnswerStatus::refused), ExitCode::not_answered);
    EXPECT_EQ(exit_code_for(AnswerStatus::failed), ExitCode::dependency_failed);
}

store::RunRecord sample_run() {
    store::RunRecord run;
    run.run_id = "run";
    run.input = {{"question", "Who led?"}};
    run.outcome = {
        {"state", {{"answer", "**Ada**."}, {"finding", {{"sql", "SELECT 1"}}}, {"usage", {{"llm_calls", 3}}}}}};
    run.trace = {{1, "clarify_query", "cached", 1, 2, ""},     {2, "generate_sql", "error", 1, 5, "timeout"},
                 {2, "generate_sql", "success", 2, 7, ""},     {3, "generate_sql", "success", 1, 1, ""},
                 {4, "answer_sub_query", "success", 1, 1, ""}, {4, "answer_sub_query", "success", 1, 1, ""}};
    return run;
}

TEST(ExecutionTrace, HasTheFormOfTheDesignDocument) {
    EXPECT_EQ(to_text(execution_trace(sample_run())),
              R"({"trace_id":"run","question":"Who led?","nodes_executed":[)"
              R"({"node":"clarify_query","status":"cached","latency_ms":2.0,"attempts":1},)"
              R"({"node":"generate_sql","status":"success","latency_ms":12.0,"attempts":2},)"
              R"({"node":"generate_sql","status":"success","latency_ms":1.0,"attempts":1},)"
              R"({"node":"answer_sub_query","status":"success","latency_ms":1.0,"attempts":1},)"
              R"({"node":"answer_sub_query","status":"success","latency_ms":1.0,"attempts":1}],)"
              R"("total_latency_ms":17.0,"llm_calls":3,"retries":2,"cache_hits":1})");
}

TEST(ExecutionTrace, OfARunThatNeverBeganIsEmptyAndWhole) {
    store::RunRecord run;
    run.run_id = "run";
    EXPECT_FALSE(answers_question(run));
    const auto trace = execution_trace(run);
    EXPECT_TRUE(trace.at("nodes_executed").as_array().empty());
    EXPECT_EQ(trace.at("llm_calls").as_int64(), 0);
}

TEST(RunView, ShowsQuestionSqlAndAnswer) {
    EXPECT_EQ(draw_question_and_answer(sample_run(), 60),
              "question Who led?\n"
              "sql      SELECT 1\n"
              "\n"
              "Ada.\n");
}

TEST(RunView, ShowsWhatARunWaitsForAndWhyItFailed) {
    auto run = sample_run();
    run.outcome =
        *parse_json(R"({"interrupts": [{"question": {"reason": "Which?", "options": ["by points", "by wins"]}}]})");
    EXPECT_EQ(draw_question_and_answer(run, 60), "question Who led?\nasks     Which?\n  1. by points\n  2. by wins\n");
    run.outcome = {{"error", {{"message", "the model is down"}}}};
    EXPECT_THAT(draw_question_and_answer(run, 60), HasSubstr("error    the model is down\n"));
}

}  // namespace

}  // namespace quaestor::cli
