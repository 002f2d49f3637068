// How TtlCache guards against stampedes: who computes, who waits, and who takes over when a caller is cancelled.
// A private header of resilience/; include ttl_cache.hpp.
// Threads: as TtlCache; the mutex is never held while compute() runs.
#pragma once

#include "base/bell.hpp"
#include "resilience/ttl_cache.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <deque>
#include <exception>
#include <utility>

namespace quaestor {

/// How a compute() ended. One that was told to stop concerns its own caller only, not those who wait.
template <class Key, class Value, class Hash>
struct TtlCache<Key, Value, Hash>::Outcome {
    std::optional<Result<Value>> result;  ///< empty when it threw
    std::exception_ptr thrown;
    bool stopped = false;

    [[nodiscard]] Result<Value> get() const {
        if (thrown) std::rethrow_exception(thrown);
        return *result;
    }
};

template <class Key, class Value, class Hash>
struct TtlCache<Key, Value, Hash>::Computation {
    std::deque<Bell*> waiting;       ///< in order of arrival; each lives in the Seat of the one who waits
    std::optional<Outcome> outcome;  ///< set once, at the end, and constant from then on
};

/// One caller's part in a computation. It computes, or waits until its bell rings: then either the outcome is there or,
/// when whoever computed was cancelled, it is this caller's turn to compute.
template <class Key, class Value, class Hash>
class TtlCache<Key, Value, Hash>::Seat {
public:
    Seat(TtlCache& cache, const Key& key) : cache_(cache), key_(key) {}
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    /// The cached value; without one, joins the computation of the key or begins it.
    [[nodiscard]] std::optional<Value> find_or_join(const asio::any_io_executor& executor);
    /// Returns at once for the one who computes.
    Task<> wait_for_turn();
    [[nodiscard]] bool is_finished() const;
    void finish(Outcome outcome);
    [[nodiscard]] Result<Value> outcome() const { return computation_->outcome->get(); }

private:
    TtlCache& cache_;
    const Key& key_;
    std::shared_ptr<Computation> computation_;  ///< none for a caller that found a value
    std::optional<Bell> bell_;                  ///< none for the caller that began the computation
};

template <class Key, class Value, class Hash>
TtlCache<Key, Value, Hash>::Seat::~Seat() {
    if (!computation_) return;
    const std::lock_guard lock(cache_.mutex_);
    if (computation_->outcome) return;
    auto& waiting = computation_->waiting;
    if (bell_ && std::erase(waiting, &*bell_) > 0) return;
    // This caller computed, or its bell had rung for it to do so: the next one takes over.
    if (waiting.empty()) {
        cache_.detach(key_, *computation_);
    } else {
        waiting.front()->ring();
        waiting.pop_front();
    }
}

template <class Key, class Value, class Hash>
std::optional<Value> TtlCache<Key, Value, Hash>::Seat::find_or_join(const asio::any_io_executor& executor) {
    const std::lock_guard lock(cache_.mutex_);
    if (const Entry* entry = cache_.find(key_)) {
        ++cache_.stats_.hits;
        return entry->value;
    }
    auto& running = cache_.running_[key_];
    if (running) {
        ++cache_.stats_.joined;
        running->waiting.push_back(&bell_.emplace(executor));
    } else {
        ++cache_.stats_.misses;
        running = std::make_shared<Computation>();
    }
    computation_ = running;
    return std::nullopt;
}

template <class Key, class Value, class Hash>
Task<> TtlCache<Key, Value, Hash>::Seat::wait_for_turn() {
    if (bell_) co_await bell_->wait();
}

template <class Key, class Value, class Hash>
bool TtlCache<Key, Value, Hash>::Seat::is_finished() const {
    const std::lock_guard lock(cache_.mutex_);
    return computation_->outcome.has_value();
}

template <class Key, class Value, class Hash>
void TtlCache<Key, Value, Hash>::Seat::finish(Outcome outcome) {
    const std::lock_guard lock(cache_.mutex_);
    const bool current = cache_.detach(key_, *computation_);
    if (current && outcome.result && *outcome.result) cache_.store(key_, **outcome.result);
    computation_->outcome = std::move(outcome);
    for (Bell* bell : std::exchange(computation_->waiting, {})) bell->ring();
}

template <class Key, class Value, class Hash>
template <class Compute>
Task<Result<Value>> TtlCache<Key, Value, Hash>::get_or_compute(Key key, Compute compute) {
    Seat seat(*this, key);
    if (auto value = seat.find_or_join(co_await asio::this_coro::executor)) co_return std::move(*value);
    co_await seat.wait_for_turn();
    if (!seat.is_finished()) {
        Outcome outcome = co_await outcome_of(compute);
        if (outcome.stopped) co_return outcome.get();
        seat.finish(std::move(outcome));
    }
    co_return seat.outcome();
}

template <class Key, class Value, class Hash>
template <class Compute>
auto TtlCache<Key, Value, Hash>::outcome_of(Compute& compute) -> Task<Outcome> {
    try {
        Result<Value> result = co_await compute();
        const bool stopped = !result && result.error().code == Code::cancelled;
        co_return Outcome{std::move(result), nullptr, stopped};
    } catch (const boost::system::system_error& error) {
        co_return Outcome{std::nullopt, std::current_exception(), error.code() == asio::error::operation_aborted};
    } catch (...) {
        co_return Outcome{std::nullopt, std::current_exception(), false};
    }
}

}  // namespace quaestor
