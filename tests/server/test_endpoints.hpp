// The endpoints that the tests of the server ask, and ways to wait for what they do.
// Plain functions.
// Threads: they may be called from any thread.
#pragma once

#include "server/message.hpp"

#include <chrono>
#include <future>
#include <stdexcept>

namespace quaestor::server {

/// /stream: three chunks. /throw: an exception. /empty: 204. /split: headers with a line break. Elsewhere: the request
/// as one line of text, "POST /a?b=c <body>".
[[nodiscard]] Task<Reply> answer_test(Request request);

/// Ends when the stream is told to, and says why.
[[nodiscard]] Task<CancelReason> end_of(StreamWriter& out);

/// What must come, after a time in which it does.
template <class T>
T soon(std::future<T> future) {
    if (future.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
        throw std::runtime_error("it does not come");
    return future.get();
}

}  // namespace quaestor::server
