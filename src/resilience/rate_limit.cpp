#include "resilience/rate_limit.hpp"

#include "resilience/duration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor {

/// One caller's way through acquire(). Whatever ends it, its place in the queue becomes free.
class RateLimit::Turn {
public:
    explicit Turn(RateLimit& limit) : limit_(limit) {}
    ~Turn() {
        const std::lock_guard lock(limit_.mutex_);
        leave_queue();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    /// Nothing when the caller has a token and goes; otherwise when to ask again.
    Result<std::optional<Instant>> ask(Deadline deadline);

private:
    Result<> join_queue(Instant slot);
    void leave_queue();

    RateLimit& limit_;
    std::optional<Instant> slot_;  ///< while it waits
};

Result<std::optional<Instant>> RateLimit::Turn::ask(Deadline deadline) {
    const std::lock_guard lock(limit_.mutex_);
    const Instant now = limit_.clock_.now();
    const Instant slot = slot_ ? *slot_ : limit_.next_slot(now);
    const Instant due = limit_.due(slot);
    if (due <= now) {
        limit_.take_token(slot, slot_.has_value());
        leave_queue();
        return std::nullopt;
    }
    if (due >= deadline.when()) return fail(limit_.refusal(due - now));
    if (!slot_) {
        if (auto joined = join_queue(slot); !joined) return fail(std::move(joined.error()));
    }
    return due;
}

Result<> RateLimit::Turn::join_queue(Instant slot) {
    if (limit_.waiting_.size() >= kRateLimitQueueMax) {
        return fail(Code::rate_limited, fmt::format("{} calls wait for the rate limit already", kRateLimitQueueMax),
                    "make fewer calls at a time");
    }
    limit_.waiting_.insert(slot);
    slot_ = slot;
    return {};
}

void RateLimit::Turn::leave_queue() {
    if (slot_) limit_.waiting_.erase(*slot_);
    slot_.reset();
}

RateLimit::RateLimit(RateLimitSettings settings, Clock& clock)
    : settings_(settings),
      interval_(Duration(std::chrono::minutes(1)) / std::max(settings.per_minute, 1)),
      burst_(std::max(settings.burst, 1)),
      clock_(clock),
      bucket_full_at_(clock.now()) {}

Task<Result<>> RateLimit::acquire(Deadline deadline) {
    Turn turn(*this);
    for (;;) {
        const auto ask_again = turn.ask(deadline);
        if (!ask_again) co_return fail(ask_again.error());
        if (!*ask_again) co_return Result<>();
        co_await clock_.sleep_until(**ask_again);
    }
}

void RateLimit::throttled(std::optional<Duration> retry_after) {
    const std::lock_guard lock(mutex_);
    const Instant now = clock_.now();
    if (!retry_after) {
        if (now < paused_until_) return;
        const Duration step = backoff_ == Duration::zero() ? Duration(settings_.backoff_initial) : 2 * backoff_;
        backoff_ = std::min(step, Duration(settings_.backoff_cap));
    }
    const Duration pause = std::min(retry_after.value_or(backoff_), Duration(kRetryAfterMax));
    const Instant begin = std::max(now, paused_until_);
    if (now + pause <= begin) return;
    paused_until_ = now + pause;
    paused_in_all_ += paused_until_ - begin;
}

void RateLimit::succeeded() {
    const std::lock_guard lock(mutex_);
    backoff_ = Duration::zero();
}

Duration RateLimit::wait_time() const {
    const std::lock_guard lock(mutex_);
    const Instant now = clock_.now();
    return due(next_slot(now)) - now;
}

Instant RateLimit::next_slot(Instant now) const {
    const Instant virtual_now = std::max(now, paused_until_) - paused_in_all_;
    return std::max(virtual_now, promised_full_at() - (burst_ - 1) * interval_);
}

Instant RateLimit::promised_full_at() const {
    if (waiting_.empty()) return bucket_full_at_;
    return std::max(bucket_full_at_, full_after_waiting_for(*waiting_.rbegin()));
}

void RateLimit::take_token(Instant slot, bool waited) {
    // Those who waited may go in another order than their slots, so their tokens count by slot and not one by one.
    bucket_full_at_ = waited ? std::max(bucket_full_at_, full_after_waiting_for(slot))
                             : std::max(promised_full_at(), slot) + interval_;
}

Error RateLimit::refusal(Duration wait) const {
    const std::string time = detail::in_words(wait);
    return Error{Code::rate_limited,
                 fmt::format("the rate limit of {} a minute lets the next call go in {}, after its deadline",
                             settings_.per_minute, time),
                 fmt::format("try again in {}", time), nullptr};
}

}  // namespace quaestor
