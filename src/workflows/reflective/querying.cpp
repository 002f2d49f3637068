#include "base/text.hpp"
#include "data/verdict.hpp"
#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/filters.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/standing.hpp"
#include "workflows/reflective/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

constexpr std::size_t kKnownRows = 30;
constexpr std::string_view kModelGaveUp = "The model wrote no query that works; this is the built-in reading.";
constexpr std::string_view kTookTooLong =
    "the query took too long; ask for a shorter period, fewer groups, or one name instead of all";

/// A question on its way through selecting, writing and running.
struct Work {
    GenerateSql::Input input;
    Finding finding;
    UsageSummary usage;
    std::string chosen_sql;
    std::vector<std::string> selected_tables;
    UsageSummary spent_before;  ///< by the question, until this work began

    [[nodiscard]] UsageSummary spent() const { return add(spent_before, usage); }
};

std::string described(const data::Problem& problem) {
    std::string text = problem.message;
    if (!problem.suggestion.empty()) text += fmt::format(" ({})", problem.suggestion);
    return text;
}

/// As people know them: without the schema that is meant anyway.
std::vector<std::string> short_names(const data::Catalog& catalog, std::vector<std::string> tables) {
    const std::string prefix = catalog.default_schema + ".";
    for (auto& table : tables) {
        if (!catalog.default_schema.empty() && table.starts_with(prefix)) table.erase(0, prefix.size());
    }
    return tables;
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
    finding.tables = short_names(analyst.knowledge().catalog(), verdict->tables);
    co_return Result<>();
}

Task<> select_for(Analyst& analyst, Context& context, Work& work) {
    const auto& catalog = analyst.knowledge().catalog();
    const auto candidates = co_await candidate_tables(analyst, work.finding.question, context.cancel());
    SelectTables::Input input{work.finding.question, {}};
    for (const auto& name : candidates) input.candidates.push_back(table_line(catalog, *catalog.find_table(name)));
    auto asked = co_await ask<SelectTables>(analyst, context, std::move(input), work.spent());
    work.usage = add(work.usage, asked.usage);
    const auto chosen = asked.reply ? asked.reply->output.tables : std::vector<std::string>();
    work.selected_tables = with_joining(catalog, chosen, candidates);
}

Task<Result<Analyst::Understood>> read_natively(Analyst& analyst, Context& context, const Work& work) {
    const std::string& question = work.input.earlier_sql.empty() ? work.input.question : work.input.asked;
    return analyst.understand(question, work.input.earlier_sql, context.cancel());
}

/// What the reader knows of a query that it wrote.
Task<> explain_reading(Analyst& analyst, Context& context, Work& work, const std::string& sql) {
    const auto read = co_await read_natively(analyst, context, work);
    if (!read) co_return;
    const auto reading = std::ranges::find((*read)->readings, sql, &native::Reading::sql);
    if (reading == (*read)->readings.end()) co_return;
    auto& finding = work.finding;
    finding.reading = reading->explanation;
    finding.probability = reading->probability;
    finding.assumptions.insert(finding.assumptions.end(), reading->assumptions.begin(), reading->assumptions.end());
}

/// The reader's best reading, for when a model could not write a query. Empty when it has none.
Task<std::string> native_sql(Analyst& analyst, Context& context, const Work& work) {
    const auto read = co_await read_natively(analyst, context, work);
    if (!read || (*read)->decision != native::Decision::answer || (*read)->readings.empty()) co_return std::string();
    co_return (*read)->readings.front().sql;
}

/// The text of one attempt: the query that the person chose, the model's, or the reader's when the model has failed.
Task<Result<GenerationAttempt>> next_attempt(Analyst& analyst, Context& context, Work& work, std::int64_t attempt) {
    work.finding.assumptions.clear();
    if (!work.chosen_sql.empty() && attempt == 1) co_return GenerationAttempt{work.chosen_sql, kByReader, {}};
    if (attempt > kAttemptsMax) {
        auto sql = co_await native_sql(analyst, context, work);
        if (!sql.empty()) work.finding.assumptions.emplace_back(kModelGaveUp);
        co_return GenerationAttempt{std::move(sql), kByReader, {}};
    }
    work.input.schema = schema_text(analyst.knowledge().catalog(), work.selected_tables);
    auto asked = co_await ask<GenerateSql>(analyst, context, work.input, work.spent());
    work.usage = add(work.usage, asked.usage);
    if (!asked.reply) co_return fail(asked.reply.error());
    if (!asked.is_native()) work.finding.assumptions = asked.reply->output.assumptions;
    co_return GenerationAttempt{std::string(text::trim(asked.reply->output.sql)), asked.reply->model, {}};
}

/// One attempt. An error only for what ends the run.
Task<Result<>> write_query(Analyst& analyst, Context& context, Work& work, std::int64_t attempt) {
    auto made = co_await next_attempt(analyst, context, work, attempt);
    if (!made) co_return fail(made.error());
    work.finding.sql.clear();
    work.finding.result.reset();
    const bool has_nothing_more = made->sql.empty() && attempt > kAttemptsMax;
    if (has_nothing_more) co_return Result<>();  // what went wrong before says more
    if (auto judged = co_await judge(analyst, *made, work.finding); !judged) co_return judged;
    const bool is_good = made->errors.empty();
    if (is_good && made->by == kByReader) co_await explain_reading(analyst, context, work, made->sql);
    work.finding.sql = is_good ? made->sql : "";
    work.finding.error = is_good ? "" : made->errors.front();
    work.input.previous_sql = made->sql;
    work.input.errors = made->errors;
    work.finding.attempts.push_back(std::move(*made));
    co_return Result<>();
}

