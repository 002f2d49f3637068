// Storing checkpoints and pending writes.

#include "conformance.hpp"
#include "store/checks.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <random>

namespace quaestor::store {

using graph::Checkpoint;
using graph::PendingWrite;
using Kind = PendingWrite::Kind;

namespace {

json::value nested(std::size_t levels) {
    json::value value = "core";
    for (std::size_t level = 0; level < levels; ++level) value = json::array{std::move(value)};
    return value;
}

PendingWrite write(std::int64_t task, Kind kind, std::int64_t index, json::value value) {
    return {.task = task, .kind = kind, .index = index, .value = std::move(value)};
}

/// "1 update 0 = "x"", one line per write, in their order.
std::vector<std::string> lines(const std::vector<PendingWrite>& writes) {
    std::vector<std::string> found;
    for (const PendingWrite& item : writes) {
        found.push_back(fmt::format("{} {} {} = {}", item.task, std::string_view(encode(item.kind).as_string()),
                                    item.index, to_text(item.value)));
    }
    return found;
}

using Lines = std::vector<std::string>;

}  // namespace

// ---- put

TEST_P(StoreConformance, PutKeepsEveryPartOfACheckpoint) {
    put(Draft("t", "c1").snapshot().set("question", "why?"));
    put(Draft("t", "c2")
            .after("c1")
            .set("answer", 42)
            .position({{"next", {"write"}}})
            .metadata({{"step", 3}})
            .at(second(7)));
    reopen();
    const auto saved = get("t", "c2");
    EXPECT_EQ(saved.thread_id, "t");
    EXPECT_EQ(saved.id, "c2");
    EXPECT_EQ(saved.parent_id, "c1");
    EXPECT_EQ(saved.state, (json::object{{"question", "why?"}, {"answer", 42}}));
    EXPECT_EQ(saved.position, (json::value{{"next", {"write"}}}));
    EXPECT_EQ(saved.metadata, (json::object{{"step", 3}}));
    EXPECT_EQ(saved.created_at, second(7));
    EXPECT_TRUE(saved.writes.empty());
}

TEST_P(StoreConformance, PutOfAFirstChangeStartsFromAnEmptyState) {
    put(Draft("t", "c1").set("a", 1).append("log", {"begun"}));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"a", 1}, {"log", json::array{"begun"}}}));
}

TEST_P(StoreConformance, PutOfASnapshotNeedsNothingBeforeIt) {
    put(Draft("t", "c9").after("never-stored").snapshot().set("a", 1));
    reopen();
    EXPECT_EQ(state("t"), (json::value{{"a", 1}}));
    EXPECT_EQ(get("t").parent_id, "never-stored");
}

TEST_P(StoreConformance, PutOfAnEmptyObjectStateIsAState) {
    put(Draft("t", "c1").snapshot());
    reopen();
    EXPECT_EQ(state("t"), json::value(json::object()));
}

TEST_P(StoreConformance, PutOfAnEmptyChangeKeepsTheParentsState) {
    put(Draft("t", "c1").snapshot().set("a", 1));
    put(Draft("t", "c2").after("c1"));
    EXPECT_EQ(state("t", "c2"), (json::value{{"a", 1}}));
}

TEST_P(StoreConformance, PutOfTheSameIdReplacesTheContent) {
    put(Draft("t", "c1").snapshot().set("a", 1).metadata({{"try", 1}}));
    put(Draft("t", "c1").snapshot().set("b", 2).metadata({{"try", 2}}).position("there").at(second(5)));
    reopen();
    const auto saved = get("t", "c1");
    EXPECT_EQ(saved.state, (json::object{{"b", 2}}));
    EXPECT_EQ(saved.metadata, (json::object{{"try", 2}}));
    EXPECT_EQ(saved.position, json::value("there"));
    EXPECT_EQ(saved.created_at, second(5));
    EXPECT_EQ(ids_of_thread("t").size(), 1u);
}

TEST_P(StoreConformance, PutOfTheSameIdKeepsItsPlace) {
    put_chain("t", 3);
    put(Draft("t", "c2").after("c1").set("n", 22).at(second(99)));
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Lines{"c3", "c2", "c1"}));
    EXPECT_EQ(get("t").id, "c3");
}

