#include "workflows/common/agent.hpp"

#include "base/ids.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

namespace quaestor::workflows {

namespace {

constexpr std::size_t kOrdinalWordsMax = 4;
constexpr std::size_t kQuestionWordsMin = 3;

/// The options that a run waits with.
std::vector<std::string> options_of(const store::RunRecord& run) {
    boost::system::error_code none;
    const json::value* found = run.outcome.find_pointer("/interrupts/0/question/options", none);
    if (found == nullptr) return {};
    return decode<std::vector<std::string>>(*found).value_or(std::vector<std::string>());
}

/// "2", "the second one" and the words of an option choose it; anything else is taken as it is.
std::string chosen(const std::string& said, const std::vector<std::string>& options) {
    static constexpr std::array<std::string_view, 3> kOrdinals{"first", "second", "third"};
    const auto words = text::words(text::fold(said));
    for (std::size_t at = 0; at < options.size(); ++at) {
        const bool is_number = words.size() == 1 && words.front() == std::to_string(at + 1);
        const bool is_ordinal = at < kOrdinals.size() && words.size() <= kOrdinalWordsMax &&
                                std::ranges::find(words, kOrdinals[at]) != words.end();
        if (is_number || is_ordinal || words == text::words(text::fold(options[at]))) return options[at];
    }
    return said;
}

/// Whether a reply is no answer to a question back but a question of its own: "How about the Warriors?"
bool asks_anew(const std::string& said) {
    static const std::set<std::string_view> kOpenings{
        "are",  "compare", "count", "did",  "do",   "does",  "find", "give", "how",  "is",    "list",  "plot",
        "show", "tell",    "was",   "what", "when", "where", "were", "who",  "whom", "whose", "which", "why"};
    const auto words = text::words(text::fold(said));
    return words.size() >= kQuestionWordsMin && kOpenings.contains(words.front());
}

bool is_another_question(const std::string& said, const std::vector<std::string>& options) {
    return std::ranges::find(options, chosen(said, options)) == options.end() && asks_anew(said);
}

/// The question, and of what was set beside it the fields that the workflow knows.
json::object full_input(const Agent& agent, const AskRequest& request) {
    json::object input = agent.input(request.question);
    const json::value schema = agent.graph().state_schema();
    boost::system::error_code none;
    const json::value* known = schema.find_pointer("/properties", none);
    if (known == nullptr || !known->is_object()) return input;
    for (const auto& field : request.input) {
        if (known->get_object().contains(field.key())) input[field.key()] = field.value();
    }
    return input;
}

Task<graph::AnyResult> start_or_resume(const Agent& agent, store::Store& store, AskRequest& request,
                                       std::optional<store::RunRecord> waiting) {
    if (!waiting) {
        co_return co_await store::run_recorded(store, agent.graph(), full_input(agent, request),
                                               std::move(request.options), std::move(request.listener));
    }
    graph::Answers answers{{graph::kOnlyQuestion, json::value(chosen(request.question, options_of(*waiting)))}};
    co_return co_await store::resume_recorded(store, agent.graph(), std::move(*waiting), std::move(answers),
                                              std::move(request.options), std::move(request.listener));
}

Task<Result<>> keep_question(store::Store& store, const AskRequest& request, WallTime asked_at) {
    json::object data{{"run_id", request.options.run_id}};
    if (!request.input.empty()) data["input"] = request.input;
    co_return co_await store.conversations().append(
        request.options.thread_id,
        {make_id(), store::Message::Role::user, request.question, std::move(data), asked_at});
}

/// The words that a run works on: the last that were said to it.
Task<std::string> question_of(store::Store& store, const store::RunRecord& run) {
    if (const auto said = co_await store.conversations().messages(run.thread_id)) {
        for (const auto& message : *said | std::views::reverse) {
            const auto* of = message.data.if_contains("run_id");
            if (message.role == store::Message::Role::user && of && *of == json::value(run.run_id))
                co_return message.text;
        }
    }
    const auto* input = run.input.if_object();
    const auto* question = input ? input->if_contains("question") : nullptr;
    co_return question && question->is_string() ? std::string(question->get_string()) : std::string();
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

/// For a run that was killed between its last checkpoint and the record of its end: the end, from that checkpoint.
Task<Result<graph::AnyResult>> end_of(store::Store& store, store::RunRecord run, WallTime now) {
    auto saved = co_await store.checkpoints().get(run.thread_id);
    if (!saved) co_return fail(saved.error());
    graph::AnyResult result;
    result.status = graph::RunStatus::finished;
    result.run_id = run.run_id;
    result.thread_id = run.thread_id;
    if (*saved) result.state = std::move((*saved)->state);
    run.status = "finished";
    run.outcome = json::object{{"state", result.state}};
    run.ended_at = now;
    if (auto kept = co_await store.traces().save(std::move(run)); !kept) co_return fail(kept.error());
    co_return result;
}

/// Whether a run has left a checkpoint that it can go on from.
Task<Result<bool>> has_begun(store::Store& store, const store::RunRecord& run) {
    graph::CheckpointQuery newest;
    newest.thread_id = run.thread_id;
    newest.limit = 1;
    auto found = co_await store.checkpoints().list(std::move(newest));
    if (!found) co_return fail(found.error());
    if (found->empty()) co_return false;
    const auto* by = found->front().metadata.if_contains("run_id");
    co_return by != nullptr && *by == json::value(run.run_id);
}

}  // namespace

Task<Result<std::optional<store::RunRecord>>> waiting_run(store::Store& store, const Agent& agent,
                                                          std::string thread_id) {
    if (thread_id.empty()) co_return std::nullopt;
    auto runs =
        co_await store.traces().list({.graph = {}, .status = {}, .thread_id = std::move(thread_id), .limit = 1});
    if (!runs) co_return fail(runs.error());
    if (runs->empty() || runs->front().status != "interrupted" || runs->front().graph != agent.graph().name()) {
        co_return std::nullopt;
    }
    co_return co_await store.traces().get(runs->front().run_id);
}

void tell_failure(const graph::AnyResult& result, Answer& answer) {
    answer.status = AnswerStatus::failed;
    const Error error = result.error.value_or(Error{Code::internal, "the run ended without an answer", {}, {}});
    answer.answer = fmt::format("I could not finish: {}.", error.describe());
    if (std::string advice(error.advice()); !advice.empty()) {
        advice.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(advice.front())));
        answer.answer += fmt::format(" {}.", advice);
    }
}

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

