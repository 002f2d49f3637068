#include "resilience/ttl_cache.hpp"

#include "hand_driven_loop.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

using Cache = TtlCache<std::string, int>;

class TtlCacheTest : public testing::Test {
protected:
    void advance(Duration time) {
        clock_.advance(time);
        loop_.settle();
    }

    /// Computes for a second of the clock.
    Task<Result<int>> compute_slowly(Result<int> result) {
        ++computations_;
        co_await clock_.sleep_for(1s);
        co_return result;
    }

    Task<Result<int>> throw_slowly() {
        ++computations_;
        co_await clock_.sleep_for(1s);
        throw std::logic_error("broken");
    }

    auto ask(std::string key, Result<int> result) {
        return loop_.start(cache_.get_or_compute(std::move(key), [=, this] { return compute_slowly(result); }));
    }

    ManualClock clock_;
    Cache cache_{{.capacity = 3, .lifetime = 60s}, clock_};
    int computations_ = 0;
    test::HandDrivenLoop loop_;
};

TEST_F(TtlCacheTest, ReturnsWhatWasPut) {
    cache_.put("a", 1);
    EXPECT_EQ(cache_.get("a"), 1);
    EXPECT_EQ(cache_.get("b"), std::nullopt);
}

TEST_F(TtlCacheTest, ForgetsAnEntryAtTheEndOfItsLifetime) {
    cache_.put("a", 1);
    clock_.advance(60s - 1ns);
    EXPECT_EQ(cache_.get("a"), 1) << "and reading must not lengthen its life";
    clock_.advance(1ns);
    EXPECT_EQ(cache_.get("a"), std::nullopt);
    EXPECT_EQ(cache_.stats().expired, 1u);
    EXPECT_EQ(cache_.stats().size, 0u);
}

TEST_F(TtlCacheTest, StartsTheLifetimeOverWithANewValue) {
    cache_.put("a", 1);
    clock_.advance(40s);
    cache_.put("a", 2);
    clock_.advance(40s);
    EXPECT_EQ(cache_.get("a"), 2);
    EXPECT_EQ(cache_.stats().size, 1u);
}

TEST_F(TtlCacheTest, DropsTheLeastRecentlyUsedEntryWhenFull) {
    for (const char* key : {"a", "b", "c"}) cache_.put(key, 1);
    EXPECT_EQ(cache_.get("a"), 1);
    cache_.put("d", 1);
    EXPECT_EQ(cache_.get("b"), std::nullopt);
    EXPECT_TRUE(cache_.get("a") && cache_.get("c") && cache_.get("d"));
    EXPECT_EQ(cache_.stats().evicted, 1u);
    EXPECT_EQ(cache_.stats().size, 3u);
}

TEST_F(TtlCacheTest, CountsAWriteAsUse) {
    for (const char* key : {"a", "b", "c", "a", "d"}) cache_.put(key, 1);
    EXPECT_EQ(cache_.get("b"), std::nullopt);
    EXPECT_TRUE(cache_.get("a"));
}

TEST_F(TtlCacheTest, CountsAnOldEntryThatIsPushedOutAsExpired) {
    for (const char* key : {"a", "b", "c"}) cache_.put(key, 1);
    clock_.advance(60s);
    cache_.put("d", 1);
    EXPECT_EQ(cache_.stats().expired, 1u);
    EXPECT_EQ(cache_.stats().evicted, 0u);
}

TEST_F(TtlCacheTest, ErasesOneEntry) {
    cache_.put("a", 1);
    cache_.put("b", 2);
    cache_.erase("a");
    cache_.erase("unknown");
    EXPECT_EQ(cache_.get("a"), std::nullopt);
    EXPECT_EQ(cache_.get("b"), 2);
}

TEST_F(TtlCacheTest, ErasesEntriesByTheirKeysAndCountsThem) {
    for (const char* key : {"user:1", "user:2", "table:1"}) cache_.put(key, 1);
    EXPECT_EQ(cache_.erase_if([](const std::string& key) { return key.starts_with("user:"); }), 2u);
    EXPECT_EQ(cache_.stats().size, 1u);
    EXPECT_EQ(cache_.get("table:1"), 1);
}

TEST_F(TtlCacheTest, ClearsEverything) {
    for (const char* key : {"a", "b"}) cache_.put(key, 1);
    cache_.clear();
    EXPECT_EQ(cache_.stats().size, 0u);
    EXPECT_EQ(cache_.get("a"), std::nullopt);
}

