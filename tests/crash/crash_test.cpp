#include "child.hpp"
#include "crash_graph.hpp"
#include "kit/postgres_server.hpp"
#include "store/memory.hpp"
#include "store/temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace quaestor::crash {

namespace {

using graph::AnyResult;
using graph::Durability;
using graph::RunStatus;
using std::chrono::microseconds;
using test::PostgresServer;
using testing::HasSubstr;

template <class T>
T unwrap(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().describe());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::unique_ptr<store::Store> open(const std::string& location) {
    return unwrap(store::open_store(settings_for(location)));
}

/// States by step.
using History = std::map<std::int64_t, json::object>;

/// What a run goes through when nobody disturbs it.
History undisturbed(int rounds) {
    const auto store = store::open_memory();
    graph::RunOptions options;
    options.thread_id = "undisturbed";
    options.checkpoints = &store->checkpoints();
    const auto result = run_or_resume(options, rounds, [](const graph::Event&) {});
    if (result.error) throw std::runtime_error(result.error->describe());

    History history;
    for (const auto& info : unwrap(run_to_end(store->checkpoints().list({.limit = 1'000})))) {
        auto saved = unwrap(run_to_end(store->checkpoints().get(info.thread_id, info.id)));
        history[info.metadata.at("step").as_int64()] = std::move(saved->state);
    }
    return history;
}

TEST(CrashGraph, DoesEveryEffectOnceInTwentySteps) {
    const auto history = undisturbed(kRounds);
    EXPECT_EQ(history.size(), 21U);  // the input and the steps
    const auto& end = history.rbegin()->second;
    const auto& effects = end.at("effects").as_array();
    EXPECT_EQ(effects.size(), 27U);  // the fan-out's step has eight
    EXPECT_EQ(end.at("counter"), json::value(effects.size()));
    std::set<std::string_view> different;
    for (const auto& effect : effects) different.insert(effect.as_string());
    EXPECT_EQ(different.size(), effects.size());
}

/// A thread of a store, and what was told of it by all processes or calls that worked on it.
struct DisturbedRun {
    std::string thread_id;
    std::vector<Acknowledged> acknowledged;
    bool is_stored = false;  ///< it had a checkpoint when the store was last looked at
};

/// Every acknowledged checkpoint is there with the state of its step, and no such step was done again. The newest,
/// which need not have been acknowledged, makes sense too.
void look_at(DisturbedRun& run, store::Store& store, const History& history) {
    std::int64_t last = -1;
    for (const auto& [id, step] : run.acknowledged) {
        const auto saved = unwrap(run_to_end(store.checkpoints().get(run.thread_id, id)));
        ASSERT_TRUE(saved) << "checkpoint " << id << " of step " << step << " is lost";
        EXPECT_EQ(saved->state, history.at(step)) << "step " << step;
        EXPECT_GT(step, last) << "a step whose checkpoint was acknowledged was done again";
        last = step;
    }
    const auto newest = unwrap(run_to_end(store.checkpoints().get(run.thread_id)));
    run.is_stored = newest.has_value();
    if (newest) EXPECT_EQ(newest->state, history.at(newest->metadata.at("step").as_int64()));
}

/// Runs of one store, whose processes are killed again and again until each run has come to its end.
class Ordeal {
public:
    Ordeal(std::string location, Durability durability, std::uint64_t seed)
        : location_(std::move(location)), durability_(durability), random_(seed) {
        for (auto& run : open_) run.thread_id = next_id();
    }

    /// Kills so many processes, each at a place of its own, and looks at the store after each.
    void kill(int count) {
        while (kills_ < count && !testing::Test::HasFailure()) {
            auto& run = open_.at(random_.below(open_.size()));
            Child child = start(run);
            child.read_lines(random_.below(kLinesMax + 1));
            child.read_for(microseconds(random_.below(kPauseMax)));
            child.kill();
            hear(child, run);
            look(run, *open(location_));
            if (child.end()) {
                finished_.push_back(std::exchange(run, {.thread_id = next_id()}));
            } else {
                ++kills_;
            }
        }
    }

    /// Lets every run that is open come to its end, and looks at all of them again.
    void finish() {
        for (auto& run : open_) {
            Child child = start(run);
            child.wait();
            hear(child, run);
            EXPECT_TRUE(child.end()) << run.thread_id << " does not finish";
            finished_.push_back(std::move(run));
        }
        const auto store = open(location_);
        for (auto& run : finished_) look(run, *store);
        unwrap(run_to_end(store->health()));
        fmt::print("{} kills, {} acknowledged checkpoints checked, {} resumes, {} runs finished\n", kills_, checked_,
                   resumes_, finished_.size());
    }

private:
    static constexpr std::uint64_t kLinesMax = 8;      ///< of 22 that a run tells
    static constexpr std::uint64_t kPauseMax = 3'000;  ///< microseconds

    std::string next_id() { return fmt::format("run-{}", ++runs_); }

    Child start(const DisturbedRun& run) {
        if (run.is_stored) ++resumes_;
        return {location_, run.thread_id, std::string(encode(durability_).as_string())};
    }

    /// Takes down what a process told. Only a sync run tells of checkpoints after they are stored.
    void hear(const Child& child, DisturbedRun& run) {
        const auto end = child.end();
        EXPECT_TRUE(end || child.was_killed()) << "a process of " << run.thread_id << " failed";
        if (end) EXPECT_EQ(*end, json::value(history_.rbegin()->second));
        if (durability_ == Durability::sync) {
            std::ranges::move(child.acknowledged(), std::back_inserter(run.acknowledged));
        }
    }

    void look(DisturbedRun& run, store::Store& store) {
        look_at(run, store, history_);
        checked_ += run.acknowledged.size();
    }

    const History history_ = undisturbed(kRounds);
    const std::string location_;
    const Durability durability_;
    SeededRandom random_;
    std::array<DisturbedRun, 4> open_;
    std::vector<DisturbedRun> finished_;
    int runs_ = 0;
    int kills_ = 0;
    int resumes_ = 0;
    std::size_t checked_ = 0;
};

TEST(SqliteCrash, RunsThatAreKilledAgainAndAgainEndAsIfNothingHadHappened) {
    const store::TemporaryFolder folder;
    Ordeal ordeal(folder.file("store.db"), Durability::sync, 1);
    ordeal.kill(200);
    ordeal.finish();
}

TEST(SqliteCrash, AsyncRunsThatAreKilledGoOnFromAnEarlierStepToTheSameEnd) {
    const store::TemporaryFolder folder;
    Ordeal ordeal(folder.file("store.db"), Durability::async, 4);
    ordeal.kill(40);
    ordeal.finish();
}

/// How long a process takes from its first word to its first checkpoint.
microseconds time_to_open() {
    const store::TemporaryFolder folder;
    Child child(folder.file("store.db"), "run");
    child.read_lines(1);
    const auto began = std::chrono::steady_clock::now();
    child.read_lines(2);
    return std::chrono::ceil<microseconds>(std::chrono::steady_clock::now() - began);
}

TEST(SqliteCrash, AFileWhoseMakingWasInterruptedIsMadeToItsEnd) {
    const json::value end = undisturbed(kRounds).rbegin()->second;
    const auto opening = time_to_open();
    SeededRandom random(2);
    for (int kill = 0; kill < 20; ++kill) {
        const store::TemporaryFolder folder;
        const std::string file = folder.file("store.db");
        Child killed(file, "run");
        killed.read_lines(1);
        killed.read_for(std::chrono::floor<microseconds>(opening * random.fraction()));
        killed.kill();

        ASSERT_NO_THROW(open(file));
        Child child(file, "run");
        child.wait();
        ASSERT_EQ(child.end(), end);
    }
}

/// As in real life, its commits wait for the disk.
PostgresServer& server() {
    static const auto server = unwrap(PostgresServer::create({.fsync = true, .loopback = false}));
    return *server;
}

TEST(PostgresCrash, RunsThatAreKilledAgainAndAgainEndAsIfNothingHadHappened) {
    Ordeal ordeal(unwrap(server().empty_database()), Durability::sync, 3);
    ordeal.kill(40);
    ordeal.finish();
}

/// Says at which event something is to happen.
using Trigger = std::function<bool(const graph::Event&)>;

bool never(const graph::Event&) {
    return false;
}

Trigger event_number(int number) {
    return [number](const graph::Event&) mutable { return --number == 0; };
}

Trigger end_of(std::string node, int times = 1) {
    return [node = std::move(node), times](const graph::Event& event) mutable {
        return event.kind == graph::EventKind::node_end && event.node == node && --times == 0;
    };
}

/// A run in this process, on a server that is stopped under it.
class PostgresStops : public testing::TestWithParam<PostgresServer::Stop> {
protected:
    void TearDown() override { unwrap(server().start()); }

    /// Starts the run or resumes it, and stops the server at an event.
    AnyResult go_on(Durability durability, Trigger stop) {
        options_.thread_id = run_.thread_id;
        options_.checkpoints = &store_->checkpoints();
        options_.durability = durability;
        started_.clear();
        return run_or_resume(options_, kManyRounds, [&](const graph::Event& event) {
            if (event.kind == graph::EventKind::node_start) ++started_[event.node];
            if (event.kind == graph::EventKind::checkpoint && durability == Durability::sync) {
                run_.acknowledged.push_back({event.data.at("id").as_string().c_str(), event.step});
            }
            if (stop(event)) unwrap(server().stop(GetParam()));
        });
    }

    [[nodiscard]] std::optional<graph::SavedCheckpoint> newest() {
        return unwrap(run_to_end(store_->checkpoints().get(run_.thread_id)));
    }

    /// The checkpoint that a call reported as its last is there with the state of its step.
    void expect_stored(const AnyResult& result) {
        const auto saved = unwrap(run_to_end(store_->checkpoints().get(run_.thread_id, result.checkpoint_id)));
        ASSERT_TRUE(saved) << "checkpoint " << result.checkpoint_id << " was reported and is lost";
        EXPECT_EQ(saved->state, history_.at(saved->metadata.at("step").as_int64()));
    }

    void expect_finished(const AnyResult& result) {
        ASSERT_EQ(result.status, RunStatus::finished) << result.error->describe();
        EXPECT_EQ(result.state, history_.rbegin()->second);
        expect_stored(result);
        look_at(run_, *store_, history_);
    }

    /// The run failed at once (else its code were timeout), and says what to do.
    static void expect_unavailable(const AnyResult& result) {
        ASSERT_EQ(result.status, RunStatus::failed);
        EXPECT_EQ(result.error->code, Code::unavailable) << result.error->describe();
        EXPECT_THAT(result.error->describe(), HasSubstr("PostgreSQL"));
        EXPECT_THAT(result.error->advice(), HasSubstr("check that the PostgreSQL server runs"));
    }

    /// Stops the server in one call after the other, and finishes the run at last.
    void finish_despite_stops(Durability durability) {
        int number = 0;
        for (const auto& stop : {event_number(1), event_number(2), event_number(7), event_number(20), event_number(33),
                                 end_of("carry", 4), end_of("settle")}) {
            SCOPED_TRACE(fmt::format("stop {}", ++number));
            const auto stopped = go_on(durability, stop);
            expect_unavailable(stopped);
            unwrap(server().start());
            if (!stopped.checkpoint_id.empty()) expect_stored(stopped);
            look_at(run_, *store_, history_);
        }
        expect_finished(go_on(durability, never));
    }

    static constexpr int kManyRounds = 20;

    const History history_ = undisturbed(kManyRounds);
    std::unique_ptr<store::Store> store_ = open(unwrap(server().empty_database()));
    DisturbedRun run_{.thread_id = "run"};
    graph::RunOptions options_;
    std::map<std::string, std::size_t> started_;  ///< by node, in the last call
};

TEST_P(PostgresStops, ASyncRunGoesOnFromItsLastAcknowledgedCheckpoint) {
    finish_despite_stops(Durability::sync);
    EXPECT_EQ(run_.acknowledged.back().step, history_.rbegin()->first);
}

TEST_P(PostgresStops, AnAsyncRunGoesOnFromTheCheckpointItReported) {
    finish_despite_stops(Durability::async);
}

TEST_P(PostgresStops, TasksOfAFanOutWhoseResultsWereStoredAreNotDoneAgain) {
    options_.parallel_limit = 1;
    expect_unavailable(go_on(Durability::sync, end_of("carry", 6)));
    unwrap(server().start());
    const auto kept = newest()->writes.size();
    EXPECT_GE(kept, 5U);
    expect_finished(go_on(Durability::sync, never));
    EXPECT_EQ(started_["carry"], 8 - kept);
}

TEST_P(PostgresStops, ARunThatSavesAtItsExitReportsNothingWhenItCannot) {
    const auto stopped = go_on(Durability::exit, event_number(30));
    expect_unavailable(stopped);
    EXPECT_EQ(stopped.checkpoint_id, "");
    unwrap(server().start());
    EXPECT_FALSE(newest());
    expect_finished(go_on(Durability::exit, never));
}

TEST_P(PostgresStops, ARunThatSavesAtItsExitKeepsWhatAnEarlierCallSaved) {
    options_.step_limit = 10;
    const auto limited = go_on(Durability::exit, never);
    ASSERT_EQ(limited.error->code, Code::limit_exceeded);
    options_.step_limit = graph::kStepLimitDefault;
    const auto stopped = go_on(Durability::exit, event_number(30));
    expect_unavailable(stopped);
    EXPECT_EQ(stopped.checkpoint_id, limited.checkpoint_id);
    unwrap(server().start());
    EXPECT_EQ(newest()->id, limited.checkpoint_id);
    expect_stored(stopped);
    expect_finished(go_on(Durability::exit, never));
}

INSTANTIATE_TEST_SUITE_P(Server, PostgresStops,
                         testing::Values(PostgresServer::Stop::fast, PostgresServer::Stop::immediate),
                         [](const auto& info) {
                             return info.param == PostgresServer::Stop::fast ? "Stopped" : "Crashed";
                         });

}  // namespace

}  // namespace quaestor::crash
