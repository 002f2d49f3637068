// Many callers at once: nothing is lost, nothing is seen half done, and each caller's order is kept.

#include "conformance.hpp"

#include <fmt/format.h>

#include <atomic>
#include <latch>
#include <ranges>
#include <set>
#include <thread>

namespace quaestor::store {

using graph::Checkpoint;
using graph::PendingWrite;

namespace {

constexpr int kThreads = 4;
constexpr int kSteps = 60;

/// Runs work(0), work(1), … each on an operating-system thread of its own, all begun together.
void on_threads(int count, const std::function<void(int)>& work) {
    std::latch begin(count);
    std::vector<std::jthread> threads;
    for (int number = 0; number < count; ++number) {
        threads.emplace_back([&, number] {
            begin.arrive_and_wait();
            work(number);
        });
    }
}

std::string name(int writer, int step) {
    return fmt::format("w{}-{}", writer, step);
}

}  // namespace

TEST_P(StoreConformance, ManyThreadsWritingToTheirOwnThreadsLoseNothing) {
    on_threads(kThreads, [&](int writer) {
        const auto thread_id = fmt::format("t{}", writer);
        put(Draft(thread_id, name(writer, 0)).snapshot());
        for (int step = 1; step < kSteps; ++step) {
            put(Draft(thread_id, name(writer, step)).after(name(writer, step - 1)).append("log", {step}));
        }
    });
    reopen();
    for (int writer = 0; writer < kThreads; ++writer) {
        const auto saved = get(fmt::format("t{}", writer));
        EXPECT_EQ(saved.id, name(writer, kSteps - 1));
        EXPECT_EQ(saved.state.at("log").as_array().size(), static_cast<std::size_t>(kSteps - 1));
    }
}

TEST_P(StoreConformance, ManyThreadsWritingToOneThreadKeepEachOnesOrder) {
    on_threads(kThreads, [&](int writer) {
        for (int step = 0; step < kSteps; ++step) put(Draft("t", name(writer, step)).snapshot());
    });
    reopen();
    graph::CheckpointQuery query;
    query.limit = kThreads * kSteps;
    const auto found = ids(query);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(kThreads * kSteps));
    for (int writer = 0; writer < kThreads; ++writer) {
        const auto own = [&](const std::string& id) { return id.starts_with(fmt::format("w{}-", writer)); };
        int step = kSteps;
        for (const auto& id : found | std::views::filter(own)) ASSERT_EQ(id, name(writer, --step));
    }
}

TEST_P(StoreConformance, ManyThreadsStoringTheSameIdLeaveOneCheckpoint) {
    on_threads(kThreads, [&](int writer) {
        for (int step = 0; step < kSteps; ++step)
            put(Draft("t", "same").snapshot().set("writer", writer).set("step", step));
    });
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (std::vector<std::string>{"same"}));
    EXPECT_EQ(get("t").state.at("step"), json::value(kSteps - 1));
}

TEST_P(StoreConformance, ReadersDuringWritesSeeWholeStatesThatOnlyGrow) {
    put(Draft("t", "c0").snapshot().set("log", json::array{0}).set("last", 0));
    std::atomic<bool> writing = true;
    on_threads(kThreads, [&](int number) {
        if (number == 0) {
            for (int step = 1; step <= kSteps; ++step) {
                put(Draft("t", fmt::format("c{}", step))
                        .after(fmt::format("c{}", step - 1))
                        .set("last", step)
                        .append("log", {step}));
            }
            writing = false;
            return;
        }
        std::int64_t seen = 0;
        while (writing) {
            const auto saved = get("t");
            const std::int64_t last = saved.state.at("last").as_int64();
            ASSERT_GE(last, seen);
            ASSERT_EQ(saved.state.at("log").as_array().size(), static_cast<std::size_t>(last) + 1);
            ASSERT_EQ(saved.id, fmt::format("c{}", last));
            seen = last;
        }
    });
    EXPECT_EQ(get("t").state.at("last"), json::value(kSteps));
}

TEST_P(StoreConformance, WhatIsAcknowledgedIsSeenByEveryReader) {
    on_threads(kThreads, [&](int writer) {
        const auto thread_id = fmt::format("t{}", writer);
        for (int step = 0; step < kSteps; ++step) {
            put(Draft(thread_id, name(writer, step)).snapshot().set("step", step));
            ASSERT_EQ(get(thread_id).id, name(writer, step));
        }
    });
}

TEST_P(StoreConformance, WritesOfParallelTasksAllArrive) {
    put(Draft("t", "c1").snapshot());
    on_threads(kThreads, [&](int writer) {
        for (int step = 0; step < kSteps; ++step) {
            wait(checkpoints().put_writes(
                "t", "c1", {{.task = writer, .kind = PendingWrite::Kind::update, .index = step, .value = step}}));
        }
    });
    reopen();
    EXPECT_EQ(get("t").writes.size(), static_cast<std::size_t>(kThreads * kSteps));
}

TEST_P(StoreConformance, PruningDuringWritesLeavesEveryThreadReadable) {
    on_threads(kThreads, [&](int number) {
        if (number == 0) {
            for (int round = 0; round < kSteps / 4; ++round) wait(checkpoints().prune({}));
            return;
        }
        const auto thread_id = fmt::format("t{}", number);
        put(Draft(thread_id, name(number, 0)).snapshot().set("log", json::array{0}));
        for (int step = 1; step < kSteps; ++step) {
            put(Draft(thread_id, name(number, step)).after(name(number, step - 1)).append("log", {step}));
        }
    });
    reopen();
    for (int writer = 1; writer < kThreads; ++writer) {
        EXPECT_EQ(get(fmt::format("t{}", writer)).state.at("log").as_array().size(), static_cast<std::size_t>(kSteps));
    }
}

TEST_P(StoreConformance, CopyingAThreadInParallelHasOneWinner) {
    put_chain("t", 5);
    std::atomic<int> copied = 0;
    on_threads(kThreads, [&](int) {
        const auto result = run_to_end(checkpoints().copy_thread("t", "copy"));
        if (result) {
            ++copied;
        } else {
            EXPECT_EQ(result.error().code, Code::already_exists);
        }
    });
    EXPECT_EQ(copied, 1);
    EXPECT_EQ(ids_of_thread("copy").size(), 5u);
}

TEST_P(StoreConformance, ConversationsGrowInParallelWithoutLoss) {
    on_threads(kThreads, [&](int writer) {
        for (int step = 0; step < kSteps; ++step) {
            Message message;
            message.id = name(writer, step);
            wait(conversations().append("t", message));
        }
    });
    reopen();
    std::set<std::string> seen;
    for (const auto& message : wait(conversations().messages("t", 1000))) seen.insert(message.id);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kThreads * kSteps));
}

TEST_P(StoreConformance, AThousandStepsInFlightAtOnceKeepTheirOrder) {
    std::vector<Checkpoint> many;
    std::vector<std::string> expected;
    for (int n = 0; n < 1000; ++n) {
        many.push_back(Draft("t", fmt::format("c{}", n)).snapshot());
        expected.push_back(fmt::format("c{}", n));
    }
    put_in_flight(std::move(many));
    reopen();
    graph::CheckpointQuery query;
    query.limit = 1000;
    auto found = ids(query);
    std::ranges::reverse(found);
    EXPECT_EQ(found, expected);
}

}  // namespace quaestor::store
