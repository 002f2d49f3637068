// Time, injected. Programs use system_clock(); tests use a ManualClock that stands still until it is told to advance.
// A clock outlives everything that waits on it.
// Threads: all members may be called from any thread.
#pragma once

#include "base/task.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor {

using Duration = std::chrono::nanoseconds;
using Instant = std::chrono::steady_clock::time_point;   ///< for measuring and waiting; never goes back
using WallTime = std::chrono::system_clock::time_point;  ///< for showing and storing

class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Instant now() const = 0;
    [[nodiscard]] virtual WallTime wall() const = 0;

    /// Resumes at `when`. Cancelling the awaiting task ends the wait with operation_aborted.
    Task<> sleep_until(Instant when);
    Task<> sleep_for(Duration time) { return sleep_until(now() + time); }

    /// The same for who expects to be woken early, as a deadline does: true at `when`, false when cancelled before.
    virtual Task<bool> slept_until(Instant when) = 0;
};

/// The machine's clock.
[[nodiscard]] Clock& system_clock();

/// A clock for tests. It starts at 2026-01-01T00:00:00Z and moves only in advance().
class ManualClock final : public Clock {
public:
    ManualClock();
    ~ManualClock() override;

    [[nodiscard]] Instant now() const override;
    [[nodiscard]] WallTime wall() const override;
    Task<bool> slept_until(Instant when) override;

    /// Moves time on and wakes every sleeper whose moment has come, in order of their moments.
    void advance(Duration time);

    /// How many tasks sleep now; lets a test wait until the code under test has gone to sleep.
    [[nodiscard]] std::size_t sleepers() const;

private:
    struct Sleeper;
    mutable std::mutex mutex_;
    Instant now_;
    std::multimap<Instant, Sleeper*> sleepers_;  ///< each lives in its task and takes itself out when it ends
};

/// "2026-11-15T02:39:58.123Z"
[[nodiscard]] std::string to_iso8601(WallTime time);

/// The same with micro- or nanoseconds where the time has them; from_iso8601() gives it back unchanged.
[[nodiscard]] std::string to_iso8601_exact(WallTime time);

/// Reads what the two above write, with 0 to 9 digits of fraction; nothing when it is no such time.
[[nodiscard]] std::optional<WallTime> from_iso8601(std::string_view text);

}  // namespace quaestor
