#include "server/api/totals.hpp"

#include "server/api/node_labels.hpp"

#include <algorithm>
#include <map>

namespace quaestor::server {

namespace {

using workflows::Answer;

json::object usage_json(const workflows::UsageSummary& usage) {
    return {{"input_tokens", usage.input_tokens},
            {"output_tokens", usage.output_tokens},
            {"total_tokens", usage.input_tokens + usage.output_tokens},
            {"call_count", usage.llm_calls}};
}

double database_time(const Answer& answer) {
    double milliseconds = 0;
    for (const auto& query : answer.queries) milliseconds += query.result.execution_time_ms;
    return milliseconds;
}

std::int64_t steps_of(const Answer& answer, std::string_view node) {
    return std::ranges::count(answer.trace, node, &workflows::StepSummary::node);
}

/// The step that asks the database, of those that were taken.
std::string_view asking_step(const Answer& answer) {
    return steps_of(answer, "answer_sub_query") > 0 ? "answer_sub_query" : "execute_sql";
}

struct Spent {
    double wall_ms = 0;
    double io_ms = 0;
    std::int64_t calls = 0;
};

json::object times_json(const Spent& spent, const json::value& llm_ms) {
    return {{"wall_time_ms", spent.wall_ms}, {"llm_time_ms", llm_ms}, {"io_time_ms", spent.io_ms}};
}

json::object counted_json(const std::map<std::string, Spent>& all, const json::value& llm_ms) {
    json::object shown;
    for (const auto& [name, spent] : all) {
        json::object line = times_json(spent, llm_ms);
        line["call_count"] = spent.calls;
        shown[name] = std::move(line);
    }
    return shown;
}

}  // namespace

json::object step_timing(const Answer& answer) {
    std::map<std::string, Spent> by_node;
    for (const auto& step : answer.trace) {
        Spent& spent = by_node[step.node];
        spent.wall_ms += step.latency_ms;
        ++spent.calls;
    }
    if (const auto asked = by_node.find(std::string(asking_step(answer))); asked != by_node.end()) {
        asked->second.io_ms = database_time(answer);
    }
    std::map<std::string, Spent> by_pipeline;
    Spent all;
    for (const auto& [node, spent] : by_node) {
        for (Spent* sum : {&by_pipeline[std::string(pipeline_of(node))], &all}) {
            sum->wall_ms += spent.wall_ms;
            sum->io_ms += spent.io_ms;
            sum->calls += spent.calls;
        }
    }
    const json::value llm_ms = answer.usage.llm_calls > 0 ? json::value() : json::value(0);
    json::object total = times_json({.wall_ms = answer.timing_ms, .io_ms = all.io_ms}, llm_ms);
    total["overhead_ms"] = std::max(0.0, answer.timing_ms - all.wall_ms);
    const auto slowest = std::ranges::max_element(by_node, {}, [](const auto& each) { return each.second.wall_ms; });
    return {{"by_node", counted_json(by_node, llm_ms)},
            {"by_pipeline", counted_json(by_pipeline, llm_ms)},
            {"total", std::move(total)},
            {"slowest_node", slowest == by_node.end() ? json::value() : json::value(slowest->first)}};
}

json::object totals_of(const Answer& answer) {
    std::int64_t rows = 0;
    for (const auto& query : answer.queries) rows += query.result.row_count;
    json::object calls;
    if (!answer.queries.empty()) calls["query_tool"] = answer.queries.size();
    if (const auto searches = steps_of(answer, "search_corpus"); searches > 0) calls["docs_tool"] = searches;
    json::object totals{{"total_queries", answer.queries.size()},
                        {"total_rows", rows},
                        {"total_execution_time_ms", database_time(answer)},
                        {"total_time_ms", answer.timing_ms},
                        {"total_graphql_queries", 0},
                        {"total_graphql_time_ms", 0}};
    const json::object usage = usage_json(answer.usage);
    totals["token_usage"] = json::object{{"by_pipeline", {{"agent", usage}}}, {"total", usage}};
    totals["cost"] = json::object{{"by_pipeline", {{"agent", answer.usage.cost_usd}}},
                                  {"total_cost_usd", answer.usage.cost_usd},
                                  {"record_count", answer.usage.llm_calls}};
    totals["tool_call_counts"] = std::move(calls);
    totals["step_timing"] = step_timing(answer);
    return totals;
}

}  // namespace quaestor::server
