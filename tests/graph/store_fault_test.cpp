#include "hooked_store.hpp"
#include "persistent_run.hpp"
#include "run_fixture.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <gmock/gmock.h>

namespace quaestor::graph {

namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Le;

class StoreFaultTest : public testing::TestWithParam<std::tuple<std::uint64_t, Durability>> {
protected:
    RunOptions options(CheckpointStore& checkpoints) {
        RunOptions options;
        options.thread_id = "thread";
        options.checkpoints = &checkpoints;
        options.durability = std::get<Durability>(GetParam());
        options.clock = &loop_.clock;
        options.random = &random_;
        return options;
    }

    /// What a run ended with, and how many calls of the store it took, when the call with this number fails.
    std::pair<json::value, int> run_with_fault(int failing_call) {
        const auto store = store::open_memory();
        int calls = 0;
        HookedStore faulty(store->checkpoints(), [&](std::string_view call) -> Result<> {
            if (++calls != failing_call) return {};
            return fail(Code::unavailable, fmt::format("the disk is full for {}", call), "make room");
        });
        bool has_failed = false;
        PersistentRun run{
            .loop = loop_,
            .graph = graph_.graph(),
            .store = store->checkpoints(),
            .options = [&](int) { return options(has_failed ? store->checkpoints() : faulty); },
            .check = [&](const RunOutcome& outcome) { has_failed = check(outcome, *store, calls >= failing_call); }};
        auto state = encode(run.run_to_the_end());
        return {std::move(state), calls};
    }

    /// A fault is told, and what the outcome says was written can be read. True when the run failed.
    bool check(const RunOutcome& outcome, store::Store& store, bool was_disturbed) {
        if (!outcome.checkpoint_id.empty()) {
            const auto read = loop_.run(store.checkpoints().get("thread", outcome.checkpoint_id));
            EXPECT_TRUE(read && *read) << "checkpoint " << outcome.checkpoint_id;
        }
        if (outcome.status != RunStatus::failed) {
            EXPECT_FALSE(outcome.error);
            return was_disturbed;
        }
        EXPECT_TRUE(was_disturbed);
        EXPECT_EQ(outcome.error->code, Code::unavailable);
        EXPECT_THAT(outcome.error->describe(), HasSubstr("the disk is full"));
        EXPECT_EQ(outcome.error->advice(), "make room");
        return true;
    }

    TestLoop loop_;
    SeededRandom random_{1};
    RandomGraph graph_{std::get<std::uint64_t>(GetParam())};
};

TEST_P(StoreFaultTest, EndsAlikeWhicheverCallOfTheStoreFails) {
    const auto [undisturbed, calls] = run_with_fault(0);
    ASSERT_GE(calls, 2);
    for (int failing_call = 1; failing_call <= calls; ++failing_call) {
        const auto [state, calls_made] = run_with_fault(failing_call);
        EXPECT_EQ(to_text(state), to_text(undisturbed)) << "with a fault at call " << failing_call << " of " << calls;
        EXPECT_GE(calls_made, failing_call);
    }
}

INSTANTIATE_TEST_SUITE_P(Graphs, StoreFaultTest,
                         testing::Combine(testing::Range(std::uint64_t{1}, std::uint64_t{11}),
                                          testing::Values(Durability::sync, Durability::async, Durability::exit)),
                         [](const auto& info) {
                             return fmt::format("seed_{}_{}", std::get<0>(info.param),
                                                boost::describe::enum_to_string(std::get<1>(info.param), ""));
                         });

class ThrowingStoreTest : public RunTest, public testing::WithParamInterface<Durability> {};

TEST_P(ThrowingStoreTest, FailsTheRunWithAnError) {
    HookedStore throwing(store_->checkpoints(), [](std::string_view call) -> Result<> {
        if (call == "put") throw std::runtime_error("the store is out of order");
        return {};
    });
    auto options = saved(GetParam());
    options.checkpoints = &throwing;
    const auto result = loop_.run(in_a_row([](const Notes&) { return note("a"); }).run(Notes(), options));
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_EQ(result.error->code, Code::internal);
    EXPECT_EQ(result.checkpoint_id, "");
}

INSTANTIATE_TEST_SUITE_P(Durabilities, ThrowingStoreTest,
                         testing::Values(Durability::sync, Durability::async, Durability::exit),
                         [](const auto& info) { return boost::describe::enum_to_string(info.param, ""); });

class AsyncWriteTest : public RunTest {
protected:
    /// A store that takes 10 ms to write, one checkpoint or many.
    class SlowStore final : public CheckpointStore {
    public:
        SlowStore(CheckpointStore& inner, Clock& clock) : inner_(inner), clock_(clock) {}

