#include "store/checks.hpp"

#include "store/prune_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quaestor::store {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();

bool equal(const json::value& stored, const json::value& wanted) {
    return matches({{"key", stored}}, {{"key", wanted}});
}

WallTime second(int count) {
    return WallTime(std::chrono::seconds(count));
}

graph::PruneQuery keep(std::size_t count, std::optional<WallTime> older_than = {}) {
    return {.thread_id = {}, .keep_last = count, .older_than = older_than};
}

/// c1 ← c2 ← c3, and a fork f of c1.
const std::vector<PruneCandidate> kThread{{.id = "c1", .parent_id = "", .created_at = second(1)},
                                          {.id = "c2", .parent_id = "c1", .created_at = second(2)},
                                          {.id = "c3", .parent_id = "c2", .created_at = second(3)},
                                          {.id = "f", .parent_id = "c1", .created_at = second(4)}};

}  // namespace

// ---- filters

TEST(MetadataFilter, ComparesNumbersOfAllTypesByValue) {
    EXPECT_TRUE(equal(1, 1.0));
    EXPECT_TRUE(equal(1.0, std::uint64_t{1}));
    EXPECT_TRUE(equal(-0.0, 0));
    EXPECT_TRUE(equal(kLargest, kLargest));
    EXPECT_FALSE(equal(1, 1.5));
    EXPECT_FALSE(equal(-1, kLargest));
    EXPECT_FALSE(equal(-1.0, kLargest));
}

TEST(MetadataFilter, DoesNotRoundLargeNumbers) {
    EXPECT_TRUE(equal(std::int64_t{1} << 53, std::ldexp(1.0, 53)));
    EXPECT_FALSE(equal((std::int64_t{1} << 53) + 1, std::ldexp(1.0, 53)));
    EXPECT_FALSE(equal(std::numeric_limits<std::int64_t>::max(), std::ldexp(1.0, 63)));
    EXPECT_TRUE(equal(std::numeric_limits<std::int64_t>::min(), -std::ldexp(1.0, 63)));
    EXPECT_FALSE(equal(kLargest, std::ldexp(1.0, 64)));
    EXPECT_TRUE(equal(std::uint64_t{1} << 63, std::ldexp(1.0, 63)));
}

TEST(MetadataFilter, KeepsKindsApart) {
    EXPECT_FALSE(equal(true, 1));
    EXPECT_FALSE(equal(0, false));
    EXPECT_FALSE(equal("1", 1));
    EXPECT_FALSE(equal(nullptr, 0));
    EXPECT_FALSE(equal(nullptr, false));
    EXPECT_FALSE(equal(json::array{1}, 1));
    EXPECT_TRUE(equal(nullptr, nullptr));
    EXPECT_TRUE(equal("a", "a"));
}

TEST(MetadataFilter, NeedsEveryKeyAndIgnoresOthers) {
    EXPECT_TRUE(matches({{"a", 1}, {"b", 2}}, {}));
    EXPECT_TRUE(matches({{"a", 1}, {"b", 2}}, {{"b", 2}}));
    EXPECT_FALSE(matches({{"a", 1}}, {{"a", 1}, {"b", nullptr}}));
    EXPECT_FALSE(matches({}, {{"a", nullptr}}));
}

// ---- arguments

TEST(ArgumentChecks, SayWhichIdIsWrongAndWhatAnIdLooksLike) {
    const auto checked = check_id("thread_id", "a b");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, Code::invalid_argument);
    EXPECT_THAT(checked.error().message, HasSubstr("thread_id \"a b\""));
    EXPECT_FALSE(checked.error().hint.empty());
}

TEST(ArgumentChecks, DoNotRepeatAHugeIdInTheMessage) {
    const auto checked = check_id("thread_id", std::string(1 << 20, 'x'));
    ASSERT_FALSE(checked);
    EXPECT_LT(checked.error().message.size(), 200u);
}

// ---- prune plans

TEST(PrunePlan, KeepsTheNewestAndDetachesWhatLosesItsParent) {
    const auto plan = plan_prune(kThread, keep(2));
    EXPECT_THAT(plan.remove, ElementsAre(0, 1));
    EXPECT_THAT(plan.detach, ElementsAre(2, 3));
}

TEST(PrunePlan, LeavesWhatKeepsItsParentAsItIs) {
    const auto plan = plan_prune(std::span(kThread).first(3), keep(2));
    EXPECT_THAT(plan.remove, ElementsAre(0));
    EXPECT_THAT(plan.detach, ElementsAre(1));
}

TEST(PrunePlan, RemovesNothingThatIsYoungEnough) {
    const auto plan = plan_prune(kThread, keep(0, second(2)));
    EXPECT_THAT(plan.remove, ElementsAre(0));
    EXPECT_THAT(plan.detach, ElementsAre(1, 3));
}

TEST(PrunePlan, HasNothingToDoForASmallThread) {
    EXPECT_THAT(plan_prune(kThread, keep(4)).remove, IsEmpty());
    EXPECT_THAT(plan_prune(kThread, keep(400)).detach, IsEmpty());
    EXPECT_THAT(plan_prune({}, keep(0)).remove, IsEmpty());
}

TEST(PrunePlan, RemovesEverythingWhenNothingIsToBeKept) {
    const auto plan = plan_prune(kThread, keep(0));
    EXPECT_THAT(plan.remove, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(plan.detach, IsEmpty());
}

}  // namespace quaestor::store
