// Private to server/: how many connections are open, in all and from each address, and who may come in.
// Owned by the server; outlives its connections.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"

#include <boost/asio/ip/address.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace quaestor::server {

struct GateLimits {
    std::size_t connections = 0;
    std::size_t connections_per_address = 0;
};

class Gate {
public:
    enum class Verdict {
        welcome,
        refused,  ///< there is room to say so
        shut_out  ///< so many are being told so that this one is closed without a word
    };

    explicit Gate(const GateLimits& limits) : limits_(limits) {}

    /// Whoever is welcome or refused has to leave().
    [[nodiscard]] Verdict enter(const asio::ip::address& address);
    void leave(const asio::ip::address& address);
    /// False when somebody was still inside at `deadline`.
    bool wait_until_empty(Instant deadline);

    [[nodiscard]] std::uint64_t accepted() const;
    [[nodiscard]] std::uint64_t open() const;
    [[nodiscard]] std::uint64_t refused() const;

private:
    GateLimits limits_;
    mutable std::mutex mutex_;
    std::condition_variable emptied_;
    std::map<asio::ip::address, std::size_t> inside_;
    std::uint64_t open_ = 0;
    std::uint64_t accepted_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace quaestor::server
