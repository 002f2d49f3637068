// One after another, in the order of asking: a place that only one task at a time may have.
// Whoever makes it owns it and outlives the turns. A private header of llm/llama/.
// Threads: all members may be called from any thread.
#pragma once

#include "base/bell.hpp"
#include "base/task.hpp"

#include <list>
#include <mutex>
#include <utility>

namespace quaestor::llm::llama {

class Turns {
public:
    /// Having the place; it goes to the next with the end of this.
    class Turn {
    public:
        explicit Turn(Turns& turns) : turns_(&turns) {}
        Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)) {}
        Turn& operator=(Turn&&) = delete;
        ~Turn() {
            if (turns_ != nullptr) turns_->pass_on();
        }

    private:
        Turns* turns_;
    };

    /// Cancelling the awaiting task takes it out of the queue.
    Task<Turn> take() {
        Waiter waiter(*this, co_await asio::this_coro::executor);
        if (!waiter.is_served()) co_await waiter.bell.wait();
        co_return waiter.turn();
    }

private:
    struct Waiter {
        Waiter(Turns& all, const asio::any_io_executor& executor) : turns(all), bell(executor) {
            const std::lock_guard lock(turns.mutex_);
            has_turn = !std::exchange(turns.is_taken_, true);
            if (!has_turn) turns.waiting_.push_back(this);
        }
        Waiter(const Waiter&) = delete;
        Waiter& operator=(const Waiter&) = delete;
        ~Waiter() {
            std::unique_lock lock(turns.mutex_);
            turns.waiting_.remove(this);
            const bool leaves_turn = has_turn && !is_used;
            lock.unlock();
            if (leaves_turn) turns.pass_on();
        }
        bool is_served() {
            const std::lock_guard lock(turns.mutex_);
            return has_turn;
        }
        Turn turn() {
            is_used = true;
            return Turn(turns);
        }

        Turns& turns;
        Bell bell;
        bool has_turn = false;  ///< guarded by the mutex
        bool is_used = false;
    };

    void pass_on() {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) {
            is_taken_ = false;
            return;
        }
        waiting_.front()->has_turn = true;
        waiting_.front()->bell.ring();
        waiting_.pop_front();
    }

    std::mutex mutex_;
    bool is_taken_ = false;
    std::list<Waiter*> waiting_;
};

}  // namespace quaestor::llm::llama
