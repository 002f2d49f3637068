#include "cli/terminal.hpp"

#include "base/text.hpp"

#include <boost/describe/enumerators.hpp>
#include <boost/mp11/algorithm.hpp>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <sstream>

namespace quaestor::cli {

namespace {

constexpr std::size_t kTerminalWidth = 100;

/// The width of the widest line.
std::size_t width_of(const std::string& drawn) {
    std::size_t widest = 0;
    std::istringstream lines(drawn);
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, text::display_width(line));
    return widest;
}

TEST(Table, HasTitlesARuleAndOneLineForEachRow) {
    const Table table{.columns = {{"name"}, {"place"}}, .rows = {{"Ada", "London"}, {"Emmy", "Erlangen"}}};
    EXPECT_EQ(draw(table, kTerminalWidth),
              "name  place\n"
              "────  ────────\n"
              "Ada   London\n"
              "Emmy  Erlangen\n");
}

TEST(Table, AlignsNumbersToTheRight) {
    const Table table{.columns = {{"n", true}, {"what"}}, .rows = {{"1", "one"}, {"1000", "many"}}};
    EXPECT_EQ(draw(table, kTerminalWidth),
              "   n  what\n"
              "────  ────\n"
              "   1  one\n"
              "1000  many\n");
}

TEST(Table, WithoutRowsIsItsHead) {
    EXPECT_EQ(draw({.columns = {{"a"}, {"bc"}}, .rows = {}}, kTerminalWidth), "a  bc\n─  ──\n");
}

TEST(Table, WithoutColumnsIsEmptyLines) {
    EXPECT_EQ(draw({.columns = {}, .rows = {{}}}, kTerminalWidth), "\n\n\n");
}

TEST(Table, HasNoSpacesAtTheEndOfALine) {
    EXPECT_EQ(draw({.columns = {{"a"}, {"b"}}, .rows = {{"long", ""}, {"", ""}}}, kTerminalWidth),
              "a     b\n────  ─\nlong\n\n");
}

TEST(Table, CountsWideCharactersAsTheTerminalDoes) {
    const Table table{.columns = {{"city"}, {"x"}}, .rows = {{"東京", "1"}, {"Zürich", "2"}, {"Zu\u0308rich", "3"}}};
    EXPECT_EQ(draw(table, kTerminalWidth),
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

TEST(Table, MakesControlCharactersVisible) {
    EXPECT_EQ(draw({.columns = {{"a\tb"}}, .rows = {{"\x1b[31mred\n"}}}, kTerminalWidth),
              "a␉b\n─────────\n␛[31mred␊\n");
}

TEST(Table, MayWrapAtSpacesInsteadOfCutting) {
    const Table table{
        .columns = {{"n", true}, {"what"}},
        .rows = {{"1", "a few short words here"}, {"2", "averyveryverylongwordindeed and more"}, {"3", ""}},
        .wraps = true};
    EXPECT_EQ(draw(table, 27),
              "n  what\n"
              "─  ────────────────────────\n"
              "1  a few short words here\n"
              "2  averyveryverylongwordin…\n"
              "   and more\n"
              "3\n");
}

TEST(Table, ThatWrapsCutsNoWordWhileAnotherColumnCanGiveWay) {
    const Table table{.columns = {{"name"}, {"what"}},
                      .rows = {{"a_long_identifier", "words that may as well stand below each other"}},
                      .wraps = true};
    EXPECT_EQ(draw(table, 34),
              "name               what\n"
              "─────────────────  ───────────────\n"
              "a_long_identifier  words that may\n"
              "                   as well stand\n"
              "                   below each\n"
              "                   other\n");
}

TEST(TableToFit, IsATableWhileItsColumnsCanBeRead) {
    const Table table{.columns = {{"id", true}, {"text"}}, .rows = {{"1", std::string(50, 'x')}}};
    EXPECT_EQ(draw_to_fit(table, 20, "row"), draw(table, 20));
    EXPECT_EQ(draw_to_fit(table, 15, "row"), "── row 1 ──────\nid    1\ntext  xxxxxxxx…\n");
}

TEST(TableToFit, TakesAnyNumberOfColumns) {
    Table table;
    table.rows.emplace_back();
    for (int i = 0; i < 5'000; ++i) {
        table.columns.push_back({"column " + std::to_string(i)});
        table.rows.front().emplace_back(std::string(100, 'x'));
    }
    const std::string drawn = draw_to_fit(table, 80, "row");
    EXPECT_EQ(std::ranges::count(drawn, '\n'), 5'001);
    EXPECT_LE(width_of(drawn), 80U);
}

TEST(TableToFit, WithoutRowsIsAlwaysAHead) {
    const Table table{.columns = {{"a long title"}, {"another long title"}}, .rows = {}};
    EXPECT_EQ(draw_to_fit(table, 10, "row"), draw(table, 10));
}

TEST(TableToFit, GivesLongNamesHalfTheRoom) {
    const Table table{.columns = {{std::string(40, 'n')}, {std::string(40, 'b')}}, .rows = {{"1", "2"}}};
    EXPECT_EQ(draw_to_fit(table, 20, "row"), "── row 1 ───────────\nnnnnnnnnn…  1\nbbbbbbbbb…  2\n");
}

TEST(Visible, LeavesTextAsItIs) {
    for (const char* text : {"", "plain ~ text", "Zürich 東京", "👩‍🔬 and 🇫🇷", "e\u0301"})
        EXPECT_EQ(visible(text), text);
}

TEST(Visible, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(visible("\x1b[2J"), "␛[2J");
    EXPECT_EQ(visible("a\r\nb\tc\b"), "a␍␊b␉c␈");
    EXPECT_EQ(visible(std::string_view("\0\x7f", 2)), "␀␡");
    EXPECT_EQ(visible("\u009b31m"), "\uFFFD31m");
    EXPECT_EQ(visible("one\u2028two"), "one␤two");
    EXPECT_EQ(visible("abc\u202Etxt.exe\u2066"), "abc\uFFFDtxt.exe\uFFFD");
    EXPECT_EQ(visible("Latin \xe9 cut \xf0\x9f"), "Latin \uFFFD cut \uFFFD");
}

TEST(Grouped, PutsACommaEveryThreeDigits) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1'000), "1,000");
    EXPECT_EQ(grouped(1'234'567), "1,234,567");
    EXPECT_EQ(grouped(-999), "-999");
    EXPECT_EQ(grouped(-123'456), "-123,456");
    EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Counted, KnowsOneFromMany) {
    EXPECT_EQ(counted(0, "row"), "0 rows");
    EXPECT_EQ(counted(1, "row"), "1 row");
    EXPECT_EQ(counted(2'000, "row"), "2,000 rows");
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

TEST(PrintError, NeverSendsControlCharacters) {
    testing::internal::CaptureStderr();
    print_error({Code::not_found, "there is no file \x1b[2J.duckdb", ""});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "quaestor: there is no file ␛[2J.duckdb\n");
}

}  // namespace

}  // namespace quaestor::cli
