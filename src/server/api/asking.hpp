// From a request to a run: whom it is for, and on which thread.
// Private to server/.
// Threads: called on any loop; the run goes to a loop of its own.
#pragma once

#include "server/api/chat_request.hpp"
#include "server/api/desk.hpp"

#include <memory>
#include <string>

namespace quaestor::server {

/// The agent that a thread is with, by its newest checkpoint; empty for a new one.
Task<Result<std::string>> agent_of_thread(Desk& desk, std::string thread_id);

using StartedRun = Result<std::shared_ptr<LiveRun>>;

/// Begins to answer. Code::conflict when the thread is busy or is with another agent, Code::not_found for a thread of
/// somebody else and for an unknown agent, Code::unavailable when there is no room.
Task<StartedRun> start_run(Desk& desk, Caller caller, ChatRequest request);

/// Gives a waiting run its answer. Code::not_found; Code::conflict when it does not wait.
Task<StartedRun> answer_run(Desk& desk, Caller caller, std::string run_id, std::string said);

}  // namespace quaestor::server
