// How much one caller may ask: so many requests in any window of time, counted for each name apart.
// Owned by the Service. Names that were quiet for a window are forgotten, so memory is bounded by what is going on.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace quaestor::server {

struct RateSettings {
    std::size_t requests = 120;                ///< in any window; 0: no limit
    std::chrono::milliseconds window{60'000};  ///< length of the window
};

/// Names that are counted at the same time; beyond it the quiet ones are forgotten, then the request is refused.
inline constexpr std::size_t kRateNamesMax = 100'000;

class SlidingWindow {
public:
    SlidingWindow(RateSettings settings, Clock& clock) : settings_(settings), clock_(clock) {}

    /// Counts a request of `name`. When it was one too many: how long to wait, and it is not counted.
    [[nodiscard]] std::optional<Duration> take(const std::string& name);
    [[nodiscard]] std::size_t names() const;
    /// Other bounds from now on; what was counted stays.
    void change(RateSettings settings);

private:
    void forget_quiet(Instant now);  // needs the mutex

    RateSettings settings_;
    Clock& clock_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::deque<Instant>> uses_;
};

}  // namespace quaestor::server
