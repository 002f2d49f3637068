// Circuit breaker: after too many failures in a row it refuses calls for a while, then lets exactly one probe through.
// One breaker per dependency, shared by all its callers. Ask with admit(), report through the permit.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace quaestor {

struct BreakerSettings {
    int failure_limit = 5;                        ///< failures in a row that open the circuit
    std::chrono::milliseconds open_time{60'000};  ///< how long it stays open before a probe is let through
};
BOOST_DESCRIBE_STRUCT(BreakerSettings, (), (failure_limit, open_time))

class Breaker {
public:
    enum class State { closed, open, half_open };
    BOOST_DESCRIBE_NESTED_ENUM(State, closed, open, half_open)

    /// `name` begins the refusal: with "the database" it says "the database is resting after 3 failures".
    Breaker(std::string name, BreakerSettings settings, Clock& clock);

    /// Leave to make one call. Say how it went; a permit that says nothing (the caller was cancelled) counts as
    /// neither, and a probe that says nothing makes room for another probe.
    class Permit {
    public:
        Permit(Permit&& other) noexcept;
        Permit& operator=(Permit&&) = delete;
        ~Permit();
        void succeeded();
        void failed();

    private:
        friend class Breaker;
        enum class Outcome { success, failure, unknown };

        Permit(Breaker& breaker, std::uint64_t generation) : breaker_(&breaker), generation_(generation) {}
        void report(Outcome outcome);

        Breaker* breaker_;
        std::uint64_t generation_;  ///< results of calls from before the circuit last changed are ignored
    };

    /// A permit, or Code::unavailable with the time after which to come back.
    [[nodiscard]] Result<Permit> admit();

    [[nodiscard]] State state() const;
    /// Time until a probe is let through; zero unless open.
    [[nodiscard]] Duration retry_after() const;

private:
    void settle(std::uint64_t generation, Permit::Outcome outcome);
    void change(bool open);                    // needs the mutex
    [[nodiscard]] Duration rest_left() const;  // needs the mutex and an open circuit

    const std::string name_;
    const BreakerSettings settings_;
    Clock& clock_;
    mutable std::mutex mutex_;
    int failures_ = 0;  ///< in a row
    bool open_ = false;
    bool probing_ = false;  ///< a probe is under way; only while open
    Instant opened_at_{};
    std::uint64_t generation_ = 0;  ///< counts the changes of the circuit
};

}  // namespace quaestor
