#include "base/text.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/native.hpp"
#include "workflows/cited/nodes.hpp"
#include "workflows/cited/prompts.hpp"
#include "workflows/common/asking.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::workflows::cited {

namespace {

using graph::Context;
using graph::Update;

/// Titles that help to find other words.
constexpr std::size_t kTitlesShown = 3;

/// Errors that end the run: it was asked to stop.
bool stops_run(const Error& error) {
    return error.code == Code::cancelled || error.code == Code::timeout;
}

/// A model's hints where the words of the question name no time.
DateReading dates_of(const Librarian& librarian, const AssessQuery::Output& output, const std::string& question) {
    DateReading dates = read_dates(question, {librarian.dates(), librarian.today(), {}});
    // Where documents are not a series of days, a time that none is of is something that they may speak about.
    if (dates.dates.empty() && !librarian.is_dated()) return DateReading{.topic = question};
    const bool has_hints = !output.date_start.empty() && !output.date_end.empty();
    if (!dates.periods.empty() || !has_hints || output.date_start > output.date_end) return dates;
    const Period hinted{output.date_start, output.date_end, label_of(output.date_start, output.date_end)};
    dates.dates = dates_in(hinted, librarian.dates());
    if (dates.dates.empty()) return dates;
    dates.periods.push_back(hinted);
    dates.is_one_day = dates.dates.size() == 1;
    return dates;
}

std::vector<std::string> titles_of(const std::vector<retrieval::ChunkResult>& chunks) {
    std::vector<std::string> titles;
    for (const auto& chunk : chunks) {
        const std::string& title = chunk.section.empty() ? chunk.title : chunk.section;
        const bool is_known = std::ranges::find(titles, title) != titles.end();
        if (!is_known && !title.empty() && titles.size() < kTitlesShown) titles.push_back(title);
    }
    return titles;
}

}  // namespace

Node assess_query(Librarian& librarian, const State& state, Context& context) {
    auto asked = co_await ask_prompt<AssessQuery>(
        librarian, context,
        {state.question, state.history, librarian.today(), librarian.info().about + " " + librarian.holdings()});
    Update<State> update;
    update.set<&State::usage>(asked.usage);
    if (!asked.reply && stops_run(asked.reply.error())) co_return asked.reply.error();
    // A reply that cannot be read counts as a question for the documents.
    const AssessQuery::Output output = asked.reply ? asked.reply->output : AssessQuery::Output{};
    const std::string resolved = output.resolved_question.empty() ? state.question : output.resolved_question;
    update.set<&State::needs_retrieval>(output.needs_retrieval || output.reply.empty());
    update.set<&State::reply>(output.reply).set<&State::resolved_question>(resolved);
    DateReading dates = dates_of(librarian, output, resolved);
    if (!dates.periods.empty() && !dates.dates.empty()) {
        update.set<&State::metadata_hints>(DateHints{dates.dates.front(), dates.dates.back()});
    }
    update.set<&State::top_k_hint>(std::clamp<std::int64_t>(output.top_k, 1, kTopMax));
    co_return update.set<&State::dates>(std::move(dates));
}

std::string_view after_assess(const State& state) {
    return state.needs_retrieval ? "search_corpus" : "respond";
}

Node reformulate_query(Librarian& librarian, const State& state, Context& context) {
    Update<State> update;
    update.set<&State::reformulation_attempts>(state.reformulation_attempts + 1);
    const std::string topic = state.dates.topic.empty() ? state.resolved_question : state.dates.topic;
    auto tried = state.searched;
    tried.push_back(topic);
    auto asked =
        co_await ask_prompt<ReformulateQuery>(librarian, context, {topic, tried, titles_of(state.retrieved_chunks)});
    update.set<&State::usage>(asked.usage);
    if (!asked.reply) co_return asked.reply.error();
    const std::string query(text::trim(asked.reply->output.query));
    const bool is_new = !query.empty() && std::ranges::find(tried, query) == tried.end();
    // Nothing new to search for: the same search would find the same.
    if (!is_new) co_return update.set<&State::reformulation_attempts>(kReformulationsMax);
    co_return update.set<&State::reformulated_query>(query);
}

Node synthesize_answer(Librarian& librarian, const State& state, Context& context) {
    SynthesizeAnswer::Input input{
        .question = state.resolved_question, .passages = {}, .evidence = state.evidence, .dates = state.dates};
    for (const auto& chunk : state.retrieved_chunks) {
        const auto number = static_cast<std::int64_t>(input.passages.size()) + 1;
        input.passages.push_back({number, chunk.document, chunk.date, chunk.section, chunk.text});
    }
    auto asked = co_await ask_prompt<SynthesizeAnswer>(librarian, context, std::move(input));
    Update<State> update;
    update.set<&State::usage>(asked.usage);
    if (!asked.reply) co_return asked.reply.error();
    const auto& output = asked.reply->output;
    if (output.answered) co_await context.token(output.answer);
    co_return update.set<&State::draft>(output.answered ? output.answer : std::string());
}

}  // namespace quaestor::workflows::cited
