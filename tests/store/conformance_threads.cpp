// Whole threads: deleting, copying and pruning them.

#include "conformance.hpp"

#include <fmt/format.h>

namespace quaestor::store {

using graph::Checkpoint;
using graph::PendingWrite;
using graph::PruneQuery;
using Ids = std::vector<std::string>;

namespace {

std::vector<PendingWrite> one_write(json::value value) {
    return {{.task = 0, .kind = PendingWrite::Kind::update, .index = 0, .value = std::move(value)}};
}

PruneQuery keep(std::size_t count, std::optional<std::string> thread_id = {}) {
    return {.thread_id = std::move(thread_id), .keep_last = count, .older_than = {}};
}

PruneQuery older_than(WallTime time, std::size_t keep_last) {
    return {.thread_id = {}, .keep_last = keep_last, .older_than = time};
}

}  // namespace

// ---- delete_thread

TEST_P(StoreConformance, DeleteThreadRemovesItsCheckpointsAndCountsThem) {
    put_chain("t", 3);
    EXPECT_EQ(wait(checkpoints().delete_thread("t")), 3u);
    reopen();
    EXPECT_FALSE(exists("t"));
    EXPECT_FALSE(exists("t", "c1"));
    EXPECT_TRUE(ids({}).empty());
}

TEST_P(StoreConformance, DeleteThreadLeavesOtherThreadsAlone) {
    put_chain("t", 3);
    put_chain("other", 2);
    wait(checkpoints().put_writes("other", "c2", one_write("kept")));
    wait(checkpoints().delete_thread("t"));
    reopen();
    EXPECT_EQ(ids({}), (Ids{"c2", "c1"}));
    EXPECT_EQ(get("other").writes.size(), 1u);
}

TEST_P(StoreConformance, DeleteThreadOfAnUnknownThreadIsZero) {
    EXPECT_EQ(wait(checkpoints().delete_thread("t")), 0u);
    put_chain("t", 1);
    wait(checkpoints().delete_thread("t"));
    EXPECT_EQ(wait(checkpoints().delete_thread("t")), 0u);
}

TEST_P(StoreConformance, DeleteThreadTakesThePendingWritesAlong) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", one_write("old")));
    wait(checkpoints().delete_thread("t"));
    put(Draft("t", "c1").snapshot().set("new", true));
    reopen();
    EXPECT_TRUE(get("t").writes.empty());
    EXPECT_EQ(state("t"), (json::value{{"new", true}}));
}

TEST_P(StoreConformance, DeleteThreadLeavesConversationsAndRunsAlone) {
    put_chain("t", 1);
    Message message;
    message.id = "m1";
    wait(conversations().append("t", message));
    RunRecord run;
    run.run_id = "r1";
    run.thread_id = "t";
    wait(traces().save(run));
    wait(checkpoints().delete_thread("t"));
    EXPECT_EQ(wait(conversations().messages("t")).size(), 1u);
    EXPECT_TRUE(wait(traces().get("r1")).has_value());
}

TEST_P(StoreConformance, DeleteThreadRefusesWhatIsNoId) {
    EXPECT_EQ(failure_of(checkpoints().delete_thread("")), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().delete_thread("%")), Code::invalid_argument);
}

// ---- copy_thread

TEST_P(StoreConformance, CopyThreadCopiesEveryCheckpointInOrder) {
    for (const char* id : {"m", "z", "a"}) put(Draft("t", id).snapshot().set("id", id));
    EXPECT_EQ(wait(checkpoints().copy_thread("t", "copy")), 3u);
    reopen();
    EXPECT_EQ(ids_of_thread("copy"), (Ids{"a", "z", "m"}));
    EXPECT_EQ(ids_of_thread("t"), (Ids{"a", "z", "m"}));
    for (const char* id : {"m", "z", "a"}) EXPECT_EQ(state("copy", id), (json::value{{"id", id}}));
}

