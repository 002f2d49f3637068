#include "cli/sql_view.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

using data::Problem;
using data::ResultColumn;
using data::ResultSet;
using data::ValueKind;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kSqlWidth = 100;

TEST(PointAt, MarksThePlaceBelowItsLine) {
    EXPECT_EQ(point_at("SELECT * FROM ordres", 14, kSqlWidth),
              "SELECT * FROM ordres\n"
              "              ^");
}

TEST(PointAt, ShowsOnlyTheLineThatIsMeantWithItsNumber) {
    EXPECT_EQ(point_at("SELECT a\nFROM b\nWHERE c", 14, kSqlWidth),
              "line 2: FROM b\n"
              "             ^");
    EXPECT_EQ(point_at("SELECT a\nFROM b", 9, kSqlWidth),
              "line 2: FROM b\n"
              "        ^");
}

TEST(PointAt, CountsColumnsOfTheTerminalNotBytes) {
    EXPECT_EQ(point_at("SELECT 'Zürich 東京', x", 24, kSqlWidth),
              "SELECT 'Zürich 東京', x\n"
              "                     ^");
    EXPECT_EQ(point_at("SELECT\tx", 7, kSqlWidth),
              "SELECT␉x\n"
              "       ^");
}

TEST(PointAt, StandsBehindTheEndWhereSomethingIsMissing) {
    EXPECT_EQ(point_at("SELECT", 6, kSqlWidth), "SELECT\n      ^");
    EXPECT_EQ(point_at("SELECT", 600, kSqlWidth), "SELECT\n      ^");
    EXPECT_EQ(point_at("", 0, kSqlWidth), "\n^");
}

