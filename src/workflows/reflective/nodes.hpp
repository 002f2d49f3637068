// The nodes of the reflective graph, each a function of the state and what the analyst can do; make_graph() wires them.
// Private to the workflow.
// Threads: as nodes of every graph.
#pragma once

#include "graph/graph.hpp"
#include "workflows/reflective/analyst.hpp"

#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

using Node = Task<graph::Update<State>>;

Node clarify_query(Analyst& analyst, const State& state, graph::Context& context);
/// Suspends the run; the person's words, or the option they chose, become the question.
graph::Update<State> ask_user(const State& state, graph::Context& context);
Node rewrite_query(Analyst& analyst, const State& state, graph::Context& context);
Node plan_query(Analyst& analyst, const State& state, graph::Context& context);
/// The last node of a question that is not put to the database: small talk, or nothing to be found.
graph::Update<State> decline(const Analyst& analyst, const State& state);

Node select_tables(Analyst& analyst, const State& state, graph::Context& context);
/// One attempt: writes SQL, and holds it against guard and catalogue.
Node generate_sql(Analyst& analyst, const State& state, graph::Context& context);
Node execute_sql(Analyst& analyst, const State& state, graph::Context& context);

/// The sub-queries whose dependencies have been answered.
std::vector<SubQuery> ready_sub_queries(const State& state);
/// Selects, generates and executes for one sub-query, with the same attempts.
Node answer_sub_query(Analyst& analyst, const State& state, const SubQuery& sub_query, graph::Context& context);
/// Reports on what came in; the plan goes on while sub-queries are left.
graph::Update<State> combine_results(const State& state);

Node analyze_data(Analyst& analyst, const State& state, graph::Context& context);
Node grade_response(Analyst& analyst, const State& state, graph::Context& context);

std::string_view after_clarify(const State& state);
std::string_view after_plan(const State& state);
std::string_view after_generate(const State& state);
std::string_view after_execute(const State& state);
std::string_view after_combine(const State& state);
std::string_view after_grade(const State& state);

}  // namespace quaestor::workflows::reflective