TEST_P(StoreConformance, CopyThreadCopiesEveryPart) {
    put(Draft("t", "c1").snapshot().set("a", 1));
    put(Draft("t", "c2").after("c1").append("log", {1}).position("here").metadata({{"step", 2}}).at(second(9)));
    wait(checkpoints().put_writes("t", "c2", one_write("pending")));
    wait(checkpoints().copy_thread("t", "copy"));
    reopen();
    const auto saved = get("copy");
    EXPECT_EQ(saved.thread_id, "copy");
    EXPECT_EQ(saved.id, "c2");
    EXPECT_EQ(saved.parent_id, "c1");
    EXPECT_EQ(saved.state, (json::object{{"a", 1}, {"log", json::array{1}}}));
    EXPECT_EQ(saved.position, json::value("here"));
    EXPECT_EQ(saved.metadata, (json::object{{"step", 2}}));
    EXPECT_EQ(saved.created_at, second(9));
    ASSERT_EQ(saved.writes.size(), 1u);
    EXPECT_EQ(saved.writes[0].value, json::value("pending"));
    EXPECT_EQ(get("t").writes.size(), 1u);
}

TEST_P(StoreConformance, CopyThreadMakesAThreadOfItsOwn) {
    put_chain("t", 2);
    wait(checkpoints().copy_thread("t", "copy"));
    put(Draft("copy", "c3").after("c2").set("n", 33));
    put(Draft("t", "c2").after("c1").set("n", 22));
    EXPECT_EQ(state("copy", "c2"), (json::value{{"n", 2}}));
    EXPECT_EQ(get("t").id, "c2");
    wait(checkpoints().delete_thread("t"));
    reopen();
    EXPECT_EQ(state("copy"), (json::value{{"n", 33}}));
    EXPECT_EQ(state("copy", "c1"), (json::value{{"n", 1}}));
}

TEST_P(StoreConformance, CopyThreadComesAfterEverythingStoredBefore) {
    put(Draft("t", "t1").snapshot());
    put(Draft("u", "u1").snapshot());
    wait(checkpoints().copy_thread("t", "copy"));
    const auto infos = wait(checkpoints().list({}));
    ASSERT_EQ(infos.size(), 3u);
    EXPECT_EQ(infos[0].thread_id, "copy");
    EXPECT_EQ(infos[1].thread_id, "u");
}

TEST_P(StoreConformance, CopyThreadOfAnUnknownThreadIsRefused) {
    EXPECT_EQ(failure_of(checkpoints().copy_thread("t", "copy")), Code::not_found);
    EXPECT_FALSE(exists("copy"));
}

TEST_P(StoreConformance, CopyThreadOntoAnExistingThreadIsRefused) {
    put_chain("t", 2);
    put_chain("copy", 1);
    EXPECT_EQ(failure_of(checkpoints().copy_thread("t", "copy")), Code::already_exists);
    EXPECT_EQ(failure_of(checkpoints().copy_thread("t", "t")), Code::already_exists);
    EXPECT_EQ(ids_of_thread("copy"), (Ids{"c1"}));
}

TEST_P(StoreConformance, CopyThreadIsPossibleAgainAfterDeletingTheCopy) {
    put_chain("t", 2);
    wait(checkpoints().copy_thread("t", "copy"));
    wait(checkpoints().delete_thread("copy"));
    EXPECT_EQ(wait(checkpoints().copy_thread("t", "copy")), 2u);
}

TEST_P(StoreConformance, CopyThreadRefusesWhatIsNoId) {
    put_chain("t", 1);
    EXPECT_EQ(failure_of(checkpoints().copy_thread("t", "a b")), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().copy_thread("", "copy")), Code::invalid_argument);
}

TEST_P(StoreConformance, CopyThreadCopiesForksAndLongChains) {
    put_chain("t", 60);
    put(Draft("t", "fork").after("c30").set("fork", true));
    EXPECT_EQ(wait(checkpoints().copy_thread("t", "copy")), 61u);
    reopen();
    EXPECT_EQ(state("copy", "c60"), (json::value{{"n", 60}}));
    EXPECT_EQ(state("copy"), (json::value{{"n", 30}, {"fork", true}}));
}

