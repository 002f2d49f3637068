#include "hooked_store.hpp"
#include "persistent_run.hpp"
#include "store/memory.hpp"

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <optional>

namespace quaestor::graph {

namespace {

// ---- Updates

struct Entry {
    std::string id;
    int version = 0;
};
BOOST_DESCRIBE_STRUCT(Entry, (), (id, version))

int larger(int there, int change) {
    return std::max(there, change);
}

struct RandomState {
    std::vector<int> list;
    std::vector<Entry> entries;
    int most = 0;
    int plain = 0;
    std::optional<std::string> maybe;

    static constexpr auto kReducers =
        std::tuple{append<&RandomState::list>, merge_by_id<&RandomState::entries>, reduce<&RandomState::most, &larger>};
};
BOOST_DESCRIBE_STRUCT(RandomState, (), (list, entries, most, plain, maybe))

using RandomChange = Update<RandomState>;

class Chance {
public:
    explicit Chance(std::uint64_t seed) : random_(seed) {}

    int below(int bound) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound))); }
    bool one_in(int bound) { return below(bound) == 0; }

    std::vector<int> numbers() {
        std::vector<int> numbers(static_cast<std::size_t>(below(4)));
        for (int& number : numbers) number = below(100);
        return numbers;
    }
    std::vector<Entry> entries() {
        std::vector<Entry> entries(static_cast<std::size_t>(below(4)));
        for (auto& entry : entries) entry = {std::to_string(below(5)), below(100)};
        return entries;
    }
    std::optional<std::string> text() { return one_in(2) ? std::optional(std::to_string(below(100))) : std::nullopt; }

    /// Contributions to the fields that have a reducer.
    RandomChange contributions() {
        RandomChange change;
        for (int i = below(4); i > 0; --i) {
            if (one_in(2)) change.set<&RandomState::list>(numbers());
            if (one_in(2)) change.set<&RandomState::entries>(entries());
            if (one_in(2)) change.set<&RandomState::most>(below(100));
        }
        return change;
    }

    /// Anything that one task may do.
    RandomChange change() {
        RandomChange change = contributions();
        if (one_in(6)) change.replace<&RandomState::list>(numbers());
        if (one_in(6)) change.replace<&RandomState::entries>(entries());
        if (one_in(3)) change.set<&RandomState::plain>(below(100));
        if (one_in(3)) change.set<&RandomState::maybe>(text());
        return change;
    }

    RandomState state() { return {numbers(), {}, below(100), below(100), text()}; }

private:
    SeededRandom random_;
};

std::string text_of(const RandomState& state) {
    return to_text(encode(state));
}

RandomState applied(RandomState state, std::vector<RandomChange> changes) {
    merge(state, std::span(changes), nullptr).value();
    return state;
}

class UpdateProperty : public testing::TestWithParam<std::uint64_t> {
protected:
    static constexpr int kRounds = 200;
    Chance chance_{GetParam()};
};

TEST_P(UpdateProperty, ContributionsOfAStepAreTheSameAsOneAfterTheOther) {
    for (int round = 0; round < kRounds; ++round) {
        const RandomState before = chance_.state();
        std::vector<RandomChange> changes;
        for (int i = chance_.below(5); i > 0; --i) changes.push_back(chance_.contributions());
        RandomState one_by_one = before;
        for (const auto& change : changes) one_by_one = applied(std::move(one_by_one), {change});
        ASSERT_EQ(text_of(applied(before, changes)), text_of(one_by_one));
    }
}

TEST_P(UpdateProperty, ContributionsOfATaskAreTheSameAsThoseOfSeveral) {
    for (int round = 0; round < kRounds; ++round) {
        const RandomState before = chance_.state();
        RandomChange together;
        std::vector<RandomChange> apart;
        for (int i = chance_.below(5); i > 0; --i) {
            const auto numbers = chance_.numbers();
            const auto entries = chance_.entries();
            const int number = chance_.below(100);
            together.set<&RandomState::list>(numbers).set<&RandomState::entries>(entries).set<&RandomState::most>(
                number);
            apart.push_back(RandomChange()
                                .set<&RandomState::list>(numbers)
                                .set<&RandomState::entries>(entries)
                                .set<&RandomState::most>(number));
        }
        ASSERT_EQ(text_of(applied(before, {together})), text_of(applied(before, apart)));
    }
}

