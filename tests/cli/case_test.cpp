#include "case_runner.hpp"
#include "pattern.hpp"
#include "program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace quaestor::cli {

namespace {

using testing::ElementsAre;

class CliCase : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(CliCase, GoesAsWritten) {
    if (std::getenv("QUAESTOR_REWRITE_CASES") != nullptr) rewrite_case(GetParam());
    const auto difference = play_case(GetParam());
    EXPECT_TRUE(difference.empty()) << difference;
}

INSTANTIATE_TEST_SUITE_P(Cases, CliCase,
                         testing::ValuesIn(find_cases(std::filesystem::path(QUAESTOR_TEST_DIR) / "cases")),
                         [](const auto& info) {
                             auto name = info.param.stem().string();
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

bool fits(std::string_view pattern, std::string_view line) {
    Names names;
    return matches(pattern, line, names);
}

// A case that cannot fail proves nothing: these hold the comparison itself to account.

TEST(Pattern, WithoutWildcardsIsTheLineItself) {
    EXPECT_TRUE(fits("a < b > c", "a < b > c"));
    EXPECT_FALSE(fits("abc", "abcd"));
    EXPECT_FALSE(fits("abcd", "abc"));
    EXPECT_FALSE(fits("", "a"));
}

TEST(Pattern, TakesWhatItsWildcardsStandForAndNothingElse) {
    EXPECT_TRUE(fits("run <id> ended", "run 01M7EPN7VMDDWS4RAJB7PA4HHZ ended"));
    EXPECT_FALSE(fits("run <id> ended", "run 01M7EPN7VMDDWS4RAJB7PA4HH ended"));
    EXPECT_TRUE(fits("at <time>", "at 2026-11-15T04:15:14.804Z"));
    EXPECT_FALSE(fits("at <time>", "at 2026-11-15 04:15:14"));
    EXPECT_TRUE(fits("took <number> ms", "took    12.5 ms"));
    EXPECT_FALSE(fits("took <number> ms", "took long ms"));
    EXPECT_TRUE(fits("<any>: no<any>", "quaestor: not found"));
    EXPECT_FALSE(fits("<any>: no<any>", "quaestor: found"));
}

TEST(Pattern, RemembersIdsByName) {
    Names names;
    ASSERT_TRUE(matches("<id:first> and more", "01M7EPN7VMDDWS4RAJB7PA4HHZ and more", names));
    EXPECT_EQ(fill_in("show <first>, not <second>", names), "show 01M7EPN7VMDDWS4RAJB7PA4HHZ, not <second>");
}

TEST(Pattern, ThreeDotsStandForAnyNumberOfLines) {
    Names names;
    const std::vector<std::string> patterns{"first", "...", "last"};
    EXPECT_TRUE(matches(patterns, std::vector<std::string>{"first", "last"}, names));
    EXPECT_TRUE(matches(patterns, std::vector<std::string>{"first", "a", "b", "last"}, names));
    EXPECT_FALSE(matches(patterns, std::vector<std::string>{"first", "a"}, names));
    EXPECT_FALSE(matches(patterns, std::vector<std::string>{"first", "last", "more"}, names));
}

TEST(Pattern, IsMadeOfALineByHidingWhatChanges) {
    EXPECT_EQ(generalise("01M7EPN7VMDDWS4RAJB7PA4HHZ  2026-11-15T04:15:14.804Z  ✓ plan      0.0 ms, 4 workers"),
              "<id>  <time>  ✓ plan <number> ms, 4 workers");
}

TEST(SplitWords, KeepsQuotedWordsTogether) {
    EXPECT_THAT(split_words(R"(quaestor  --set '{"a": 1}' "b c"d '')"),
                ElementsAre("quaestor", "--set", R"({"a": 1})", "b cd", ""));
}

}  // namespace

}  // namespace quaestor::cli
