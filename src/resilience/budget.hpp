// Sliding-window budget: at most `limit` uses in any window of time, counted only when a use succeeded.
// Reserve before the call, commit after success; a reservation that is dropped gives its place back.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <deque>
#include <mutex>
#include <string>

namespace quaestor {

struct BudgetSettings {
    int limit = 60;                            ///< uses in any window
    std::chrono::milliseconds window{60'000};  ///< length of the window
};
BOOST_DESCRIBE_STRUCT(BudgetSettings, (), (limit, window))

class Budget {
public:
    /// `name` appears in the refusal: with "GraphQL" it says "the GraphQL budget of 60 in 60 s is used up".
    Budget(std::string name, BudgetSettings settings, Clock& clock);

    class Reservation {
    public:
        Reservation(Reservation&& other) noexcept;
        Reservation& operator=(Reservation&&) = delete;
        ~Reservation();
        /// The use succeeded and counts from now.
        void commit();

    private:
        friend class Budget;
        explicit Reservation(Budget& budget) : budget_(&budget) {}
        Budget* budget_;
    };

    /// A place in the window, or Code::rate_limited saying when one becomes free.
    [[nodiscard]] Result<Reservation> reserve();

    /// Uses still possible now.
    [[nodiscard]] int left() const;

private:
    // These need the mutex.
    void forget_old(Instant now) const;
    [[nodiscard]] int places_left() const;
    [[nodiscard]] Error refusal(Instant now) const;

    void release(bool used);

    const std::string name_;
    const BudgetSettings settings_;
    Clock& clock_;
    mutable std::mutex mutex_;
    mutable std::deque<Instant> uses_;  ///< of the last window, oldest first
    int reserved_ = 0;
};

}  // namespace quaestor
