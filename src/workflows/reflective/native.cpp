#include "workflows/reflective/native.hpp"

#include "native/answer/answer_writer.hpp"
#include "native/sql_writer.hpp"
#include "workflows/common/language.hpp"
#include "workflows/common/small_talk.hpp"
#include "workflows/reflective/data_overview.hpp"
#include "workflows/reflective/small_talk.hpp"
#include "workflows/reflective/standing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace quaestor::workflows::reflective {

namespace {

using llm::AskOptions;

constexpr const char* kForeign =
    "That looks like {} to me. Without a language model I read questions in English only; with one (see quaestor "
    "models) "
    "I answer them in other languages too.";

ClarifyQuery::Output reply_with(QueryIntent intent, std::string reason, std::vector<std::string> options = {}) {
    return {.reasoning = {}, .intent = intent, .reason = std::move(reason), .options = std::move(options)};
}

/// What was not understood, and what could be.
std::string not_understood(const native::Understanding& read) {
    if (read.not_understood.empty()) {
        return "I am not sure enough what you mean to answer from this data. Please say it in other words.";
    }
    std::string reason = fmt::format("I did not understand \"{}\".", fmt::join(read.not_understood, "\", \""));
    if (!read.near_values.empty()) reason += fmt::format(" Did you mean {}?", fmt::join(read.near_values, ", "));
    return reason + " Without a language model I read plain English questions about what is in the tables.";
}

/// Where neither rules nor reading know what to do: what the text wants, by its meaning.
Task<std::optional<ClarifyQuery::Output>> reply_by_intent(Analyst& analyst, std::string question, CancelToken cancel) {
    const auto found = co_await analyst.intent().classify({std::move(question)}, std::move(cancel));
    if (!found) co_return std::nullopt;
    auto reply = reply_to(analyst.info(), found->intent);
    if (!reply) co_return std::nullopt;
    const bool is_beyond = found->intent == Intent::out_of_scope;
    co_return reply_with(is_beyond ? QueryIntent::unanswerable : QueryIntent::small_talk, std::move(*reply));
}

/// Several parts, each of which can be answered.
Task<bool> is_clear_in_parts(Analyst& analyst, std::string question, CancelToken cancel) {
    const auto parts = co_await stand_in_parts(analyst, std::move(question), std::move(cancel));
    co_return parts && !parts->empty();
}

Task<Result<RewriteQuery::Output>> rewrite(Analyst& analyst, RewriteQuery::Input input, AskOptions options) {
    if (input.history.empty() && co_await is_clear_in_parts(analyst, input.question, options.cancel)) {
        co_return RewriteQuery::Output{asked_of_data(analyst, input.question, {})};
    }
    const auto standing = co_await stand(analyst, input.question, input.history, options.cancel);
    if (!standing) co_return fail(standing.error());
    const auto& readings = standing->read->readings;
    const bool is_said_in_full = standing->leans_on.empty() || readings.empty();
    co_return RewriteQuery::Output{is_said_in_full ? standing->question : readings.front().explanation};
}

Task<Result<PlanQuery::Output>> plan(Analyst& analyst, PlanQuery::Input input, AskOptions options) {
    PlanQuery::Output output;
    const auto parts = co_await stand_in_parts(analyst, input.question, options.cancel);
    if (!parts) co_return fail(parts.error());
    if (parts->empty()) co_return output;
    output.complexity = QueryComplexity::complex;
    for (const auto& part : *parts) {
        SubQuery sub_query{fmt::format("part_{}", output.sub_queries.size() + 1), part.question, {}};
        if (!part.leans_on.empty()) sub_query.depends_on.push_back(output.sub_queries.back().id);
        output.sub_queries.push_back(std::move(sub_query));
    }
    const bool compares = native::fold(input.question).find("compare") != std::string::npos;
    output.combination_strategy = compares ? Combination::synthesize_comparison : Combination::chain;
    co_return output;
}

/// Tables that the question's words are linked to.
Task<Result<SelectTables::Output>> select(Analyst& analyst, SelectTables::Input input, AskOptions) {
    const auto& knowledge = analyst.knowledge();
    std::map<native::TableId, double> scores;
    for (const auto& link : native::link(input.question, knowledge, analyst.today()).links) {
        const auto table = link.table >= 0   ? link.table
                           : link.column > 0 ? knowledge.schema().table_of(link.column)
                                             : -1;
        if (table >= 0) scores[table] += link.score;
    }
    std::vector<std::pair<double, native::TableId>> order;
    for (const auto& [table, score] : scores) order.emplace_back(-score, table);
    std::ranges::sort(order);
    SelectTables::Output output;
    for (const auto& [score, table] : order) {
        if (output.tables.size() == kSelectedTables) break;
        const auto& found = knowledge.schema().tables()[static_cast<std::size_t>(table)];
        output.tables.push_back(found.schema.empty() ? found.name : found.schema + "." + found.name);
    }
    co_return output;
}

/// The best reading, or the one after that which was tried last.
Task<Result<GenerateSql::Output>> generate(Analyst& analyst, GenerateSql::Input input, AskOptions options) {
    const std::string question = input.earlier_sql.empty() || input.asked.empty() ? input.question : input.asked;
    const auto read = co_await analyst.understand(question, input.earlier_sql, options.cancel);
    if (!read) co_return fail(read.error());
    const auto& readings = (*read)->readings;
    const auto tried = std::ranges::find(readings, input.previous_sql, &native::Reading::sql);
    const auto next = input.previous_sql.empty() || tried == readings.end() ? readings.begin() : tried + 1;
    if (next == readings.end()) co_return GenerateSql::Output{};
    co_return GenerateSql::Output{next->explanation, next->sql, next->assumptions};
}

std::string sentence_for(const native::Knowledge& knowledge, const AnalyzeData::Input::Part& part) {
    const auto result = result_of(part.result);
    const auto form = native::read_sql(part.sql, knowledge.schema());
    const std::vector<native::WordSpan> no_words;
    const native::Spoken spoken{part.question, no_words, &knowledge.values()};
    return native::write_answer({.question = part.question,
                                 .form = form ? &*form : nullptr,
                                 .schema = &knowledge.schema(),
                                 .spoken = &spoken,
                                 .result = &result});
}

Task<Result<GradeResponse::Output>> grade(Analyst&, GradeResponse::Input input, AskOptions) {
    co_return GradeResponse::Output{.reasoning = "checked by rules",
                                    .passed = input.findings.empty(),
                                    .confidence = input.findings.empty() ? 1.0 : 0.5,
                                    .issues = input.findings,
                                    .suggestions = {}};
}

template <llm::Prompt P, auto function>
void teach(Analyst& analyst, llm::Reasoner& reasoner, bool is_fallback = true) {
    reasoner.template answer_natively<P>(
        [&analyst](const typename P::Input& input, AskOptions options) { return function(analyst, input, options); },
        is_fallback);
}

}  // namespace

