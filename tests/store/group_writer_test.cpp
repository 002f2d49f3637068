#include "store/group_writer.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <semaphore>
#include <thread>

namespace quaestor::store {

namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

std::vector<Result<>> all_well(std::size_t count) {
    return std::vector<Result<>>(count);
}

/// Commits into memory. While it is held, the writer waits in the middle of a group.
class Recorder {
public:
    GroupWriter<int>::Commit commit() {
        return [this](std::vector<int>& group) {
            if (held_) {
                arrived_.release();
                go_on_.acquire();
            }
            groups.push_back(group);
            return all_well(group.size());
        };
    }

    /// Holds the writer at the next group.
    void hold() { held_ = true; }
    /// Waits until the writer is held with a group in its hands.
    void wait_until_held() { arrived_.acquire(); }
    void release() {
        held_ = false;
        go_on_.release();
    }

    [[nodiscard]] std::vector<int> all() const {
        std::vector<int> changes;
        for (const auto& group : groups) changes.insert(changes.end(), group.begin(), group.end());
        return changes;
    }

    std::vector<std::vector<int>> groups;  ///< read it only when nothing is in flight

private:
    std::atomic<bool> held_ = false;
    std::binary_semaphore arrived_{0};
    std::binary_semaphore go_on_{0};
};

std::vector<int> numbers(int begin, int end) {
    std::vector<int> all(static_cast<std::size_t>(end - begin));
    std::iota(all.begin(), all.end(), begin);
    return all;
}

/// Submits each change as a task of its own, and counts how they end.
struct Crowd {
    asio::io_context loop{1};
    int succeeded = 0;
    int failed = 0;
    int cancelled = 0;

    auto when_done() {
        return [this](std::exception_ptr thrown, const Result<>& result) {
            if (thrown) {
                ++cancelled;
            } else {
                ++(result ? succeeded : failed);
            }
        };
    }

    void submit(GroupWriter<int>& writer, int begin, int end) {
        for (int change = begin; change < end; ++change) asio::co_spawn(loop, writer.submit(change), when_done());
    }

    void submit(GroupWriter<int>& writer, int change, asio::cancellation_signal& signal) {
        asio::co_spawn(loop, writer.submit(change), asio::bind_cancellation_slot(signal.slot(), when_done()));
    }

    /// Runs until everybody waits for the writer.
    void run_until_waiting() { loop.poll(); }
};

}  // namespace

TEST(GroupWriter, CommitsAChangeAndTellsItsResult) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    EXPECT_TRUE(run_to_end(writer.submit(7)));
    EXPECT_THAT(recorder.groups, ElementsAre(ElementsAre(7)));
}

TEST(GroupWriter, CommitsTogetherWhatArrivesWhileItIsBusy) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    Crowd crowd;
    recorder.hold();
    crowd.submit(writer, 0, 1);
    crowd.run_until_waiting();
    recorder.wait_until_held();
    crowd.submit(writer, 1, 101);
    crowd.run_until_waiting();
    recorder.release();
    crowd.loop.run();
    EXPECT_THAT(recorder.groups, ElementsAre(numbers(0, 1), numbers(1, 101)));
    EXPECT_EQ(crowd.succeeded, 101);
}

TEST(GroupWriter, NeverCommitsMoreThanAGroupAtOnce) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    Crowd crowd;
    recorder.hold();
    crowd.submit(writer, 0, 1);
    crowd.run_until_waiting();
    recorder.wait_until_held();
    const int many = static_cast<int>(kGroupMax) * 2 + 10;
    crowd.submit(writer, 1, many);
    crowd.run_until_waiting();
    recorder.release();
    crowd.loop.run();
    EXPECT_THAT(recorder.groups, ElementsAre(SizeIs(1), SizeIs(kGroupMax), SizeIs(kGroupMax), SizeIs(9)));
    EXPECT_EQ(recorder.all(), numbers(0, many));
}

TEST(GroupWriter, KeepsTheOrderOfOneCallersChanges) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    run_to_end([](GroupWriter<int>& to) -> Task<> {
        for (int change = 0; change < 200; ++change) EXPECT_TRUE(co_await to.submit(change));
    }(writer));
    EXPECT_EQ(recorder.all(), numbers(0, 200));
}

