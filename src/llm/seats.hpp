// A number of seats: who comes when all are taken waits, in order of arrival.
// A private header of llm/. The seats outlive those who sit. Threads: all members may be called from any thread; each
// who waits goes on on its own executor.
#pragma once

#include "base/bell.hpp"
#include "base/task.hpp"

#include <deque>
#include <mutex>
#include <optional>

namespace quaestor::llm {

class Seats {
public:
    explicit Seats(int count) : free_(count), count_(count) {}

    /// One caller's seat, from when sit() ends until it is destroyed, whether it got one, waits or was cancelled.
    class Seat {
    public:
        explicit Seat(Seats& seats) : seats_(seats) {}
        ~Seat();
        Seat(const Seat&) = delete;
        Seat& operator=(const Seat&) = delete;

        /// Called once. Cancelling the awaiting task ends the wait with operation_aborted.
        Task<> sit();

    private:
        Seats& seats_;
        std::optional<Bell> bell_;  ///< of one who had to wait
        bool came_ = false;
    };

    [[nodiscard]] int taken() const;

private:
    mutable std::mutex mutex_;
    int free_;
    const int count_;
    std::deque<Bell*> waiting_;  ///< each lives in the Seat of the one who waits; it rings when the seat is theirs
};

}  // namespace quaestor::llm
