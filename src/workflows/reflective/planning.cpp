#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

/// What is wrong with a plan, or nothing.
std::string problem_of(const std::vector<SubQuery>& parts) {
    if (parts.size() > kSubQueriesMax) return fmt::format("at most {} sub-queries are possible", kSubQueriesMax);
    std::set<std::string> ids;
    for (const auto& part : parts) {
        if (part.id.empty() || part.description.empty()) return "every sub-query needs an id and a description";
        if (!ids.insert(part.id).second) return fmt::format("the id \"{}\" stands twice", part.id);
    }
    for (const auto& part : parts) {
        for (const auto& other : part.depends_on) {
            if (!ids.contains(other))
                return fmt::format("\"{}\" depends on \"{}\", which is not there", part.id, other);
        }
    }
    std::set<std::string> done;
    for (std::size_t round = 0; round < parts.size(); ++round) {
        for (const auto& part : parts) {
            if (std::ranges::all_of(part.depends_on, [&](const auto& id) { return done.contains(id); })) {
                done.insert(part.id);
            }
        }
    }
    return done.size() == parts.size() ? "" : "the sub-queries depend on each other in a circle";
}

bool is_answered(const State& state, const std::string& id) {
    return std::ranges::find(state.findings, id, &Finding::id) != state.findings.end();
}

}  // namespace

Node plan_query(Analyst& analyst, const State& state, Context& context) {
    Update<State> update;
    UsageSummary usage;
    PlanQuery::Input input{
        state.resolved_question, table_lines(analyst.knowledge().catalog(), state.resolved_question), {}};
    // A plan that cannot be followed is sent back once.
    for (int round = 0; round < 2 && state.chosen_sql.empty(); ++round) {
        auto asked = co_await ask<PlanQuery>(analyst, context, input, add(state.usage, usage));
        usage = add(usage, asked.usage);
        if (!asked.reply) break;  // one query is always a plan
        const auto& output = asked.reply->output;
        if (output.complexity == QueryComplexity::simple || output.sub_queries.size() < 2) break;
        input.problem = problem_of(output.sub_queries);
        if (!input.problem.empty()) continue;
        update.set<&State::plan>({output.complexity, output.sub_queries, output.combination_strategy});
        break;
    }
    co_return update.set<&State::usage>(usage);
}

std::vector<SubQuery> ready_sub_queries(const State& state) {
    std::vector<SubQuery> ready;
    for (const auto& part : state.plan.sub_queries) {
        const bool is_ready =
            std::ranges::all_of(part.depends_on, [&](const auto& id) { return is_answered(state, id); });
        if (is_ready && !is_answered(state, part.id)) ready.push_back(part);
    }
    return ready;
}

Update<State> combine_results(const State&) {
    return {};
}

std::string_view after_plan(const State& state) {
    return state.plan.complexity == QueryComplexity::complex ? "decompose" : "select_tables";
}

std::string_view after_combine(const State& state) {
    return ready_sub_queries(state).empty() ? "analyze_data" : "decompose";
}

}  // namespace quaestor::workflows::reflective
