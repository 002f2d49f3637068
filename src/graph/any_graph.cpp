#include "graph/any_graph.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::graph {

Task<AnyResult> AnyGraph::run_json(json::value input, RunOptions options) const {
    EventStream* const events = options.events;
    auto run = open_json({{"set", std::move(input)}}, std::move(options));
    if (!run) {
        if (events != nullptr) events->finish();
        AnyResult refused;
        refused.error = Error{Code::invalid_argument, "the input does not fit the state of graph " + name(),
                              "its fields: quaestor graph show " + name() + " --format json"}
                            .because(run.error());
        co_return refused;
    }
    co_await (*run)->engine().start();
    co_return AnyResult{(*run)->engine().outcome(), (*run)->box().snapshot({})};
}

Task<AnyResult> AnyGraph::resume_json(RunOptions options, Answers answers) const {
    auto run = open_json(json::object{}, std::move(options));
    if (!run) co_return AnyResult{{.status = RunStatus::failed, .error = run.error()}, {}};
    co_await (*run)->engine().resume(std::move(answers));
    co_return AnyResult{(*run)->engine().outcome(), (*run)->box().snapshot({})};
}

Task<Result<std::string>> AnyGraph::fork_json(std::string checkpoint_id, json::value change, RunOptions options) const {
    auto run = open_json({{"replace", std::move(change)}}, std::move(options));
    if (!run) co_return fail(run.error());
    co_return co_await fork(std::move(*run), std::move(checkpoint_id));
}

Task<Result<std::string>> AnyGraph::fork(std::unique_ptr<OpenRun> run, std::string checkpoint_id) {
    const bool has_change = run->box().update(0) != json::value(json::object{});
    co_return co_await run->engine().fork(std::move(checkpoint_id), has_change);
}

Result<std::shared_ptr<const AnyGraph>> GraphRegistry::find(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& graph : graphs_) {
        if (graph->name() == name) return graph;
        names.push_back(graph->name());
    }
    const auto meant = text::nearest(name, names);
    return fail(Code::not_found, fmt::format("there is no graph called \"{}\"", name),
                meant ? fmt::format("did you mean \"{}\"?", *meant) : "list them: quaestor graph list");
}

}  // namespace quaestor::graph
