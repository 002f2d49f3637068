#include "server/api/event_map.hpp"

#include "server/api/node_labels.hpp"
#include "server/api/stage_payload.hpp"
#include "server/api/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::server {

namespace {

using graph::EventKind;
using workflows::Answer;
using workflows::AnswerStatus;

constexpr std::string_view kBetweenAttempts = "\n\n---\n\n";

/// The tools of document 001, by the steps that they begin and end with.
struct ToolSpan {
    std::string_view tool;
    std::string_view first;
    std::string_view last;
};
constexpr std::array kTools{
    ToolSpan{"query_tool", "generate_sql", "execute_sql"},
    ToolSpan{"query_tool", "answer_sub_query", "answer_sub_query"},
    ToolSpan{"docs_tool", "search_corpus", "search_corpus"},
    ToolSpan{"query_tool", "extract_tool_question", "format_results"},
    ToolSpan{"atlas_graphql", "extract_graphql_question", "format_graphql_results"},
    ToolSpan{"docs_tool", "extract_docs_question", "format_docs_results"},
};

/// What a tool gave, in a few words; the whole is in the pipeline_state before it.
std::string output_of(const json::object& payload) {
    if (const auto* error = payload.if_contains("error"); error != nullptr && error->is_string()) {
        return std::string(error->get_string());
    }
    if (const auto* rows = payload.if_contains("row_count")) return fmt::format("rows: {}", to_text(*rows));
    const auto* chunks = payload.if_contains("retrieved_chunks");
    if (chunks != nullptr && chunks->is_array()) return fmt::format("passages: {}", chunks->get_array().size());
    return "done";
}

ServerEvent talk_event(std::string_view text) {
    return {"agent_talk", {{"source", "agent"}, {"content", text}, {"message_type", "agent_talk"}}};
}

/// The first piece of a text: some words with the white space after them.
std::string_view first_piece(std::string_view text) {
    if (text.size() <= kTalkBytes) return text;
    const auto space = text.find(' ', kTalkBytes);
    return text.substr(0, space == std::string_view::npos ? text.size() : space + 1);
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
        case EventKind::node_start: {
            Events events = tool_begin(event);
            events.push_back(
                {"node_start",
                 {{"node", event.node}, {"label", label_of(event.node)}, {"query_index", event.task + 1}}});
            return events;
        }
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

EventMap::Events EventMap::tool_begin(const graph::Event& event) {
    const auto* span = std::ranges::find(kTools, event.node, &ToolSpan::first);
    if (span == kTools.end() || !open_tools_.emplace(event.task, span->last).second) return {};
    return {{"tool_call",
             {{"source", "agent"},
              {"content", about_.question},
              {"message_type", "tool_call"},
              {"name", span->tool},
              {"query_index", event.task + 1}}}};
}

ServerEvent EventMap::tool_end(std::int64_t task, std::string_view node, std::string content) {
    open_tools_.erase(task);
    return {"tool_output",
            {{"source", node},
             {"content", std::move(content)},
             {"message_type", "tool_output"},
             {"query_index", task + 1}}};
}

/// Every call gets its output, also when the run ended in between.
EventMap::Events EventMap::end_tools() {
    Events events;
    while (!open_tools_.empty()) {
        const auto [task, node] = *open_tools_.begin();
        events.push_back(tool_end(task, node, "it ended without a result"));
    }
    return events;
}

/// Links that were not sent before in this turn.
json::array EventMap::new_links(const json::object& payload) {
    json::array fresh;
    const auto* links = payload.if_contains("atlas_links");
    if (links == nullptr || !links->is_array()) return fresh;
    for (const auto& link : links->get_array()) {
        const auto* fields = link.if_object();
        const auto* url = fields != nullptr ? fields->if_contains("url") : nullptr;
        if (url != nullptr && url->is_string() && sent_links_.emplace(url->get_string()).second) fresh.push_back(link);
    }
    return fresh;
}

EventMap::Events EventMap::step_end(const graph::Event& event) {
    const bool went_well = event.status == graph::NodeStatus::success || event.status == graph::NodeStatus::cached;
    json::object payload = went_well ? stage_payload(event.node, event.data) : json::object();
    if (event.status == graph::NodeStatus::error) payload["error"] = decode_error(event.data).describe();
    payload["stage"] = event.node;
    payload["label"] = label_of(event.node);
    payload["query_index"] = event.task + 1;
    payload["status"] = encode(*event.status);
    payload["attempt"] = event.attempt;
    payload["latency_ms"] = event.latency_ms.value_or(0);
    json::array links = new_links(payload);
    const auto open = open_tools_.find(event.task);
    const bool ends_tool = open != open_tools_.end() && open->second == event.node;
    std::string output = ends_tool ? output_of(payload) : "";
    Events events{{"pipeline_state", std::move(payload)}};
    if (!links.empty()) {
        events.push_back({"atlas_links", {{"atlas_links", std::move(links)}, {"query_index", event.task + 1}}});
    }
    if (ends_tool) events.push_back(tool_end(event.task, event.node, std::move(output)));
    return events;
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
    for (auto& output : end_tools()) events.push_back(std::move(output));
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
    for (auto& output : end_tools()) events.push_back(std::move(output));
    json::object totals = totals_of(Answer{});
    totals["thread_id"] = about_.thread_id;
    totals["run_id"] = about_.run_id;
    totals["status"] = "failed";
    events.push_back({"error", error_data(error)});
    events.push_back({"done", std::move(totals)});
    return events;
}

}  // namespace quaestor::server
