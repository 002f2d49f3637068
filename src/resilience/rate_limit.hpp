// Token bucket: a steady rate with a burst. acquire() waits its turn; after the other side said "too many" it backs
// off, twice as long each time (2 s, 4 s, 8 s … up to the cap), until a call succeeds again.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "resilience/deadline.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <mutex>
#include <optional>
#include <set>

namespace quaestor {

struct RateLimitSettings {
    int per_minute = 60;                               ///< steady rate
    int burst = 10;                                    ///< calls that may go at once after a quiet time
    std::chrono::milliseconds backoff_initial{2'000};  ///< pause after the first "too many requests"
    std::chrono::milliseconds backoff_cap{60'000};     ///< longest pause
};
BOOST_DESCRIBE_STRUCT(RateLimitSettings, (), (per_minute, burst, backoff_initial, backoff_cap))

/// Callers that may wait in acquire(); beyond it Code::rate_limited at once.
inline constexpr std::size_t kRateLimitQueueMax = 10'000;
/// The longest `retry_after` that is believed.
inline constexpr std::chrono::hours kRetryAfterMax{24};

class RateLimit {
public:
    RateLimit(RateLimitSettings settings, Clock& clock);

    /// Waits for a token, in order of arrival. Code::rate_limited at once when the wait would pass the deadline.
    /// A caller that is cancelled while it waits gives its place back; those who wait behind it keep their times.
    Task<Result<>> acquire(Deadline deadline = {});

    /// The other side said "too many": nobody goes before `retry_after`, or the next backoff step without one. Reports
    /// without one that come in during a pause belong to it. After a pause those who waited go one by one.
    void throttled(std::optional<Duration> retry_after = {});
    /// A call went through: the backoff starts over at its first step.
    void succeeded();

    /// How long an acquire() called now would wait.
    [[nodiscard]] Duration wait_time() const;

private:
    class Turn;

    // Slots and the bucket are in virtual time, which stands still during a pause. These members need the mutex.
    [[nodiscard]] Instant next_slot(Instant now) const;
    [[nodiscard]] Instant due(Instant slot) const { return slot + paused_in_all_; }
    [[nodiscard]] Instant promised_full_at() const;
    [[nodiscard]] Instant full_after_waiting_for(Instant slot) const { return slot + burst_ * interval_; }
    void take_token(Instant slot, bool waited);
    [[nodiscard]] Error refusal(Duration wait) const;

    const RateLimitSettings settings_;
    const Duration interval_;  ///< between two calls at the steady rate
    const int burst_;
    Clock& clock_;
    mutable std::mutex mutex_;
    Instant bucket_full_at_;     ///< when the bucket would be full if nobody took a token; each token moves it on
    std::set<Instant> waiting_;  ///< the slots promised to those who wait
    Instant paused_until_{};     ///< real time
    Duration paused_in_all_{0};  ///< what virtual time lags behind the clock
    Duration backoff_{0};        ///< the last step; zero after a success
};

}  // namespace quaestor
