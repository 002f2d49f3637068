// From a request to a run: whom it is for, on which thread, and the work itself, which goes on whether or not anybody
// watches. Private to server/.
// Threads: called on any loop; the run goes to a loop of its own.
#pragma once

#include "server/api/desk.hpp"

#include <boost/describe/class.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace quaestor::server {

/// The body of POST /api/chat and /api/chat/stream.
struct ChatRequest {
    std::string question;
    std::optional<std::string> thread_id;
    std::optional<std::string> agent;
    std::optional<std::string> override_schema;
    std::optional<std::string> override_direction;
    std::optional<std::string> override_mode;
    std::optional<std::string> mode;
    static constexpr auto kRequired = std::array{"question"};
};
BOOST_DESCRIBE_STRUCT(ChatRequest, (),
                      (question, thread_id, agent, override_schema, override_direction, override_mode, mode))

/// The first field that is wrong, as Code::invalid_argument.
[[nodiscard]] Result<> check(const ChatRequest& request, std::size_t question_bytes);

/// "Which teams won most games" of "Which teams won most games? Show five.": at most 50 characters, cut between words.
[[nodiscard]] std::string title_of(std::string_view question);

using StartedRun = Result<std::shared_ptr<LiveRun>>;

/// Begins to answer. Code::conflict when the thread is busy or is with another agent, Code::not_found for a thread of
/// somebody else and for an unknown agent, Code::unavailable when there is no room.
Task<StartedRun> start_run(Desk& desk, Caller caller, ChatRequest request);

/// Gives a waiting run its answer. Code::not_found; Code::conflict when it does not wait.
Task<StartedRun> answer_run(Desk& desk, Caller caller, std::string run_id, std::string said);

/// Goes on with what other processes left in the middle of their work; `is_dead` says of a runner whether it is gone.
Task<> adopt_runs(Desk& desk, std::function<bool(std::string_view runner)> is_dead);

/// Sends a run's events from `after` on, with keep-alives, until it has ended or the client is gone.
Task<> follow(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after, StreamWriter& writer);
/// The stream that follows a run from `after` on.
[[nodiscard]] StreamResponse stream_of(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after);
/// Waits until the run has ended.
Task<LiveRun::Ending> end_of_run(Desk& desk, std::shared_ptr<LiveRun> run);

}  // namespace quaestor::server