// ---- prune

TEST_P(StoreConformance, PruneKeepsTheNewestAndItsWholeState) {
    put(Draft("t", "c1").snapshot().set("a", 1).set("log", json::array{1}));
    put(Draft("t", "c2").after("c1").append("log", {2}));
    put(Draft("t", "c3").after("c2").set("b", 3).append("log", {3}));
    EXPECT_EQ(wait(checkpoints().prune({})), 2u);
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Ids{"c3"}));
    EXPECT_EQ(state("t"), (json::value{{"a", 1}, {"log", {1, 2, 3}}, {"b", 3}}));
}

TEST_P(StoreConformance, PruneKeepsAsManyAsAskedAndAllOfThemReadable) {
    put_chain("t", 6);
    EXPECT_EQ(wait(checkpoints().prune(keep(3))), 3u);
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Ids{"c6", "c5", "c4"}));
    for (int n = 4; n <= 6; ++n) EXPECT_EQ(state("t", fmt::format("c{}", n)), (json::value{{"n", n}}));
}

TEST_P(StoreConformance, PruneMakesTheOldestThatStaysStandAlone) {
    put_chain("t", 4);
    wait(checkpoints().prune(keep(2)));
    reopen();
    const auto infos = wait(checkpoints().list({}));
    ASSERT_EQ(infos.size(), 2u);
    EXPECT_EQ(infos[0].parent_id, "c3");
    EXPECT_FALSE(infos[0].is_snapshot);
    EXPECT_EQ(infos[1].parent_id, "");
    EXPECT_TRUE(infos[1].is_snapshot);
}

TEST_P(StoreConformance, PruneLeavesPositionMetadataTimeAndWritesAsTheyWere) {
    put_chain("t", 2);
    put(Draft("t", "c3").after("c2").position("there").metadata({{"k", "v"}}).at(second(77)));
    wait(checkpoints().put_writes("t", "c3", one_write("kept")));
    wait(checkpoints().prune({}));
    reopen();
    const auto saved = get("t");
    EXPECT_EQ(saved.position, json::value("there"));
    EXPECT_EQ(saved.metadata, (json::object{{"k", "v"}}));
    EXPECT_EQ(saved.created_at, second(77));
    EXPECT_EQ(saved.writes.size(), 1u);
}

TEST_P(StoreConformance, PruneKeepingMoreThanThereAreRemovesNothing) {
    put_chain("t", 3);
    EXPECT_EQ(wait(checkpoints().prune(keep(3))), 0u);
    EXPECT_EQ(wait(checkpoints().prune(keep(1000))), 0u);
    EXPECT_EQ(ids_of_thread("t").size(), 3u);
    EXPECT_EQ(get("t", "c2").parent_id, "c1");
}

TEST_P(StoreConformance, PruneKeepingNoneEmptiesTheThread) {
    put_chain("t", 3);
    EXPECT_EQ(wait(checkpoints().prune(keep(0))), 3u);
    reopen();
    EXPECT_FALSE(exists("t"));
    EXPECT_EQ(wait(checkpoints().delete_thread("t")), 0u);
}

TEST_P(StoreConformance, PruneByAgeRemovesOnlyWhatIsOlder) {
    put_chain("t", 5);
    EXPECT_EQ(wait(checkpoints().prune(older_than(second(3), 1))), 2u);
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Ids{"c5", "c4", "c3"}));
    EXPECT_EQ(state("t", "c3"), (json::value{{"n", 3}}));
}

TEST_P(StoreConformance, PruneByAgeStillKeepsTheNewest) {
    put_chain("t", 3);
    EXPECT_EQ(wait(checkpoints().prune(older_than(second(1000), 2))), 1u);
    EXPECT_EQ(ids_of_thread("t"), (Ids{"c3", "c2"}));
}

