#include "cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

/// A graph by its own name or by that of an agent that runs it.
std::string graph_name(const Settings& settings, const std::string& name) {
    const auto specs = agent_specs(settings.sources, settings.agents, settings.corpora);
    const auto agent = std::ranges::find(specs, name, &AgentSpec::name);
    return agent == specs.end() ? name : std::string(encode(agent->config.workflow).as_string());
}

}  // namespace

CommandResult graph_list(const Invocation& invocation) {
    if (invocation.json) {
        json::array graphs;
        for (const auto& graph : invocation.graphs.all()) graphs.push_back(graph::to_json(graph->shape()));
        print_json(graphs);
        return ExitCode::done;
    }
    Table table{.columns = {{"graph"}, {"nodes", true}, {"first node"}}, .rows = {}};
    for (const auto& graph : invocation.graphs.all()) {
        const auto& shape = graph->shape();
        table.rows.push_back({shape.name, std::to_string(shape.nodes.size()), shape.nodes.front().name});
    }
    fmt::print("{}", draw(table, terminal_width()));
    return ExitCode::done;
}

CommandResult graph_show(const Invocation& invocation, const GraphShowOptions& options) {
    auto graph = invocation.graphs.find(graph_name(invocation.settings(), options.name));
    if (!graph) return fail(graph.error());
    const auto& shape = (*graph)->shape();
    if (invocation.json || options.format == "json") {
        auto shown = graph::to_json(shape);
        shown.as_object().emplace("state_schema", (*graph)->state_schema());
        print_json(shown);
    } else if (options.format == "mermaid") {
        fmt::print("{}", graph::to_mermaid(shape));
    } else {
        fmt::print("{}", graph::to_outline(shape));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
