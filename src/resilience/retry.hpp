// Trying again: how often, after how long, and for which errors.
// Settings are a plain value; retrying() is the loop.
// Threads: pure apart from the injected clock and random source.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/task.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <concepts>

namespace quaestor {

struct RetrySettings {
    int attempts = 1;                                       ///< tries in all; 1: no retry
    std::chrono::milliseconds delay{500};                   ///< before the second try
    double factor = 2.0;                                    ///< each further delay is this many times longer
    std::chrono::milliseconds cap{30'000};                  ///< and never longer than this
    double jitter = 0.1;                                    ///< each delay varies by up to this share, up or down
    bool (*retryable)(const Error& error) = &is_transient;  ///< which errors are worth another try
};
BOOST_DESCRIBE_STRUCT(RetrySettings, (), (attempts, delay, factor, cap, jitter))

/// The delay after failed try number `attempt` (1, 2, …).
[[nodiscard]] Duration delay_after(const RetrySettings& settings, int attempt, Random& random);

/// True when failed try number `attempt` should be followed by another.
[[nodiscard]] bool should_retry(const RetrySettings& settings, int attempt, const Error& error);

/// Calls `work(attempt)`, a Task<Result<T>>, until it succeeds, fails for good or the attempts are used up.
template <class Work>
auto retrying(Clock& clock, Random& random, RetrySettings settings, Work work) -> decltype(work(1)) {
    for (int attempt = 1;; ++attempt) {
        auto result = co_await work(attempt);
        if (result || !should_retry(settings, attempt, result.error())) co_return result;
        co_await clock.sleep_for(delay_after(settings, attempt, random));
    }
}

}  // namespace quaestor
