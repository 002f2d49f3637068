#include "graph/event.hpp"

#include <algorithm>

namespace quaestor::graph {

EventStream::EventStream(const asio::any_io_executor& executor, ReaderGone when_gone, std::size_t capacity)
    : when_gone_(when_gone), capacity_(std::max<std::size_t>(capacity, 1)), arrived_(executor), room_(executor) {}

Task<std::optional<Event>> EventStream::next() {
    while (true) {
        {
            const std::lock_guard lock(mutex_);
            if (has_left_) co_return std::nullopt;
            if (!queue_.empty()) {
                Event event = std::move(queue_.front());
                queue_.pop_front();
                room_.ring();
                co_return event;
            }
            if (is_finished_) co_return std::nullopt;
        }
        co_await arrived_.wait();
    }
}

void EventStream::leave() {
    {
        const std::lock_guard lock(mutex_);
        has_left_ = true;
        queue_.clear();
    }
    arrived_.ring();
    room_.ring();
    if (when_gone_ == ReaderGone::cancel_run) gone_.cancel(CancelReason::client_gone);
}

Task<bool> EventStream::push(Event event) {
    while (true) {
        switch (try_push(event)) {
            case Push::done:
                co_return true;
            case Push::full:
                co_await room_.wait();
                break;
            case Push::unread:
                room_.ring();  // for the next task of the run that waits
                co_return false;
        }
    }
}

EventStream::Push EventStream::try_push(Event& event) {
    const std::lock_guard lock(mutex_);
    if (has_left_) return Push::unread;
    if (queue_.size() >= capacity_) return Push::full;
    queue_.push_back(std::move(event));
    arrived_.ring();
    return Push::done;
}

void EventStream::finish() {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
    arrived_.ring();
}

}  // namespace quaestor::graph
