// Private to net/: connections that wait for their next request. Each belongs to the executor that made it and is
// closed when it has waited too long, when its event loop ends, or with close_all(). Owned by the client. Threads: all
// members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "net/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace quaestor::net {

class IdleConnections : public std::enable_shared_from_this<IdleConnections> {
public:
    /// At most `most` for each route, none for longer than `longest`.
    IdleConnections(std::size_t most, Duration longest, const Clock& clock)
        : most_(most), longest_(longest), clock_(clock) {}

    /// One on this route that the other side has not closed, or null.
    [[nodiscard]] std::unique_ptr<Connection> take(const asio::any_io_executor& executor, const std::string& route);
    void keep(const asio::any_io_executor& executor, const std::string& route, std::unique_ptr<Connection> connection);

    void close_all();
    void close_all_of(const asio::execution_context& context);

private:
    struct Idle {
        asio::any_io_executor executor;
        std::string route;
        std::unique_ptr<Connection> connection;
        Instant since;
    };
    void close_old();

    std::size_t most_;
    Duration longest_;
    const Clock& clock_;
    std::mutex mutex_;
    std::list<Idle> idle_;  ///< the longest idle first
};

}  // namespace quaestor::net
