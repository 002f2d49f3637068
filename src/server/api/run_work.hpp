// The work on one run, from its first step to its end, told to the run's log; it goes on whether or not anybody
// watches. Spawned by whoever begins a run or adopts one. Private to server/. Threads: a run is on one loop; the log
// may be followed from any.
#pragma once

#include "server/api/desk.hpp"

#include <memory>
#include <optional>
#include <string>

namespace quaestor::server {

/// Keys of a run's metadata: who answers, and which process works on it.
inline constexpr std::string_view kAgentKey = "agent";
inline constexpr std::string_view kRunnerKey = "runner";

/// Whom a question is for. The directory keeps the agent alive.
struct Chosen {
    std::shared_ptr<const AgentDirectory> directory;
    const workflows::Agent* agent = nullptr;
    std::string reason;
};

/// One run on its way: what it needs, and what is told of it.
struct Work {
    std::shared_ptr<LiveRun> run;
    Chosen chosen;
    json::object input;
    std::optional<store::RunRecord> unfinished;  ///< a run that another process left
};

/// Works on it, tells its log and ends it.
Task<> do_work(Desk& desk, Work work);

/// Goes on with what other processes left in the middle of their work; `is_dead` says of a runner whether it is gone.
Task<> adopt_runs(Desk& desk, std::function<bool(std::string_view runner)> is_dead);

}  // namespace quaestor::server
