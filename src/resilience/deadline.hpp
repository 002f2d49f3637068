// A point in time after which nobody waits any more. It travels with a call and only ever gets earlier.
// A value, cheap to copy.
// Threads: immutable.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <algorithm>

namespace quaestor {

class Deadline {
public:
    /// No deadline.
    constexpr Deadline() = default;
    [[nodiscard]] static Deadline at(Instant when) { return Deadline(when); }
    /// No deadline when `time` reaches beyond the clock, as Duration::max() does.
    [[nodiscard]] static Deadline after(const Clock& clock, Duration time) {
        const Instant now = clock.now();
        return time < Instant::max() - now ? Deadline(now + time) : Deadline();
    }

    [[nodiscard]] bool is_set() const { return when_ != Instant::max(); }
    [[nodiscard]] Instant when() const { return when_; }
    [[nodiscard]] bool expired(const Clock& clock) const { return is_set() && clock.now() >= when_; }
    /// Time left, never negative; Duration::max() without a deadline.
    [[nodiscard]] Duration left(const Clock& clock) const {
        return is_set() ? std::max(Duration::zero(), Duration(when_ - clock.now())) : Duration::max();
    }

    [[nodiscard]] friend Deadline earlier(Deadline a, Deadline b) { return Deadline(std::min(a.when_, b.when_)); }
    friend bool operator==(Deadline, Deadline) = default;

private:
    explicit constexpr Deadline(Instant when) : when_(when) {}
    Instant when_ = Instant::max();
};

}  // namespace quaestor
