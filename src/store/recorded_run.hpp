// Runs a graph and keeps its trace: the record appears when the run starts and is completed when it ends.
// The listener sees each event as it happens, on the run's executor. What it throws is thrown on when the run has
// ended. Threads: as CompiledGraph.
#pragma once

#include "graph/any_graph.hpp"
#include "store/store.hpp"

#include <functional>
#include <string>

namespace quaestor::store {

using Listener = std::function<void(const graph::Event&)>;

/// AnyGraph::run_json with the store's checkpoints, recorded. options.checkpoints and options.events are set here.
Task<graph::AnyResult> run_recorded(Store& store, const graph::AnyGraph& graph, json::value input,
                                    graph::RunOptions options, Listener listener = {});

/// AnyGraph::resume_json, recorded as a continuation of `run`, which stays as it was when it cannot go on. A `run`
/// without a status is one that begins here, over a checkpoint of its thread.
Task<graph::AnyResult> resume_recorded(Store& store, const graph::AnyGraph& graph, RunRecord run,
                                       graph::Answers answers, graph::RunOptions options, Listener listener = {});

}  // namespace quaestor::store
