// HTTP/1.1 on sockets: accepting, reading within limits, calling one handler, writing, keeping alive, draining.
// Owns its listening sockets, its threads (one loop each) and its connections. Knows nothing of endpoints: `handler`
// gets every well-formed request. Threads: start(), drain() and stop() from the thread that made it; the handler is
// called on any of the loops and stays on that loop.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "server/message.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace quaestor::server {

struct HttpServerSettings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;  ///< 0: any free one
    std::size_t threads = 0;    ///< 0: one for each core
    std::string certificate;    ///< PEM files; both empty: no TLS
    std::string private_key;
    std::size_t body_bytes = std::size_t{1} << 20;
    std::size_t header_bytes = 16'384;
    std::chrono::milliseconds header_timeout{10'000};  ///< from the first byte of a request to its last header
    std::chrono::milliseconds body_timeout{30'000};
    std::chrono::milliseconds idle_timeout{60'000};   ///< between requests of a kept connection
    std::chrono::milliseconds write_timeout{30'000};  ///< in which a peer must take something
    std::size_t connections = 20'000;                 ///< beyond it 503, and the connection is closed
    std::size_t connections_per_address = 1'000;
};

/// What has happened since the start, for /metrics.
struct HttpCounts {
    std::uint64_t accepted = 0;
    std::uint64_t open = 0;
    std::uint64_t requests = 0;
    std::uint64_t refused = 0;    ///< connections beyond a limit
    std::uint64_t malformed = 0;  ///< 400, 408, 413, 431 of this layer
    std::uint64_t bytes_sent = 0;
};

class HttpServer {
public:
    /// `handler` outlives the server. It must not throw; what it throws becomes a 500 with the request's id.
    HttpServer(HttpServerSettings settings, Endpoint handler);
    ~HttpServer();

    /// Binds and begins to accept. Code::unavailable when the address is taken, with who could be asked to leave.
    [[nodiscard]] Result<> start();
    /// Where it listens now, with the port that it got: "http://127.0.0.1:8080".
    [[nodiscard]] std::string url() const;
    [[nodiscard]] HttpCounts counts() const;
    /// No new connections; kept ones end after their current request; streams are told (CancelReason::shutdown) after
    /// `grace`. Returns when all is quiet, at the latest a little after `grace`.
    void drain(std::chrono::milliseconds grace);
    /// At once.
    void stop();
    /// Starts a task on one of the loops, round robin: for work that outlives a request.
    void spawn(Task<> task);

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::server