TEST(GroupWriter, KeepsTheOrderOfSubmittingAlsoBeyondTheQueuesBound) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    Crowd crowd;
    recorder.hold();
    crowd.submit(writer, 0, 1);
    crowd.run_until_waiting();
    recorder.wait_until_held();
    const int many = static_cast<int>(kQueueMax) + 1'000;
    crowd.submit(writer, 1, many);
    crowd.run_until_waiting();
    recorder.release();
    crowd.loop.run();
    EXPECT_EQ(recorder.all(), numbers(0, many));
    EXPECT_EQ(crowd.succeeded, many);
}

TEST(GroupWriter, FailsAWrongChangeAlone) {
    GroupWriter<int> writer([](std::vector<int>& group) {
        std::vector<Result<>> results = all_well(group.size());
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (group[i] % 2 == 1) results[i] = fail(Code::conflict, "odd");
        }
        return results;
    });
    Crowd crowd;
    crowd.submit(writer, 0, 10);
    crowd.loop.run();
    EXPECT_EQ(crowd.succeeded, 5);
    EXPECT_EQ(crowd.failed, 5);
}

TEST(GroupWriter, TurnsAnExceptionOfTheBackendIntoAnErrorOfTheWholeGroup) {
    GroupWriter<int> writer([](std::vector<int>&) -> std::vector<Result<>> { throw std::runtime_error("no memory"); });
    const auto result = run_to_end(writer.submit(1));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::internal);
    EXPECT_THAT(result.error().message, testing::HasSubstr("no memory"));
    EXPECT_FALSE(run_to_end(writer.submit(2)));
}

TEST(GroupWriter, GivesAnErrorToAChangeThatTheBackendForgot) {
    GroupWriter<int> writer([](std::vector<int>&) { return all_well(0); });
    const auto result = run_to_end(writer.submit(1));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::internal);
}

TEST(GroupWriter, TakesChangesThatCanOnlyBeMoved) {
    int written = 0;
    GroupWriter<std::unique_ptr<int>> writer([&](std::vector<std::unique_ptr<int>>& group) {
        for (const auto& change : group) written += *change;
        return all_well(group.size());
    });
    EXPECT_TRUE(run_to_end(writer.submit(std::make_unique<int>(5))));
    EXPECT_EQ(written, 5);
}

