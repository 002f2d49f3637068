#include "base/text.hpp"
#include "workflows/common/small_talk.hpp"
#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/small_talk.hpp"
#include "workflows/reflective/standing.hpp"
#include "workflows/reflective/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

constexpr std::size_t kOptionsMin = 2;
constexpr std::size_t kOptionsMax = 3;
constexpr std::size_t kOptionColumnsMax = 200;
constexpr std::size_t kReasonColumnsMax = 600;
constexpr std::string_view kWhichOne = "That can be understood in more than one way. Which of these do you mean?";

/// Errors that end the run: it was asked to stop.
bool ends_run(const Error& error) {
    return error.code == Code::cancelled || error.code == Code::timeout;
}

/// Each once, none empty, at most three. A person cannot choose from fewer than two: then there are none.
std::vector<std::string> usable_options(const std::vector<std::string>& said) {
    std::vector<std::string> options;
    std::set<std::string> known;
    for (const auto& option : said) {
        const auto text = text::shorten(text::trim(option), kOptionColumnsMax);
        if (options.size() < kOptionsMax && !text.empty() && known.insert(text::fold(text)).second) {
            options.push_back(text);
        }
    }
    if (options.size() < kOptionsMin) options.clear();
    return options;
}

/// A model's judgement. When it cannot be asked now, the program's own; a reply that cannot be read counts as clear:
/// the question goes on, and what follows will judge.
Task<Asked<ClarifyQuery>> judged(Analyst& analyst, const State& state, Context& context) {
    ClarifyQuery::Input input{state.question, state.history,
                              table_lines(analyst.knowledge().catalog(), state.question)};
    auto asked = co_await ask<ClarifyQuery>(analyst, context, input, {});
    const bool is_out_of_time = context.cancel().cancelled() || context.deadline().expired(context.clock());
    if (asked.reply || is_out_of_time || !analyst.has_model()) co_return asked;
    const Error error = asked.reply.error();
    if (is_transient(error)) {
        auto own = co_await clarify_natively(analyst, std::move(input), {.cancel = context.cancel()});
        if (!own) co_return asked;
        asked.reply = llm::Reply<ClarifyQuery::Output>{std::move(*own), llm::AnsweredBy::native, "native"};
    } else if (error.code == Code::corrupt || error.code == Code::limit_exceeded) {
        asked.reply = llm::Reply<ClarifyQuery::Output>{{}, llm::AnsweredBy::model, {}};
    }
    co_return asked;
}

std::string reason_for(const ClarifyQuery::Output& output, QueryIntent intent, const AgentInfo& info) {
    auto reason = text::shorten(text::trim(output.reason), kReasonColumnsMax);
    if (!reason.empty()) return reason;
    if (intent == QueryIntent::ambiguous) return std::string(kWhichOne);
    if (intent == QueryIntent::small_talk) return introduction(info);
    return "The data does not hold what you ask for.";
}

}  // namespace

Node clarify_query(Analyst& analyst, const State& state, Context& context) {
    const auto asked = co_await judged(analyst, state, context);
    if (!asked.reply) co_return asked.reply.error();
    const auto& output = asked.reply->output;
    const auto options = usable_options(output.options);
    const bool is_unsure = output.intent == QueryIntent::ambiguous;
    const auto intent = is_unsure && options.empty() ? QueryIntent::clear : output.intent;
    Update<State> update;
    // A new question: what the thread's last one took and found is over. The input of a run cannot say so of lists and
    // of what may be absent.
    update.replace<&State::usage>(asked.usage).replace<&State::findings>({});
    update.set<&State::clarification>(std::nullopt)
        .set<&State::grounding>(std::nullopt)
        .set<&State::grade>(std::nullopt);
    update.set<&State::intent>(intent);
    if (intent == QueryIntent::clear) co_return update;
    update.set<&State::clarification>(
        Clarification{reason_for(output, intent, analyst.info()), is_unsure ? options : std::vector<std::string>()});
    if (is_unsure && asked.is_native()) {
        const auto standing = co_await stand(analyst, state.question, state.history, context.cancel());
        if (standing && standing->read->options == options) {
            update.set<&State::option_queries>(standing->read->option_sql);
        }
    }
    co_return update;
}

Update<State> ask_user(const State& state, Context& context) {
    const auto& open = state.clarification.value_or(Clarification());
    const auto said = context.interrupt<std::string>(open);
    Update<State> update;
    const auto option = std::ranges::find(open.options, said);
    if (option == open.options.end()) {
        // Free words say what was meant: they stand beside the question, which stays the question.
        const std::size_t end = state.question.find_last_not_of("?!. ") + 1;
        return update.set<&State::resolved_question>(
            fmt::format("{} ({}){}", state.question.substr(0, end), said, state.question.substr(end)));
    }
    const auto at = static_cast<std::size_t>(option - open.options.begin());
    if (at < state.option_queries.size()) update.set<&State::chosen_sql>(state.option_queries[at]);
    return update.set<&State::resolved_question>(said);
}

Node rewrite_query(Analyst& analyst, const State& state, Context& context) {
    Update<State> update;
    const bool was_clarified = !state.resolved_question.empty();
    if (was_clarified) co_return update;
    // A model has nothing to add to the first question; the reader may say it in other words.
    if (state.history.empty() && analyst.has_model()) co_return update.set<&State::resolved_question>(state.question);
    auto asked = co_await ask<RewriteQuery>(analyst, context, {state.question, state.history}, state.usage);
    update.set<&State::usage>(asked.usage);
    if (!asked.reply && ends_run(asked.reply.error())) co_return asked.reply.error();
    std::string rewritten(asked.reply ? text::trim(asked.reply->output.rewritten) : std::string_view());
    if (rewritten.empty() || rewritten.size() > kQuestionBytesMax) rewritten = state.question;
    if (asked.reply && asked.is_native()) {
        auto standing = co_await stand(analyst, state.question, state.history, context.cancel());
        if (standing) update.set<&State::leans_on>(std::move(standing->leans_on));
    } else if (rewritten != state.question) {
        update.set<&State::leans_on>(state.history.back().sql);
    }
    co_return update.set<&State::resolved_question>(std::move(rewritten));
}

Update<State> decline(const Analyst& analyst, const State& state) {
    const auto& open = state.clarification.value_or(Clarification());
    Update<State> update;
    if (state.intent == QueryIntent::small_talk) {
        update.set<&State::status>(AnswerStatus::answered).set<&State::answer>(open.reason);
    } else {
        update.set<&State::status>(AnswerStatus::refused).set<&State::answer>(open.reason);
    }
    update.set<&State::suggestions>(analyst.info().examples);
    return update;
}

std::string_view after_clarify(const State& state) {
    switch (state.intent) {
        case QueryIntent::clear:
            return "rewrite_query";
        case QueryIntent::ambiguous:
            return "ask_user";
        case QueryIntent::small_talk:
        case QueryIntent::unanswerable:
            break;
    }
    return "decline";
}

}  // namespace quaestor::workflows::reflective