/// Nothing found, or nothing but zeros and gaps.
bool is_empty(const ResultTable& result) {
    if (result.rows.empty()) return true;
    if (result.rows.size() > 1) return false;
    return std::ranges::all_of(result.rows.front(), [](const json::value& cell) {
        return cell.is_null() || (cell.is_int64() && cell.get_int64() == 0);
    });
}

/// With a space before and behind each, so that whole words are found in it.
std::string folded_words(const std::string& text) {
    return fmt::format(" {} ", fmt::join(text::words(text::fold(text)), " "));
}

void look_for_missing_values(const Analyst& analyst, Finding& finding) {
    finding.missing.clear();
    finding.wrong_values.clear();
    if (!is_empty(*finding.result)) return;
    for (auto& missing : missing_values(analyst.knowledge(), finding.sql, finding.tables)) {
        const bool was_said = folded_words(finding.question).contains(folded_words(missing.value));
        (was_said ? finding.missing : finding.wrong_values).push_back(std::move(missing.sentence));
    }
}

enum class Ran {
    well,
    badly,    ///< another statement may do better
    too_long  ///< the person has to ask for less
};

/// An error only for what ends the run: the database's fault, or that it was asked to stop.
Task<Result<Ran>> run_query(Analyst& analyst, Context& context, Finding& finding) {
    auto result = co_await analyst.source().query(finding.sql, analyst.limits(), context.cancel());
    if (result) {
        finding.result = table_of(*result);
        finding.error.clear();
        look_for_missing_values(analyst, finding);
        co_return Ran::well;
    }
    const Error& error = result.error();
    finding.result.reset();
    if (error.code == Code::timeout && !context.cancel().cancelled()) {
        finding.error = kTookTooLong;
        co_return Ran::too_long;
    }
    const bool can_be_mended = error.code == Code::invalid_argument || error.code == Code::limit_exceeded;
    if (!can_be_mended) co_return fail(error);
    finding.error = error.describe();
    finding.attempts.back().errors.push_back(finding.error);
    co_return Ran::badly;
}

/// That a time was added to what the person said.
void add_assumption(const std::string& full, const State& state, Finding& finding) {
    if (auto assumed = assumed_in(full, state.question); !assumed.empty()) {
        finding.assumptions.push_back(std::move(assumed));
    }
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
    work.spent_before = state.usage;
    if (!state.finding.attempts.empty()) {
        work.input.previous_sql = state.finding.attempts.back().sql;
        work.input.errors = state.finding.attempts.back().errors;
    }
    if (state.redo == Redo::query && state.grade) {
        for (const auto* told : {&state.grade->issues, &state.grade->suggestions}) {
            work.input.errors.insert(work.input.errors.end(), told->begin(), told->end());
        }
    }
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
    work.spent_before = state.usage;
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
    const std::int64_t attempt = state.attempts + 1;
    if (auto written = co_await write_query(analyst, context, work, attempt); !written) co_return written.error();
    add_assumption(state.resolved_question, state, work.finding);
    co_return Update<State>{}
        .set<&State::finding>(std::move(work.finding))
        .set<&State::attempts>(may_try_again(analyst, attempt) ? attempt : kAttemptsMax + 1)
        .set<&State::redo>(Redo::nothing)
        .set<&State::usage>(work.usage);
}

Node execute_sql(Analyst& analyst, const State& state, Context& context) {
    Finding finding = state.finding;
    const auto ran = co_await run_query(analyst, context, finding);
    if (!ran) co_return ran.error();
    Update<State> update;
    if (*ran == Ran::too_long) update.set<&State::attempts>(kAttemptsMax + 1);
    co_return update.set<&State::finding>(std::move(finding));
}

Node answer_sub_query(Analyst& analyst, const State& state, const SubQuery& sub_query, Context& context) {
    Work work = work_for(analyst, state, sub_query);
    co_await select_for(analyst, context, work);
    Ran ran = Ran::badly;
    for (std::int64_t attempt = 1; ran == Ran::badly && attempt <= kAttemptsMax + 1; ++attempt) {
        if (attempt > kAttemptsMax && !analyst.has_model()) break;
        if (auto written = co_await write_query(analyst, context, work, attempt); !written) co_return written.error();
        if (work.finding.sql.empty()) continue;
        const auto now = co_await run_query(analyst, context, work.finding);
        if (!now) co_return now.error();
        ran = *now;
        work.input.errors = work.finding.attempts.back().errors;
    }
    add_assumption(sub_query.description, state, work.finding);
    co_return Update<State>{}.add<&State::findings>(std::move(work.finding)).set<&State::usage>(work.usage);
}

std::string_view after_generate(const State& state) {
    if (!state.finding.sql.empty()) return "execute_sql";
    return state.attempts > kAttemptsMax ? "analyze_data" : "generate_sql";
}

std::string_view after_execute(const State& state) {
    const bool can_mend = !state.finding.result && state.attempts <= kAttemptsMax;
    return can_mend ? "generate_sql" : "analyze_data";
}

}  // namespace quaestor::workflows::reflective
