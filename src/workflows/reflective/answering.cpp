#include "base/text.hpp"
#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/grading.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

constexpr std::string_view kHow = "How I found this: ";

/// The whole question's finding, or those of its parts.
std::vector<Finding> findings_of(const State& state) {
    if (state.plan.complexity == QueryComplexity::complex) return state.findings;
    return {state.finding};
}

std::vector<AnalyzeData::Input::Part> parts_for(const std::vector<Finding>& findings) {
    std::vector<AnalyzeData::Input::Part> parts;
    for (const auto& finding : findings) {
        if (finding.result) parts.push_back({finding.question, finding.sql, finding.reading, *finding.result});
    }
    return parts;
}

std::string why_not(const std::vector<Finding>& findings) {
    for (const auto& finding : findings) {
        if (!finding.error.empty()) return finding.error;
    }
    return "no query could be written for it";
}

/// Parts without a result, and values that are not in the data: what an answer has to say besides.
std::vector<std::string> gaps_in(const std::vector<Finding>& findings) {
    std::vector<std::string> gaps;
    for (const auto& finding : findings) {
        if (!finding.result) gaps.push_back(fmt::format("I could not find out: {}", finding.question));
        for (const auto& sentence : finding.missing) gaps.push_back(fmt::format("Note: {}.", sentence));
    }
    return gaps;
}

std::string looked_up(const Finding& finding) {
    const std::string where = finding.tables.empty() ? "" : fmt::format(" in {}", fmt::join(finding.tables, ", "));
    const auto rows = finding.result->row_count;
    return fmt::format("I looked for {}{} and found {} row{}.",
                       finding.reading.empty() ? fmt::format("\"{}\"", finding.question) : finding.reading, where, rows,
                       rows == 1 ? "" : "s");
}

bool is_by_reader(const Finding& finding) {
    return finding.result && !finding.attempts.empty() && finding.attempts.back().by == kByReader;
}

/// `said` is the model's account of it; without one, what was looked up.
std::string method_of(const Analyst& analyst, const std::vector<Finding>& findings, std::string_view said) {
    std::string method(text::trim(said));
    if (method.starts_with(kHow)) method.erase(0, kHow.size());
    if (method.empty()) {
        std::vector<std::string> sentences;
        for (const auto& finding : findings) {
            if (finding.result) sentences.push_back(looked_up(finding));
        }
        method = fmt::format("{}", fmt::join(sentences, " "));
    }
    if (analyst.has_model() && std::ranges::any_of(findings, is_by_reader)) {
        method += " The query was written without the language model.";
    }
    return std::string(kHow) + method;
}

Update<State> nothing_found(const std::vector<Finding>& findings) {
    return Update<State>{}
        .set<&State::status>(AnswerStatus::uncertain)
        .set<&State::redo>(Redo::nothing)
        .set<&State::answer>(fmt::format("I could not answer this from the data: {}.", why_not(findings)));
}

}  // namespace

Node analyze_data(Analyst& analyst, const State& state, Context& context) {
    const auto findings = findings_of(state);
    auto parts = parts_for(findings);
    if (parts.empty()) co_return nothing_found(findings);
    const bool goes_again = state.redo == Redo::answer || state.regenerations > 0;
    AnalyzeData::Input input{
        state.resolved_question, std::move(parts), state.plan.combination_strategy, {}, gaps_in(findings)};
    if (goes_again && state.grade) input.issues = state.grade->issues;
    auto asked = co_await ask<AnalyzeData>(analyst, context, input, state.usage);
    if (!asked.reply) co_return asked.reply.error();
    auto& output = asked.reply->output;
    if (text::trim(output.answer).empty()) {
        auto own = co_await analyze_natively(analyst, std::move(input), {.cancel = context.cancel()});
        if (!own) co_return own.error();
        output = std::move(*own);
    }
    co_await context.token(output.answer);
    co_return Update<State>{}
        .set<&State::usage>(asked.usage)
        .set<&State::redo>(Redo::nothing)
        .set<&State::method>(method_of(analyst, findings, output.method))
        .set<&State::answer>(output.answer);
}

Node grade_response(Analyst& analyst, const State& state, Context& context) {
    const auto findings = findings_of(state);
    auto parts = parts_for(findings);
    if (parts.empty()) co_return Update<State>{};
    Checks checks = check(analyst, state, findings);
    auto asked = co_await ask<GradeResponse>(
        analyst, context, {state.resolved_question, std::move(parts), state.answer, checks.issues()}, state.usage);
    const auto* said = asked.reply && !asked.is_native() ? &asked.reply->output : nullptr;
    Grade grade = grade_of(findings, checks, said);
    Update<State> update;
    update.set<&State::usage>(asked.usage);
    if (!grade.passed && analyst.has_model() && state.regenerations < kRegenerationsMax) {
        const bool is_query_wrong = !checks.of_query.empty() || (said != nullptr && !said->passed);
        const bool can_ask_again = state.plan.complexity == QueryComplexity::simple;
        update.set<&State::regenerations>(state.regenerations + 1).set<&State::attempts>(0);
        update.set<&State::redo>(is_query_wrong && can_ask_again ? Redo::query : Redo::answer);
    } else {
        finish(analyst, state, findings, grade, gaps_in(findings), update);
    }
    co_return update.set<&State::grounding>(std::move(checks.grounding)).set<&State::grade>(std::move(grade));
}

std::string_view after_grade(const State& state) {
    switch (state.redo) {
        case Redo::query:
            return "generate_sql";
        case Redo::answer:
            return "analyze_data";
        case Redo::nothing:
            break;
    }
    return graph::kEnd;
}

}  // namespace quaestor::workflows::reflective