TEST(PointAt, CutsALongLineOnBothSides) {
    const std::string sql = std::string(5'000, 'a') + "HERE" + std::string(5'000, 'b');
    const std::string shown = point_at(sql, 5'000, 40);
    EXPECT_EQ(shown, "…" + std::string(19, 'a') + "HERE" + std::string(15, 'b') + "…\n" + std::string(20, ' ') + "^");
    for (std::size_t width = 1; width < 60; ++width) {
        const auto line = point_at(sql, 5'000, width);
        EXPECT_LE(text::display_width(line.substr(0, line.find('\n'))), width);
    }
}

TEST(PointAt, NeverSendsControlCharacters) {
    EXPECT_EQ(point_at("SELECT '\x1b[2J' x", 7, kSqlWidth), "SELECT '␛[2J' x\n       ^");
}

TEST(DescribeVerdict, TellsWhatAnAcceptedStatementUses) {
    data::Verdict verdict;
    verdict.ok = true;
    verdict.tables = {"main.a", "b"};
    verdict.functions = {"count"};
    EXPECT_EQ(describe(verdict, "SELECT 1", kSqlWidth),
              "ok\n"
              "  reads    main.a, b\n"
              "  calls    count\n");
}

TEST(DescribeVerdict, TellsEveryObjectionWithItsPlaceAndWhatToDo) {
    data::Verdict verdict;
    verdict.errors = {{.code = Problem::Code::unknown_table,
                       .message = "there is no table \"ordres\"",
                       .at = 14,
                       .suggestion = "did you mean \"orders\"?"},
                      {.code = Problem::Code::too_deep, .message = "it is too deep", .at = {}, .suggestion = ""}};
    verdict.warnings = {{.code = Problem::Code::select_star, .message = "a star", .at = 7, .suggestion = ""}};
    EXPECT_EQ(describe(verdict, "SELECT * FROM ordres", kSqlWidth),
              "refused\n"
              "error: there is no table \"ordres\"\n"
              "    SELECT * FROM ordres\n"
              "                  ^\n"
              "    did you mean \"orders\"?\n"
              "error: it is too deep\n"
              "warning: a star\n"
              "    SELECT * FROM ordres\n"
              "           ^\n");
}

ResultColumn column(std::string name, ValueKind kind, const std::vector<const char*>& cells) {
    ResultColumn column(std::move(name), kind, "");
    for (const char* cell : cells) {
        if (cell == nullptr) {
            column.add_null();
        } else {
            column.add_text(cell);
        }
    }
    return column;
}

ResultSet result_of(std::vector<ResultColumn> columns) {
    ResultSet result;
    result.row_count = columns.front().size();
    result.columns = std::move(columns);
    return result;
}

TEST(DrawResult, AlignsNumbersToTheRightAndShowsNulls) {
    const auto result = result_of({column("amount", ValueKind::decimal, {"1.50", nullptr, "100.00"}),
                                   column("who", ValueKind::text, {"Ada", "", nullptr})});
    EXPECT_EQ(draw(result, kSqlWidth),
              "amount  who\n"
              "──────  ────\n"
              "  1.50  Ada\n"
              "  NULL\n"
              "100.00  NULL\n");
}

TEST(DrawResult, WithoutRowsIsItsHead) {
    EXPECT_EQ(draw(result_of({column("a", ValueKind::text, {})}), kSqlWidth), "a\n─\n");
}

TEST(DrawResult, NeverSendsControlCharacters) {
    const auto result = result_of({column("a\x07", ValueKind::text,
                                          {"\x1b]0;owned\x07", "two\nlines",
                                           "\xc2\x9b"
                                           "31m"})});
    EXPECT_EQ(draw(result, kSqlWidth),
              "a␇\n"
              "──────────\n"
              "␛]0;owned␇\n"
              "two␊lines\n"
              "\uFFFD31m\n");
}

TEST(DrawResult, BecomesBlocksWhereColumnsWouldBeTooNarrow) {
    std::vector<ResultColumn> columns;
    for (const char* name : {"first", "second", "third", "fourth"}) {
        columns.push_back(column(name, ValueKind::text, {"a value that takes some room", nullptr}));
    }
    const auto result = result_of(std::move(columns));
    EXPECT_THAT(draw(result, 54), StartsWith("first         second        third         fourth\n"));
    EXPECT_EQ(draw(result, 30),
              "── row 1 ─────────────────────\n"
              "first   a value that takes so…\n"
              "second  a value that takes so…\n"
              "third   a value that takes so…\n"
              "fourth  a value that takes so…\n"
              "── row 2 ─────────────────────\n"
              "first   NULL\n"
              "second  NULL\n"
              "third   NULL\n"
              "fourth  NULL\n");
}

TEST(DrawResult, LooksAtTheBeginningOfAHugeCellOnly) {
    const std::string huge(10'000'000, 'x');
    const auto result = result_of({column("a", ValueKind::text, {huge.c_str()})});
    EXPECT_EQ(draw(result, 20), "a\n" + std::string("────────────────────\n") + std::string(19, 'x') + "…\n");
}

TEST(ToCsv, QuotesWhatNeedsIt) {
    const auto result = result_of({column("plain", ValueKind::text, {"a", "say \"hi\"", "two\nlines", " spaces "}),
                                   column("with, comma", ValueKind::integer, {"1", nullptr, "3", "4"}),
                                   column("", ValueKind::text, {"", "b", "c\r", "d"})});
    EXPECT_EQ(to_csv(result),
              "plain,\"with, comma\",\"\"\n"
              "a,1,\"\"\n"
              "\"say \"\"hi\"\"\",,b\n"
              "\"two\nlines\",3,\"c\r\"\n"
              "\" spaces \",4,d\n");
}

TEST(Summary, CountsRowsAndTime) {
    auto result = result_of({column("a", ValueKind::text, {"x"})});
    result.execution_time = std::chrono::microseconds(400);
    EXPECT_EQ(summary(result, 10), "1 row, 0.4 ms");
    result.execution_time = std::chrono::milliseconds(1'234);
    EXPECT_EQ(summary(result, 10), "1 row, 1234 ms");
    result.execution_time = std::chrono::seconds(61);
    result.row_count = 12'000;
    EXPECT_EQ(summary(result, 20'000), "12,000 rows, 61.0 s");
}

TEST(Summary, SaysWhyThereAreNotAllRows) {
    auto result = result_of({column("a", ValueKind::text, {"x"})});
    result.truncated = true;
    EXPECT_EQ(summary(result, 1),
              "first 1 row (there are more; ask for an aggregate, or for more with --limit), 0.0 ms");
    EXPECT_THAT(summary(result, 10), HasSubstr("more memory than data.memory_limit_mb allows"));
}

}  // namespace

}  // namespace quaestor::cli