        Task<Result<>> put(Checkpoint checkpoint) override {
            std::vector<Checkpoint> one;
            one.push_back(std::move(checkpoint));
            return put_all(std::move(one));
        }
        Task<Result<>> put_all(std::vector<Checkpoint> checkpoints) override {
            groups.push_back(checkpoints.size());
            co_await clock_.sleep_for(std::chrono::milliseconds(10));
            co_return co_await inner_.put_all(std::move(checkpoints));
        }
        Task<Result<>> put_writes(std::string thread, std::string id, std::vector<PendingWrite> writes) override {
            return inner_.put_writes(std::move(thread), std::move(id), std::move(writes));
        }
        Task<Result<std::optional<SavedCheckpoint>>> get(std::string thread, std::optional<std::string> id) override {
            return inner_.get(std::move(thread), std::move(id));
        }
        Task<Result<std::vector<CheckpointInfo>>> list(CheckpointQuery query) override { return inner_.list(query); }
        Task<Result<std::size_t>> delete_thread(std::string thread) override { return inner_.delete_thread(thread); }
        Task<Result<std::size_t>> copy_thread(std::string from, std::string to) override {
            return inner_.copy_thread(from, to);
        }
        Task<Result<std::size_t>> prune(PruneQuery query) override { return inner_.prune(query); }

        std::vector<std::size_t> groups;

    private:
        CheckpointStore& inner_;
        Clock& clock_;
    };

    CompiledGraph<Notes> loop_of(std::size_t rounds) {
        Graph<Notes> graph("loop");
        graph.node("count", [this](const Notes&) {
            ++calls_;
            return note("round");
        });
        graph.branch("count", [rounds](const Notes& state) { return state.log.size() < rounds ? "count" : "END"; },
                     {"count", std::string(kEnd)});
        graph.edge(kStart, "count");
        return must_compile(graph);
    }

    int calls_ = 0;
};

TEST_F(AsyncWriteTest, LetsTheRunGoAheadOfTheStoreButNotTooFar) {
    SlowStore slow(store_->checkpoints(), loop_.clock);
    auto options = saved(Durability::async);
    options.checkpoints = &slow;
    const auto run = loop_.start(loop_of(150).run(Notes(), options));
    EXPECT_GE(calls_, static_cast<int>(kWritesWaitingMax));
    EXPECT_LE(calls_, static_cast<int>(kWritesWaitingMax) + 2);  // one is being stored, one waits to join the pile
    EXPECT_FALSE(run->ended());
    EXPECT_EQ(loop_.finish(*run).status, RunStatus::finished);
    EXPECT_THAT(slow.groups, Each(Le(kWritesWaitingMax)));
    EXPECT_THAT(slow.groups, Contains(kWritesWaitingMax));
    EXPECT_EQ(checkpoints().size(), 151u);
}

TEST_F(AsyncWriteTest, WaitsForEachWriteWhenItIsToBeSync) {
    SlowStore slow(store_->checkpoints(), loop_.clock);
    auto options = saved(Durability::sync);
    options.checkpoints = &slow;
    const auto run = loop_.start(loop_of(3).run(Notes(), options));
    EXPECT_EQ(calls_, 0);
    EXPECT_EQ(loop_.finish(*run).status, RunStatus::finished);
    EXPECT_THAT(slow.groups, ElementsAre(1, 1, 1, 1));
}

}  // namespace

}  // namespace quaestor::graph
