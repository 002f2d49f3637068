#include "cli/run_support.hpp"

#include "cli/live_steps.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace quaestor::cli {

namespace {

json::value outcome_json(const graph::AnyGraph& graph, const graph::AnyResult& result) {
    json::object outcome{{"graph", graph.name()},           {"run_id", result.run_id}, {"thread_id", result.thread_id},
                         {"status", encode(result.status)}, {"steps", result.steps},   {"state", result.state}};
    if (!result.checkpoint_id.empty()) outcome.emplace("checkpoint_id", result.checkpoint_id);
    if (!result.interrupts.empty()) outcome.emplace("interrupts", encode(result.interrupts));
    if (result.error) outcome.emplace("error", encode(*result.error));
    return outcome;
}

void print_question(const graph::Interrupt& interrupt, const std::string& run_id) {
    if (!interrupt.problem.empty()) fmt::print("That answer did not fit: {}\n", interrupt.problem);
    const auto* object = interrupt.question.if_object();
    const auto* text = object ? object->if_contains("question") : nullptr;
    fmt::print("{}\n", text && text->is_string() ? std::string(text->get_string()) : to_text(interrupt.question));
    const auto* options = object ? object->if_contains("options") : nullptr;
    if (options && options->is_array()) {
        for (const auto& option : options->get_array())
            fmt::print("  • {}\n", option.is_string() ? std::string(option.get_string()) : to_text(option));
    }
    fmt::print("Answer with: quaestor runs resume {} --answer …\n", run_id);
}

}  // namespace

Result<std::unique_ptr<store::Store>> open_configured_store(const Settings& settings) {
    if (settings.store.backend == store::Backend::sqlite) {
        std::error_code problem;
        const auto folder = std::filesystem::path(settings.store.path).parent_path();
        if (!folder.empty()) std::filesystem::create_directories(folder, problem);
        if (problem) {
            return fail(Code::permission_denied,
                        fmt::format("cannot make the folder {}: {}", folder.string(), problem.message()),
                        "choose another with --data-dir, or make it writable");
        }
    }
    return store::open_store(store_settings(settings));
}

graph::RunOptions run_options(const Invocation& invocation) {
    const RunConfig& run = invocation.settings().run;
    graph::RunOptions options;
    options.durability = run.durability;
    options.step_limit = run.step_limit;
    options.parallel_limit = run.parallel_limit;
    if (run.deadline_ms.count() > 0) options.deadline = Deadline::after(*options.clock, run.deadline_ms);
    options.cancel = invocation.cancel;
    return options;
}

store::Listener show_steps(const Invocation& invocation) {
    if (invocation.quiet) return {};
    return [](const graph::Event& event) {
        if (event.kind != graph::EventKind::node_end) return;
        say(step_line(event));
    };
}

CommandResult report(const Invocation& invocation, const graph::AnyGraph& graph, const graph::AnyResult& result) {
    if (invocation.json) print_json(outcome_json(graph, result));
    switch (result.status) {
        case graph::RunStatus::finished: {
            const auto* answer = result.state.if_contains("answer");
            if (!invocation.json && answer && answer->is_string()) fmt::print("{}\n", answer->get_string().c_str());
            return ExitCode::done;
        }
        case graph::RunStatus::interrupted:
            if (!invocation.json) {
                for (const auto& interrupt : result.interrupts) print_question(interrupt, result.run_id);
            }
            return ExitCode::done;
        case graph::RunStatus::failed:
        case graph::RunStatus::cancelled:
            break;
    }
    return fail(*result.error);
}

}  // namespace quaestor::cli
