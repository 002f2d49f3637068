#include "cli/run_view.hpp"

#include "base/text.hpp"
#include "cli/markdown_view.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace quaestor::cli {

namespace {

constexpr std::string_view kGeneration = "generate_sql";
constexpr std::size_t kAnswerBytesShown = 4'000;

const json::value* found_at(const json::value& in, std::string_view pointer) {
    boost::system::error_code none;
    return in.find_pointer(pointer, none);
}

std::string string_at(const json::value& in, std::string_view pointer) {
    const auto* found = found_at(in, pointer);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::int64_t count_at(const json::value& in, std::string_view pointer) {
    const auto* found = found_at(in, pointer);
    return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

/// A node with all its attempts.
struct NodeRun {
    std::string node;
    std::string status;
    double latency_ms = 0;
    int attempts = 1;
};

std::vector<NodeRun> node_runs(const store::RunRecord& run) {
    std::vector<NodeRun> runs;
    for (const auto& step : run.trace) {
        const auto last = std::ranges::find(runs.rbegin(), runs.rend(), step.node, &NodeRun::node);
        if (step.attempt > 1 && last != runs.rend()) {
            last->status = step.status;
            last->latency_ms += step.latency_ms;
            last->attempts = step.attempt;
        } else {
            runs.push_back({step.node, step.status, step.latency_ms, step.attempt});
        }
    }
    return runs;
}

/// Attempts after the first, of nodes that failed and of SQL that was written again.
std::int64_t retries_in(const std::vector<NodeRun>& runs) {
    std::int64_t retries = 0;
    std::int64_t generations = 0;
    for (const auto& run : runs) {
        retries += run.attempts - 1;
        if (run.node == kGeneration) ++generations;
    }
    return retries + std::max<std::int64_t>(generations - 1, 0);
}

std::string drawn_options(const json::value& outcome, std::size_t width) {
    const auto* options = found_at(outcome, "/interrupts/0/question/options");
    if (options == nullptr || !options->is_array()) return {};
    std::string out;
    std::size_t number = 0;
    for (const auto& option : options->get_array()) {
        if (option.is_string()) {
            out += draw_paragraph(std::string_view(option.get_string()), fmt::format("  {}. ", ++number), width);
        }
    }
    return out;
}

}  // namespace

std::string question_of(const store::RunRecord& run) {
    return string_at(run.input, "/question");
}

bool answers_question(const store::RunRecord& run) {
    return !question_of(run).empty();
}

json::object execution_trace(const store::RunRecord& run) {
    const auto runs = node_runs(run);
    json::array nodes;
    double total = 0;
    for (const auto& node : runs) {
        nodes.push_back({{"node", node.node},
                         {"status", node.status},
                         {"latency_ms", node.latency_ms},
                         {"attempts", node.attempts}});
        total += node.latency_ms;
    }
    return {{"trace_id", run.run_id},
            {"question", question_of(run)},
            {"nodes_executed", std::move(nodes)},
            {"total_latency_ms", total},
            {"llm_calls", count_at(run.outcome, "/state/usage/llm_calls")},
            {"retries", retries_in(runs)},
            {"cache_hits", std::ranges::count(runs, "cached", &NodeRun::status)}};
}

std::string draw_question_and_answer(const store::RunRecord& run, std::size_t width) {
    std::string out = draw_paragraph(question_of(run), "question ", width);
    const std::string reason = string_at(run.outcome, "/interrupts/0/question/reason");
    if (!reason.empty()) out += draw_paragraph(reason, "asks     ", width) + drawn_options(run.outcome, width);
    const std::string error = string_at(run.outcome, "/error/message");
    if (!error.empty()) out += draw_paragraph(error, "error    ", width);
    const std::string sql = string_at(run.outcome, "/state/finding/sql");
    if (!sql.empty()) out += "sql      " + visible(sql) + "\n";
    const std::string answer = string_at(run.outcome, "/state/answer");
    if (!answer.empty()) out += "\n" + draw_markdown(answer.substr(0, kAnswerBytesShown), width);
    return out;
}

}  // namespace quaestor::cli
