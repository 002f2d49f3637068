#include "resilience/retry.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor {

Duration delay_after(const RetrySettings& settings, int attempt, Random& random) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const double cap = Milliseconds(settings.cap).count();
    const double steady = Milliseconds(settings.delay).count() * std::pow(settings.factor, std::max(attempt, 1) - 1);
    const double varied = std::min(steady, cap) * (1.0 + settings.jitter * (2.0 * random.fraction() - 1.0));
    return std::chrono::duration_cast<Duration>(Milliseconds(std::clamp(varied, 0.0, std::max(cap, 0.0))));
}

bool should_retry(const RetrySettings& settings, int attempt, const Error& error) {
    return attempt < settings.attempts && settings.retryable(error);
}

}  // namespace quaestor
