#include "case_runner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace quaestor::graph {

namespace {

using testing::HasSubstr;

class GraphCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GraphCase, GoesAsWritten) {
    if (std::getenv("QUAESTOR_REWRITE_CASES") != nullptr) rewrite_case(GetParam());
    const auto difference = play_case(GetParam());
    EXPECT_TRUE(difference.empty()) << difference;
}

INSTANTIATE_TEST_SUITE_P(Cases, GraphCase,
                         testing::ValuesIn(find_cases(std::filesystem::path(QUAESTOR_TEST_DIR) / "cases")),
                         [](const auto& info) {
                             auto name = info.param.stem().string();
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

/// What playing a file with this text says. Its name is this process's own, for others play theirs at the same time.
std::string play_text(std::string_view text) {
    const auto file = std::filesystem::path(testing::TempDir()) / fmt::format("quaestor-{}-sample.case", getpid());
    std::ofstream(file) << text;
    auto said = play_case(file);
    std::filesystem::remove(file);
    return said;
}

TEST(CaseRunner, ShowsWhatDiffersAndWhere) {
    const auto said =
        play_text("node a\nedge START -> a -> END\na: log one\n\n> run\n  run_start\n  checkpoint loop\n");
    EXPECT_THAT(said, HasSubstr("-sample.case:5: > run\n"));
    EXPECT_THAT(said, HasSubstr("      run_start\n    - checkpoint loop\n    + checkpoint input\n"));
    EXPECT_THAT(said, HasSubstr("    + = finished\n"));
}

TEST(CaseRunner, SaysWhatItDoesNotUnderstand) {
    EXPECT_THAT(play_text("nod a\n"), HasSubstr("line 1 is not understood: nod a"));
    EXPECT_THAT(play_text("node a\nedge START -> a -> END\n"), HasSubstr("has no command"));
    EXPECT_THAT(play_text("node a\nedge START -> a -> END\n\n> walk\n"), HasSubstr("no such command: walk"));
    EXPECT_THAT(play_text("node a\n\n> run\n"), HasSubstr("nothing leads from START"));
    EXPECT_THAT(play_text("node a\nedge START -> a -> END\na: jump high\n\n> run\n"),
                HasSubstr("no such action: jump"));
}

}  // namespace

}  // namespace quaestor::graph
