#include "base/worker_pool.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <thread>

namespace quaestor {

WorkerPool::WorkerPool(std::size_t threads) : pool_(threads) {}

WorkerPool::~WorkerPool() {
    pool_.stop();
    pool_.join();
}

std::size_t WorkerPool::default_threads() {
    return std::max<std::size_t>(2, std::thread::hardware_concurrency());
}

void WorkerPool::start(std::function<void()> work) {
    asio::post(pool_, std::move(work));
}

// A plain post, not a co_spawn: co_spawn would deliver a cancellation on one pool thread while the work runs on
// another.
Task<> WorkerPool::call(std::function<void()> job) {
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [&](auto handler) {
            // The guard keeps the caller's event loop running while the work is away.
            auto home = asio::make_work_guard(asio::get_associated_executor(handler));
            asio::post(pool_, [&job, home = std::move(home), handler = std::move(handler)]() mutable {
                job();
                asio::dispatch(home.get_executor(), std::move(handler));
            });
        },
        asio::use_awaitable);
}

}  // namespace quaestor
