#include "server/api/limits.hpp"

namespace quaestor::server {

std::optional<Duration> SlidingWindow::take(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (settings_.requests == 0) return std::nullopt;
    const Instant now = clock_.now();
    if (uses_.size() >= kRateNamesMax && !uses_.contains(name)) {
        forget_quiet(now);
        if (uses_.size() >= kRateNamesMax) return settings_.window;
    }
    auto& times = uses_[name];
    while (!times.empty() && times.front() + settings_.window <= now) times.pop_front();
    if (times.size() >= settings_.requests) return times.front() + settings_.window - now;
    times.push_back(now);
    return std::nullopt;
}

void SlidingWindow::forget_quiet(Instant now) {
    std::erase_if(uses_, [&](const auto& entry) {
        return entry.second.empty() || entry.second.back() + settings_.window <= now;
    });
}

std::size_t SlidingWindow::names() const {
    const std::lock_guard lock(mutex_);
    return uses_.size();
}

void SlidingWindow::change(RateSettings settings) {
    const std::lock_guard lock(mutex_);
    settings_ = settings;
}

}  // namespace quaestor::server