TEST_P(StoreConformance, PutOfTheSameIdKeepsItsPendingWrites) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, "kept")}));
    put(Draft("t", "c1").snapshot().set("a", 1));
    reopen();
    EXPECT_EQ(lines(get("t").writes), (Lines{"0 update 0 = \"kept\""}));
}

TEST_P(StoreConformance, PutOfAnOldIdChangesWhatStandsOnIt) {
    put_chain("t", 2);
    put(Draft("t", "c1").snapshot().set("n", 1).set("late", true));
    EXPECT_EQ(state("t", "c2"), (json::value{{"n", 2}, {"late", true}}));
}

TEST_P(StoreConformance, PutKeepsTheOrderOfStoringWhateverTheIdsSay) {
    for (const char* id : {"m", "z", "a", "Z", "0"}) put(Draft("t", id).snapshot());
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Lines{"0", "Z", "a", "z", "m"}));
    EXPECT_EQ(get("t").id, "0");
}

TEST_P(StoreConformance, PutKeepsTheOrderOfStoringWhateverTheClocksSay) {
    put(Draft("t", "later").snapshot().at(second(100)));
    put(Draft("t", "earlier").snapshot().at(second(1)));
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Lines{"earlier", "later"}));
    EXPECT_EQ(get("t").id, "earlier");
}

TEST_P(StoreConformance, PutGoesOnInOrderAfterReopening) {
    put(Draft("t", "c1").snapshot());
    reopen();
    put(Draft("t", "b1").snapshot());
    reopen();
    put(Draft("t", "a1").snapshot());
    EXPECT_EQ(ids_of_thread("t"), (Lines{"a1", "b1", "c1"}));
}

TEST_P(StoreConformance, PutOfTheSameIdInTwoThreadsKeepsThemApart) {
    put(Draft("one", "c1").snapshot().set("a", 1));
    put(Draft("two", "c1").snapshot().set("a", 2));
    reopen();
    EXPECT_EQ(state("one"), (json::value{{"a", 1}}));
    EXPECT_EQ(state("two"), (json::value{{"a", 2}}));
}

TEST_P(StoreConformance, PutKeepsIntegersExactly) {
    const auto smallest = std::numeric_limits<std::int64_t>::min();
    const auto largest = std::numeric_limits<std::uint64_t>::max();
    put(Draft("t", "c1").snapshot().set("smallest", smallest).set("largest", largest).set("odd", 9007199254740993));
    reopen();
    const auto read = get("t").state;
    EXPECT_EQ(read.at("smallest").as_int64(), smallest);
    EXPECT_EQ(read.at("largest").as_uint64(), largest);
    EXPECT_EQ(read.at("odd").as_int64(), 9007199254740993);
}

TEST_P(StoreConformance, PutKeepsDoublesToTheLastBit) {
    std::mt19937_64 random(2026);
    json::array numbers{0.1, -0.0, 1.0, 1e308, 5e-324, 2.2250738585072014e-308, 123456789.12345678};
    while (numbers.size() < 500) {
        const std::uint64_t bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (std::isfinite(number)) numbers.push_back(number);
    }
    put(Draft("t", "c1").snapshot().set("numbers", numbers));
    reopen();
    const json::array read = get("t").state.at("numbers").as_array();
    ASSERT_EQ(read.size(), numbers.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i].as_double()),
                  std::bit_cast<std::uint64_t>(numbers[i].as_double()))
            << numbers[i];
    }
}

TEST_P(StoreConformance, PutKeepsEveryKindOfJson) {
    const json::object everything{{"null", nullptr},
                                  {"yes", true},
                                  {"no", false},
                                  {"text", "a\"b\\c\n\t"},
                                  {"empty text", ""},
                                  {"list", {1, "two", nullptr}},
                                  {"none", json::array()},
                                  {"nothing", json::object()},
                                  {"deep", {{"er", {{"est", 1}}}}}};
    put(Draft("t", "c1").snapshot().set("everything", everything));
    reopen();
    EXPECT_EQ(get("t").state.at("everything"), everything);
}

TEST_P(StoreConformance, PutKeepsAPositionOfAnyKind) {
    const json::array positions{nullptr, true, 7, 1.5, "text", {1, 2}, {{"next", "x"}}};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        put(Draft("t", fmt::format("c{}", i)).snapshot().position(positions[i]));
    }
    reopen();
    for (std::size_t i = 0; i < positions.size(); ++i)
        EXPECT_EQ(get("t", fmt::format("c{}", i)).position, positions[i]);
}

