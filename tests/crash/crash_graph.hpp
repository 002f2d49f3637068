// The run that crash tests disturb: a line of nodes, a loop, a fan-out of eight with its join, and a line again. What
// it does depends on its state alone, so every undisturbed run goes through the same states; an effect that is lost or
// done twice changes them. Threads: one at a time.
#pragma once

#include "graph/any_graph.hpp"
#include "graph/run.hpp"
#include "store/store.hpp"

#include <functional>
#include <string>

namespace quaestor::crash {

/// Rounds of the loop in the run of crash_child: with them it has 20 steps.
inline constexpr int kRounds = 6;

/// Starts options.thread_id or, when it has a checkpoint, goes on from its newest; a thread at its end is finished.
/// Blocks until the run ends. `hear` is called with every event before the run is two events further on. The state has
/// a field `effects` with a mark of every task in order, `counter`, which counts them, and `digest`, which is computed
/// from them.
[[nodiscard]] graph::AnyResult run_or_resume(graph::RunOptions options, int rounds,
                                             const std::function<void(const graph::Event&)>& hear);

/// A path is an SQLite file; what begins with postgres:// is a PostgreSQL database.
[[nodiscard]] store::StoreSettings settings_for(std::string location);

}  // namespace quaestor::crash
