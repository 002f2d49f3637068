#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

namespace quaestor::cli {

namespace {

constexpr std::size_t kRunsListedMax = 10'000;

void add_runs_inspection(CLI::App& runs, CommandLine& line) {
    auto* list = runs.add_subcommand("list", "List runs, the latest first");
    list->add_option("--graph", line.runs_list.graph, "Only runs of this graph");
    list->add_option("--status", line.runs_list.status, "Only runs that are so")
        ->check(CLI::IsMember({"running", "finished", "interrupted", "failed", "cancelled"}));
    list->add_option("--limit", line.runs_list.limit, "How many at most")
        ->check(CLI::Range(std::size_t{1}, kRunsListedMax))
        ->capture_default_str();
    list->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_list(invocation, line.runs_list); };
    });
    auto* show = runs.add_subcommand("show", "Show a run: its steps, its checkpoints, how it ended");
    show->add_option("run", line.runs_show, "Id of the run, or last")->required();
    show->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_show(invocation, line.runs_show); };
    });
}

}  // namespace

void add_graph_commands(CLI::App& app, CommandLine& line) {
    auto* graph = app.add_subcommand("graph", "Look at the compiled graphs")->require_subcommand(1);
    graph->add_subcommand("list", "List the graphs")->callback([&line] { line.action = graph_list; });
    auto* show = graph->add_subcommand("show", "Show a graph's nodes and the ways between them");
    show->add_option("graph", line.graph_show.name, "Name of a graph, or of an agent")->required();
    show->add_option("--format", line.graph_show.format, "mermaid for documents, json for programs, text for reading")
        ->check(CLI::IsMember({"mermaid", "json", "text"}))
        ->capture_default_str();
    show->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return graph_show(invocation, line.graph_show); };
    });
}

void add_runs_commands(CLI::App& app, CommandLine& line) {
    auto* runs = app.add_subcommand("runs", "Look at runs, go on with them, go back in them")->require_subcommand(1);
    add_runs_inspection(*runs, line);
    auto* resume = runs->add_subcommand("resume", "Go on after a question, a failure or a crash");
    resume->add_option("run", line.runs_resume.run, "Id of the run, or last")->required();
    resume->add_option("--answer", line.runs_resume.answers, "The answer, or ID=ANSWER where several are open")
        ->allow_extra_args(false);  // one word each; more would also take a list in an answer apart
    resume->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_resume(invocation, line.runs_resume); };
    });
    auto* fork = runs->add_subcommand("fork", "Go back to a checkpoint and run on from there");
    fork->add_option("run", line.runs_fork.run, "Id of the run, or last")->required();
    fork->add_option("--at", line.runs_fork.checkpoint, "Id of the checkpoint; runs show lists them")->required();
    fork->add_option("--set", line.runs_fork.change, "State fields to change, as a JSON object")->capture_default_str();
    fork->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_fork(invocation, line.runs_fork); };
    });
}

}  // namespace quaestor::cli
