#include "case_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace quaestor::graph {

namespace {

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

}  // namespace

}  // namespace quaestor::graph
