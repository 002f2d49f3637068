#include "cli/progress.hpp"

#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace quaestor::cli {

namespace {

constexpr std::size_t kBarWidth = 100;

TEST(ProgressLine, ShowsWhatAndHowMuch) {
    EXPECT_EQ(progress_line("sales.csv", 0, kBarWidth), "░░░░░░░░░░░░░░░░░░░░░░░░   0 %  sales.csv");
    EXPECT_EQ(progress_line("sales.csv", 0.5, kBarWidth), "████████████░░░░░░░░░░░░  50 %  sales.csv");
    EXPECT_EQ(progress_line("sales.csv", 1, kBarWidth), "████████████████████████ 100 %  sales.csv");
}

TEST(ProgressLine, IsNotFullBeforeTheEnd) {
    EXPECT_EQ(progress_line("", 0.999, kBarWidth), "███████████████████████░  99 %  ");
}

TEST(ProgressLine, TakesWhatIsNoPartForTheNearestThatIs) {
    EXPECT_EQ(progress_line("a", -1, kBarWidth), progress_line("a", 0, kBarWidth));
    EXPECT_EQ(progress_line("a", 7, kBarWidth), progress_line("a", 1, kBarWidth));
    EXPECT_EQ(progress_line("a", std::numeric_limits<double>::quiet_NaN(), kBarWidth),
              progress_line("a", 0, kBarWidth));
}

TEST(ProgressLine, FitsItsLineWhateverAFileIsCalled) {
    for (std::size_t width = 1; width < kBarWidth; ++width) {
        EXPECT_LE(text::display_width(progress_line(std::string(200, 'x'), 0.5, width)), width);
    }
    EXPECT_EQ(progress_line("a\x1b[2Jb\nc", 0, kBarWidth), "░░░░░░░░░░░░░░░░░░░░░░░░   0 %  a␛[2Jb␊c");
}

TEST(ProgressBar, IsSilentWhereNobodyWatches) {
    testing::internal::CaptureStderr();
    {
        ProgressBar progress(/*quiet=*/false);
        EXPECT_FALSE(progress.is_shown());
        progress.show("sales.csv", 0.5);
        progress.clear();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace

}  // namespace quaestor::cli