TEST_P(UpdateProperty, PatchesTurnTheOldJsonIntoTheNew) {
    for (int round = 0; round < kRounds; ++round) {
        RandomState state = chance_.state();
        json::object stored = encode(state).as_object();
        for (int step = 0; step < 10; ++step) {
            std::vector<RandomChange> changes{chance_.change()};
            while (chance_.one_in(2)) changes.push_back(chance_.contributions());
            const auto memory = ValueMemory::make();
            const auto patch = merge(state, std::span(changes), &memory).value();
            ASSERT_TRUE(apply(patch, stored));
            // An empty optional is null in a patch and left out in a snapshot: compare what is read from them.
            ASSERT_EQ(text_of(decode<RandomState>(stored).value()), text_of(state));
        }
    }
}

TEST_P(UpdateProperty, SurvivesBeingStored) {
    for (int round = 0; round < kRounds; ++round) {
        const RandomState before = chance_.state();
        const auto change = chance_.change();
        const auto back =
            RandomChange::from_json(parse_json(to_text(change.to_json())).value(), UnknownFields::refuse).value();
        ASSERT_EQ(text_of(applied(before, {back})), text_of(applied(before, {change})));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, UpdateProperty, testing::Range(std::uint64_t{1}, std::uint64_t{6}));

// ---- Runs

class RunProperty : public testing::TestWithParam<std::uint64_t> {
protected:
    RunOptions options(CheckpointStore& checkpoints, Durability durability) {
        RunOptions options;
        options.thread_id = "thread";
        options.checkpoints = &checkpoints;
        options.durability = durability;
        options.clock = &loop_.clock;
        options.random = &random_;
        return options;
    }

    std::string run_undisturbed() {
        const auto store = store::open_memory();
        PersistentRun run{.loop = loop_,
                          .graph = graph_.graph(),
                          .store = store->checkpoints(),
                          .options = [&](int) { return options(store->checkpoints(), Durability::sync); },
                          .check = [](const RunOutcome& outcome) { EXPECT_FALSE(outcome.error); }};
        return to_text(encode(run.run_to_the_end()));
    }

    /// Every other call is killed at a random moment: its store fails from then on, or its token is cancelled.
    std::string run_disturbed(Chance& chance) {
        const auto store = store::open_memory();
        int calls_left = 0;
        bool cancels = false;
        CancelSource cancel;
        HookedStore dying(store->checkpoints(), [&](std::string_view) -> Result<> {
            if (--calls_left > 0) return {};
            if (!cancels) return fail(Code::unavailable, "the process has died");
            cancel.cancel(CancelReason::shutdown);
            return {};
        });
        const auto next_options = [&](int call) {
            const auto durability = static_cast<Durability>(chance.below(3));
            if (call % 2 == 1) return options(store->checkpoints(), durability);
            calls_left = 1 + chance.below(12);
            cancels = chance.one_in(2);
            cancel = CancelSource();
            auto disturbed = options(dying, durability);
            disturbed.cancel = cancel.token();
            return disturbed;
        };
        PersistentRun run{.loop = loop_,
                          .graph = graph_.graph(),
                          .store = store->checkpoints(),
                          .options = next_options,
                          .check = [](const RunOutcome&) {}};
        return to_text(encode(run.run_to_the_end()));
    }

    TestLoop loop_;
    SeededRandom random_{1};
    RandomGraph graph_{GetParam()};
};

TEST_P(RunProperty, EndsAlikeHoweverOftenItIsKilled) {
    const auto undisturbed = run_undisturbed();
    for (std::uint64_t round = 0; round < 10; ++round) {
        Chance chance(GetParam() * 1'000 + round);
        ASSERT_EQ(run_disturbed(chance), undisturbed) << "round " << round << " of\n"
                                                      << to_outline(graph_.graph().shape());
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RunProperty, testing::Range(std::uint64_t{1}, std::uint64_t{101}));

}  // namespace

}  // namespace quaestor::graph