Task<Result<ClarifyQuery::Output>> clarify_natively(Analyst& analyst, ClarifyQuery::Input input, AskOptions options) {
    if (asks_for_reasons(input.question) && !input.history.empty()) {
        co_return reply_with(QueryIntent::small_talk, input.history.back().method);
    }
    if (auto reply = small_talk_reply(analyst.info(), input.question)) {
        co_return reply_with(QueryIntent::small_talk, std::move(*reply));
    }
    if (const auto language = foreign_language(input.question)) {
        co_return reply_with(QueryIntent::unanswerable, fmt::format(kForeign, *language));
    }
    const std::string asked = asked_of_data(analyst, input.question, input.history);
    const auto linked = native::link(asked, analyst.knowledge(), analyst.today());
    if (auto overview = data_overview(linked, analyst.knowledge())) {
        co_return reply_with(QueryIntent::small_talk, std::move(*overview));
    }
    if (auto reason = beyond_data(linked)) co_return reply_with(QueryIntent::unanswerable, std::move(*reason));
    if (auto measures = possible_measures(linked, analyst.knowledge()); !measures.empty()) {
        co_return reply_with(QueryIntent::ambiguous, "That depends on what you go by. Which of these do you mean?",
                             std::move(measures));
    }
    if (auto persons = possible_persons(linked, analyst.knowledge()); input.history.empty() && !persons.empty()) {
        co_return reply_with(QueryIntent::ambiguous, "Whom do you mean? Nobody has been named yet.",
                             std::move(persons));
    }
    // What all of it together would mean is read only where the parts do not say it: reading is what takes the time.
    const bool stands_alone = input.history.empty();
    if (stands_alone && co_await is_clear_in_parts(analyst, input.question, options.cancel)) {
        co_return reply_with(QueryIntent::clear, "");
    }
    const auto standing = co_await stand(analyst, input.question, input.history, options.cancel);
    if (!standing) co_return fail(standing.error());
    if (standing->is_clear()) co_return reply_with(QueryIntent::clear, "");
    if (!stands_alone && co_await is_clear_in_parts(analyst, input.question, options.cancel)) {
        co_return reply_with(QueryIntent::clear, "");
    }
    const native::Understanding& understood = *standing->read;
    const bool can_ask = understood.decision == native::Decision::ask && understood.options.size() >= 2;
    if (!can_ask || !is_about_data(linked)) {
        if (auto reply = co_await reply_by_intent(analyst, input.question, options.cancel)) co_return std::move(*reply);
    }
    if (can_ask) {
        co_return reply_with(QueryIntent::ambiguous, understood.ask, understood.options);
    }
    co_return reply_with(QueryIntent::unanswerable, not_understood(understood));
}

Task<Result<AnalyzeData::Output>> analyze_natively(Analyst& analyst, AnalyzeData::Input input, AskOptions) {
    std::vector<std::string> paragraphs;
    for (const auto& part : input.results) paragraphs.push_back(sentence_for(analyst.knowledge(), part));
    co_return AnalyzeData::Output{fmt::format("{}", fmt::join(paragraphs, "\n\n")), {}};
}

void answer_natively(Analyst& analyst, llm::Reasoner& reasoner) {
    // A model's reply that cannot be read counts as clear, so the node decides when this stands in.
    teach<ClarifyQuery, clarify_natively>(analyst, reasoner, false);
    teach<RewriteQuery, rewrite>(analyst, reasoner);
    teach<PlanQuery, plan>(analyst, reasoner);
    teach<SelectTables, select>(analyst, reasoner);
    teach<GenerateSql, generate>(analyst, reasoner);
    teach<AnalyzeData, analyze_natively>(analyst, reasoner);
    teach<GradeResponse, grade>(analyst, reasoner);
}

}  // namespace quaestor::workflows::reflective
