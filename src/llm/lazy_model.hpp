// A model that is opened when it is first asked, away from the event loop; opened again if that failed.
// A private header of llm/. Owns the model; the pool and the clock outlive it. Threads: as ChatModel.
#pragma once

#include "base/clock.hpp"
#include "base/worker_pool.hpp"
#include "llm/chat.hpp"
#include "resilience/ttl_cache.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace quaestor::llm {

/// What is opened once is kept as long as the program runs.
inline constexpr CacheSettings kKeptForGood{.capacity = 1, .lifetime = std::chrono::hours(24 * 365 * 100)};

class LazyModel final : public ChatModel {
public:
    /// Blocking; runs on the pool.
    using Open = std::function<Result<std::unique_ptr<ChatModel>>()>;
    LazyModel(std::string name, Open open, WorkerPool& pool, Clock& clock);

    [[nodiscard]] const std::string& name() const override { return name_; }
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override;
    /// Opens it now, unless it is open; those who ask meanwhile wait for it.
    Task<Result<std::shared_ptr<ChatModel>>> opened();

private:
    const std::string name_;
    const Open open_;
    WorkerPool& pool_;
    TtlCache<int, std::shared_ptr<ChatModel>> model_;
};

}  // namespace quaestor::llm
