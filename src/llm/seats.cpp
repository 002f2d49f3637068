#include "llm/seats.hpp"

#include <algorithm>

namespace quaestor::llm {

Task<> Seats::Seat::sit() {
    const auto executor = co_await asio::this_coro::executor;
    {
        const std::lock_guard lock(seats_.mutex_);
        came_ = true;
        if (seats_.free_ > 0) {
            --seats_.free_;
        } else {
            seats_.waiting_.push_back(&bell_.emplace(executor));
        }
    }
    if (bell_) co_await bell_->wait();
}

Seats::Seat::~Seat() {
    const std::lock_guard lock(seats_.mutex_);
    if (!came_) return;
    if (bell_ && std::erase(seats_.waiting_, &*bell_) > 0) return;
    if (seats_.waiting_.empty()) {
        ++seats_.free_;
    } else {
        seats_.waiting_.front()->ring();
        seats_.waiting_.pop_front();
    }
}

int Seats::taken() const {
    const std::lock_guard lock(mutex_);
    return count_ - free_;
}

}  // namespace quaestor::llm