TEST_P(StoreConformance, PutKeepsTimesToTheMicrosecondInAnyCentury) {
    using std::chrono::microseconds;
    const std::vector<WallTime> times{second(0) + microseconds(123'456), WallTime{}, WallTime(microseconds(-1)),
                                      std::chrono::sys_days(std::chrono::year{1800} / 2 / 28),
                                      std::chrono::sys_days(std::chrono::year{2200} / 2 / 28)};
    for (std::size_t i = 0; i < times.size(); ++i) put(Draft("t", fmt::format("c{}", i)).snapshot().at(times[i]));
    reopen();
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(get("t", fmt::format("c{}", i)).created_at, times[i]);
}

TEST_P(StoreConformance, PutTakesAStateOfManyMegabytes) {
    const std::string large(4 << 20, 'x');
    put(Draft("t", "c1").snapshot().set("large", json::value(large)));
    reopen();
    EXPECT_EQ(get("t").state.at("large").as_string(), large);
}

TEST_P(StoreConformance, PutTakesTheLongestIdAndNoLonger) {
    const std::string longest(128, 'x');
    put(Draft(longest, longest).after(longest + "").snapshot());
    EXPECT_TRUE(exists(longest, longest));
    EXPECT_EQ(failure_of(checkpoints().put(Draft(longest + "x", "c1").snapshot())), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", longest + "x").snapshot())), Code::invalid_argument);
}

TEST_P(StoreConformance, PutRefusesWhatIsNoId) {
    for (const std::string wrong : {"a b", "a/b", "'; DROP TABLE checkpoints; --", "\xff", "é", "a\n"}) {
        EXPECT_EQ(failure_of(checkpoints().put(Draft(wrong, "c1"))), Code::invalid_argument) << wrong;
        EXPECT_EQ(failure_of(checkpoints().put(Draft("t", wrong))), Code::invalid_argument) << wrong;
        EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").after(wrong))), Code::invalid_argument) << wrong;
    }
    EXPECT_EQ(failure_of(checkpoints().put(Draft("", "c1"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", ""))), Code::invalid_argument);
    EXPECT_TRUE(ids({}).empty());
}

TEST_P(StoreConformance, PutRefusesToAppendWhatIsNoList) {
    Checkpoint checkpoint = Draft("t", "c1");
    checkpoint.change.append["log"] = "not a list";
    EXPECT_EQ(failure_of(checkpoints().put(std::move(checkpoint))), Code::invalid_argument);
    EXPECT_FALSE(exists("t"));
}

TEST_P(StoreConformance, PutRefusesTextThatIsNotUtf8) {
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").set("a", "\xff"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").set("\xc3", 1))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").append("a", {"\x80"}))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").position({{"a", "\xff"}}))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").metadata({{"a", "\xff"}}))), Code::invalid_argument);
    EXPECT_FALSE(exists("t"));
}

TEST_P(StoreConformance, PutRefusesNumbersThatAreNotFinite) {
    const double infinite = std::numeric_limits<double>::infinity();
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").set("a", infinite))), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c1").set("a", {{"b", no_number}}))), Code::invalid_argument);
    EXPECT_FALSE(exists("t"));
}

