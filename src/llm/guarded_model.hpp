// What stands around a provider: a deadline for the call, a place among those that run at the same time, the rate
// limits (its own and the one for all), the breaker, and another try for faults that pass. And the chain: when one
// model cannot, the next is asked. Both own what they stand around. Threads: as ChatModel.
#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "llm/chat.hpp"
#include "resilience/breaker.hpp"
#include "resilience/rate_limit.hpp"
#include "resilience/retry.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <memory>
#include <vector>

namespace quaestor::llm {

struct GuardSettings {
    std::chrono::milliseconds timeout{60'000};  ///< of one call with all its tries
    int concurrency = 8;                        ///< calls at the same time; others wait
    RateLimitSettings rate{};
    BreakerSettings breaker{.failure_limit = 5, .open_time = std::chrono::seconds(120)};
    RetrySettings retry{.attempts = 3, .delay = std::chrono::seconds(2), .cap = std::chrono::seconds(60)};
};
BOOST_DESCRIBE_STRUCT(GuardSettings, (), (timeout, concurrency, rate, breaker, retry))

/// How a guarded model is doing, for `quaestor models` and metrics.
struct ModelHealth {
    Breaker::State breaker = Breaker::State::closed;
    std::chrono::milliseconds wait{0};  ///< that the rate limit asks for now
    int running = 0;
};

/// A reply of which a piece has been told is not asked for again: the caller has seen it.
class GuardedModel final : public ChatModel {
public:
    /// `shared` is the rate limit for all providers; it, the clock and the random source outlive the model.
    GuardedModel(std::unique_ptr<ChatModel> inner, GuardSettings settings, RateLimit& shared, Clock& clock,
                 Random& random);
    ~GuardedModel() override;
    [[nodiscard]] const std::string& name() const override;
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override;
    [[nodiscard]] ModelHealth health() const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

/// Asks its models in order until one answers. The fault of the last is the fault of all; those before are its causes.
class ModelChain final : public ChatModel {
public:
    /// The models outlive the chain.
    explicit ModelChain(std::vector<ChatModel*> models);
    [[nodiscard]] const std::string& name() const override;
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override;

private:
    std::vector<ChatModel*> models_;
};

}  // namespace quaestor::llm
