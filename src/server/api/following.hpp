// Watching a run: its events as a stream, or its end.
// Holds the run while it is watched. Private to server/.
// Threads: called on any loop.
#pragma once

#include "server/api/desk.hpp"

#include <cstdint>
#include <memory>

namespace quaestor::server {

/// The stream that follows a run from `after` on.
[[nodiscard]] StreamResponse stream_of(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after);
/// Waits until the run has ended.
Task<LiveRun::Ending> end_of_run(Desk& desk, std::shared_ptr<LiveRun> run);

}  // namespace quaestor::server
