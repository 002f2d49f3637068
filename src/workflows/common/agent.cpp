#include "workflows/common/agent.hpp"

#include "base/ids.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace quaestor::workflows {

namespace {

/// The run of a thread that waits for a person, if its last one does.
Task<Result<std::optional<store::RunRecord>>> waiting_run(store::Store& store, const Agent& agent,
                                                          const std::string& thread_id) {
    if (thread_id.empty()) co_return std::nullopt;
    auto runs = co_await store.traces().list({.graph = {}, .status = {}, .thread_id = thread_id, .limit = 1});
    if (!runs) co_return fail(runs.error());
    if (runs->empty() || runs->front().status != "interrupted" || runs->front().graph != agent.graph().name()) {
        co_return std::nullopt;
    }
    co_return co_await store.traces().get(runs->front().run_id);
}

/// "2" chooses the second option; anything else is taken as it is.
std::string chosen(const std::string& said, const json::value& outcome) {
    boost::system::error_code none;
    const json::value* options = outcome.find_pointer("/interrupts/0/question/options", none);
    if (options == nullptr || !options->is_array()) return said;
    std::size_t number = 0;
    const auto text = text::trim(said);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto& all = options->get_array();
    const bool is_number = problem == std::errc() && end == text.data() + text.size();
    if (!is_number || number == 0 || number > all.size() || !all[number - 1].is_string()) return said;
    return std::string(all[number - 1].get_string());
}

Task<graph::AnyResult> start_or_resume(const Agent& agent, store::Store& store, AskRequest& request,
                                       std::optional<store::RunRecord> waiting) {
    if (!waiting) {
        co_return co_await store::run_recorded(store, agent.graph(), agent.input(request.question),
                                               std::move(request.options), std::move(request.listener));
    }
    graph::Answers answers{{graph::kOnlyQuestion, json::value(chosen(request.question, waiting->outcome))}};
    co_return co_await store::resume_recorded(store, agent.graph(), std::move(*waiting), std::move(answers),
                                              std::move(request.options), std::move(request.listener));
}

Task<Result<>> remember(store::Store& store, const Answer& answer, WallTime asked_at, WallTime answered_at) {
    store::Message question{make_id(), store::Message::Role::user, answer.question, {}, asked_at};
    if (auto kept = co_await store.conversations().append(answer.thread_id, std::move(question)); !kept) {
        co_return kept;
    }
    store::Message reply{make_id(), store::Message::Role::assistant, answer.answer, to_json(answer), answered_at};
    co_return co_await store.conversations().append(answer.thread_id, std::move(reply));
}

Task<Result<>> add_trace(store::Store& store, Answer& answer) {
    auto record = co_await store.traces().get(answer.run_id);
    if (!record) co_return fail(record.error());
    if (!*record) co_return Result<>();
    for (const auto& step : (*record)->trace) {
        answer.trace.push_back({step.node, step.status, step.attempt, step.latency_ms});
    }
    co_return Result<>();
}

}  // namespace

Result<std::string> usable_question(std::string_view question) {
    if (!text::is_utf8(question) || question.find('\0') != std::string_view::npos) {
        return fail(Code::invalid_argument, "the question is not text", "write it in UTF-8, without binary data");
    }
    const auto trimmed = text::trim(question);
    if (trimmed.empty()) return fail(Code::invalid_argument, "the question is empty", "ask something about the data");
    if (trimmed.size() > kQuestionBytesMax) {
        return fail(Code::invalid_argument,
                    fmt::format("the question has {} bytes; at most {} are read", trimmed.size(), kQuestionBytesMax),
                    "ask a shorter question, or several");
    }
    return text::clean(trimmed);
}

Task<Result<Answer>> ask(const Agent& agent, store::Store& store, AskRequest request) {
    auto question = usable_question(request.question);
    if (!question) co_return fail(question.error());
    request.question = *question;
    Clock& clock = *request.options.clock;
    const Instant began = clock.now();
    const WallTime asked_at = clock.wall();
    auto waiting = co_await waiting_run(store, agent, request.thread_id);
    if (!waiting) co_return fail(waiting.error());
    request.options.thread_id = request.thread_id;

    const auto result = co_await start_or_resume(agent, store, request, std::move(*waiting));
    Answer answer = agent.answer(result);
    answer.agent = agent.info().name;
    answer.workflow = agent.info().workflow;
    answer.question = std::move(*question);
    answer.run_id = result.run_id;
    answer.thread_id = result.thread_id;
    if (auto added = co_await add_trace(store, answer); !added) co_return fail(added.error());
    answer.timing_ms = std::chrono::duration<double, std::milli>(clock.now() - began).count();
    if (auto kept = co_await remember(store, answer, asked_at, clock.wall()); !kept) co_return fail(kept.error());
    co_return answer;
}

}  // namespace quaestor::workflows
