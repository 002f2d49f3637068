// Reading one checkpoint, and putting its state together from the changes before it.

#include "conformance.hpp"
#include "store/materialise.hpp"

#include <fmt/format.h>

namespace quaestor::store {

using graph::Checkpoint;
using graph::PendingWrite;

// ---- get

TEST_P(StoreConformance, GetOfAnUnknownThreadIsNothing) {
    EXPECT_FALSE(exists("t"));
    EXPECT_FALSE(exists("t", "c1"));
}

TEST_P(StoreConformance, GetOfAnUnknownIdIsNothing) {
    put_chain("t", 2);
    EXPECT_FALSE(exists("t", "c3"));
    EXPECT_FALSE(exists("t", "c"));
    EXPECT_FALSE(exists("t", "C1"));
}

TEST_P(StoreConformance, GetWithoutAnIdIsTheNewest) {
    put_chain("t", 3);
    reopen();
    EXPECT_EQ(get("t").id, "c3");
    EXPECT_EQ(state("t"), (json::value{{"n", 3}}));
}

TEST_P(StoreConformance, GetOfAnOlderIdIsTheStateAsItWasThen) {
    put_chain("t", 3);
    EXPECT_EQ(state("t", "c1"), (json::value{{"n", 1}}));
    EXPECT_EQ(state("t", "c2"), (json::value{{"n", 2}}));
}

TEST_P(StoreConformance, GetTellsThreadsApartByCase) {
    put(Draft("Thread", "c1").snapshot().set("a", 1));
    EXPECT_FALSE(exists("thread"));
    EXPECT_TRUE(exists("Thread"));
}

TEST_P(StoreConformance, GetRefusesWhatIsNoId) {
    EXPECT_EQ(failure_of(checkpoints().get("")), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().get("a b")), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().get("t", "")), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().get("t", "' OR 1=1 --")), Code::invalid_argument);
}

TEST_P(StoreConformance, GetSaysWhenAnAncestorIsMissing) {
    put(Draft("t", "c3").after("c2").set("a", 1));
    const auto result = run_to_end(checkpoints().get("t"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::corrupt);
    EXPECT_NE(result.error().message.find("c2"), std::string::npos) << result.error().message;
    EXPECT_FALSE(result.error().hint.empty());
}

TEST_P(StoreConformance, GetSaysWhenACheckpointIsItsOwnParent) {
    put(Draft("t", "c1").after("c1").set("a", 1));
    EXPECT_EQ(failure_of(checkpoints().get("t")), Code::corrupt);
}

TEST_P(StoreConformance, GetSaysWhenAncestorsFormACycle) {
    put(Draft("t", "c1").after("c3").set("a", 1));
    put(Draft("t", "c2").after("c1").set("a", 2));
    put(Draft("t", "c3").after("c2").set("a", 3));
    const auto result = run_to_end(checkpoints().get("t"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::corrupt);
    EXPECT_NE(result.error().message.find("cycle"), std::string::npos) << result.error().message;
}

TEST_P(StoreConformance, GetReadsTheLongestChainAndNoLonger) {
    auto chain = several(Draft("t", "c1").set("n", 1));
    for (std::size_t n = 2; n <= kChainMax + 1; ++n) {
        chain.push_back(Draft("t", fmt::format("c{}", n)).after(fmt::format("c{}", n - 1)).append("log", {n}));
    }
    put_in_flight(std::move(chain));
    reopen();
    EXPECT_EQ(get("t", fmt::format("c{}", kChainMax)).state.at("log").as_array().size(), kChainMax - 1);
    EXPECT_EQ(failure_of(checkpoints().get("t")), Code::corrupt);
}

TEST_P(StoreConformance, GetSaysWhenAChangeAppendsToWhatIsNoList) {
    put(Draft("t", "c1").snapshot().set("log", "text"));
    put(Draft("t", "c2").after("c1").append("log", {1}));
    EXPECT_EQ(failure_of(checkpoints().get("t", "c2")), Code::corrupt);
}

TEST_P(StoreConformance, GetStillReadsWhatStandsBesideAnUnreadableCheckpoint) {
    put_chain("t", 2);
    put(Draft("t", "broken").after("gone").set("a", 1));
    put(Draft("t", "c3").after("c2").set("n", 3));
    EXPECT_EQ(failure_of(checkpoints().get("t", "broken")), Code::corrupt);
    EXPECT_EQ(state("t", "c1"), (json::value{{"n", 1}}));
    EXPECT_EQ(state("t"), (json::value{{"n", 3}}));
}

TEST_P(StoreConformance, GetLooksForAncestorsInTheSameThreadOnly) {
    put(Draft("other", "c1").snapshot().set("a", 1));
    put(Draft("t", "c2").after("c1").set("b", 2));
    EXPECT_EQ(failure_of(checkpoints().get("t")), Code::corrupt);
}

// ---- states from chains of changes

TEST_P(StoreConformance, DeltasSetAndAppendInTurn) {
    put(Draft("t", "c1").snapshot().set("a", 1).set("log", json::array{"one"}));
    put(Draft("t", "c2").after("c1").append("log", {"two", "three"}));
    put(Draft("t", "c3").after("c2").set("a", 3).append("log", {"four"}));
    put(Draft("t", "c4").after("c3").set("b", nullptr));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"a", 3}, {"log", {"one", "two", "three", "four"}}, {"b", nullptr}}));
    EXPECT_EQ(state("t", "c2"), (json::value{{"a", 1}, {"log", {"one", "two", "three"}}}));
}

