// Bounds a task in time, and by a token: it ends with its value, a timeout or a cancellation, whichever comes first.
// The task is cancelled through Asio's cancellation and then awaited, so nothing of it runs on afterwards.
// Threads: runs on the caller's executor; the token may be cancelled from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

namespace quaestor {

/// Runs `task` until it ends, the deadline passes (Code::timeout) or the token is cancelled (its error()).
/// An exception of the task itself is rethrown. `what` names the work in the timeout message: "node generate_sql".
template <class T>
Task<Result<T>> with_deadline(Clock& clock, Deadline deadline, CancelToken cancel, std::string what, Task<T> task);

}  // namespace quaestor

#include "resilience/with_deadline_impl.hpp"
