#include "data/timed_run.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace quaestor::data {

Result<ResultSet> run_in_time(Engine& engine, const std::string& sql, const QueryLimits& limits,
                              const CancelToken& stop) {
    CancelSource either;
    const auto forward = stop.on_cancel([&] { either.cancel(stop.reason()); });
    std::mutex mutex;
    std::condition_variable_any ended;
    const std::jthread watch([&](const std::stop_token& is_ended) {
        std::unique_lock lock(mutex);
        ended.wait_for(lock, is_ended, limits.timeout, [] { return false; });
        if (!is_ended.stop_requested()) either.cancel(CancelReason::deadline);
    });
    return engine.run(sql, limits, either.token());
}

}  // namespace quaestor::data
