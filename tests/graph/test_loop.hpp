// An event loop with a clock of its own: a test starts tasks, lets them go as far as they can, and moves time on.
// The loop owns its tasks; what start() returns stays readable after the loop is gone.
// Threads: one.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace quaestor::graph {

/// A task that was started, and how it ended.
template <class T>
struct Started {
    std::optional<T> value;
    std::exception_ptr thrown;

    [[nodiscard]] bool ended() const { return value || thrown; }
};

class TestLoop {
public:
    /// Moves of the clock after which finish() gives up.
    static constexpr int kTicksMax = 100'000;
    static constexpr std::chrono::milliseconds kTick{1};

    ManualClock clock;

    [[nodiscard]] asio::io_context& context() { return context_; }

    /// Starts `task` and lets it run as far as it can.
    template <class T>
    std::shared_ptr<Started<T>> start(Task<T> task) {
        auto started = std::make_shared<Started<T>>();
        asio::co_spawn(context_, std::move(task), [started](std::exception_ptr thrown, T value) {
            started->thrown = thrown;
            if (!thrown) started->value.emplace(std::move(value));
        });
        settle();
        return started;
    }

    /// Runs everything that can run without time passing.
    void settle() {
        context_.restart();
        context_.poll();
    }

    /// Moves time on until the task has ended, and returns what it returned.
    template <class T>
    T finish(Started<T>& started) {
        for (int tick = 0; !started.ended() && tick < kTicksMax; ++tick) {
            settle();
            if (started.ended()) break;
            if (clock.sleepers() == 0) throw std::logic_error("the task waits for something that never comes");
            clock.advance(kTick);
            settle();
        }
        if (started.thrown) std::rethrow_exception(started.thrown);
        if (!started.value) throw std::logic_error("the task does not end");
        return std::move(*started.value);
    }

    template <class T>
    T run(Task<T> task) {
        return finish(*start(std::move(task)));
    }

private:
    asio::io_context context_{1};
};

}  // namespace quaestor::graph
