#include "resilience/budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <numeric>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class BudgetTest : public testing::Test {
protected:
    void use(int times) {
        for (int i = 0; i < times; ++i) budget_.reserve()->commit();
    }

    ManualClock clock_;
    Budget budget_{"GraphQL", {.limit = 3, .window = 60s}, clock_};
};

TEST_F(BudgetTest, AllowsAsManyUsesAsItsLimit) {
    EXPECT_EQ(budget_.left(), 3);
    use(3);
    EXPECT_EQ(budget_.left(), 0);
    EXPECT_FALSE(budget_.reserve());
}

TEST_F(BudgetTest, CountsReservationsWhileTheyAreHeld) {
    std::vector<Result<Budget::Reservation>> held;
    for (int i = 0; i < 3; ++i) held.push_back(budget_.reserve());
    EXPECT_EQ(budget_.left(), 0);
    EXPECT_FALSE(budget_.reserve());
    held.pop_back();
    EXPECT_EQ(budget_.left(), 1);
    EXPECT_TRUE(budget_.reserve());
}

TEST_F(BudgetTest, DoesNotCountACallThatFailed) {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(budget_.reserve());
    EXPECT_EQ(budget_.left(), 3);
}

TEST_F(BudgetTest, SlidesUseByUse) {
    use(1);
    clock_.advance(30s);
    use(2);
    clock_.advance(30s - 1ns);
    EXPECT_EQ(budget_.left(), 0);
    clock_.advance(1ns);
    EXPECT_EQ(budget_.left(), 1);
    clock_.advance(30s);
    EXPECT_EQ(budget_.left(), 3);
}

TEST_F(BudgetTest, CountsAUseFromItsCommitNotFromItsReservation) {
    auto slow = budget_.reserve();
    clock_.advance(50s);
    slow->commit();
    clock_.advance(59s);
    EXPECT_EQ(budget_.left(), 2);
    clock_.advance(1s);
    EXPECT_EQ(budget_.left(), 3);
}

TEST_F(BudgetTest, HoldsAReservationLongerThanTheWindow) {
    const auto held = budget_.reserve();
    clock_.advance(10min);
    EXPECT_EQ(budget_.left(), 2);
}

TEST_F(BudgetTest, SaysWhenAPlaceBecomesFree) {
    use(3);
    clock_.advance(48s);
    const auto refused = budget_.reserve();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::rate_limited);
    EXPECT_EQ(refused.error().message, "the GraphQL budget of 3 in 60 s is used up; a place becomes free in 12 s");
    EXPECT_THAT(refused.error().hint, HasSubstr("12 s"));
}

TEST_F(BudgetTest, SaysWhenItIsTakenByCallsUnderWay) {
    std::vector<Result<Budget::Reservation>> held;
    for (int i = 0; i < 3; ++i) held.push_back(budget_.reserve());
    EXPECT_THAT(budget_.reserve().error().message, HasSubstr("calls under way"));
}

TEST_F(BudgetTest, OfNothingRefusesEverything) {
    Budget nothing("closed", {.limit = 0, .window = 60s}, clock_);
    EXPECT_EQ(nothing.left(), 0);
    const auto refused = nothing.reserve();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().hint, HasSubstr("raise its limit"));
}

TEST_F(BudgetTest, CommitsAReservationOnce) {
    auto reservation = budget_.reserve();
    reservation->commit();
    reservation->commit();
    EXPECT_EQ(budget_.left(), 2);
}

TEST_F(BudgetTest, FollowsAReservationThatIsMoved) {
    auto reservation = budget_.reserve();
    {
        Budget::Reservation moved = std::move(*reservation);
        EXPECT_EQ(budget_.left(), 2);
    }
    EXPECT_EQ(budget_.left(), 3);
    reservation->commit();
    EXPECT_EQ(budget_.left(), 3) << "the moved-from reservation holds nothing";
}

TEST_F(BudgetTest, IsNeverOverdrawnByThreadsInAnyWindow) {
    constexpr int kLimit = 20;
    constexpr std::size_t kStepsInWindow = 4;
    Budget budget("shared", {.limit = kLimit, .window = 60s}, clock_);
    std::deque<int> window;  // commits of the last steps
    for (int step = 0; step < 40; ++step) {
        std::atomic<int> commits = 0;
        const auto hammer = [&] {
            for (int i = 0; i < 30; ++i) {
                auto place = budget.reserve();
                if (!place || i % 3 != 0) continue;
                place->commit();
                ++commits;
            }
        };
        {
            std::vector<std::jthread> threads;
            for (int thread = 0; thread < 4; ++thread) threads.emplace_back(hammer);
        }
        window.push_back(commits);
        if (window.size() > kStepsInWindow) window.pop_front();
        const int used = std::accumulate(window.begin(), window.end(), 0);
        EXPECT_LE(used, kLimit);
        EXPECT_EQ(budget.left(), kLimit - used);
        clock_.advance(15s);
    }
}

}  // namespace
}  // namespace quaestor
