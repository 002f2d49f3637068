// Listing checkpoints: order, pages and the metadata filter.

#include "conformance.hpp"

#include <fmt/format.h>

#include <limits>

namespace quaestor::store {

using graph::CheckpointQuery;
using Ids = std::vector<std::string>;

namespace {

CheckpointQuery of_thread(std::string thread_id) {
    CheckpointQuery query;
    query.thread_id = std::move(thread_id);
    return query;
}

CheckpointQuery before(std::string thread_id, std::string id, std::size_t limit = 100) {
    auto query = of_thread(std::move(thread_id));
    query.before = std::move(id);
    query.limit = limit;
    return query;
}

CheckpointQuery with(json::object metadata) {
    CheckpointQuery query;
    query.metadata = std::move(metadata);
    return query;
}

CheckpointQuery limited(CheckpointQuery query, std::size_t limit) {
    query.limit = limit;
    return query;
}

}  // namespace

TEST_P(StoreConformance, ListOfAnEmptyStoreIsEmpty) {
    EXPECT_TRUE(ids({}).empty());
    EXPECT_TRUE(ids(of_thread("t")).empty());
}

TEST_P(StoreConformance, ListIsNewestFirst) {
    put_chain("t", 3);
    reopen();
    EXPECT_EQ(ids(of_thread("t")), (Ids{"c3", "c2", "c1"}));
}

TEST_P(StoreConformance, ListTellsEverythingButTheState) {
    put(Draft("t", "c1").snapshot().position({{"next", "x"}}).metadata({{"run", "r"}}).at(second(5)));
    put(Draft("t", "c2").after("c1").set("a", 1));
    reopen();
    const auto infos = wait(checkpoints().list({}));
    ASSERT_EQ(infos.size(), 2u);
    EXPECT_EQ(infos[0].parent_id, "c1");
    EXPECT_FALSE(infos[0].is_snapshot);
    EXPECT_EQ(infos[1].thread_id, "t");
    EXPECT_EQ(infos[1].id, "c1");
    EXPECT_EQ(infos[1].parent_id, "");
    EXPECT_TRUE(infos[1].is_snapshot);
    EXPECT_EQ(infos[1].position, (json::value{{"next", "x"}}));
    EXPECT_EQ(infos[1].metadata, (json::object{{"run", "r"}}));
    EXPECT_EQ(infos[1].created_at, second(5));
}

TEST_P(StoreConformance, ListOfAllThreadsIsInOneOrderOfStoring) {
    put(Draft("b", "b1").snapshot());
    put(Draft("a", "a1").snapshot());
    put(Draft("b", "b2").after("b1"));
    put(Draft("c", "c1").snapshot());
    reopen();
    EXPECT_EQ(ids({}), (Ids{"c1", "b2", "a1", "b1"}));
    EXPECT_EQ(ids(limited({}, 2)), (Ids{"c1", "b2"}));
}

TEST_P(StoreConformance, ListKeepsToItsThread) {
    put_chain("t", 2);
    put(Draft("tt", "x").snapshot());
    put(Draft("T", "y").snapshot());
    EXPECT_EQ(ids(of_thread("t")), (Ids{"c2", "c1"}));
    EXPECT_TRUE(ids(of_thread("unknown")).empty());
}

TEST_P(StoreConformance, ListStopsAtItsLimit) {
    put_chain("t", 5);
    EXPECT_EQ(ids(limited(of_thread("t"), 2)), (Ids{"c5", "c4"}));
    EXPECT_TRUE(ids(limited(of_thread("t"), 0)).empty());
    EXPECT_EQ(ids(limited(of_thread("t"), std::numeric_limits<std::size_t>::max())).size(), 5u);
}

TEST_P(StoreConformance, ListShowsAHundredUnlessTold) {
    std::vector<graph::Checkpoint> many;
    for (int n = 0; n < 120; ++n) many.push_back(Draft("t", fmt::format("c{}", n)).snapshot());
    put_in_flight(std::move(many));
    EXPECT_EQ(ids({}).size(), 100u);
    EXPECT_EQ(ids(of_thread("t")).front(), "c119");
}

TEST_P(StoreConformance, ListBeforeACheckpointLeavesItAndNewerOnesOut) {
    put_chain("t", 4);
    EXPECT_EQ(ids(before("t", "c3")), (Ids{"c2", "c1"}));
    EXPECT_TRUE(ids(before("t", "c1")).empty());
}

TEST_P(StoreConformance, ListBeforeGoesByStoringNotByIdOrClock) {
    put(Draft("t", "z").snapshot().at(second(9)));
    put(Draft("t", "a").snapshot().at(second(8)));
    put(Draft("t", "m").snapshot().at(second(7)));
    EXPECT_EQ(ids(before("t", "a")), (Ids{"z"}));
    EXPECT_EQ(ids(before("t", "m")), (Ids{"a", "z"}));
}

TEST_P(StoreConformance, ListInPagesShowsEachCheckpointOnce) {
    put_chain("t", 11);
    put_chain("other", 11);
    Ids seen;
    for (auto page = ids(limited(of_thread("t"), 4)); !page.empty(); page = ids(before("t", seen.back(), 4))) {
        EXPECT_LE(page.size(), 4u);
        seen.insert(seen.end(), page.begin(), page.end());
    }
    EXPECT_EQ(seen, (Ids{"c11", "c10", "c9", "c8", "c7", "c6", "c5", "c4", "c3", "c2", "c1"}));
}

TEST_P(StoreConformance, ListBeforeAnUnknownCheckpointIsRefused) {
    put_chain("t", 1);
    put(Draft("u", "elsewhere").snapshot());
    EXPECT_EQ(failure_of(checkpoints().list(before("t", "c9"))), Code::not_found);
    EXPECT_EQ(failure_of(checkpoints().list(before("t", "elsewhere"))), Code::not_found);
}

TEST_P(StoreConformance, ListBeforeWithoutAThreadIsRefused) {
    CheckpointQuery query;
    query.before = "c1";
    EXPECT_EQ(failure_of(checkpoints().list(query)), Code::invalid_argument);
}

TEST_P(StoreConformance, ListRefusesWhatIsNoId) {
    EXPECT_EQ(failure_of(checkpoints().list(of_thread("a b"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().list(before("t", "a b"))), Code::invalid_argument);
}

TEST_P(StoreConformance, ListShowsAReplacedCheckpointAsItIsNow) {
    put_chain("t", 3);
    put(Draft("t", "c2").snapshot().metadata({{"new", true}}));
    const auto infos = wait(checkpoints().list(of_thread("t")));
    EXPECT_EQ(infos[1].id, "c2");
    EXPECT_TRUE(infos[1].is_snapshot);
    EXPECT_EQ(infos[1].metadata, (json::object{{"new", true}}));
}

TEST_P(StoreConformance, FilterFindsEqualStringsOnly) {
    put(Draft("t", "c1").snapshot().metadata({{"source", "loop"}}));
    put(Draft("t", "c2").snapshot().metadata({{"source", "Loop"}}));
    put(Draft("t", "c3").snapshot().metadata({{"source", "loop "}}));
    put(Draft("t", "c4").snapshot().metadata({{"Source", "loop"}}));
    put(Draft("t", "c5").snapshot().metadata({{"source", {"loop"}}}));
    EXPECT_EQ(ids(with({{"source", "loop"}})), (Ids{"c1"}));
    EXPECT_TRUE(ids(with({{"source", ""}})).empty());
    EXPECT_TRUE(ids(with({{"source", "lo%"}})).empty());
}

TEST_P(StoreConformance, FilterComparesNumbersByValue) {
    put(Draft("t", "int").snapshot().metadata({{"step", 1}}));
    put(Draft("t", "double").snapshot().metadata({{"step", 1.0}}));
    put(Draft("t", "text").snapshot().metadata({{"step", "1"}}));
    put(Draft("t", "bool").snapshot().metadata({{"step", true}}));
    put(Draft("t", "more").snapshot().metadata({{"step", 1.5}}));
    EXPECT_EQ(ids(with({{"step", 1}})), (Ids{"double", "int"}));
    EXPECT_EQ(ids(with({{"step", 1.0}})), (Ids{"double", "int"}));
    EXPECT_EQ(ids(with({{"step", std::uint64_t{1}}})), (Ids{"double", "int"}));
    EXPECT_EQ(ids(with({{"step", 1.5}})), (Ids{"more"}));
    EXPECT_EQ(ids(with({{"step", "1"}})), (Ids{"text"}));
}

TEST_P(StoreConformance, FilterTellsLargeNumbersApart) {
    put(Draft("t", "even").snapshot().metadata({{"n", 9007199254740992}}));
    put(Draft("t", "odd").snapshot().metadata({{"n", 9007199254740993}}));
    put(Draft("t", "huge").snapshot().metadata({{"n", std::numeric_limits<std::uint64_t>::max()}}));
    put(Draft("t", "less").snapshot().metadata({{"n", std::numeric_limits<std::uint64_t>::max() - 1}}));
    EXPECT_EQ(ids(with({{"n", 9007199254740993}})), (Ids{"odd"}));
    EXPECT_EQ(ids(with({{"n", 9007199254740992.0}})), (Ids{"even"}));
    EXPECT_EQ(ids(with({{"n", std::numeric_limits<std::uint64_t>::max()}})), (Ids{"huge"}));
}

TEST_P(StoreConformance, FilterTellsTrueFromOneAndFalseFromZero) {
    put(Draft("t", "true").snapshot().metadata({{"ok", true}}));
    put(Draft("t", "one").snapshot().metadata({{"ok", 1}}));
    put(Draft("t", "false").snapshot().metadata({{"ok", false}}));
    put(Draft("t", "zero").snapshot().metadata({{"ok", 0}}));
    put(Draft("t", "text").snapshot().metadata({{"ok", "true"}}));
    EXPECT_EQ(ids(with({{"ok", true}})), (Ids{"true"}));
    EXPECT_EQ(ids(with({{"ok", false}})), (Ids{"false"}));
    EXPECT_EQ(ids(with({{"ok", 1}})), (Ids{"one"}));
}

TEST_P(StoreConformance, FilterByNullFindsOnlyAKeyThatIsNull) {
    put(Draft("t", "null").snapshot().metadata({{"error", nullptr}}));
    put(Draft("t", "missing").snapshot().metadata({{"other", 1}}));
    put(Draft("t", "text").snapshot().metadata({{"error", "null"}}));
    put(Draft("t", "empty").snapshot().metadata({{"error", ""}}));
    EXPECT_EQ(ids(with({{"error", nullptr}})), (Ids{"null"}));
}

TEST_P(StoreConformance, FilterNeedsEveryKeyToMatch) {
    put(Draft("t", "c1").snapshot().metadata({{"a", 1}, {"b", 1}}));
    put(Draft("t", "c2").snapshot().metadata({{"a", 1}, {"b", 2}}));
    put(Draft("t", "c3").snapshot().metadata({{"a", 1}}));
    EXPECT_EQ(ids(with({{"a", 1}, {"b", 2}})), (Ids{"c2"}));
    EXPECT_EQ(ids(with({{"a", 1}})), (Ids{"c3", "c2", "c1"}));
    EXPECT_TRUE(ids(with({{"a", 1}, {"b", 2}, {"c", 3}})).empty());
}

TEST_P(StoreConformance, FilterAndLimitCountMatchesOnly) {
    for (int n = 0; n < 10; ++n) put(Draft("t", fmt::format("c{}", n)).snapshot().metadata({{"even", n % 2 == 0}}));
    EXPECT_EQ(ids(limited(with({{"even", true}}), 3)), (Ids{"c8", "c6", "c4"}));
}

TEST_P(StoreConformance, FilterWorksTogetherWithThreadAndBefore) {
    for (int n = 0; n < 6; ++n) {
        put(Draft("t", fmt::format("c{}", n)).snapshot().metadata({{"even", n % 2 == 0}}));
        put(Draft("u", fmt::format("c{}", n)).snapshot().metadata({{"even", true}}));
    }
    auto query = before("t", "c4");
    query.metadata = {{"even", true}};
    EXPECT_EQ(ids(query), (Ids{"c2", "c0"}));
    EXPECT_EQ(ids(limited(query, 1)), (Ids{"c2"}));
}

TEST_P(StoreConformance, FilterByAListOrObjectIsRefused) {
    EXPECT_EQ(failure_of(checkpoints().list(with({{"a", json::array{1}}}))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().list(with({{"a", {{"b", 1}}}}))), Code::invalid_argument);
}

TEST_P(StoreConformance, FilterKeysAreNamesNeverPathsOrSql) {
    const std::vector<std::string> keys{
        "a.b",           "$",      "$.a", "a[0]",     "it's", "say \"hi\"", "'; DROP TABLE checkpoints; --",
        "数据 🦉 naïve", "\x01\n", "",    "a\\u0062", "?1",   "{a,b}",      "%"};
    put(Draft("t", "path").snapshot().metadata({{"a", {{"b", "value"}}}}));
    for (std::size_t n = 0; n < keys.size(); ++n) {
        put(Draft("t", fmt::format("c{}", n)).snapshot().metadata({{keys[n], "value"}}));
    }
    reopen();
    for (std::size_t n = 0; n < keys.size(); ++n) {
        EXPECT_EQ(ids(with({{keys[n], "value"}})), (Ids{fmt::format("c{}", n)})) << keys[n];
    }
}

TEST_P(StoreConformance, FilterValuesAreDataNeverSql) {
    const std::vector<std::string> values{
        "' OR '1'='1", "\"", "\\", "%", "_", "\x7f\x01", "数据 🦉", "$1", "null", "true", std::string(1 << 20, 'x')};
    for (std::size_t n = 0; n < values.size(); ++n) {
        put(Draft("t", fmt::format("c{}", n)).snapshot().metadata({{"key", values[n]}}));
    }
    reopen();
    for (std::size_t n = 0; n < values.size(); ++n) {
        EXPECT_EQ(ids(with({{"key", values[n]}})), (Ids{fmt::format("c{}", n)}));
    }
}

TEST_P(StoreConformance, MetadataMayBeDeepAndLarge) {
    json::value deep = 1;
    for (int level = 0; level < 90; ++level) deep = json::object{{"level", std::move(deep)}};
    json::object metadata{{"deep", std::move(deep)}, {"run", "r1"}};
    for (int n = 0; n < 2000; ++n) metadata[fmt::format("key {}", n)] = n;
    put(Draft("t", "c1").snapshot().metadata(metadata));
    reopen();
    EXPECT_EQ(get("t").metadata, metadata);
    EXPECT_EQ(ids(with({{"run", "r1"}, {"key 1999", 1999}})), (Ids{"c1"}));
}

TEST_P(StoreConformance, MetadataWithANulCharacterIsRefused) {
    const std::string nul("a\0b", 3);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").metadata({{"key", nul}}))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").metadata({{nul, 1}}))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().list(with({{"key", nul}}))), Code::invalid_argument);
}

TEST_P(StoreConformance, AStateMayHoldANulCharacter) {
    const std::string nul("a\0b", 3);
    put(Draft("t", "c1").snapshot().set("text", json::value(nul)).position(json::value(nul)));
    reopen();
    EXPECT_EQ(get("t").state.at("text"), json::value(nul));
    EXPECT_EQ(get("t").position, json::value(nul));
}

}  // namespace quaestor::store
