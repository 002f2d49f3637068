#include "native/lockstep_crew.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace quaestor::native {
namespace {

TEST(LockstepCrew, DoesEachItemOfEachLoopOnce) {
    for (const std::size_t threads : {1U, 2U, 5U}) {
        LockstepCrew crew(threads);
        for (std::size_t round = 0; round < 300; ++round) {
            std::vector<int> done(round % 7);
            crew.each(done.size(), [&](std::size_t at) { ++done[at]; });
            ASSERT_THAT(done, testing::Each(1)) << threads << " threads, round " << round;
        }
    }
}

TEST(LockstepCrew, ALoopSeesWhatTheLoopBeforeWrote) {
    LockstepCrew crew(3);
    std::vector<int> values(64, 0);
    for (int round = 0; round < 200; ++round) {
        crew.each(values.size(), [&](std::size_t at) { values[at] += 1; });
        std::vector<int> copies(values.size());
        crew.each(values.size(), [&](std::size_t at) { copies[at] = values[values.size() - 1 - at]; });
        ASSERT_THAT(copies, testing::Each(round + 1));
    }
}

TEST(LockstepCrew, GoesAwayWithoutEverHavingWorked) {
    const LockstepCrew crew(4);
}

}  // namespace
}  // namespace quaestor::native
