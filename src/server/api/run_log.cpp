#include "server/api/run_log.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <charconv>

namespace quaestor::server {

/// A follower that has nothing to send. Its timer is touched on the follower's own executor only.
struct RunLog::Waiter {
    explicit Waiter(const asio::any_io_executor& executor) : timer(executor) {}
    asio::steady_timer timer;
};

/// A follower's place among those who wait. It goes with the follower, also when its loop ends and it never wakes up.
struct RunLog::Place {
    Place(RunLog& of, const asio::any_io_executor& executor, std::chrono::milliseconds patience, std::uint64_t after)
        : log(of), waiter(std::make_shared<Waiter>(executor)) {
        const std::lock_guard lock(log.mutex_);
        // Something may have come since the follower looked.
        const bool is_ready = log.ends_.size() > after || log.is_closed_;
        waiter->timer.expires_after(is_ready ? std::chrono::milliseconds(0) : patience);
        log.waiting_.push_back(waiter);
    }
    ~Place() {
        const std::lock_guard lock(log.mutex_);
        std::erase(log.waiting_, waiter);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    RunLog& log;
    const std::shared_ptr<Waiter> waiter;
};

void RunLog::wake(const std::shared_ptr<Waiter>& waiter) {
    asio::post(waiter->timer.get_executor(), [waiter] { waiter->timer.cancel(); });
}

void RunLog::append(const ServerEvent& event) {
    std::unique_lock lock(mutex_);
    if (is_closed_) return;
    const auto id_of_next = [&] { return epoch_ + "." + std::to_string(ends_.size() + 1); };
    append_frame(frames_, id_of_next(), event);
    if (frames_.size() > kRunLogBytesMax) {
        frames_.resize(ends_.empty() ? 0 : ends_.back());
        append_frame(frames_, id_of_next(),
                     {"error",
                      {{"message", "this run has told more than can be sent"},
                       {"code", to_string(Code::limit_exceeded)},
                       {"hint", "read its answer from the conversation"}}});
        is_closed_ = true;
    }
    ends_.push_back(frames_.size());
    wake_all(std::move(lock));
}

void RunLog::close() {
    std::unique_lock lock(mutex_);
    is_closed_ = true;
    wake_all(std::move(lock));
}

void RunLog::wake_all(std::unique_lock<std::mutex> lock) {
    const auto waiting = std::exchange(waiting_, {});
    lock.unlock();
    for (const auto& waiter : waiting) wake(waiter);
}

std::uint64_t RunLog::place_of(std::string_view last_event_id) const {
    if (!last_event_id.starts_with(epoch_)) return 0;
    last_event_id.remove_prefix(epoch_.size());
    if (!last_event_id.starts_with('.')) return 0;
    last_event_id.remove_prefix(1);
    std::uint64_t number = 0;
    const char* end = last_event_id.data() + last_event_id.size();
    const auto [stopped, problem] = std::from_chars(last_event_id.data(), end, number);
    const std::lock_guard lock(mutex_);
    const bool is_ours = problem == std::errc() && stopped == end && number <= ends_.size();
    return is_ours ? number : 0;
}

RunLog::Piece RunLog::ready(std::uint64_t after) const {
    const std::size_t from = after == 0 ? 0 : ends_[std::min<std::size_t>(after, ends_.size()) - 1];
    return {.bytes = frames_.substr(from), .last = ends_.size(), .ended = is_closed_};
}

std::size_t RunLog::bytes() const {
    const std::lock_guard lock(mutex_);
    return frames_.size();
}

Task<RunLog::Piece> RunLog::next(std::uint64_t after, std::chrono::milliseconds patience, CancelToken gone) {
    const auto executor = co_await asio::this_coro::executor;
    {
        const std::lock_guard lock(mutex_);
        if (ends_.size() > after || is_closed_ || gone.cancelled()) co_return ready(after);
    }
    {
        const Place place(*this, executor, patience, after);
        const auto& waiter = place.waiter;
        // Whoever wakes posts to this executor, so that comes after the wait below has begun.
        const auto leaving = gone.on_cancel([waiter] { wake(waiter); });
        co_await waiter->timer.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    const std::lock_guard lock(mutex_);
    co_return ready(after);
}

}  // namespace quaestor::server
