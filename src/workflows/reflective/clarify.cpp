#include "workflows/reflective/asking.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::Update;

/// Errors that end the run: it was asked to stop.
bool ends_run(const Error& error) {
    return error.code == Code::cancelled || error.code == Code::timeout;
}

}  // namespace

Node clarify_query(Analyst& analyst, const State& state, Context& context) {
    auto asked = co_await ask<ClarifyQuery>(
        analyst, context, {state.question, state.history, table_lines(analyst.knowledge().catalog())});
    Update<State> update;
    update.set<&State::usage>(asked.usage);
    if (!asked.reply && (ends_run(asked.reply.error()) || !analyst.has_model())) co_return asked.reply.error();
    // A reply that cannot be read counts as clear: the question goes on, and what follows will judge.
    if (!asked.reply) co_return update;
    const auto& output = asked.reply->output;
    const bool has_options = output.intent == QueryIntent::ambiguous && output.options.size() >= 2;
    update.set<&State::intent>(output.intent == QueryIntent::ambiguous && !has_options ? QueryIntent::clear
                                                                                       : output.intent);
    if (output.intent != QueryIntent::clear)
        update.set<&State::clarification>(Clarification{output.reason, output.options});
    if (has_options && asked.is_native()) {
        const auto read = co_await analyst.understand(state.question, leaned_on(analyst, state.question, state.history),
                                                      context.cancel());
        if (read && (*read)->options == output.options) update.set<&State::option_queries>((*read)->option_sql);
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
        return update.set<&State::resolved_question>(fmt::format("{} ({})", state.question, said));
    }
    const auto at = static_cast<std::size_t>(option - open.options.begin());
    if (at < state.option_queries.size()) update.set<&State::chosen_sql>(state.option_queries[at]);
    return update.set<&State::resolved_question>(said);
}

Node rewrite_query(Analyst& analyst, const State& state, Context& context) {
    Update<State> update;
    const bool was_clarified = !state.resolved_question.empty();
    if (was_clarified) co_return update;
    if (state.history.empty()) co_return update.set<&State::resolved_question>(state.question);
    auto asked = co_await ask<RewriteQuery>(analyst, context, {state.question, state.history});
    update.set<&State::usage>(asked.usage);
    if (!asked.reply && ends_run(asked.reply.error())) co_return asked.reply.error();
    const std::string rewritten = asked.reply ? asked.reply->output.rewritten : state.question;
    if (rewritten != state.question) update.set<&State::leans_on>(state.history.back().sql);
    co_return update.set<&State::resolved_question>(rewritten.empty() ? state.question : rewritten);
}

Update<State> decline(const Analyst& analyst, const State& state) {
    const auto& open = state.clarification.value_or(Clarification());
    Update<State> update;
    if (state.intent == QueryIntent::small_talk) {
        update.set<&State::status>(AnswerStatus::answered).set<&State::answer>(open.reason);
    } else {
        const std::string reason = open.reason.empty() ? "The data does not hold what you ask for." : open.reason;
        update.set<&State::status>(AnswerStatus::refused).set<&State::answer>(reason);
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
