#include "resilience/breaker.hpp"

#include "resilience/duration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor {

Breaker::Breaker(std::string name, BreakerSettings settings, Clock& clock)
    : name_(std::move(name)), settings_(settings), clock_(clock) {}

Breaker::Permit::Permit(Permit&& other) noexcept
    : breaker_(std::exchange(other.breaker_, nullptr)), generation_(other.generation_) {}

Breaker::Permit::~Permit() {
    report(Outcome::unknown);
}

void Breaker::Permit::succeeded() {
    report(Outcome::success);
}

void Breaker::Permit::failed() {
    report(Outcome::failure);
}

void Breaker::Permit::report(Outcome outcome) {
    if (Breaker* breaker = std::exchange(breaker_, nullptr)) breaker->settle(generation_, outcome);
}

Result<Breaker::Permit> Breaker::admit() {
    const std::lock_guard lock(mutex_);
    if (!open_) return Permit(*this, generation_);

    const Duration rest = rest_left();
    if (rest == Duration::zero() && !probing_) {
        probing_ = true;
        return Permit(*this, generation_);
    }
    const std::string resting =
        fmt::format("{} is resting after {} failure{}", name_, failures_, failures_ == 1 ? "" : "s");
    if (probing_) return fail(Code::unavailable, resting + ", and one call is probing it now", "try again in a moment");
    const std::string time = detail::in_words(rest);
    return fail(Code::unavailable, fmt::format("{} for another {}", resting, time),
                fmt::format("try again in {}", time));
}

Breaker::State Breaker::state() const {
    const std::lock_guard lock(mutex_);
    if (!open_) return State::closed;
    return rest_left() > Duration::zero() ? State::open : State::half_open;
}

Duration Breaker::retry_after() const {
    const std::lock_guard lock(mutex_);
    return open_ ? rest_left() : Duration::zero();
}

Duration Breaker::rest_left() const {
    return std::max(Duration::zero(), Duration(opened_at_ + settings_.open_time - clock_.now()));
}

void Breaker::settle(std::uint64_t generation, Permit::Outcome outcome) {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return;
    // While the circuit is open only its probe has the current generation.
    const bool was_probe = std::exchange(probing_, false);
    switch (outcome) {
        case Permit::Outcome::unknown:
            return;
        case Permit::Outcome::success:
            failures_ = 0;
            if (was_probe) change(/*open=*/false);
            return;
        case Permit::Outcome::failure:
            ++failures_;
            if (was_probe || failures_ >= settings_.failure_limit) change(/*open=*/true);
            return;
    }
}

void Breaker::change(bool open) {
    open_ = open;
    if (open) opened_at_ = clock_.now();
    ++generation_;
}

}  // namespace quaestor
