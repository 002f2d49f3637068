// How with_deadline() works: the task, the clock and the token race in a group, and the first to end stops the others.
// A private header of resilience/; include with_deadline.hpp.
// Threads: as with_deadline().
#pragma once

#include "base/bell.hpp"
#include "resilience/with_deadline.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace quaestor {

namespace detail {

/// What bounds a task, and whether it has ended.
struct Bounds {
    Clock& clock;
    Deadline deadline;
    CancelToken cancel;
    std::string what;
    bool task_ended = false;

    /// Why the task must not go on, or nothing. A cancellation outranks a timeout: it also forbids another try.
    [[nodiscard]] std::optional<Error> reached() const {
        if (cancel.cancelled()) return cancel.error();
        if (!deadline.expired(clock)) return std::nullopt;
        return Error{Code::timeout, fmt::format("{} did not finish in time", what),
                     "try again, or allow more time for it", nullptr};
    }
};

/// Sleeps until the deadline, unless the task ended already: many never wait, and ending a sleep costs more than they
/// do.
inline Task<> sleep_beside_task(const Bounds& bounds) {
    if (!bounds.task_ended) co_await bounds.clock.slept_until(bounds.deadline.when());
}

/// Runs `task` to its end, and cancels it when the bell rings or the deadline passes before that.
inline Task<> run_within(const Bounds& bounds, Bell& bell, Task<> task) {
    using asio::experimental::make_parallel_group;
    const asio::experimental::wait_for_one first_ends_all;
    const auto executor = co_await asio::this_coro::executor;
    auto work = asio::co_spawn(executor, std::move(task), asio::deferred);
    auto rung = bell.rung();

    std::exception_ptr thrown;
    if (bounds.deadline.is_set()) {
        // The last to start, so that it sees a task that has ended.
        auto late = asio::co_spawn(executor, sleep_beside_task(bounds), asio::deferred);
        auto group = make_parallel_group(std::move(work), std::move(rung), std::move(late));
        thrown = std::get<1>(co_await group.async_wait(first_ends_all, asio::use_awaitable));
    } else {
        auto group = make_parallel_group(std::move(work), std::move(rung));
        thrown = std::get<1>(co_await group.async_wait(first_ends_all, asio::use_awaitable));
    }
    if (thrown) std::rethrow_exception(thrown);
}

/// Awaits `task` and judges it at the moment it ends: in time, or too late whatever it returned.
template <class T>
Task<> judge(Bounds& bounds, Task<T> task, std::optional<Result<T>>& verdict) {
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(task);
            verdict.emplace();
        } else {
            verdict.emplace(std::in_place, co_await std::move(task));
        }
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted || !bounds.reached()) throw;
    }
    if (auto error = bounds.reached()) verdict.emplace(fail(std::move(*error)));
    bounds.task_ended = true;
}

}  // namespace detail

template <class T>
Task<Result<T>> with_deadline(Clock& clock, Deadline deadline, CancelToken cancel, std::string what, Task<T> task) {
    if (!deadline.is_set() && !cancel.can_be_cancelled()) {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(task);
            co_return Result<>();
        } else {
            co_return Result<T>(std::in_place, co_await std::move(task));
        }
    }
    detail::Bounds bounds{clock, deadline, std::move(cancel), std::move(what)};
    if (auto error = bounds.reached()) co_return fail(std::move(*error));

    // The token is cancelled in any thread; the bell carries that over to this executor. It is declared before the
    // registration, whose destructor waits for a cancellation that is being delivered.
    Bell bell(co_await asio::this_coro::executor);
    const auto registration = bounds.cancel.on_cancel([&bell] { bell.ring(); });
    std::optional<Result<T>> verdict;
    co_await detail::run_within(bounds, bell, detail::judge(bounds, std::move(task), verdict));
    co_return std::move(*verdict);
}

}  // namespace quaestor