TEST_P(StoreConformance, DeltasMaySetAListAnewAndGoOnAppending) {
    put(Draft("t", "c1").snapshot().set("log", json::array{1, 2, 3}));
    put(Draft("t", "c2").after("c1").set("log", json::array{}));
    put(Draft("t", "c3").after("c2").append("log", {4}));
    EXPECT_EQ(state("t"), (json::value{{"log", json::array{4}}}));
}

TEST_P(StoreConformance, DeltasOfOneStepSetFirstAndThenAppend) {
    put(Draft("t", "c1").snapshot().set("log", json::array{"old"}));
    put(Draft("t", "c2").after("c1").set("log", json::array{"new"}).append("log", {"newer"}));
    EXPECT_EQ(state("t"), (json::value{{"log", {"new", "newer"}}}));
}

TEST_P(StoreConformance, DeltasBeginAnewAtASnapshot) {
    put_chain("t", 3);
    put(Draft("t", "s").after("c3").snapshot().set("whole", true));
    put(Draft("t", "d").after("s").set("more", 1));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"whole", true}, {"more", 1}}));
    EXPECT_EQ(state("t", "c3"), (json::value{{"n", 3}}));
}

TEST_P(StoreConformance, DeltasOfForksShareTheirBeginning) {
    put_chain("t", 3);
    put(Draft("t", "left").after("c2").set("side", "left").append("log", {1}));
    put(Draft("t", "right").after("c2").set("side", "right"));
    put(Draft("t", "left2").after("left").append("log", {2}));
    reopen();
    EXPECT_EQ(state("t", "left2"), (json::value{{"n", 2}, {"side", "left"}, {"log", {1, 2}}}));
    EXPECT_EQ(state("t", "right"), (json::value{{"n", 2}, {"side", "right"}}));
    EXPECT_EQ(state("t", "c3"), (json::value{{"n", 3}}));
}

TEST_P(StoreConformance, DeltasMayBeStoredBeforeWhatTheyStandOn) {
    put(Draft("t", "c2").after("c1").append("log", {2}));
    put(Draft("t", "c1").snapshot().set("log", json::array{1}));
    EXPECT_EQ(state("t", "c2"), (json::value{{"log", {1, 2}}}));
    EXPECT_EQ(get("t").id, "c1");
}

TEST_P(StoreConformance, DeltasOfALongRunWithSnapshotsAreAllReadable) {
    std::vector<Checkpoint> run;
    json::array log;
    for (int n = 0; n < 300; ++n) {
        log.push_back(n);
        Draft draft("t", fmt::format("c{}", n));
        if (n > 0) draft.after(fmt::format("c{}", n - 1));
        run.push_back(n % 25 == 0 ? draft.snapshot().set("log", log) : draft.append("log", {n}));
    }
    put_in_flight(std::move(run));
    reopen();
    for (int n = 0; n < 300; n += 7) {
        const auto saved = get("t", fmt::format("c{}", n));
        ASSERT_EQ(saved.state.at("log"), json::value(json::array(log.begin(), log.begin() + n + 1)));
    }
}

TEST_P(StoreConformance, DeltasReplaceDeepValuesWhole) {
    put(Draft("t", "c1").snapshot().set("plan", {{"steps", {{{"id", 1}}, {{"id", 2}}}}, {"done", false}}));
    put(Draft("t", "c2").after("c1").set("plan", {{"done", true}}));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"plan", {{"done", true}}}}));
}

TEST_P(StoreConformance, DeltasAppendItemsThatAreListsOrObjects) {
    put(Draft("t", "c1").snapshot());
    put(Draft("t", "c2").after("c1").append("rows", {json::array{1, 2}, {{"a", 1}}}));
    put(Draft("t", "c3").after("c2").append("rows", {json::array{3}, 4}));
    EXPECT_EQ(state("t"), (json::value{{"rows", json::array{json::array{1, 2}, {{"a", 1}}, json::array{3}, 4}}}));
}

TEST_P(StoreConformance, DeltasKeepFieldsWithStrangeNamesApart) {
    const std::vector<std::string> names{"it's",          "a\"b",         "a.b", "$.a", "'; DROP TABLE writes; --",
                                         "naïve 数据 🦉", "\x01\x1f\n\t", "",    " ",   "%s",
                                         "a\\u0041",      "null"};
    Draft first("t", "c1");
    Draft second("t", "c2");
    for (const auto& name : names) {
        first.set(name, json::value(name));
        second.append(name + "-list", {name});
    }
    put(first.snapshot());
    put(second.after("c1"));
    reopen();
    const auto read = get("t").state;
    ASSERT_EQ(read.size(), 2 * names.size());
    for (const auto& name : names) {
        EXPECT_EQ(read.at(name), json::value(name));
        EXPECT_EQ(read.at(name + "-list"), json::value(json::array{name}));
    }
}

}  // namespace quaestor::store
