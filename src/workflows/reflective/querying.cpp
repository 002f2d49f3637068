#include "base/text.hpp"
#include "data/verdict.hpp"
#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

constexpr std::size_t kKnownRows = 30;

/// A question on its way through selecting, writing and running.
struct Work {
    GenerateSql::Input input;
    Finding finding;
    UsageSummary usage;
    std::string chosen_sql;
    std::vector<std::string> selected_tables;
};

std::string described(const data::Problem& problem) {
    std::string text = problem.message;
    if (!problem.suggestion.empty()) text += fmt::format(" ({})", problem.suggestion);
    return text;
}

/// Holds an attempt against guard and catalogue.
Task<Result<>> judge(Analyst& analyst, GenerationAttempt& attempt, Finding& finding) {
    if (attempt.sql.empty()) {
        attempt.errors.push_back("no query could be written for this question");
        co_return Result<>();
    }
    const auto verdict = co_await analyst.source().check(attempt.sql, analyst.limits().rows);
    if (!verdict) co_return fail(verdict.error());
    for (const auto& problem : verdict->errors) attempt.errors.push_back(described(problem));
    finding.tables = verdict->tables;
    co_return Result<>();
}

Task<> select_for(Analyst& analyst, Context& context, Work& work) {
    const auto candidates = co_await candidate_tables(analyst, work.finding.question, context.cancel());
    auto asked = co_await ask<SelectTables>(analyst, context, {work.finding.question, candidates});
    work.usage = add(work.usage, asked.usage);
    const auto chosen = asked.reply ? asked.reply->output.tables : std::vector<std::string>();
    work.selected_tables = with_joining(analyst.knowledge().catalog(), chosen, candidates);
}

void use_native_reading(Analyst::Understood read, const std::string& sql, Finding& finding) {
    const auto reading = std::ranges::find(read->readings, sql, &native::Reading::sql);
    if (reading == read->readings.end()) return;
    finding.reading = reading->explanation;
    finding.assumptions = reading->assumptions;
    finding.probability = reading->probability;
}

/// The reader's best reading, for when a model could not write a query. Empty when it has none.
Task<std::string> native_sql(Analyst& analyst, Context& context, const Work& work) {
    const std::string& question = work.input.earlier_sql.empty() ? work.input.question : work.input.asked;
    const auto read = co_await analyst.understand(question, work.input.earlier_sql, context.cancel());
    if (!read || (*read)->decision != native::Decision::answer || (*read)->readings.empty()) co_return std::string();
    co_return (*read)->readings.front().sql;
}

/// One attempt. An error only for what ends the run.
Task<Result<>> write_query(Analyst& analyst, Context& context, Work& work, std::int64_t attempt) {
    GenerationAttempt made;
    if (!work.chosen_sql.empty() && attempt == 1) {
        made = {work.chosen_sql, "native", {}};
    } else if (attempt > kAttemptsMax) {
        made = {co_await native_sql(analyst, context, work), "native", {}};
        work.finding.assumptions.push_back("The model wrote no query that works; this is the built-in reading.");
    } else {
        work.input.schema = schema_text(analyst.knowledge().catalog(), work.selected_tables);
        auto asked = co_await ask<GenerateSql>(analyst, context, work.input);
        work.usage = add(work.usage, asked.usage);
        if (!asked.reply) co_return fail(asked.reply.error());
        made = {asked.reply->output.sql, asked.reply->model, {}};
        work.finding.assumptions = asked.reply->output.assumptions;
    }
    if (auto judged = co_await judge(analyst, made, work.finding); !judged) co_return judged;
    if (made.errors.empty() && made.by == "native" && work.chosen_sql.empty()) {
        const std::string& question = work.input.earlier_sql.empty() ? work.input.question : work.input.asked;
        const auto read = co_await analyst.understand(question, work.input.earlier_sql, context.cancel());
        if (read) use_native_reading(*read, made.sql, work.finding);
    }
    work.finding.sql = made.errors.empty() ? made.sql : "";
    work.finding.error = made.errors.empty() ? "" : made.errors.front();
    work.input.previous_sql = made.sql;
    work.input.errors = made.errors;
    work.finding.attempts.push_back(std::move(made));
    co_return Result<>();
}

