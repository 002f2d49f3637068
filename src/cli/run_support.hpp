// What the commands that run graphs share: opening the store, options from the settings, and showing a run as it goes.
// Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/commands.hpp"
#include "store/recorded_run.hpp"

#include <memory>
#include <string>

namespace quaestor::cli {

/// Opens the configured store, making its folder.
[[nodiscard]] Result<std::unique_ptr<store::Store>> open_configured_store(const Settings& settings);

/// Limits, durability and cancellation as configured.
[[nodiscard]] graph::RunOptions run_options(const Invocation& invocation);

/// Prints a line for each node that ended, unless quiet.
[[nodiscard]] store::Listener show_steps(const Invocation& invocation);

/// Prints how the run ended, and says what the exit code is.
[[nodiscard]] CommandResult report(const Invocation& invocation, const graph::AnyGraph& graph,
                                   const graph::AnyResult& result);

}  // namespace quaestor::cli
