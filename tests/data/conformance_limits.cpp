// Results are cut off at their bounds, exactly, and say so.

#include "data/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::data {

namespace {

constexpr std::size_t kRows = 100;
constexpr std::size_t kLongText = 10'000;

/// kRows texts of kLongText bytes each.
std::string long_texts() {
    std::string sql = "CREATE TABLE notes (id INTEGER PRIMARY KEY, body VARCHAR(20000));";
    for (std::size_t i = 1; i <= kRows; ++i) {
        sql += fmt::format("INSERT INTO notes VALUES ({}, '{}');", i, std::string(kLongText, 'x'));
    }
    return sql;
}

/// The numbers from 1 to `count`, put together from their digits: a recursion takes a millisecond a row.
std::string numbers(std::size_t count) {
    std::string number = "1";
    std::string tables;
    for (std::size_t power = 1; power < count || tables.empty(); power *= 10) {
        number += fmt::format(" + {0} * d{0}.x", power);
        tables += fmt::format("{}digits d{}", tables.empty() ? "" : ", ", power);
    }
    return fmt::format(
        "WITH digits(x) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)), "
        "numbers(i) AS (SELECT {} FROM {}) SELECT i FROM numbers WHERE i <= {} ORDER BY i",
        number, tables, count);
}

}  // namespace

TEST_P(EngineConformance, DoesNotCutOffOneRowLessThanTheLimit) {
    open_shop();
    const auto result = run(numbers(kRows - 1), {.rows = kRows});
    EXPECT_EQ(result.row_count, kRows - 1);
    EXPECT_FALSE(result.truncated);
}

TEST_P(EngineConformance, DoesNotCutOffAsManyRowsAsTheLimit) {
    open_shop();
    const auto result = run(numbers(kRows), {.rows = kRows});
    EXPECT_EQ(result.row_count, kRows);
    EXPECT_FALSE(result.truncated);
}

TEST_P(EngineConformance, CutsOffOneRowMoreThanTheLimit) {
    open_shop();
    const auto result = run(numbers(kRows + 1), {.rows = kRows});
    ASSERT_EQ(result.row_count, kRows);
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.columns[0].size(), kRows);
    EXPECT_EQ(result.columns[0].text(kRows - 1), "100");
}

TEST_P(EngineConformance, CutsOffManyMoreRowsThanTheLimit) {
    open_shop();
    const auto result = run(numbers(50'000), {.rows = 3});
    EXPECT_EQ(result.row_count, 3U);
    EXPECT_TRUE(result.truncated);
}

TEST_P(EngineConformance, GivesNoRowsWhenNoneAreAllowed) {
    open_shop();
    const auto result = run(numbers(5), {.rows = 0});
    EXPECT_EQ(result.row_count, 0U);
    EXPECT_TRUE(result.truncated);
    EXPECT_EQ(result.columns.size(), 1U);
}

TEST_P(EngineConformance, CutsOffAtTheByteLimit) {
    open(long_texts());
    constexpr std::size_t kBytes = 10 * kLongText;
    const auto result = run("SELECT id, body FROM notes ORDER BY id", {.bytes = kBytes});
    EXPECT_TRUE(result.truncated);
    EXPECT_GT(result.row_count, 0U);
    EXPECT_LE(result.row_count * kLongText, kBytes);
    for (const auto& column : result.columns) EXPECT_EQ(column.size(), result.row_count);
}

TEST_P(EngineConformance, DoesNotCutOffWhatFitsTheByteLimit) {
    open(long_texts());
    const auto result = run("SELECT body FROM notes", {.bytes = 2 * kRows * kLongText});
    EXPECT_EQ(result.row_count, kRows);
    EXPECT_FALSE(result.truncated);
}

TEST_P(EngineConformance, LeavesOutACellThatIsLargerThanTheByteLimit) {
    open(long_texts());
    const auto result = run("SELECT body FROM notes WHERE id = 1", {.bytes = kLongText / 2});
    EXPECT_EQ(result.row_count, 0U);
    EXPECT_TRUE(result.truncated);
}

TEST_P(EngineConformance, ReadsALongTextWhole) {
    open(long_texts());
    EXPECT_EQ(cell("SELECT body FROM notes WHERE id = 7"), std::string(kLongText, 'x'));
}

TEST_P(EngineConformance, ReadsManyRows) {
    open_shop();
    const auto result = run(numbers(20'000), {.rows = 20'000});
    ASSERT_EQ(result.row_count, 20'000U);
    EXPECT_EQ(result.columns[0].text(19'999), "20000");
}

TEST_P(EngineConformance, ReadsManyColumns) {
    open_shop();
    std::string sql = "SELECT 0 AS c0";
    for (int i = 1; i < 300; ++i) sql += fmt::format(", {} AS c{}", i, i);
    const auto result = run(sql);
    ASSERT_EQ(result.columns.size(), 300U);
    EXPECT_EQ(result.columns[299].text(0), "299");
}

}  // namespace quaestor::data
