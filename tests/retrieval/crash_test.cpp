#include "kit.hpp"
#include "retrieval/files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace quaestor::retrieval {
namespace {

constexpr int kDied = 77;

int steps_left = 0;

/// The power goes before this step reaches the disk.
void die_in_time(const char*) {
    if (steps_left-- == 0) _exit(kDied);
}

/// Ingests in a child that dies before its n-th step on the disk; true when it got to the end.
bool ingest_until(const CorpusFolder& folder, int step) {
    const pid_t child = fork();
    if (child == 0) {
        steps_left = step;
        set_disk_step_hook_for_test(die_in_time);
        _exit(folder.ingest().has_value() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kDied) << WEXITSTATUS(status);
    return WEXITSTATUS(status) == 0;
}

/// Wherever it died, the corpus is as it was before or as it is after, and the next ingest completes it.
TEST(Crash, LeavesTheCorpusAsItWasOrAsItShallBe) {
    for (int step = 0;; ++step) {
        CorpusFolder folder;
        folder.write("a.txt", "First words about apples.");
        folder.write("b.txt", "Second words about pears.");
        ASSERT_TRUE(folder.ingest().has_value());
        folder.erase("a.txt");
        folder.write("b.txt", "Other words about plums.");
        folder.write("c.txt", "Third words about cherries.");
        const bool is_done = ingest_until(folder, step);
        const auto corpus = folder.open();
        const auto documents = corpus->documents();
        ASSERT_EQ(documents.size(), 2U) << step;
        const bool is_old = documents[0].name == "a.txt";
        const std::string second = corpus->text_of("b.txt").value();
        if (is_old) {
            EXPECT_EQ(second, "Second words about pears.") << step;
            EXPECT_FALSE(is_done);
        } else if (documents[1].name == "c.txt") {
            EXPECT_EQ(second, "Other words about plums.") << step;
        }
        ASSERT_TRUE(folder.ingest().has_value()) << step;
        EXPECT_EQ(folder.open()->documents().size(), 2U);
        EXPECT_EQ(folder.found("plums").front(), "b.txt");
        if (is_done) {
            EXPECT_GT(step, 5) << "the hook was not reached";
            break;
        }
    }
}

TEST(Crash, InTheFirstIngestLeavesNoCorpusOrAWholeOne) {
    for (int step = 0;; ++step) {
        CorpusFolder folder;
        folder.write("a.txt", "First words about apples.");
        const bool is_done = ingest_until(folder, step);
        const auto corpus = Corpus::open(folder.corpus());
        if (!corpus) EXPECT_EQ(corpus.error().code, Code::not_found) << step;
        ASSERT_TRUE(folder.ingest().has_value()) << step;
        EXPECT_EQ(folder.found("apples").front(), "a.txt");
        if (is_done) break;
    }
}

}  // namespace
}  // namespace quaestor::retrieval
