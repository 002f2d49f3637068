#include "transcript.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

namespace quaestor::graph {

namespace {

std::string_view text_of(const json::value& value) {
    return value.as_string();
}

std::string describe_question(const Interrupt& interrupt) {
    return fmt::format("{} {}{}", interrupt.id, to_text(interrupt.question),
                       interrupt.problem.empty() ? std::string() : fmt::format(" ({})", interrupt.problem));
}

/// "2 search#1": the step, the node and, where a fan-out makes several of it, the place of the task.
std::string subject(const Event& event, const Shape& shape) {
    const bool is_worker = !shape.nodes[*shape.find(event.node)].item_type.empty();
    return fmt::format("{} {}{}", event.step, event.node, is_worker ? fmt::format("#{}", event.task) : std::string());
}

std::string describe_node_end(const Event& event) {
    std::string line = boost::describe::enum_to_string(*event.status, "");
    const bool has_failed = event.status == NodeStatus::error || event.status == NodeStatus::cancelled;
    if (has_failed) line += " " + describe(decode_error(event.data));
    if (event.data.is_object() && !has_failed && !event.data.get_object().empty()) line += " " + to_text(event.data);
    if (*event.latency_ms > 0) line += fmt::format(" after {} ms", *event.latency_ms);
    return line;
}

std::string describe_event(const Event& event, const Shape& shape) {
    switch (event.kind) {
        case EventKind::run_start:
            return "run_start";
        case EventKind::node_start:
            return subject(event, shape) + " starts" +
                   (event.attempt > 1 ? fmt::format(" (attempt {})", event.attempt) : std::string());
        case EventKind::node_end:
            return fmt::format("{} {}", subject(event, shape), describe_node_end(event));
        case EventKind::token:
            return fmt::format("{} token {}", subject(event, shape), to_text(event.data));
        case EventKind::custom:
            return fmt::format("{} emits {} {}", subject(event, shape), text_of(event.data.at("name")),
                               to_text(event.data.at("data")));
        case EventKind::checkpoint:
            return fmt::format("checkpoint {}", text_of(event.data.at("source")));
        case EventKind::interrupt:
            return fmt::format("asks {}", describe_question(*decode<Interrupt>(event.data)));
        case EventKind::run_end:
            return fmt::format("run_end {} after {} step{}", text_of(event.data.at("status")),
                               to_text(event.data.at("steps")), event.data.at("steps") == 1 ? "" : "s");
    }
    std::unreachable();
}

}  // namespace

std::vector<std::string> describe(const std::vector<Event>& events, const Shape& shape) {
    std::vector<std::string> lines;
    for (const auto& event : events) lines.push_back(describe_event(event, shape));
    return lines;
}

std::vector<std::string> describe(const RunOutcome& outcome) {
    std::vector<std::string> lines{fmt::format("= {}", boost::describe::enum_to_string(outcome.status, ""))};
    if (outcome.error) lines.front() += " " + describe(*outcome.error);
    for (const auto& interrupt : outcome.interrupts)
        lines.push_back(fmt::format("= open {}", describe_question(interrupt)));
    return lines;
}

std::string describe(const CheckpointInfo& checkpoint) {
    auto line = fmt::format("{} step {} ->", text_of(checkpoint.metadata.at("source")),
                            to_text(checkpoint.metadata.at("step")));
    const auto& next = checkpoint.position.at("next");
    if (next.is_null()) return line + " undecided";
    if (next.as_array().empty()) return line + " END";
    for (const auto& task : next.as_array()) {
        line += fmt::format(" {}", text_of(task.at("node")));
        if (const auto* item = task.as_object().if_contains("item")) line += fmt::format("({})", text_of(*item));
    }
    return line;
}

std::string describe(const Error& error) {
    return fmt::format("{}: {}", to_string(error.code), error.describe());
}

std::string describe_state(const json::object& state, const json::object& new_state) {
    json::object changed;
    for (const auto& field : state) {
        if (field.value() != new_state.at(field.key())) changed.emplace(field.key(), field.value());
    }
    return fmt::format("= state {}", to_text(changed));
}

}  // namespace quaestor::graph
