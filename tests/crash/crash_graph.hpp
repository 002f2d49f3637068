// The run that crash tests disturb: a line of nodes, a loop, a fan-out of eight with its join, and a line again. What it
// does depends on its state alone, so every undisturbed run goes through the same states; an effect that is lost or done
// twice changes them. Threads: the graph is immutable; the functions are pure but for what they are given.
#pragma once

#include "graph/any_graph.hpp"
#include "store/store.hpp"

#include <memory>
#include <string>

namespace quaestor::crash {

/// Rounds of the loop unless the input says otherwise: a run of 20 steps.
inline constexpr int kRoundsDefault = 6;

/// Its state has the fields `rounds` (of the loop, the only input), `effects` (a mark from every task that ran, in
/// order), `counter` (how many there were), and `digest` (what came out of computing on all of them).
[[nodiscard]] std::shared_ptr<const graph::AnyGraph> make_graph();

/// Starts the thread or, when it has a checkpoint, goes on from its newest. A thread that is at its end is finished: its
/// process died after the last step was stored, before it could tell.
Task<graph::AnyResult> run_or_resume(const graph::AnyGraph& graph, int rounds, graph::RunOptions options);

/// A path is an SQLite file; what begins with postgres:// is a PostgreSQL database.
[[nodiscard]] store::StoreSettings settings_for(std::string location);

}  // namespace quaestor::crash