TEST_F(TtlCacheTest, OfNoCapacityKeepsNothing) {
    Cache nothing({.capacity = 0}, clock_);
    nothing.put("a", 1);
    EXPECT_EQ(nothing.get("a"), std::nullopt);
    EXPECT_EQ(nothing.stats().size, 0u);
}

TEST_F(TtlCacheTest, CountsHitsAndMisses) {
    EXPECT_FALSE(cache_.get("a"));
    cache_.put("a", 1);
    EXPECT_TRUE(cache_.get("a"));
    EXPECT_TRUE(cache_.get("a"));
    EXPECT_EQ(cache_.stats().misses, 1u);
    EXPECT_EQ(cache_.stats().hits, 2u);
}

TEST_F(TtlCacheTest, ComputesAMissingValueAndKeepsIt) {
    const auto first = ask("a", 1);
    advance(1s);
    EXPECT_EQ(first->result(), 1);
    EXPECT_EQ(ask("a", 2)->result(), 1);
    EXPECT_EQ(computations_, 1);
    EXPECT_EQ(cache_.stats().misses, 1u);
    EXPECT_EQ(cache_.stats().hits, 1u);
}

TEST_F(TtlCacheTest, ComputesOnceForAllWhoAskMeanwhile) {
    const auto first = ask("a", 1);
    const auto second = ask("a", 2);
    const auto third = ask("a", 3);
    advance(1s);
    for (const auto& caller : {first, second, third}) EXPECT_EQ(caller->result(), 1);
    EXPECT_EQ(computations_, 1);
    const CacheStats stats = cache_.stats();
    EXPECT_EQ(stats.misses, 1u);
    EXPECT_EQ(stats.joined, 2u);
    EXPECT_EQ(stats.hits, 0u);
}

TEST_F(TtlCacheTest, ComputesDifferentKeysSideBySide) {
    const auto a = ask("a", 1);
    const auto b = ask("b", 2);
    EXPECT_EQ(computations_, 2);
    advance(1s);
    EXPECT_EQ(a->result(), 1);
    EXPECT_EQ(b->result(), 2);
}

TEST_F(TtlCacheTest, ComputesAgainAfterTheLifetime) {
    ask("a", 1);
    advance(1s);
    advance(60s);
    const auto again = ask("a", 2);
    advance(1s);
    EXPECT_EQ(again->result(), 2);
    EXPECT_EQ(cache_.stats().expired, 1u);
}

TEST_F(TtlCacheTest, GivesAFailureToAllAndDoesNotKeepIt) {
    const auto first = ask("a", fail(Code::unavailable, "down"));
    const auto second = ask("a", 2);
    advance(1s);
    EXPECT_EQ(first->error().message, "down");
    EXPECT_EQ(second->error().message, "down");
    EXPECT_EQ(cache_.stats().size, 0u);
    const auto later = ask("a", 3);
    advance(1s);
    EXPECT_EQ(later->result(), 3);
}

TEST_F(TtlCacheTest, GivesAnExceptionToAllAndDoesNotKeepIt) {
    const auto first = loop_.start(cache_.get_or_compute("a", [this] { return throw_slowly(); }));
    const auto second = ask("a", 2);
    advance(1s);
    ASSERT_TRUE(first->thrown && second->thrown);
    EXPECT_THROW(std::rethrow_exception(first->thrown), std::logic_error);
    EXPECT_THROW(std::rethrow_exception(second->thrown), std::logic_error);
    const auto later = ask("a", 3);
    advance(1s);
    EXPECT_EQ(later->result(), 3);
}

TEST_F(TtlCacheTest, LetsAWaiterComputeWhenTheFirstCallerIsCancelled) {
    const auto first = ask("a", 1);
    const auto second = ask("a", 2);
    const auto third = ask("a", 3);
    loop_.cancel(*first);
    EXPECT_TRUE(first->aborted());
    EXPECT_EQ(computations_, 2);
    advance(1s);
    EXPECT_EQ(second->result(), 2);
    EXPECT_EQ(third->result(), 2);
    EXPECT_EQ(cache_.get("a"), 2);
}

TEST_F(TtlCacheTest, LetsAWaiterComputeWhenTheFirstCallerIsDestroyed) {
    auto doomed = std::make_unique<test::HandDrivenLoop>();
    const auto first = doomed->start(cache_.get_or_compute("a", [this] { return compute_slowly(1); }));
    const auto second = ask("a", 2);
    doomed.reset();
    loop_.settle();
    advance(1s);
    EXPECT_FALSE(first->ended());
    EXPECT_EQ(second->result(), 2);
}

