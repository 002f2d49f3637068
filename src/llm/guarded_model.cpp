#include "llm/guarded_model.hpp"

#include "llm/seats.hpp"
#include "resilience/with_deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::llm {

namespace {

/// The sink of `options`, which from now on says in `told` that a piece went through.
DeltaSink watched(DeltaSink sink, bool& told) {
    if (!sink) return {};
    return [sink = std::move(sink), &told](const Delta& delta) -> Task<> {
        told = true;
        return sink(delta);
    };
}

/// A token that was cancelled decides, also when its reason is a deadline: nobody waits for another try or model.
ModelError stopped(const std::string& model, const Error& error, const CancelToken& cancel) {
    ModelError told = fault_from(model, error);
    if (cancel.cancelled()) told.fault = Fault::cancelled;
    return told;
}

}  // namespace

struct GuardedModel::Inside {
    Inside(std::unique_ptr<ChatModel> the_model, GuardSettings the_settings, RateLimit& the_shared_rate,
           Clock& the_clock, Random& the_random)
        : model(std::move(the_model)),
          settings(the_settings),
          seats(std::max(the_settings.concurrency, 1)),
          rate(the_settings.rate, the_clock),
          shared_rate(the_shared_rate),
          breaker(model->name(), the_settings.breaker, the_clock),
          clock(the_clock),
          random(the_random) {}

    Task<ModelResult<ChatReply>> chat(const ChatRequest& request, const CallOptions& options);
    Task<ModelResult<ChatReply>> try_once(const ChatRequest& request, const CallOptions& options);
    Task<Result<>> wait_for_rates(Deadline deadline);
    /// How long to wait before another try; nothing when there is none.
    [[nodiscard]] std::optional<Duration> pause_after(const ModelError& error, int attempt, Deadline deadline);
    [[nodiscard]] std::optional<ModelError> rest() const;
    [[nodiscard]] ModelError resting(const Error& refusal) const;
    void learn(const ModelResult<ChatReply>& result, Breaker::Permit& permit);

    const std::unique_ptr<ChatModel> model;
    const GuardSettings settings;
    Seats seats;
    RateLimit rate;
    RateLimit& shared_rate;
    mutable Breaker breaker;
    Clock& clock;
    Random& random;
};

Task<ModelResult<ChatReply>> GuardedModel::Inside::chat(const ChatRequest& request, const CallOptions& options) {
    Seats::Seat seat(seats);
    co_await seat.sit();
    bool told = false;
    CallOptions watched_options = options;
    watched_options.on_delta = watched(options.on_delta, told);
    for (int attempt = 1;; ++attempt) {
        auto result = co_await try_once(request, watched_options);
        if (result || told) co_return result;
        const auto pause = pause_after(result.error(), attempt, options.deadline);
        if (!pause) co_return result;
        co_await clock.sleep_for(*pause);
    }
}

Task<ModelResult<ChatReply>> GuardedModel::Inside::try_once(const ChatRequest& request, const CallOptions& options) {
    // One that rests is not worth a wait for the rate limits; after the wait it may rest again.
    if (auto resting_now = rest()) co_return std::unexpected(std::move(*resting_now));
    if (const auto admitted = co_await wait_for_rates(options.deadline); !admitted) {
        co_return std::unexpected(ModelError{Fault::rate_limited, admitted.error(), rate.wait_time()});
    }
    auto permit = breaker.admit();
    if (!permit) co_return std::unexpected(resting(permit.error()));
    auto bounded =
        co_await with_deadline(clock, options.deadline, options.cancel, model->name(), model->chat(request, options));
    ModelResult<ChatReply> result =
        bounded ? std::move(*bounded) : std::unexpected(stopped(model->name(), bounded.error(), options.cancel));
    learn(result, *permit);
    co_return result;
}

Task<Result<>> GuardedModel::Inside::wait_for_rates(Deadline deadline) {
    if (auto admitted = co_await rate.acquire(deadline); !admitted) co_return admitted;
    co_return co_await shared_rate.acquire(deadline);
}

void GuardedModel::Inside::learn(const ModelResult<ChatReply>& result, Breaker::Permit& permit) {
    if (result) {
        permit.succeeded();
        rate.succeeded();
    } else if (result.error().fault == Fault::rate_limited) {
        rate.throttled(result.error().retry_after);
    } else if (is_providers_fault(result.error().fault)) {
        permit.failed();
    }
}

std::optional<Duration> GuardedModel::Inside::pause_after(const ModelError& error, int attempt, Deadline deadline) {
    if (attempt >= settings.retry.attempts || !is_worth_retrying(error.fault)) return std::nullopt;
    if (breaker.state() == Breaker::State::open) return std::nullopt;
    // After "too many" the rate limit itself makes everybody wait.
    const Duration pause = error.fault == Fault::rate_limited ? Duration::zero()
                                                              : std::max(delay_after(settings.retry, attempt, random),
                                                                         error.retry_after.value_or(Duration::zero()));
    const Duration wait = std::max(pause, rate.wait_time());
    return wait < deadline.left(clock) ? std::optional(pause) : std::nullopt;
}

std::optional<ModelError> GuardedModel::Inside::rest() const {
    if (breaker.state() != Breaker::State::open) return std::nullopt;
    const auto permit = breaker.admit();
    return permit ? std::nullopt : std::optional(resting(permit.error()));
}

ModelError GuardedModel::Inside::resting(const Error& refusal) const {
    return {Fault::overloaded, refusal, breaker.retry_after()};
}

GuardedModel::GuardedModel(std::unique_ptr<ChatModel> inner, GuardSettings settings, RateLimit& shared, Clock& clock,
                           Random& random)
    : inside_(std::make_unique<Inside>(std::move(inner), settings, shared, clock, random)) {}

GuardedModel::~GuardedModel() = default;

const std::string& GuardedModel::name() const {
    return inside_->model->name();
}

Task<ModelResult<ChatReply>> GuardedModel::chat(ChatRequest request, CallOptions options) {
    Inside& inside = *inside_;
    options.deadline = earlier(options.deadline, Deadline::after(inside.clock, inside.settings.timeout));
    auto result =
        co_await with_deadline(inside.clock, options.deadline, options.cancel, name(), inside.chat(request, options));
    if (!result) co_return std::unexpected(stopped(name(), result.error(), options.cancel));
    co_return std::move(*result);
}

ModelHealth GuardedModel::health() const {
    return {.breaker = inside_->breaker.state(),
            .wait = std::chrono::ceil<std::chrono::milliseconds>(inside_->rate.wait_time()),
            .running = inside_->seats.taken()};
}

ModelChain::ModelChain(std::vector<ChatModel*> models) : models_(std::move(models)) {}

const std::string& ModelChain::name() const {
    return models_.front()->name();
}

Task<ModelResult<ChatReply>> ModelChain::chat(ChatRequest request, CallOptions options) {
    bool told = false;
    options.on_delta = watched(std::move(options.on_delta), told);
    std::optional<Error> before;
    for (std::size_t index = 0;; ++index) {
        ChatModel& model = *models_[index];
        auto result = co_await model.chat(request, options);
        if (result) {
            result->model = model.name();
            co_return result;
        }
        if (before) result.error().error = std::move(result.error().error).because(std::move(*before));
        const bool is_last = index + 1 == models_.size();
        if (is_last || told || !is_worth_another_model(result.error().fault)) co_return result;
        before = std::move(result.error().error);
    }
}

}  // namespace quaestor::llm
