#include "cli/terminal.hpp"

#include "base/text.hpp"

#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

namespace quaestor::cli {

namespace {

constexpr std::size_t kWide = 100;

/// The width of the widest line.
std::size_t width_of(const std::string& drawn) {
    std::size_t widest = 0;
    std::istringstream lines(drawn);
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, text::display_width(line));
    return widest;
}

TEST(Table, HasTitlesARuleAndOneLineForEachRow) {
    const Table table{.columns = {{"name"}, {"place"}}, .rows = {{"Ada", "London"}, {"Emmy", "Erlangen"}}};
    EXPECT_EQ(draw(table, kWide),
              "name  place\n"
              "────  ────────\n"
              "Ada   London\n"
              "Emmy  Erlangen\n");
}

TEST(Table, AlignsNumbersToTheRight) {
    const Table table{.columns = {{"n", true}, {"what"}}, .rows = {{"1", "one"}, {"1000", "many"}}};
    EXPECT_EQ(draw(table, kWide),
              "   n  what\n"
              "────  ────\n"
              "   1  one\n"
              "1000  many\n");
}

TEST(Table, WithoutRowsIsItsHead) {
    EXPECT_EQ(draw({.columns = {{"a"}, {"bc"}}, .rows = {}}, kWide), "a  bc\n─  ──\n");
}

TEST(Table, WithoutColumnsIsEmptyLines) {
    EXPECT_EQ(draw({.columns = {}, .rows = {{}}}, kWide), "\n\n\n");
}

TEST(Table, HasNoSpacesAtTheEndOfALine) {
    EXPECT_EQ(draw({.columns = {{"a"}, {"b"}}, .rows = {{"long", ""}, {"", ""}}}, kWide), "a     b\n────  ─\nlong\n\n");
}

TEST(Table, CountsWideCharactersAsTheTerminalDoes) {
    const Table table{.columns = {{"city"}, {"x"}}, .rows = {{"東京", "1"}, {"Zürich", "2"}, {"Zu\u0308rich", "3"}}};
    EXPECT_EQ(draw(table, kWide),
              "city    x\n"
              "──────  ─\n"
              "東京    1\n"
              "Zürich  2\n"
              "Zu\u0308rich  3\n");
}

TEST(Table, ShortensTheWidestColumnFirst) {
    const Table table{.columns = {{"id"}, {"text"}}, .rows = {{"0123456789", std::string(50, 'x')}}};
    EXPECT_EQ(draw(table, 32),
              "id          text\n"
              "──────────  ────────────────────\n"
              "0123456789  xxxxxxxxxxxxxxxxxxx…\n");
}

TEST(Table, IsNeverWiderThanAsked) {
    const Table table{.columns = {{"a"}, {"b", true}, {"c"}},
                      .rows = {{std::string(40, 'a'), std::string(30, 'b'), "東京東京東京東京東京東京東京東京"}}};
    for (std::size_t width = 22; width <= 110; ++width) EXPECT_LE(width_of(draw(table, width)), width);
}

TEST(Table, KeepsSomethingOfEachColumnWhereThereIsNoRoom) {
    const Table table{.columns = {{"first"}, {"second"}}, .rows = {{"abcdefghij", "klmnopqrst"}}};
    EXPECT_EQ(draw(table, 1), "first   second\n──────  ──────\nabcde…  klmno…\n");
}

TEST(ExitCode, IsDecidedForEveryKindOfError) {
    const std::map<Code, int> expected{
        {Code::invalid_argument, 2},  {Code::not_found, 2},      {Code::already_exists, 2}, {Code::conflict, 2},
        {Code::permission_denied, 2}, {Code::limit_exceeded, 1}, {Code::rate_limited, 3},   {Code::unavailable, 3},
        {Code::timeout, 3},           {Code::cancelled, 130},    {Code::corrupt, 3},        {Code::unsupported, 2},
        {Code::internal, 3},
    };
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Code>>([&](auto code) {
        ASSERT_TRUE(expected.contains(code.value)) << code.name;
        EXPECT_EQ(static_cast<int>(exit_code_for({code.value, "it failed"})), expected.at(code.value)) << code.name;
    });
}

TEST(Styled, AddsNothingWhereOutputIsNoTerminal) {
    setenv("NO_COLOR", "1", 1);
    for (const auto style : {Style::plain, Style::bold, Style::dim, Style::green, Style::yellow, Style::red}) {
        EXPECT_EQ(styled("text", style), "text");
    }
}

TEST(PrintError, IsOneLineWithAdviceAndWithoutPasswords) {
    testing::internal::CaptureStderr();
    print_error(Error{Code::unavailable, "could not open\nthe store", ""}.because(
        {Code::unavailable, "no answer from postgres://me:geheim@host/db", "start the server"}));
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "quaestor: could not open the store: no answer from postgres://me:***@host/db — start the server\n");
}

}  // namespace

}  // namespace quaestor::cli