TEST(GroupWriter, ResumesEachCallerOnItsOwnExecutor) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    const auto run_alone = [&](int change) {
        run_to_end([](GroupWriter<int>& to, int number) -> Task<> {
            const auto here = std::this_thread::get_id();
            EXPECT_TRUE(co_await to.submit(number));
            EXPECT_EQ(std::this_thread::get_id(), here);
        }(writer, change));
    };
    std::vector<std::jthread> callers;
    for (int change = 0; change < 4; ++change) callers.emplace_back(run_alone, change);
    callers.clear();
    EXPECT_THAT(recorder.all(), testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST(GroupWriter, ServesAnExecutorOfSeveralThreads) {
    std::atomic<int> committed = 0;
    GroupWriter<int> writer([&](std::vector<int>& group) {
        committed += static_cast<int>(group.size());
        return all_well(group.size());
    });
    asio::thread_pool pool(4);
    std::atomic<int> resumed = 0;
    for (int change = 0; change < 2'000; ++change) {
        asio::co_spawn(pool, writer.submit(change),
                       [&](std::exception_ptr, const Result<>& result) { resumed += result ? 1 : 0; });
    }
    pool.join();
    EXPECT_EQ(committed, 2'000);
    EXPECT_EQ(resumed, 2'000);
}

TEST(GroupWriter, CommitsWhatWasSubmittedBeforeItEnds) {
    Recorder recorder;
    Crowd crowd;
    {
        GroupWriter<int> writer(recorder.commit());
        recorder.hold();
        crowd.submit(writer, 0, 1);
        crowd.run_until_waiting();
        recorder.wait_until_held();
        crowd.submit(writer, 1, static_cast<int>(kQueueMax) + 100);
        crowd.run_until_waiting();
        recorder.release();
    }
    EXPECT_EQ(recorder.all(), numbers(0, static_cast<int>(kQueueMax) + 100));
    crowd.loop.run();
    EXPECT_EQ(crowd.succeeded, static_cast<int>(kQueueMax) + 100);
}

TEST(GroupWriter, EndsAtOnceWhenNothingWaits) {
    Recorder recorder;
    {
        const GroupWriter<int> writer(recorder.commit());
    }
    EXPECT_TRUE(recorder.groups.empty());
}

TEST(GroupWriter, ACancelledCallerStopsWaitingAndItsChangeIsStillCommitted) {
    Recorder recorder;
    Crowd crowd;
    {
        GroupWriter<int> writer(recorder.commit());
        asio::cancellation_signal signal;
        recorder.hold();
        crowd.submit(writer, 0, 1);
        crowd.run_until_waiting();
        recorder.wait_until_held();
        crowd.submit(writer, 1, signal);
        crowd.run_until_waiting();
        signal.emit(asio::cancellation_type::terminal);
        crowd.run_until_waiting();
        EXPECT_EQ(crowd.cancelled, 1);
        recorder.release();
    }
    EXPECT_EQ(recorder.all(), numbers(0, 2));
    crowd.loop.run();
    EXPECT_EQ(crowd.succeeded, 1);
}

TEST(GroupWriter, ACallerCancelledWhileItsChangeIsBeingCommittedDoesNotDisturbTheGroup) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    Crowd crowd;
    asio::cancellation_signal signal;
    recorder.hold();
    crowd.submit(writer, 1, signal);
    crowd.run_until_waiting();
    recorder.wait_until_held();
    signal.emit(asio::cancellation_type::terminal);
    recorder.release();
    crowd.loop.run();
    EXPECT_EQ(crowd.cancelled, 1);
    EXPECT_TRUE(run_to_end(writer.submit(2)));
    EXPECT_EQ(recorder.all(), numbers(1, 3));
}

TEST(GroupWriter, ACallerCancelledBeforeThereWasRoomTakesItsChangeBack) {
    Recorder recorder;
    Crowd crowd;
    const int full = static_cast<int>(kQueueMax) + 1;  // one is in the writer's hands
    {
        GroupWriter<int> writer(recorder.commit());
        asio::cancellation_signal signal;
        recorder.hold();
        crowd.submit(writer, 0, 1);
        crowd.run_until_waiting();
        recorder.wait_until_held();
        crowd.submit(writer, 1, full);
        crowd.submit(writer, -1, signal);
        crowd.submit(writer, full, full + 1);
        crowd.run_until_waiting();
        signal.emit(asio::cancellation_type::terminal);
        crowd.run_until_waiting();
        recorder.release();
    }
    EXPECT_EQ(recorder.all(), numbers(0, full + 1));
    crowd.loop.run();
    EXPECT_EQ(crowd.cancelled, 1);
    EXPECT_EQ(crowd.succeeded, full + 1);
}

TEST(GroupWriter, ACancellationAfterTheResultChangesNothing) {
    Recorder recorder;
    Crowd crowd;
    asio::cancellation_signal signal;
    {
        GroupWriter<int> writer(recorder.commit());
        crowd.submit(writer, 1, signal);
        crowd.run_until_waiting();
    }
    signal.emit(asio::cancellation_type::terminal);
    crowd.loop.run();
    EXPECT_EQ(crowd.succeeded, 1);
}

TEST(GroupWriter, TheEventLoopOfACancelledCallerMayGoBeforeItsChangeIsCommitted) {
    Recorder recorder;
    GroupWriter<int> writer(recorder.commit());
    {
        Crowd crowd;
        asio::cancellation_signal signal;
        recorder.hold();
        crowd.submit(writer, 1, signal);
        crowd.run_until_waiting();
        recorder.wait_until_held();
        signal.emit(asio::cancellation_type::terminal);
        crowd.loop.run();
        EXPECT_EQ(crowd.cancelled, 1);
    }
    recorder.release();
    EXPECT_TRUE(run_to_end(writer.submit(2)));
    EXPECT_EQ(recorder.all(), numbers(1, 3));
}

}  // namespace quaestor::store