TEST_F(TtlCacheTest, LetsAWaiterComputeWhenTheFirstCallerReportsItsOwnCancellation) {
    const auto first = ask("a", fail(Code::cancelled, "the client went away"));
    const auto second = ask("a", 2);
    advance(1s);
    EXPECT_EQ(first->error().code, Code::cancelled);
    advance(1s);
    EXPECT_EQ(second->result(), 2);
}

TEST_F(TtlCacheTest, PassesTheTurnOnWhenTheNextCallerIsCancelledBeforeItBegins) {
    const auto first = ask("a", 1);
    const auto second = ask("a", 2);
    const auto third = ask("a", 3);
    first->signal.emit(asio::cancellation_type::terminal);
    second->signal.emit(asio::cancellation_type::terminal);
    loop_.settle();
    EXPECT_TRUE(second->aborted());
    advance(1s);
    EXPECT_EQ(third->result(), 3);
}

TEST_F(TtlCacheTest, PassesTheTurnOnWhenTheChosenCallerIsDestroyedBeforeItBegins) {
    const auto first = ask("a", 1);
    auto doomed = std::make_unique<test::HandDrivenLoop>();
    const auto second = doomed->start(cache_.get_or_compute("a", [this] { return compute_slowly(2); }));
    const auto third = ask("a", 3);
    loop_.cancel(*first);  // the second caller is chosen, but its loop does not run any more
    doomed.reset();
    loop_.settle();
    advance(1s);
    EXPECT_FALSE(second->ended());
    EXPECT_EQ(third->result(), 3);
}

TEST_F(TtlCacheTest, GoesOnWithoutAWaiterThatIsCancelled) {
    const auto first = ask("a", 1);
    const auto second = ask("a", 2);
    const auto third = ask("a", 3);
    loop_.cancel(*second);
    EXPECT_TRUE(second->aborted());
    advance(1s);
    EXPECT_EQ(first->result(), 1);
    EXPECT_EQ(third->result(), 1);
    EXPECT_EQ(computations_, 1);
}

TEST_F(TtlCacheTest, ComputesAnewAfterTheOnlyCallerWasCancelled) {
    loop_.cancel(*ask("a", 1));
    const auto later = ask("a", 2);
    EXPECT_EQ(computations_, 2);
    advance(1s);
    EXPECT_EQ(later->result(), 2);
}

TEST_F(TtlCacheTest, DoesNotKeepAValueWhoseKeyWasErasedMeanwhile) {
    const auto first = ask("a", 1);
    const auto second = ask("a", 2);
    cache_.erase("a");
    advance(1s);
    EXPECT_EQ(first->result(), 1);
    EXPECT_EQ(second->result(), 1);
    EXPECT_EQ(cache_.get("a"), std::nullopt);
}

TEST_F(TtlCacheTest, ComputesAnewForThoseWhoAskAfterAnErase) {
    const auto before = ask("a", 1);
    EXPECT_EQ(cache_.erase_if([](const std::string&) { return true; }), 0u);
    advance(500ms);
    const auto after = ask("a", 2);
    advance(500ms);
    EXPECT_EQ(before->result(), 1);
    EXPECT_FALSE(after->ended());
    advance(500ms);
    EXPECT_EQ(after->result(), 2);
    EXPECT_EQ(cache_.get("a"), 2);
}

TEST_F(TtlCacheTest, DoesNotKeepAValueComputedWhileItWasCleared) {
    const auto first = ask("a", 1);
    cache_.clear();
    advance(1s);
    EXPECT_EQ(first->result(), 1);
    EXPECT_EQ(cache_.stats().size, 0u);
}

TEST_F(TtlCacheTest, PrefersAValueThatWasPutMeanwhile) {
    const auto first = ask("a", 1);
    cache_.put("a", 9);
    EXPECT_EQ(ask("a", 2)->result(), 9);
    advance(1s);
    EXPECT_EQ(first->result(), 1);
    EXPECT_EQ(cache_.get("a"), 9);
}

Task<Result<std::thread::id>> ask_from_here(TtlCache<int, int>& cache, Clock& clock) {
    const auto compute = [&clock]() -> Task<Result<int>> {
        co_await clock.sleep_for(1s);
        co_return 1;
    };
    (void)co_await cache.get_or_compute(1, compute);
    co_return std::this_thread::get_id();
}