Task<Result<Answer>> keep_answer(const Agent& agent, store::Store& store, const graph::AnyResult& result,
                                 AskedQuestion asked) {
    Answer answer = agent.answer(result);
    answer.agent = agent.info().name;
    answer.workflow = agent.info().workflow;
    answer.question = std::move(asked.question);
    answer.run_id = result.run_id;
    answer.thread_id = result.thread_id;
    if (auto added = co_await add_trace(store, answer); !added) co_return fail(added.error());
    answer.timing_ms = std::chrono::duration<double, std::milli>(asked.clock.now() - asked.began).count();
    store::Message reply{make_id(), store::Message::Role::assistant, answer.answer, to_json(answer),
                         asked.clock.wall()};
    if (auto kept = co_await store.conversations().append(answer.thread_id, std::move(reply)); !kept) {
        co_return fail(kept.error());
    }
    co_return answer;
}

Task<Result<Answer>> ask(const Agent& agent, store::Store& store, AskRequest request) {
    auto question = usable_question(request.question);
    if (!question) co_return fail(question.error());
    request.question = *question;
    Clock& clock = *request.options.clock;
    const AskedQuestion asked(std::move(*question), clock);
    auto waiting = co_await waiting_run(store, agent, request.thread_id);
    if (!waiting) co_return fail(waiting.error());
    if (*waiting && is_another_question(request.question, options_of(**waiting))) waiting->reset();
    graph::RunOptions& options = request.options;
    if (*waiting) options.run_id = (*waiting)->run_id;
    if (options.run_id.empty()) options.run_id = make_id();
    options.thread_id = request.thread_id.empty() ? options.run_id : request.thread_id;
    if (auto kept = co_await keep_question(store, request, clock.wall()); !kept) co_return fail(kept.error());

    const auto result = co_await start_or_resume(agent, store, request, std::move(*waiting));
    co_return co_await keep_answer(agent, store, result, asked);
}

Task<Result<Answer>> go_on(const Agent& agent, store::Store& store, store::RunRecord run, AskRequest request) {
    Clock& clock = *request.options.clock;
    auto begun = co_await has_begun(store, run);
    if (!begun) co_return fail(begun.error());
    const AskedQuestion asked(co_await question_of(store, run), clock);
    request.options.run_id = run.run_id;
    request.options.thread_id = run.thread_id;
    graph::AnyResult result;
    if (*begun) {
        result = co_await store::resume_recorded(store, agent.graph(), run, {}, std::move(request.options),
                                                 std::move(request.listener));
        const bool was_at_its_end = result.error && result.error->code == Code::conflict && result.steps == 0;
        if (was_at_its_end) {
            auto ended = co_await end_of(store, std::move(run), clock.wall());
            if (!ended) co_return fail(ended.error());
            result = std::move(*ended);
        }
    } else {
        result = co_await store::run_recorded(store, agent.graph(), std::move(run.input), std::move(request.options),
                                              std::move(request.listener));
    }
    co_return co_await keep_answer(agent, store, result, asked);
}

}  // namespace quaestor::workflows
