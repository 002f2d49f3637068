// Task is our coroutine: lazy, awaited once, run on the executor of whoever awaits it.
// Blocking work never runs on the event loop; hand it to a WorkerPool (worker_pool.hpp).
// Threads: a task runs on one executor; use a strand where that executor has several threads.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <optional>

namespace quaestor {

namespace asio = boost::asio;

template <class T = void>
using Task = asio::awaitable<T>;

/// Runs `task` to its end on an event loop of its own; for main(), tools and tests. Rethrows what the task throws.
template <class T>
T run_to_end(Task<T> task) {
    asio::io_context loop(1);
    std::exception_ptr thrown;
    const auto end = [&](std::exception_ptr error) { thrown = error; };
    if constexpr (std::is_void_v<T>) {
        asio::co_spawn(loop, std::move(task), end);
        loop.run();
        if (thrown) std::rethrow_exception(thrown);
    } else {
        // Kept by a task of our own: Asio would want a T that can be made from nothing.
        std::optional<T> value;
        const auto keep = [](Task<T> wanted, std::optional<T>& result) -> Task<> {
            result.emplace(co_await std::move(wanted));
        };
        asio::co_spawn(loop, keep(std::move(task), value), end);
        loop.run();
        if (thrown) std::rethrow_exception(thrown);
        return std::move(*value);
    }
}

}  // namespace quaestor
