// The events of one run as they go over the wire, which any number of streams follow from any place in it: a browser
// that reconnects misses nothing, and two tabs see the same.
// Owned by its LiveRun. Threads: every member may be called from any thread; a follower waits on its own executor,
// which has to be a loop of one thread or a strand.
#pragma once

#include "base/task.hpp"
#include "resilience/cancellation.hpp"
#include "server/api/event.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::server {

/// Bytes of one log; a run that tells more ends its log with an error.
inline constexpr std::size_t kRunLogBytesMax = std::size_t{64} << 20;

class RunLog {
public:
    /// `epoch` sets the ids of this log apart from those of an earlier one of the same run.
    explicit RunLog(std::string epoch) : epoch_(std::move(epoch)) {}

    /// Gives the event its id and wakes the followers. Nothing is appended after close().
    void append(const ServerEvent& event);
    void close();

    /// How many events a client has that names `last_event_id`: none when the id is of another log.
    [[nodiscard]] std::uint64_t place_of(std::string_view last_event_id) const;

    struct Piece {
        std::string bytes;       ///< all frames that are ready, as one write
        std::uint64_t last = 0;  ///< number of the last of them
        bool ended = false;
    };
    /// Everything after event `after`, together; waits until there is something, until `patience` is over (an empty
    /// piece: time for a keep-alive) or until `gone`.
    Task<Piece> next(std::uint64_t after, std::chrono::milliseconds patience, CancelToken gone);

    [[nodiscard]] std::size_t bytes() const;

private:
    struct Waiter;
    struct Place;
    static void wake(const std::shared_ptr<Waiter>& waiter);
    [[nodiscard]] Piece ready(std::uint64_t after) const;  // needs the mutex
    void wake_all(std::unique_lock<std::mutex> lock);

    const std::string epoch_;
    mutable std::mutex mutex_;
    std::string frames_;
    std::vector<std::size_t> ends_;  ///< of each frame in frames_
    bool is_closed_ = false;
    std::vector<std::shared_ptr<Waiter>> waiting_;
};

}  // namespace quaestor::server