TEST_P(StoreConformance, PutTakesTheDeepestNestingAndNoDeeper) {
    put(Draft("t", "c1").snapshot().set("deep", nested(kStoredDepthMax - 1)));
    reopen();
    EXPECT_EQ(get("t").state.at("deep"), nested(kStoredDepthMax - 1));
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c2").set("deep", nested(kStoredDepthMax)))),
              Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put(Draft("t", "c3").position(nested(5'000)))), Code::invalid_argument);
}

TEST_P(StoreConformance, PutAllStoresInOrder) {
    auto run = several(Draft("t", "z").snapshot().set("n", 0));
    for (int n = 1; n < 50; ++n) {
        run.push_back(
            Draft("t", fmt::format("c{}", n)).after(n == 1 ? "z" : fmt::format("c{}", n - 1)).append("log", {n}));
    }
    run.push_back(Draft("u", "other").snapshot());
    wait(checkpoints().put_all(std::move(run)));
    reopen();
    EXPECT_EQ(get("t").id, "c49");
    EXPECT_EQ(get("t").state.at("log").as_array().size(), 49u);
    EXPECT_EQ(ids({}).front(), "other");
    EXPECT_EQ(ids_of_thread("t").back(), "z");
}

TEST_P(StoreConformance, PutAllReplacesLikePut) {
    put_chain("t", 2);
    wait(checkpoints().put_all(several(Draft("t", "c1").snapshot().set("n", 11),
                                       Draft("t", "c3").after("c2").set("m", 3),
                                       Draft("t", "c3").after("c1").set("m", 33))));
    reopen();
    EXPECT_EQ(ids_of_thread("t"), (Lines{"c3", "c2", "c1"}));
    EXPECT_EQ(state("t"), (json::value{{"n", 11}, {"m", 33}}));
}

TEST_P(StoreConformance, PutAllOfNoneIsHarmless) {
    wait(checkpoints().put_all({}));
    EXPECT_TRUE(ids({}).empty());
}

TEST_P(StoreConformance, PutAllRefusesWhatPutRefuses) {
    EXPECT_EQ(
        failure_of(checkpoints().put_all(several(Draft("t", "c1").snapshot(), Draft("t", "c2").set("a", "\xff")))),
        Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put_all(several(Draft("t", "a b").snapshot()))), Code::invalid_argument);
    EXPECT_FALSE(exists("t", "c2"));
}

TEST_P(StoreConformance, PutTakesValuesThatShareTheirMakersMemory) {
    auto memory = graph::ValueMemory::make();
    const auto storage = memory.storage();
    graph::Patch change{json::object(storage), json::object(storage)};
    change.set["a"] = "long enough that it needs memory";
    put({.memory = std::move(memory),
         .thread_id = "t",
         .id = "c1",
         .parent_id = "",
         .is_snapshot = true,
         .change = std::move(change),
         .position = json::value("position", storage),
         .metadata = json::object({{"key", "value"}}, storage),
         .created_at = second(1)});
    const auto pending = json::make_shared_resource<json::monotonic_resource>();
    std::vector<PendingWrite> writes;
    writes.push_back({.task = 0, .kind = Kind::update, .index = 0, .value = json::value("pending", pending)});
    wait(checkpoints().put_writes("t", "c1", std::move(writes)));
    wait(checkpoints().copy_thread("t", "copy"));
    reopen();
    for (const char* thread_id : {"t", "copy"}) {
        const auto saved = get(thread_id);
        EXPECT_EQ(saved.state, (json::object{{"a", "long enough that it needs memory"}}));
        const json::storage_ptr own;
        EXPECT_EQ(saved.state.storage(), own);
        EXPECT_EQ(saved.position.storage(), own);
        EXPECT_EQ(saved.metadata.storage(), own);
        EXPECT_EQ(saved.writes.at(0).value.storage(), own);
    }
}

// ---- put_writes

TEST_P(StoreConformance, PutWritesComeBackInOrderOfTaskKindAndIndex) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes(
        "t", "c1",
        {write(2, Kind::update, 0, "g"), write(1, Kind::failure, 0, "f"), write(1, Kind::resume, 1, "e"),
         write(1, Kind::resume, 0, "d"), write(1, Kind::interrupt, 0, "c"), write(1, Kind::update, 0, "b"),
         write(0, Kind::update, 0, "a")}));
    reopen();
    EXPECT_EQ(lines(get("t").writes),
              (Lines{"0 update 0 = \"a\"", "1 update 0 = \"b\"", "1 interrupt 0 = \"c\"", "1 resume 0 = \"d\"",
                     "1 resume 1 = \"e\"", "1 failure 0 = \"f\"", "2 update 0 = \"g\""}));
}

TEST_P(StoreConformance, PutWritesOfTheSamePlaceReplace) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, "old"), write(1, Kind::update, 0, "other")}));
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, "new")}));
    reopen();
    EXPECT_EQ(lines(get("t").writes), (Lines{"0 update 0 = \"new\"", "1 update 0 = \"other\""}));
}

TEST_P(StoreConformance, PutWritesOfOneCallMayRepeatAPlaceAndTheLastCounts) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, 1), write(0, Kind::update, 0, 2)}));
    EXPECT_EQ(lines(get("t").writes), (Lines{"0 update 0 = 2"}));
}

