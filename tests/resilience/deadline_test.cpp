#include "resilience/deadline.hpp"

#include "resilience/duration_text.hpp"

#include <gtest/gtest.h>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, IsNotSetByDefaultAndNeverExpires) {
    ManualClock clock;
    const Deadline none;
    clock.advance(24h * 365);
    EXPECT_FALSE(none.is_set());
    EXPECT_FALSE(none.expired(clock));
    EXPECT_EQ(none.left(clock), Duration::max());
}

TEST(Deadline, ExpiresAtItsMomentAndNotBefore) {
    ManualClock clock;
    const Deadline deadline = Deadline::after(clock, 5s);
    EXPECT_EQ(deadline.left(clock), 5s);
    clock.advance(5s - 1ns);
    EXPECT_FALSE(deadline.expired(clock));
    clock.advance(1ns);
    EXPECT_TRUE(deadline.expired(clock));
}

TEST(Deadline, HasNoNegativeTimeLeft) {
    ManualClock clock;
    const Deadline deadline = Deadline::after(clock, 5s);
    clock.advance(1min);
    EXPECT_EQ(deadline.left(clock), 0s);
}

TEST(Deadline, OnlyGetsEarlier) {
    ManualClock clock;
    const Deadline soon = Deadline::after(clock, 1s);
    const Deadline late = Deadline::after(clock, 1min);
    EXPECT_EQ(earlier(soon, late), soon);
    EXPECT_EQ(earlier(late, soon), soon);
    EXPECT_EQ(earlier(Deadline(), soon), soon);
    EXPECT_EQ(earlier(Deadline(), Deadline()), Deadline());
}

TEST(Deadline, BeyondTheClockIsNoDeadline) {
    ManualClock clock;
    EXPECT_FALSE(Deadline::after(clock, Duration::max()).is_set());
    EXPECT_FALSE(Deadline::after(clock, Deadline().left(clock)).is_set());
}

TEST(DurationText, RoundsUpToAUnitThatPeopleUse) {
    EXPECT_EQ(detail::in_words(0ns), "0 ms");
    EXPECT_EQ(detail::in_words(1ns), "1 ms");
    EXPECT_EQ(detail::in_words(250ms), "250 ms");
    EXPECT_EQ(detail::in_words(1001ms), "2 s");
    EXPECT_EQ(detail::in_words(60s), "60 s");
    EXPECT_EQ(detail::in_words(121s), "3 min");
}

}  // namespace
}  // namespace quaestor
