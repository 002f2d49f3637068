// A TCP proxy on 127.0.0.1 in front of a server, for tests of what happens when the network is bad: it delays, cuts,
// corrupts, or falls silent, on command. Whoever makes it owns it; the destructor closes all connections.
// Threads: all members may be called from any thread; one thread of its own forwards.
#pragma once

#include "base/error.hpp"

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace quaestor::test {

class TcpProxy {
public:
    /// Listens on a free port and forwards to `target_port` of 127.0.0.1.
    [[nodiscard]] static Result<std::unique_ptr<TcpProxy>> create(int target_port);
    ~TcpProxy();
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;

    [[nodiscard]] int port() const { return port_; }

    // Each takes the place of what was set before, for all connections, from the next byte on.
    /// Forwards everything as it is.
    void pass();
    /// Every piece from the server comes this much later.
    void delay(std::chrono::milliseconds time);
    /// Closes all connections after so many more bytes from the server.
    void cut_after(std::size_t bytes);
    /// Inverts every byte from the server after so many more.
    void corrupt_after(std::size_t bytes);
    /// Forwards nothing more, in either direction, and keeps the connections open.
    void fall_silent();

private:
    static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    struct Fault {
        std::chrono::milliseconds delay{};
        std::size_t cut_after = kNever;
        std::size_t corrupt_after = kNever;
        bool is_silent = false;
    };
    struct Pair {
        int client = -1;
        int server = -1;
    };

    TcpProxy(int listener, int port, int target_port);
    void set(Fault fault);
    void forward_all();
    void accept_client();
    /// False when the pair is to be closed.
    bool forward(int from, int to, bool is_from_server);
    bool harm(std::string& piece);
    static void close_pair(Pair& pair);

    int listener_;
    int port_;
    int target_port_;
    int bell_;  ///< an eventfd: something was set, or it is time to end
    std::mutex mutex_;
    Fault fault_;
    bool is_ending_ = false;
    std::vector<Pair> pairs_;
    std::thread thread_;
};

}  // namespace quaestor::test
