// Threads for work that blocks: databases, files, long computations. The event loop hands work over and awaits it.
// Whoever creates the pool owns it; its destructor waits for work that has begun.
// Threads: submit from anywhere.
#pragma once

#include "base/task.hpp"

#include <boost/asio/thread_pool.hpp>

#include <cstddef>
#include <functional>
#include <future>
#include <type_traits>
#include <utility>

namespace quaestor {

class WorkerPool {
public:
    explicit WorkerPool(std::size_t threads = default_threads());
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Runs `work` on a pool thread and resumes the awaiting task on its own executor with the result, or with what
    /// `work` threw. Work that was handed over cannot be cancelled: a cancelled task still waits for it.
    template <class Work>
    Task<std::invoke_result_t<Work&>> run(Work work) {
        std::packaged_task<std::invoke_result_t<Work&>()> job(std::move(work));
        auto result = job.get_future();
        co_await call([&job] { job(); });
        co_return result.get();
    }

    /// Runs `work` on a pool thread and nobody waits for it; it must not throw.
    void start(std::function<void()> work);

    /// As many threads as the machine has cores, at least 2.
    [[nodiscard]] static std::size_t default_threads();

private:
    Task<> call(std::function<void()> job);

    asio::thread_pool pool_;
};

}  // namespace quaestor