TEST_P(StoreConformance, PutWritesAddUpOverCalls) {
    put(Draft("t", "c1").snapshot());
    for (int task = 0; task < 3; ++task)
        wait(checkpoints().put_writes("t", "c1", {write(task, Kind::update, 0, task)}));
    reopen();
    EXPECT_EQ(lines(get("t").writes), (Lines{"0 update 0 = 0", "1 update 0 = 1", "2 update 0 = 2"}));
}

TEST_P(StoreConformance, PutWritesBelongToOneCheckpointOfOneThread) {
    put_chain("t", 2);
    put_chain("u", 2);
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, 1)}));
    EXPECT_EQ(get("t", "c1").writes.size(), 1u);
    EXPECT_TRUE(get("t", "c2").writes.empty());
    EXPECT_TRUE(get("u", "c1").writes.empty());
}

TEST_P(StoreConformance, PutWritesStayWhenNewerCheckpointsCome) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", {write(0, Kind::interrupt, 0, "which year?")}));
    put(Draft("t", "c2").after("c1"));
    reopen();
    EXPECT_EQ(lines(get("t", "c1").writes), (Lines{"0 interrupt 0 = \"which year?\""}));
}

TEST_P(StoreConformance, PutWritesOfAMissingCheckpointAreRefused) {
    put(Draft("t", "c1").snapshot());
    EXPECT_EQ(failure_of(checkpoints().put_writes("t", "c2", {write(0, Kind::update, 0, 1)})), Code::not_found);
    EXPECT_EQ(failure_of(checkpoints().put_writes("u", "c1", {write(0, Kind::update, 0, 1)})), Code::not_found);
    put(Draft("t", "c2").after("c1"));
    EXPECT_TRUE(get("t", "c2").writes.empty());
}

TEST_P(StoreConformance, PutWritesWithoutAnyIsHarmless) {
    put(Draft("t", "c1").snapshot());
    wait(checkpoints().put_writes("t", "c1", {}));
    EXPECT_TRUE(get("t").writes.empty());
}

TEST_P(StoreConformance, PutWritesKeepValuesOfEveryKind) {
    put(Draft("t", "c1").snapshot());
    const json::array values{
        nullptr, true, std::numeric_limits<std::uint64_t>::max(), 0.1, "x", {1, 2}, {{"a", {{"b", 1}}}}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        wait(checkpoints().put_writes("t", "c1", {write(0, Kind::update, static_cast<std::int64_t>(i), values[i])}));
    }
    reopen();
    const auto writes = get("t").writes;
    ASSERT_EQ(writes.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(writes[i].value, values[i]);
}

TEST_P(StoreConformance, PutWritesTakeTheLargestNumbersOfTasks) {
    put(Draft("t", "c1").snapshot());
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    wait(checkpoints().put_writes("t", "c1",
                                  {write(kMost, Kind::update, kMost, "z"), write(kLeast, Kind::update, kLeast, "a")}));
    reopen();
    const auto writes = get("t").writes;
    ASSERT_EQ(writes.size(), 2u);
    EXPECT_EQ(writes[0].task, kLeast);
    EXPECT_EQ(writes[1].index, kMost);
}

TEST_P(StoreConformance, PutWritesTakeAThousandAtOnce) {
    put(Draft("t", "c1").snapshot());
    std::vector<PendingWrite> many;
    for (int task = 999; task >= 0; --task) many.push_back(write(task, Kind::update, 0, task));
    wait(checkpoints().put_writes("t", "c1", many));
    reopen();
    const auto writes = get("t").writes;
    ASSERT_EQ(writes.size(), 1000u);
    for (int task = 0; task < 1000; ++task) ASSERT_EQ(writes[static_cast<std::size_t>(task)].value, json::value(task));
}

TEST_P(StoreConformance, PutWritesRefuseWhatCannotBeStored) {
    put(Draft("t", "c1").snapshot());
    EXPECT_EQ(failure_of(checkpoints().put_writes("t t", "c1", {})), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put_writes("t", "", {})), Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, "\xff")})),
              Code::invalid_argument);
    EXPECT_EQ(failure_of(checkpoints().put_writes("t", "c1", {write(0, Kind::update, 0, nested(5'000))})),
              Code::invalid_argument);
    EXPECT_TRUE(get("t").writes.empty());
}

}  // namespace quaestor::store