/// A mistake in the statement can be mended by another; what took too long is told; the rest is the database's fault.
Task<Result<>> run_query(Analyst& analyst, Context& context, Finding& finding) {
    auto result = co_await analyst.source().query(finding.sql, analyst.limits(), context.cancel());
    if (result) {
        finding.result = table_of(*result);
        finding.error.clear();
        co_return Result<>();
    }
    const Error& error = result.error();
    finding.result.reset();
    finding.error = error.describe();
    if (error.code == Code::timeout && !context.cancel().cancelled()) {
        finding.error =
            "the query took too long; ask for a shorter period, fewer groups or one team, player or product";
        co_return Result<>();
    }
    if (error.code == Code::invalid_argument || error.code == Code::limit_exceeded) co_return Result<>();
    co_return fail(error);
}

bool may_try_again(const Analyst& analyst, std::int64_t attempts) {
    return attempts < kAttemptsMax + (analyst.has_model() ? 1 : 0);
}

Work work_for(const Analyst& analyst, const State& state) {
    Work work;
    work.input.question = state.resolved_question;
    work.input.asked = state.question;
    work.input.earlier_sql = state.leans_on;
    work.input.dialect = encode(analyst.knowledge().dialect()).as_string();
    work.finding = state.finding;
    work.finding.question = state.resolved_question;
    work.chosen_sql = state.chosen_sql;
    work.selected_tables = state.selected_tables;
    if (!state.finding.attempts.empty()) {
        work.input.previous_sql = state.finding.attempts.back().sql;
        work.input.errors = state.finding.attempts.back().errors;
    }
    if (!state.feedback.empty()) work.input.errors.push_back(state.feedback);
    return work;
}

/// What a sub-query builds on: the results it depends on, and the query of the last of them to lean on.
Work work_for(const Analyst& analyst, const State& state, const SubQuery& sub_query) {
    Work work;
    work.input.question = sub_query.description;
    work.input.asked = sub_query.description;
    work.input.dialect = encode(analyst.knowledge().dialect()).as_string();
    work.finding.id = sub_query.id;
    work.finding.question = sub_query.description;
    for (const auto& finding : state.findings) {
        if (std::ranges::find(sub_query.depends_on, finding.id) == sub_query.depends_on.end() || !finding.result)
            continue;
        work.input.known.push_back(finding.question + "\n" + quoted_for_model(*finding.result, kKnownRows));
        work.input.earlier_sql = finding.sql;
    }
    return work;
}

}  // namespace

Node select_tables(Analyst& analyst, const State& state, Context& context) {
    Work work = work_for(analyst, state);
    co_await select_for(analyst, context, work);
    co_return Update<State>{}
        .set<&State::selected_tables>(std::move(work.selected_tables))
        .set<&State::usage>(work.usage);
}

Node generate_sql(Analyst& analyst, const State& state, Context& context) {
    Work work = work_for(analyst, state);
    if (auto written = co_await write_query(analyst, context, work, state.attempts + 1); !written) {
        co_return written.error();
    }
    co_return Update<State>{}
        .set<&State::finding>(std::move(work.finding))
        .set<&State::attempts>(may_try_again(analyst, state.attempts + 1) ? state.attempts + 1 : kAttemptsMax + 1)
        .set<&State::feedback>("")
        .set<&State::usage>(work.usage);
}

Node execute_sql(Analyst& analyst, const State& state, Context& context) {
    Finding finding = state.finding;
    if (auto ran = co_await run_query(analyst, context, finding); !ran) co_return ran.error();
    Update<State> update;
    if (!finding.result) update.set<&State::feedback>(finding.error);
    co_return update.set<&State::finding>(std::move(finding));
}

Node answer_sub_query(Analyst& analyst, const State& state, const SubQuery& sub_query, Context& context) {
    Work work = work_for(analyst, state, sub_query);
    co_await select_for(analyst, context, work);
    for (std::int64_t attempt = 1; !work.finding.result && attempt <= kAttemptsMax + 1; ++attempt) {
        if (attempt > kAttemptsMax && !analyst.has_model()) break;
        if (auto written = co_await write_query(analyst, context, work, attempt); !written) co_return written.error();
        if (work.finding.sql.empty()) continue;
        if (auto ran = co_await run_query(analyst, context, work.finding); !ran) co_return ran.error();
        if (!work.finding.error.empty()) work.input.errors = {work.finding.error};
    }
    co_return Update<State>{}.add<&State::findings>(std::move(work.finding)).set<&State::usage>(work.usage);
}

std::string_view after_generate(const State& state) {
    if (!state.finding.sql.empty()) return "execute_sql";
    return state.attempts > kAttemptsMax ? "analyze_data" : "generate_sql";
}

std::string_view after_execute(const State& state) {
    const bool can_mend = !state.finding.result && !state.feedback.empty() && state.attempts <= kAttemptsMax;
    return can_mend ? "generate_sql" : "analyze_data";
}

}  // namespace quaestor::workflows::reflective
