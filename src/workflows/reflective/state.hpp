// The reflective analyst's memory: what document 003 calls the shared store. One struct for a thread; a new question
// resets everything but `history`. Threads: a value.
#pragma once

#include "graph/graph.hpp"
#include "workflows/common/answer.hpp"
#include "workflows/reflective/finding.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace quaestor::workflows::reflective {

/// Turns that are context for the next question.
inline constexpr std::size_t kTurnsKept = 3;
inline constexpr std::int64_t kAttemptsMax = 3;
inline constexpr std::int64_t kRegenerationsMax = 2;
inline constexpr std::size_t kSubQueriesMax = 6;
inline constexpr std::size_t kCandidateTables = 10;
inline constexpr std::size_t kSelectedTables = 5;

/// As much of an answer is remembered.
inline constexpr std::size_t kTurnAnswerColumns = 400;

struct Turn {
    std::string question;
    std::string resolved_question;
    std::string answer;
    std::string sql;  ///< of the last query; read back to understand "and in 2022?"
    std::string method;
    std::vector<std::string> subjects;  ///< names that the answer gave: who "he" is
};
BOOST_DESCRIBE_STRUCT(Turn, (), (question, resolved_question, answer, sql, method, subjects))
/// The reducer of the history: the last kTurnsKept turns.
[[nodiscard]] std::vector<Turn> remember(std::vector<Turn> there, std::vector<Turn> more);

enum class QueryIntent { clear, ambiguous, small_talk, unanswerable };
BOOST_DESCRIBE_ENUM(QueryIntent, clear, ambiguous, small_talk, unanswerable)
enum class QueryComplexity { simple, complex };
BOOST_DESCRIBE_ENUM(QueryComplexity, simple, complex)
enum class Combination { synthesize, synthesize_comparison, chain, merge };
BOOST_DESCRIBE_ENUM(Combination, synthesize, synthesize_comparison, chain, merge)

struct SubQuery {
    std::string id;
    std::string description;  ///< a self-contained question
    std::vector<std::string> depends_on;
};
BOOST_DESCRIBE_STRUCT(SubQuery, (), (id, description, depends_on))
struct QueryPlan {
    QueryComplexity complexity = QueryComplexity::simple;
    std::vector<SubQuery> sub_queries;
    Combination combination_strategy = Combination::synthesize;
};
BOOST_DESCRIBE_STRUCT(QueryPlan, (), (complexity, sub_queries, combination_strategy))

/// What is done again after a grade that is not good enough.
enum class Redo { nothing, answer, query };
BOOST_DESCRIBE_ENUM(Redo, nothing, answer, query)

struct State {
    std::string question;
    std::vector<Turn> history;

    QueryIntent intent = QueryIntent::clear;
    std::optional<Clarification> clarification;
    std::vector<std::string> option_queries;  ///< the SQL of each option of the clarification, where it is known
    std::string resolved_question;
    std::string leans_on;    ///< the SQL of the earlier turn that the question leans on; empty: it stands alone
    std::string chosen_sql;  ///< of the option that the person chose
    QueryPlan plan;
    std::vector<std::string> candidate_tables;
    std::vector<std::string> selected_tables;
    Finding finding;                ///< of the whole question, while it is worked on
    std::vector<Finding> findings;  ///< of the sub-queries, as they come in
    std::int64_t attempts = 0;      ///< of generate_sql since the last grade; above kAttemptsMax there are no more
    Redo redo = Redo::nothing;
    std::int64_t regenerations = 0;

    std::string answer;
    std::string method;
    std::vector<std::string> suggestions;
    json::object chart;
    std::optional<GroundingSummary> grounding;
    std::optional<Grade> grade;
    AnswerStatus status = AnswerStatus::failed;
    UsageSummary usage;

    static constexpr auto kReducers = std::tuple{graph::reduce<&State::history, remember>,
                                                 graph::append<&State::findings>, graph::reduce<&State::usage, add>};
};
BOOST_DESCRIBE_STRUCT(State, (),
                      (question, history, intent, clarification, option_queries, resolved_question, leans_on,
                       chosen_sql, plan, candidate_tables, selected_tables, finding, findings, attempts, redo,
                       regenerations, answer, method, suggestions, chart, grounding, grade, status, usage))

}  // namespace quaestor::workflows::reflective