TEST_P(StoreConformance, PruneByAgeMayLeaveHolesAndWhatStaysIsReadable) {
    put(Draft("t", "c1").snapshot().set("n", 1).at(second(100)));
    put(Draft("t", "c2").after("c1").append("log", {2}).at(second(1)));
    put(Draft("t", "c3").after("c2").append("log", {3}).at(second(100)));
    put(Draft("t", "c4").after("c3").append("log", {4}).at(second(1)));
    put(Draft("t", "c5").after("c4").append("log", {5}).at(second(100)));
    EXPECT_EQ(wait(checkpoints().prune(older_than(second(50), 1))), 2u);
    reopen();
    EXPECT_EQ(state("t", "c1"), (json::value{{"n", 1}}));
    EXPECT_EQ(state("t", "c3"), (json::value{{"n", 1}, {"log", {2, 3}}}));
    EXPECT_EQ(state("t", "c5"), (json::value{{"n", 1}, {"log", {2, 3, 4, 5}}}));
}

TEST_P(StoreConformance, PruneOfOneThreadLeavesOthersAlone) {
    put_chain("t", 3);
    put_chain("other", 3);
    EXPECT_EQ(wait(checkpoints().prune(keep(1, "t"))), 2u);
    EXPECT_EQ(ids_of_thread("other").size(), 3u);
    EXPECT_EQ(wait(checkpoints().prune(keep(1, "unknown"))), 0u);
}

TEST_P(StoreConformance, PruneOfAllThreadsCountsPerThread) {
    put_chain("a", 3);
    put_chain("b", 1);
    put_chain("c", 5);
    EXPECT_EQ(wait(checkpoints().prune(keep(2))), 4u);
    reopen();
    EXPECT_EQ(ids_of_thread("a"), (Ids{"c3", "c2"}));
    EXPECT_EQ(ids_of_thread("b"), (Ids{"c1"}));
    EXPECT_EQ(ids_of_thread("c"), (Ids{"c5", "c4"}));
    EXPECT_EQ(state("c"), (json::value{{"n", 5}}));
}

TEST_P(StoreConformance, PruneKeepsForksOfARemovedCheckpointReadable) {
    put_chain("t", 2);
    put(Draft("t", "left").after("c2").append("log", {"left"}));
    put(Draft("t", "right").after("c2").append("log", {"right"}));
    EXPECT_EQ(wait(checkpoints().prune(keep(2))), 2u);
    reopen();
    EXPECT_EQ(state("t", "left"), (json::value{{"n", 2}, {"log", json::array{"left"}}}));
    EXPECT_EQ(state("t", "right"), (json::value{{"n", 2}, {"log", json::array{"right"}}}));
}

TEST_P(StoreConformance, PruneTwiceRemovesNothingMore) {
    put_chain("t", 4);
    wait(checkpoints().prune(keep(2)));
    EXPECT_EQ(wait(checkpoints().prune(keep(2))), 0u);
    EXPECT_EQ(state("t"), (json::value{{"n", 4}}));
}

TEST_P(StoreConformance, PruneThenGoingOnBuildsOnWhatStayed) {
    put(Draft("t", "c1").snapshot().set("log", json::array{1}));
    put(Draft("t", "c2").after("c1").append("log", {2}));
    wait(checkpoints().prune({}));
    put(Draft("t", "c3").after("c2").append("log", {3}));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"log", {1, 2, 3}}}));
    wait(checkpoints().copy_thread("t", "copy"));
    EXPECT_EQ(state("copy"), (json::value{{"log", {1, 2, 3}}}));
}

TEST_P(StoreConformance, PruneRemovesNothingWhenWhatStaysCannotBeRead) {
    put(Draft("t", "c2").after("gone").set("a", 1));
    put(Draft("t", "c3").after("c2").set("b", 1));
    EXPECT_EQ(failure_of(checkpoints().prune({})), Code::corrupt);
    EXPECT_EQ(ids_of_thread("t"), (Ids{"c3", "c2"}));
}

TEST_P(StoreConformance, PruneRefusesWhatIsNoId) {
    EXPECT_EQ(failure_of(checkpoints().prune(keep(1, "a b"))), Code::invalid_argument);
}

}  // namespace quaestor::store
