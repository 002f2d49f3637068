#include "resilience/budget.hpp"

#include "resilience/duration_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor {

Budget::Budget(std::string name, BudgetSettings settings, Clock& clock)
    : name_(std::move(name)), settings_(settings), clock_(clock) {}

Budget::Reservation::Reservation(Reservation&& other) noexcept : budget_(std::exchange(other.budget_, nullptr)) {}

Budget::Reservation::~Reservation() {
    if (budget_) budget_->release(/*used=*/false);
}

void Budget::Reservation::commit() {
    if (Budget* budget = std::exchange(budget_, nullptr)) budget->release(/*used=*/true);
}

Result<Budget::Reservation> Budget::reserve() {
    const std::lock_guard lock(mutex_);
    const Instant now = clock_.now();
    forget_old(now);
    if (places_left() <= 0) return fail(refusal(now));
    ++reserved_;
    return Reservation(*this);
}

Error Budget::refusal(Instant now) const {
    Error error{
        Code::rate_limited,
        fmt::format("the {} budget of {} in {} is used up", name_, settings_.limit, detail::in_words(settings_.window)),
        "", nullptr};
    if (!uses_.empty()) {
        const std::string wait = detail::in_words(uses_.front() + settings_.window - now);
        error.message += fmt::format("; a place becomes free in {}", wait);
        error.hint = fmt::format("try again in {}", wait);
    } else if (reserved_ > 0) {
        error.message += " by calls under way";
        error.hint = "try again when one of them has ended";
    } else {
        error.hint = "raise its limit: it lets nothing through";
    }
    return error;
}

int Budget::left() const {
    const std::lock_guard lock(mutex_);
    forget_old(clock_.now());
    return std::max(places_left(), 0);
}

int Budget::places_left() const {
    return settings_.limit - static_cast<int>(uses_.size()) - reserved_;
}

void Budget::release(bool used) {
    const std::lock_guard lock(mutex_);
    --reserved_;
    if (used) uses_.push_back(clock_.now());
}

void Budget::forget_old(Instant now) const {
    while (!uses_.empty() && uses_.front() + settings_.window <= now) uses_.pop_front();
}

}  // namespace quaestor
