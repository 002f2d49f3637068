// Names for runs, threads and checkpoints: 26 characters, sortable by time of making (a ULID).
// Randomness is injected like time, so that a test can make the same ids twice.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <string_view>

namespace quaestor {

class Random {
public:
    virtual ~Random() = default;
    /// 64 uniformly distributed bits.
    virtual std::uint64_t bits() = 0;
    /// Uniform in [0, 1).
    double fraction();
    /// Uniform in [0, bound); bound must not be 0.
    std::uint64_t below(std::uint64_t bound);
};

/// Seeded from the operating system.
[[nodiscard]] Random& system_random();

/// The same sequence for the same seed; for tests, demo data and replay.
class SeededRandom final : public Random {
public:
    explicit SeededRandom(std::uint64_t seed);
    std::uint64_t bits() override;

private:
    std::mutex mutex_;
    std::mt19937_64 engine_;
};

/// Makes ids. Two ids of one maker are always in the order of their making, also within a millisecond.
class IdMaker {
public:
    IdMaker(Clock& clock, Random& random);
    [[nodiscard]] std::string make();

private:
    Clock& clock_;
    Random& random_;
    std::mutex mutex_;
    std::uint64_t last_millisecond_ = 0;
    std::uint64_t high_ = 0;  ///< upper 16 of the 80 random bits
    std::uint64_t low_ = 0;   ///< lower 64 of the 80 random bits
};

/// The process-wide maker over system_clock() and system_random().
[[nodiscard]] std::string make_id();

/// True when `text` can be an id given by a person or another program: 1 to 128 of A-Z a-z 0-9 . _ : -
[[nodiscard]] bool is_valid_id(std::string_view text);

}  // namespace quaestor
