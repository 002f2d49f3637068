#include "server/api/event_map.hpp"

#include "server/api/node_labels.hpp"
#include "server/api/stage_payload.hpp"

#include <fmt/format.h>

namespace quaestor::server {

namespace {

using graph::EventKind;
using workflows::Answer;
using workflows::AnswerStatus;

constexpr std::string_view kBetweenAttempts = "\n\n---\n\n";

ServerEvent talk_event(std::string_view text) {
    return {"agent_talk", {{"source", "agent"}, {"content", text}, {"message_type", "agent_talk"}}};
}

/// The first piece of a text: some words with the white space after them.
std::string_view first_piece(std::string_view text) {
    if (text.size() <= kTalkBytes) return text;
    const auto space = text.find(' ', kTalkBytes);
    return text.substr(0, space == std::string_view::npos ? text.size() : space + 1);
}

json::object usage_json(const workflows::UsageSummary& usage) {
    return {{"input_tokens", usage.input_tokens},
            {"output_tokens", usage.output_tokens},
            {"total_tokens", usage.input_tokens + usage.output_tokens},
            {"call_count", usage.llm_calls}};
}

json::object clarification_data(const Answer& answer) {
    json::object data = encode(*answer.clarification).as_object();
    data["run_id"] = answer.run_id;
    data["question"] = answer.question;
    return data;
}

Error failure_of(const Answer& answer) {
    return {Code::internal, answer.answer.empty() ? "the run ended without an answer" : answer.answer, {}, {}};
}

}  // namespace

json::object error_data(const Error& error) {
    return {{"message", error.describe()}, {"code", to_string(error.code)}, {"hint", error.advice()}};
}

json::object totals_of(const Answer& answer) {
    std::int64_t rows = 0;
    double database_ms = 0;
    for (const auto& query : answer.queries) {
        rows += query.result.row_count;
        database_ms += query.result.execution_time_ms;
    }
    json::object calls;
    if (!answer.queries.empty()) calls["query_tool"] = answer.queries.size();
    json::object totals{{"total_queries", answer.queries.size()},
                        {"total_rows", rows},
                        {"total_execution_time_ms", database_ms},
                        {"total_time_ms", answer.timing_ms},
                        {"total_graphql_queries", 0},
                        {"total_graphql_time_ms", 0}};
    const json::object usage = usage_json(answer.usage);
    totals["token_usage"] = json::object{{"by_pipeline", {{"agent", usage}}}, {"total", usage}};
    totals["cost"] = json::object{{"by_pipeline", {{"agent", answer.usage.cost_usd}}},
                                  {"total_cost_usd", answer.usage.cost_usd},
                                  {"record_count", answer.usage.llm_calls}};
    totals["tool_call_counts"] = std::move(calls);
    return totals;
}

EventMap::Events EventMap::begin() {
    if (std::exchange(has_begun_, true)) return {};
    json::object run{{"run_id", about_.run_id},
                     {"thread_id", about_.thread_id},
                     {"agent", about_.agent},
                     {"question", about_.question}};
    if (!reason_.empty()) run["reason"] = reason_;
    if (is_resumed_) run["resumed"] = true;
    return {{"thread_id", {{"thread_id", about_.thread_id}}}, {"run", std::move(run)}};
}

EventMap::Events EventMap::hear(const graph::Event& event) {
    switch (event.kind) {
        case EventKind::run_start:
            return begin();
        case EventKind::node_start:
            return {{"node_start",
                     {{"node", event.node}, {"label", label_of(event.node)}, {"query_index", event.task + 1}}}};
        case EventKind::node_end:
            return step_end(event);
        case EventKind::token: {
            const auto* text = event.data.if_string();
            if (text == nullptr) return {};
            const std::string speaker = fmt::format("{} {}", event.node, event.step);
            Events events;
            if (!said_.empty() && speaker != speaking_as_) {
                events.push_back({"retract", {{"reason", "a check did not pass, and the answer is written again"}}});
                events.push_back(talk_event(kBetweenAttempts));
                said_.clear();
            }
            speaking_as_ = speaker;
            for (auto& piece : talk(*text)) events.push_back(std::move(piece));
            return events;
        }
        case EventKind::run_end: {
            const auto* end = event.data.if_object();
            if (const auto* error = end ? end->if_contains("error") : nullptr) error_ = decode_error(*error);
            return {};
        }
        default:
            return {};
    }
}

EventMap::Events EventMap::step_end(const graph::Event& event) const {
    const bool went_well = event.status == graph::NodeStatus::success || event.status == graph::NodeStatus::cached;
    json::object payload = went_well ? stage_payload(event.node, event.data) : json::object();
    if (event.status == graph::NodeStatus::error) payload["error"] = decode_error(event.data).describe();
    payload["stage"] = event.node;
    payload["label"] = label_of(event.node);
    payload["query_index"] = event.task + 1;
    payload["status"] = encode(*event.status);
    payload["attempt"] = event.attempt;
    payload["latency_ms"] = event.latency_ms.value_or(0);
    return {{"pipeline_state", std::move(payload)}};
}

EventMap::Events EventMap::talk(std::string_view text) {
    Events events;
    said_ += text;
    while (!text.empty()) {
        const auto piece = first_piece(text);
        events.push_back(talk_event(piece));
        text.remove_prefix(piece.size());
    }
    return events;
}

EventMap::Events EventMap::end(const Answer& answer) {
    Events events = begin();
    const auto add = [&](std::string name, json::object data) { events.push_back({std::move(name), std::move(data)}); };
    if (!answer.answer.starts_with(said_)) {
        add("retract", {{"reason", "the answer was completed"}});
        events.push_back(talk_event(kBetweenAttempts));
        said_.clear();
    }
    for (auto& piece : talk(std::string_view(answer.answer).substr(said_.size()))) events.push_back(std::move(piece));
    for (const auto& citation : answer.citations) add("citation", encode(citation).as_object());
    if (answer.clarification && answer.status == AnswerStatus::clarification) {
        add("clarification", clarification_data(answer));
    }
    if (!answer.chart.empty()) add("chart", {{"chart", answer.chart}});
    if (answer.grounding) add("grounding", encode(*answer.grounding).as_object());
    add("answer", to_json(answer));
    if (answer.status == AnswerStatus::failed) add("error", error_data(error_.value_or(failure_of(answer))));
    json::object totals = totals_of(answer);
    totals["thread_id"] = about_.thread_id;
    totals["run_id"] = about_.run_id;
    totals["status"] = encode(answer.status);
    add("done", std::move(totals));
    return events;
}

EventMap::Events EventMap::fail(const Error& error) {
    Events events = begin();
    json::object totals = totals_of(Answer{});
    totals["thread_id"] = about_.thread_id;
    totals["run_id"] = about_.run_id;
    totals["status"] = "failed";
    events.push_back({"error", error_data(error)});
    events.push_back({"done", std::move(totals)});
    return events;
}

}  // namespace quaestor::server
