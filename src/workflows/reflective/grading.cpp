#include "workflows/reflective/grading.hpp"

#include "base/text.hpp"
#include "native/answer/grounding.hpp"
#include "workflows/common/chart.hpp"
#include "workflows/reflective/filters.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/standing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

/// An answer with something wrong is not surer than this, whatever a model says.
constexpr double kDoubtfulMost = 0.5;
constexpr std::string_view kWarning = "**Please check this answer:** my own checks found something that does not fit.";
constexpr std::size_t kIssuesShown = 3;
constexpr std::size_t kIssueColumnsMax = 200;

/// What a query filters by holds for each of its rows, also where it does not select it.
void add_filters(const native::Knowledge& knowledge, const Finding& finding, data::ResultSet& result) {
    for (const auto& filter : filters_of(knowledge, finding.sql, finding.tables)) {
        const auto& column = knowledge.schema().columns()[static_cast<std::size_t>(filter.column)];
        data::ResultColumn said(column.name, data::ValueKind::text, "TEXT");
        for (std::size_t row = 0; row < result.row_count; ++row) said.add_text(filter.value);
        result.columns.push_back(std::move(said));
    }
}

GroundingSummary grounded(const Analyst& analyst, const State& state, const std::vector<Finding>& findings) {
    std::vector<data::ResultSet> results;
    native::Evidence evidence{.results = {}, .passages = {}, .question = state.resolved_question};
    for (const auto& finding : findings) {
        for (const auto& sentence : finding.missing) evidence.passages.emplace_back(sentence);
        if (!finding.result) continue;
        results.push_back(result_of(*finding.result));
        if (results.back().row_count > 0) add_filters(analyst.knowledge(), finding, results.back());
    }
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
    const auto hits = analyst.knowledge().values().hits(state.resolved_question, words);
    const auto is_in_query = [&](const auto& hit) {
        return std::ranges::any_of(findings, [&](const Finding& finding) {
            return text::fold(finding.sql).find(text::fold(hit.value)) != std::string::npos;
        });
    };
    std::vector<std::string> unused;
    for (const auto& hit : hits) {
        // Several columns may have the same words, each spelt in its own way.
        const bool is_used = std::ranges::any_of(hits, [&](const auto& other) {
            return other.first <= hit.first && other.last >= hit.last && is_in_query(other);
        });
        if (hit.is_sure && !is_used && hit.first != hit.last) unused.push_back(hit.value);
    }
    return unused;
}

std::string warning_for(const Grade& grade) {
    std::string warning(kWarning);
    for (std::size_t at = 0; at < std::min(grade.issues.size(), kIssuesShown); ++at) {
        warning += fmt::format("\n- {}", text::shorten(text::trim(grade.issues[at]), kIssueColumnsMax));
    }
    return warning + "\n\n";
}

/// What is said of a chart that was wished for and is not as it was wished.
std::string_view note_on_chart(const std::optional<ChartWish>& wish, bool is_drawn) {
    if (!wish) return "";
    if (!is_drawn) return "\n\nNote: there is no chart, because a chart needs at least two rows with a figure.";
    return wish->kind == ChartKind::pie ? "\n\nNote: the shares are drawn as bars." : "";
}

}  // namespace

std::vector<std::string> Checks::issues() const {
    auto all = of_answer;
    all.insert(all.end(), of_query.begin(), of_query.end());
    return all;
}

Checks check(const Analyst& analyst, const State& state, const std::vector<Finding>& findings) {
    Checks checks{grounded(analyst, state, findings), {}, {}};
    for (const auto& claim : checks.grounding.untraced) {
        checks.of_answer.push_back(fmt::format("\"{}\" in the answer does not come from the data", claim));
    }
    for (const auto& value : unused_values(analyst, state, findings)) {
        checks.of_query.push_back(fmt::format("the query does not look for \"{}\"", value));
    }
    for (const auto& finding : findings) {
        checks.of_query.insert(checks.of_query.end(), finding.wrong_values.begin(), finding.wrong_values.end());
    }
    return checks;
}

Grade grade_of(const std::vector<Finding>& findings, const Checks& checks, const GradeResponse::Output* said) {
    Grade grade{.passed = true, .confidence = 1, .issues = checks.issues(), .suggestions = {}};
    grade.passed = grade.issues.empty();
    for (const auto& finding : findings) grade.confidence = std::min(grade.confidence, finding.probability);
    if (!grade.passed) grade.confidence /= 2;
    if (said == nullptr) return grade;
    grade.confidence = std::clamp(said->confidence, 0.0, grade.passed ? 1.0 : kDoubtfulMost);
    grade.passed = grade.passed && said->passed;
    grade.issues.insert(grade.issues.end(), said->issues.begin(), said->issues.end());
    grade.suggestions = said->suggestions;
    return grade;
}

void finish(const Analyst& analyst, const State& state, const std::vector<Finding>& findings, const Grade& grade,
            const std::vector<std::string>& gaps, graph::Update<State>& update) {
    const auto last = std::ranges::find_if(findings.rbegin(), findings.rend(),
                                           [](const Finding& finding) { return finding.result.has_value(); });
    const bool has_rows = last != findings.rend();
    auto chart = has_rows ? chart_for(*last->result, state.question) : std::nullopt;
    update.set<&State::status>(AnswerStatus::answered);
    std::string answer = (grade.passed ? "" : warning_for(grade)) + state.answer;
    for (const auto& gap : gaps) answer += "\n\n" + gap;
    answer += note_on_chart(wish_in(analyst, state.question), chart.has_value());
    update.set<&State::answer>(std::move(answer));
    if (!has_rows) return;
    if (chart) update.set<&State::chart>(std::move(*chart));
    update.set<&State::suggestions>(next_questions(analyst, *last));
    update.add<&State::history>(Turn{state.question, state.resolved_question,
                                     text::shorten(state.answer, kTurnAnswerColumns), last->sql, state.method,
                                     subjects_of(analyst.knowledge(), *last->result)});
}

}  // namespace quaestor::workflows::reflective
