// A run's steps on the last lines of a terminal: each with its time when it has ended, and the one that goes on below.
// Where standard error is no terminal, or the person wants quiet, there are none. Private to cli/.
// Threads: as the run that is listened to.
#pragma once

#include "store/recorded_run.hpp"

namespace quaestor::cli {

[[nodiscard]] store::Listener live_steps(bool quiet);

/// "✓ generate_sql            12.3 ms"
[[nodiscard]] std::string step_line(const graph::Event& node_end);

}  // namespace quaestor::cli