TEST(TtlCacheThreads, ResumesEachWaiterOnItsOwnExecutor) {
    ManualClock clock;
    TtlCache<int, int> cache({}, clock);
    std::array<asio::io_context, 4> loops;
    std::atomic<int> at_home = 0;
    {
        std::vector<std::jthread> threads;
        for (auto& loop : loops) {
            threads.emplace_back([&] {
                const auto check = [&](std::exception_ptr, Result<std::thread::id> resumed_in) {
                    if (resumed_in.value() == std::this_thread::get_id()) ++at_home;
                };
                asio::co_spawn(loop, ask_from_here(cache, clock), check);
                loop.run();
            });
        }
        while (cache.stats().misses + cache.stats().joined < loops.size() || clock.sleepers() == 0) {
            std::this_thread::yield();
        }
        clock.advance(1s);
    }
    EXPECT_EQ(at_home, 4);
    EXPECT_EQ(cache.stats().joined, 3u);
}

/// Callers of a few keys on many threads; each computation checks that it is alone with its key.
class TtlCacheHammer : public testing::Test {
protected:
    static constexpr std::size_t kKeys = 250;
    static constexpr std::size_t kCallers = 2'000;
    static constexpr std::size_t kThreads = 4;

    Task<Result<std::size_t>> compute(std::size_t key) {
        const Alone alone(running_[key]);
        for (int i = 0; i < 5; ++i) co_await asio::post(asio::use_awaitable);
        ++computed_[key];
        co_return key * 10 + 10;
    }

    Task<Result<std::size_t>> ask(std::size_t key) {
        return cache_.get_or_compute(key, [this, key] { return compute(key); });
    }

    struct Alone {
        explicit Alone(std::atomic<int>& running) : running_(running) { EXPECT_EQ(++running_, 1); }
        ~Alone() { --running_; }
        std::atomic<int>& running_;
    };

    ManualClock clock_;
    TtlCache<std::size_t, std::size_t> cache_{{}, clock_};
    std::array<std::atomic<int>, kKeys> running_{};
    std::array<std::atomic<int>, kKeys> computed_{};
};

TEST_F(TtlCacheHammer, ComputesEachKeyExactlyOnce) {
    std::atomic<std::size_t> right = 0;
    asio::thread_pool pool(kThreads);
    for (std::size_t i = 0; i < kCallers; ++i) {
        const std::size_t key = i * kKeys / kCallers;
        asio::co_spawn(pool, ask(key), [&, key](std::exception_ptr, Result<std::size_t> value) {
            if (value.value_or(0) == key * 10 + 10) ++right;
        });
    }
    pool.join();
    EXPECT_EQ(right, kCallers);
    for (const auto& computed : computed_) EXPECT_EQ(computed, 1);
    const CacheStats stats = cache_.stats();
    EXPECT_EQ(stats.misses, kKeys);
    EXPECT_EQ(stats.hits + stats.joined, kCallers - kKeys);
}

TEST_F(TtlCacheHammer, SurvivesCancellationOfAnyCaller) {
    std::atomic<std::size_t> right = 0;
    std::atomic<std::size_t> cancelled = 0;
    asio::thread_pool pool(kThreads);
    std::vector<std::unique_ptr<asio::cancellation_signal>> signals;
    for (std::size_t i = 0; i < kCallers; ++i) {
        const std::size_t key = i * kKeys / kCallers;
        const auto strand = asio::make_strand(pool);
        auto& signal = *signals.emplace_back(std::make_unique<asio::cancellation_signal>());
        const auto count = [&, key](std::exception_ptr thrown, Result<std::size_t> value) {
            if (thrown) ++cancelled;
            if (!thrown && value.value_or(0) == key * 10 + 10) ++right;
        };
        asio::co_spawn(strand, ask(key), asio::bind_cancellation_slot(signal.slot(), count));
        if (i % 3 != 0) asio::post(strand, [&signal] { signal.emit(asio::cancellation_type::terminal); });
    }
    pool.join();
    EXPECT_EQ(right + cancelled, kCallers);
    EXPECT_GE(right, kCallers / 3);
    for (const auto& computed : computed_) EXPECT_EQ(computed, 1) << "to its end";
}

}  // namespace
}  // namespace quaestor
