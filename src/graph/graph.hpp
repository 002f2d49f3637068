// Graph<State> collects nodes and the ways between them; compile() checks it all and gives an immutable CompiledGraph
// that runs, resumes, forks and describes itself.
//     auto graph = Graph<State>("demo").node("plan", plan).edge(kStart, "plan").edge("plan", kEnd).compile();
// Threads: a CompiledGraph may be run from many threads at once, each run on one executor.
#pragma once

#include "base/json_schema.hpp"
#include "graph/any_graph.hpp"
#include "graph/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::graph {

struct FanOutOptions {
    std::string join;  ///< the node that runs once, after all tasks of the fan-out, also when there were none
};

template <class State>
struct RunResult : RunOutcome {
    State state;  ///< as the run left it; on failure, as it was before the failing step
};

template <class State>
class CompiledGraph final : public AnyGraph {
public:
    explicit CompiledGraph(std::shared_ptr<const Program<State>> program)
        : AnyGraph(program->plan), program_(std::move(program)) {}

    /// Runs from START with `input` applied to the thread's state, or to a new one.
    [[nodiscard]] Task<RunResult<State>> run(Update<State> input, RunOptions options = {}) const {
        return Session::start(open(std::move(input), std::move(options)));
    }
    /// The same with every field of `input` replacing what the thread had.
    [[nodiscard]] Task<RunResult<State>> run(State input, RunOptions options = {}) const {
        return run(Update<State>::whole(std::move(input)), std::move(options));
    }

    /// Goes on from the newest checkpoint of options.thread_id: after an interrupt, a failure, a cancellation or a
    /// crash.
    [[nodiscard]] Task<RunResult<State>> resume(RunOptions options, Answers answers = {}) const {
        return Session::resume(open({}, std::move(options)), std::move(answers));
    }

    /// Makes an old checkpoint of options.thread_id, changed by `change`, the newest; resume() then goes on from there.
    [[nodiscard]] Task<Result<std::string>> fork(std::string checkpoint_id, Update<State> change,
                                                 RunOptions options) const {
        return AnyGraph::fork(open(std::move(change), std::move(options)), std::move(checkpoint_id));
    }

    [[nodiscard]] json::value state_schema() const override { return json_schema<State>(); }

private:
    struct Session;
    [[nodiscard]] Result<std::unique_ptr<OpenRun>> open_json(const json::value& update,
                                                             RunOptions options) const override;
    [[nodiscard]] std::unique_ptr<Session> open(Update<State> input, RunOptions options) const;

    std::shared_ptr<const Program<State>> program_;
};

template <class State>
class Graph {
public:
    explicit Graph(std::string name) { shape_.name = std::move(name); }

    /// A node: a function of (const State&), (const State&, Context&) or, as a fan-out's worker, (const State&, const
    /// Item&, Context&), that returns Update<State> or Task<Update<State>>.
    template <class Body>
    Graph& node(std::string name, Body body, NodePolicy<State> policy = {});

    Graph& edge(std::string_view from, std::string_view to) {
        shape_.edges.push_back({std::string(from), std::string(to)});
        return *this;
    }

    /// `route(state)` names one of the targets, or several as a vector, to go to from `from`.
    template <class Route>
    Graph& branch(std::string_view from, Route route, std::vector<std::string> targets);

    /// `split(state)` returns a vector of items; `worker` runs once for each, then the join.
    template <class Split>
    Graph& fan_out(std::string_view from, Split split, std::string_view worker, FanOutOptions options);

    /// `to` runs once all of `from` have run, however many steps each of them took.
    Graph& join(std::vector<std::string> from, std::string_view to) {
        shape_.joins.push_back({std::move(from), std::string(to)});
        return *this;
    }

    /// The graph ready to run, or Code::invalid_argument listing every mistake. The clock is for node caches.
    [[nodiscard]] Result<CompiledGraph<State>> compile(Clock& clock = system_clock());

private:
    Shape shape_;
    std::vector<NodeBody<State>> bodies_;
    std::vector<BranchFunction<State>> branches_;
    std::vector<SplitFunction<State>> splits_;
};

}  // namespace quaestor::graph

#include "graph/graph_impl.hpp"
