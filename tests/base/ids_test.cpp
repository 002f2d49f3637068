#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

/// Gives out the numbers it was made with, then zeroes.
class ScriptedRandom final : public Random {
public:
    explicit ScriptedRandom(std::deque<std::uint64_t> script) : script_(std::move(script)) {}

    std::uint64_t bits() override {
        if (script_.empty()) return 0;
        const std::uint64_t next = script_.front();
        script_.pop_front();
        return next;
    }

private:
    std::deque<std::uint64_t> script_;
};

TEST(IdMaker, MakesTwentySixCharactersOfCrockfordsAlphabet) {
    const std::string id = make_id();
    EXPECT_EQ(id.size(), 26u);
    EXPECT_EQ(id.find_first_not_of("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), std::string::npos) << id;
    EXPECT_TRUE(is_valid_id(id));
}

TEST(IdMaker, WritesTimeThenRandomBits) {
    ManualClock clock;
    ScriptedRandom random({0xFFFF'FFFF'FFFF'8000, 0x0000'0000'0000'0021});
    // 2026-01-01 in milliseconds, then 16 bits of the first random number and 64 of the second.
    EXPECT_EQ(IdMaker(clock, random).make(), "01KDVDNA00G000000000000011");
}

TEST(IdMaker, KeepsOrderWithinAMillisecond) {
    ManualClock clock;
    SeededRandom random(1);
    IdMaker maker(clock, random);
    std::vector<std::string> ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(maker.make());
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), ids.size());
}

TEST(IdMaker, KeepsOrderAcrossMilliseconds) {
    ManualClock clock;
    ScriptedRandom random({UINT64_MAX - 1, UINT64_MAX, 0, 0});
    IdMaker maker(clock, random);
    const std::string first = maker.make();
    clock.advance(1ms);
    EXPECT_LT(first, maker.make());
}

TEST(IdMaker, KeepsOrderWhenTheClockGoesBack) {
    ManualClock clock;
    SeededRandom random(1);
    IdMaker maker(clock, random);
    clock.advance(1h);
    const std::string first = maker.make();
    clock.advance(-30min);
    EXPECT_LT(first, maker.make());
}

TEST(IdMaker, CarriesFromTheLowBitsIntoTheHigh) {
    ManualClock clock;
    ScriptedRandom random({0, UINT64_MAX});
    IdMaker maker(clock, random);
    EXPECT_EQ(maker.make().substr(10), "000FZZZZZZZZZZZZ");
    EXPECT_EQ(maker.make().substr(10), "000G000000000000");
}

TEST(IdMaker, BorrowsTheNextMillisecondWhenTheRandomBitsAreUsedUp) {
    ManualClock clock;
    ScriptedRandom random({UINT64_MAX, UINT64_MAX});
    IdMaker maker(clock, random);
    EXPECT_EQ(maker.make(), "01KDVDNA00ZZZZZZZZZZZZZZZZ");
    EXPECT_EQ(maker.make(), "01KDVDNA010000000000000000");
    EXPECT_EQ(maker.make(), "01KDVDNA010000000000000001");
}

TEST(IdMaker, MakesTheSameIdsFromTheSameSeed) {
    ManualClock clock;
    SeededRandom left(7);
    SeededRandom right(7);
    SeededRandom other(8);
    const std::string id = IdMaker(clock, left).make();
    EXPECT_EQ(IdMaker(clock, right).make(), id);
    EXPECT_NE(IdMaker(clock, other).make(), id);
}

TEST(IdMaker, MakesDifferentIdsOnManyThreads) {
    constexpr int kThreads = 4;
    constexpr int kIds = 1000;
    std::vector<std::vector<std::string>> made(kThreads);
    std::vector<std::thread> threads;
    for (auto& mine : made) {
        threads.emplace_back([&mine] {
            for (int i = 0; i < kIds; ++i) mine.push_back(make_id());
        });
    }
    for (auto& thread : threads) thread.join();
    std::set<std::string> all;
    for (const auto& mine : made) {
        EXPECT_TRUE(std::ranges::is_sorted(mine));
        all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), std::size_t{kThreads * kIds});
}

TEST(Random, GivesFractionsFromZeroToBelowOne) {
    ScriptedRandom random({0, UINT64_MAX, std::uint64_t{1} << 63});
    EXPECT_EQ(random.fraction(), 0.0);
    EXPECT_LT(random.fraction(), 1.0);
    EXPECT_EQ(random.fraction(), 0.5);
}

TEST(Random, StaysBelowTheBound) {
    SeededRandom random(3);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) seen.insert(random.below(6));
    EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, DrawsAgainWhereSomeResultsWouldBeLikelier) {
    // 2^64 is 1 more than a multiple of 3, so one value has to be thrown away.
    ScriptedRandom random({0, 5});
    EXPECT_EQ(random.below(3), 2u);
}

TEST(Random, GivesDifferentBitsFromTheSystem) {
    EXPECT_NE(system_random().bits(), system_random().bits());
}

TEST(ValidId, AcceptsWhatProgramsAndPeopleName) {
    for (const std::string& id :
         {std::string("a"), std::string("thread-1"), std::string("a.b_c:D-9"), std::string(128, 'x')}) {
        EXPECT_TRUE(is_valid_id(id)) << id;
    }
}

TEST(ValidId, RefusesEmptyLongAndOddOnes) {
    for (const std::string& id : {std::string(), std::string(129, 'x'), std::string("a b"), std::string("a/b"),
                                  std::string("é"), std::string("a\0b", 3), std::string("a\n")}) {
        EXPECT_FALSE(is_valid_id(id)) << id;
    }
}

}  // namespace
}  // namespace quaestor
