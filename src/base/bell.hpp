// A bell that any thread rings and one task waits for, on its own executor.
// Whoever waits owns the bell.
// Threads: ring() from any thread.
#pragma once

#include "base/task.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

namespace quaestor {

class Bell {
public:
    explicit Bell(const asio::any_io_executor& executor) : channel_(executor, 1) {}

    /// Is heard also by a task that begins to wait later; ringing again before that changes nothing.
    void ring() { channel_.try_send(boost::system::error_code()); }

    /// Cancelling the awaiting task ends the wait with operation_aborted.
    Task<> wait() {
        boost::system::error_code stopped;
        co_await channel_.async_receive(asio::redirect_error(asio::use_awaitable, stopped));
        if (stopped) throw boost::system::system_error(asio::error::operation_aborted);
    }

    /// The wait as an operation to compose with others; it completes with an error code.
    auto rung() { return channel_.async_receive(asio::deferred); }

private:
    asio::experimental::concurrent_channel<void(boost::system::error_code)> channel_;
};

}  // namespace quaestor
