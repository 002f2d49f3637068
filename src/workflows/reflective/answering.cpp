#include "base/text.hpp"
#include "native/answer/grounding.hpp"
#include "workflows/common/chart.hpp"
#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

constexpr double kPassFrom = 0.5;
constexpr std::string_view kWarning = "**Please check this answer:** my own checks found something that does not fit. ";

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

std::string method_of(const std::vector<Finding>& findings) {
    std::vector<std::string> sentences;
    for (const auto& finding : findings) {
        if (!finding.result) continue;
        const std::string read = finding.reading.empty() ? finding.question : finding.reading;
        sentences.push_back(fmt::format("I looked for {} in {} and found {} row{}.", read,
                                        fmt::join(finding.tables, ", "), finding.result->row_count,
                                        finding.result->row_count == 1 ? "" : "s"));
    }
    return fmt::format("How I found this: {}", fmt::join(sentences, " "));
}

/// Grounding, and whether what the person named is in the queries: what needs no model to be judged.
struct Checks {
    GroundingSummary grounding;
    std::vector<std::string> issues;
};

GroundingSummary grounded(const State& state, const std::vector<Finding>& findings) {
    std::vector<data::ResultSet> results;
    for (const auto& finding : findings) {
        if (finding.result) results.push_back(result_of(*finding.result));
    }
    native::Evidence evidence{.results = {}, .passages = {}, .question = state.resolved_question};
    for (const auto& result : results) evidence.results.push_back(&result);
    const auto found = native::check_grounding(state.answer, evidence);
    GroundingSummary summary{.checked = static_cast<std::int64_t>(found.claims.size()),
                             .traced = static_cast<std::int64_t>(found.traced()),
                             .untraced = found.untraced(),
                             .claims = {}};
    for (const auto& claim : found.claims) summary.claims.push_back(encode(claim));
    return summary;
}

/// Values that the question surely names and no query has.
std::vector<std::string> unused_values(const Analyst& analyst, const State& state,
                                       const std::vector<Finding>& findings) {
    const auto words = native::split_words(state.resolved_question);
    std::vector<std::string> unused;
    for (const auto& hit : analyst.knowledge().values().hits(state.resolved_question, words)) {
        const bool is_used = std::ranges::any_of(findings, [&](const Finding& finding) {
            return text::fold(finding.sql).find(text::fold(hit.value)) != std::string::npos;
        });
        if (hit.is_sure && !is_used && hit.first != hit.last) unused.push_back(hit.value);
    }
    return unused;
}

Checks check(const Analyst& analyst, const State& state, const std::vector<Finding>& findings) {
    Checks checks{grounded(state, findings), {}};
    for (const auto& claim : checks.grounding.untraced) {
        checks.issues.push_back(fmt::format("\"{}\" in the answer does not come from the data", claim));
    }
    for (const auto& value : unused_values(analyst, state, findings)) {
        checks.issues.push_back(fmt::format("the query does not look for \"{}\"", value));
    }
    return checks;
}

double native_confidence(const std::vector<Finding>& findings, const Checks& checks) {
    double confidence = 1;
    for (const auto& finding : findings) confidence = std::min(confidence, finding.probability);
    return checks.issues.empty() ? confidence : confidence / 2;
}

/// Everything that comes with an answer once it stands.
void finish(const Analyst& analyst, const State& state, const std::vector<Finding>& findings, const Grade& grade,
            Update<State>& update) {
    const Finding* last = nullptr;
    for (const auto& finding : findings) {
        if (finding.result) last = &finding;
    }
    update.set<&State::status>(AnswerStatus::answered);
    if (!grade.passed) update.set<&State::answer>(std::string(kWarning) + "\n\n" + state.answer);
    if (last == nullptr) return;
    if (auto chart = chart_for(*last->result, state.question)) update.set<&State::chart>(std::move(*chart));
    update.set<&State::suggestions>(next_questions(analyst, *last));
    update.add<&State::history>(Turn{state.question, state.resolved_question, state.answer, last->sql, state.method});
}

}  // namespace

Node analyze_data(Analyst& analyst, const State& state, Context& context) {
    const auto findings = findings_of(state);
    Update<State> update;
    auto parts = parts_for(findings);
    if (parts.empty()) {
        update.set<&State::status>(AnswerStatus::uncertain);
        co_return update.set<&State::answer>(
            fmt::format("I could not answer this from the data: {}.", why_not(findings)));
    }
    const auto issues = state.grade ? state.grade->issues : std::vector<std::string>();
    auto asked = co_await ask<AnalyzeData>(
        analyst, context, {state.resolved_question, std::move(parts), state.plan.combination_strategy, issues});
    update.set<&State::usage>(asked.usage);
    if (!asked.reply) co_return asked.reply.error();
    const auto& output = asked.reply->output;
    co_await context.token(output.answer);
    update.set<&State::method>(asked.is_native() || output.method.empty() ? method_of(findings) : output.method);
    co_return update.set<&State::answer>(output.answer);
}

Node grade_response(Analyst& analyst, const State& state, Context& context) {
    Update<State> update;
    const auto findings = findings_of(state);
    auto parts = parts_for(findings);
    if (parts.empty()) co_return update;
    Checks checks = check(analyst, state, findings);
    Grade grade{checks.issues.empty(), native_confidence(findings, checks), checks.issues, {}};
    auto asked = co_await ask<GradeResponse>(analyst, context,
                                             {state.resolved_question, std::move(parts), state.answer, checks.issues});
    update.set<&State::usage>(asked.usage);
    if (asked.reply && !asked.is_native()) {
        const auto& output = asked.reply->output;
        grade.passed = grade.passed && output.passed;
        grade.confidence = std::min(output.confidence, checks.issues.empty() ? 1.0 : kPassFrom);
        grade.issues.insert(grade.issues.end(), output.issues.begin(), output.issues.end());
        grade.suggestions = output.suggestions;
    }
    const bool goes_again = !grade.passed && analyst.has_model() && state.regenerations < kRegenerationsMax &&
                            state.plan.complexity == QueryComplexity::simple;
    if (goes_again) {
        update.set<&State::regenerations>(state.regenerations + 1).set<&State::attempts>(0);
        update.set<&State::feedback>(fmt::format("{}", fmt::join(grade.issues, "; ")));
    } else {
        finish(analyst, state, findings, grade, update);
    }
    co_return update.set<&State::grounding>(std::move(checks.grounding)).set<&State::grade>(std::move(grade));
}

std::string_view after_grade(const State& state) {
    return state.feedback.empty() ? graph::kEnd : "generate_sql";
}

}  // namespace quaestor::workflows::reflective
