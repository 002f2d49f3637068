// Private to net/: the addresses of a name. The system's lookup blocks and cannot be stopped, so it runs on threads of
// its own and is left behind by a caller who waits no longer. The destructor waits for lookups under way.
// Threads: find() from any executor.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/thread_pool.hpp>

#include <string>
#include <vector>

namespace quaestor::net {

using Endpoints = std::vector<asio::ip::tcp::endpoint>;

class Lookup {
public:
    /// Code::unavailable when nobody knows the name. Cancelling ends the wait with operation_aborted.
    Task<Result<Endpoints>> find(std::string host, std::string port);

private:
    static constexpr std::size_t kThreads = 2;
    asio::thread_pool threads_{kThreads};
};

}  // namespace quaestor::net
