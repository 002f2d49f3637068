// An event loop that a test drives by hand: tasks run until nothing more can happen, and then the test looks.
// The loop owns its tasks; what start() returns stays readable after the loop is gone.
// Threads: one.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace quaestor::test {

/// A task that was started, and how it ended.
template <class T>
struct Started {
    std::optional<T> value;
    std::exception_ptr thrown;
    asio::cancellation_signal signal;

    [[nodiscard]] bool ended() const { return value || thrown; }

    /// What a Result was good for; nothing when it failed or is not there yet.
    [[nodiscard]] auto result() const {
        using Good = typename T::value_type;
        return value && *value ? std::optional<Good>(**value) : std::nullopt;
    }

    /// The error of a Result that failed; an empty one of Code::internal when it did not.
    [[nodiscard]] Error error() const { return value && !*value ? value->error() : Error(); }

    /// Ended with operation_aborted.
    [[nodiscard]] bool aborted() const {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const boost::system::system_error& error) {
            return error.code() == asio::error::operation_aborted;
        }
        return false;
    }
};

class HandDrivenLoop {
public:
    /// Starts `task` and lets it run as far as it can.
    template <class T>
    std::shared_ptr<Started<T>> start(Task<T> task) {
        auto started = std::make_shared<Started<T>>();
        auto keep = [started](std::exception_ptr thrown, T value) {
            started->thrown = thrown;
            if (!thrown) started->value.emplace(std::move(value));
        };
        asio::co_spawn(context_, std::move(task), asio::bind_cancellation_slot(started->signal.slot(), keep));
        settle();
        return started;
    }

    /// Cancels a task of this loop through Asio, as a parent task would.
    template <class T>
    void cancel(Started<T>& started) {
        started.signal.emit(asio::cancellation_type::terminal);
        settle();
    }

    /// Runs everything that can run now.
    void settle() {
        context_.restart();
        context_.poll();
    }

    [[nodiscard]] asio::io_context& context() { return context_; }

private:
    asio::io_context context_{1};
};

}  // namespace quaestor::test
