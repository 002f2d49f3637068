// Durations as people say them, for the messages of this room.
// A private header of resilience/.
// Threads: pure.
#pragma once

#include "base/clock.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>

namespace quaestor::detail {

/// "250 ms", "12 s", "3 min": rounded up, so that waiting as long as the message says is enough.
[[nodiscard]] inline std::string in_words(Duration time) {
    using namespace std::chrono_literals;
    if (time < 1s) return fmt::format("{} ms", std::chrono::ceil<std::chrono::milliseconds>(time).count());
    if (time < 2min) return fmt::format("{} s", std::chrono::ceil<std::chrono::seconds>(time).count());
    return fmt::format("{} min", std::chrono::ceil<std::chrono::minutes>(time).count());
}

}  // namespace quaestor::detail
