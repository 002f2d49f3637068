// Every kind of value comes through unharmed, to text and to JSON.

#include "data/conformance.hpp"

#include <fmt/format.h>

namespace quaestor::data {

namespace {

constexpr const char* kKinds =
    "CREATE TABLE kinds (id INTEGER PRIMARY KEY, whole BIGINT, ratio DOUBLE PRECISION, label VARCHAR(200), day DATE,"
    " moment TIMESTAMP, flag BOOLEAN, price DECIMAL(18,2));"
    "INSERT INTO kinds VALUES (1, 9223372036854775807, 1e300, 'it''s \"quoted\"', '2026-01-31',"
    " '2026-01-31 12:30:00.5', TRUE, 12.50);"
    "INSERT INTO kinds VALUES (2, -9223372036854775808, 1e-300, 'two\nlines\tand a tab', '1970-01-01',"
    " '1969-12-31 23:59:59', FALSE, -0.01);"
    "INSERT INTO kinds VALUES (3, 9007199254740993, -0.5, '\xF0\x9F\x90\xAB \xE8\xAE\xA2\xE5\x8D\x95', '2024-02-29',"
    " '2024-02-29 00:00:00', TRUE, 9007199254740.99);"
    "INSERT INTO kinds VALUES (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL);";
constexpr std::size_t kNullRow = 3;

std::string json_of(const ResultColumn& column, std::size_t row) {
    std::string json;
    column.write_json(row, json);
    return json;
}

std::vector<std::string> names_of_columns(const ResultSet& result) {
    std::vector<std::string> names;
    for (const auto& column : result.columns) names.push_back(column.name());
    return names;
}

std::string kinds_column(const std::string& name) {
    return fmt::format("SELECT {} FROM kinds ORDER BY id", name);
}

}  // namespace

TEST_P(EngineConformance, KeepsTheLargestAndSmallestInteger) {
    open(kKinds);
    const auto result = run(kinds_column("whole"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::integer);
    EXPECT_EQ(result.columns[0].text(0), "9223372036854775807");
    EXPECT_EQ(result.columns[0].text(1), "-9223372036854775808");
}

TEST_P(EngineConformance, WritesIntegersThatADoubleWouldChangeAsStrings) {
    open(kKinds);
    const auto result = run(kinds_column("whole"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(json_of(result.columns[0], 0), "\"9223372036854775807\"");
    EXPECT_EQ(json_of(result.columns[0], 2), "\"9007199254740993\"");
}

TEST_P(EngineConformance, WritesSmallIntegersAsNumbers) {
    open(kKinds);
    const auto result = run(kinds_column("id"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(json_of(result.columns[0], 2), "3");
}

TEST_P(EngineConformance, KeepsHugeAndTinyDoubles) {
    open(kKinds);
    const auto result = run(kinds_column("ratio"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::number);
    EXPECT_DOUBLE_EQ(result.columns[0].number(0).value_or(0), 1e300);
    EXPECT_DOUBLE_EQ(result.columns[0].number(1).value_or(0), 1e-300);
    EXPECT_DOUBLE_EQ(result.columns[0].number(2).value_or(0), -0.5);
}

TEST_P(EngineConformance, KeepsQuotesInTexts) {
    open(kKinds);
    const auto result = run(kinds_column("label"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::text);
    EXPECT_EQ(result.columns[0].text(0), "it's \"quoted\"");
    EXPECT_EQ(json_of(result.columns[0], 0), R"("it's \"quoted\"")");
}

TEST_P(EngineConformance, KeepsLineBreaksAndTabsInTexts) {
    open(kKinds);
    const auto result = run(kinds_column("label"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].text(1), "two\nlines\tand a tab");
    EXPECT_EQ(json_of(result.columns[0], 1), R"("two\nlines\tand a tab")");
}

TEST_P(EngineConformance, KeepsEmojiAndChineseInTexts) {
    open(kKinds);
    const auto result = run(kinds_column("label"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].text(2), "\xF0\x9F\x90\xAB \xE8\xAE\xA2\xE5\x8D\x95");
}

TEST_P(EngineConformance, TellsAnEmptyTextFromNull) {
    open("CREATE TABLE t (id INTEGER, label VARCHAR(9)); INSERT INTO t VALUES (1, ''), (2, NULL);");
    const auto result = run("SELECT label FROM t ORDER BY id");
    ASSERT_EQ(result.row_count, 2U);
    EXPECT_FALSE(result.columns[0].is_null(0));
    EXPECT_EQ(json_of(result.columns[0], 0), "\"\"");
    EXPECT_TRUE(result.columns[0].is_null(1));
}

TEST_P(EngineConformance, KeepsNullOfEveryKind) {
    open(kKinds);
    const auto result = run("SELECT whole, ratio, label, day, moment, flag, price FROM kinds ORDER BY id");
    ASSERT_EQ(result.row_count, 4U);
    for (const auto& column : result.columns) {
        EXPECT_TRUE(column.is_null(kNullRow)) << column.name();
        EXPECT_EQ(json_of(column, kNullRow), "null") << column.name();
    }
}

TEST_P(EngineConformance, ReadsALiteralNull) {
    open(kKinds);
    const auto result = run("SELECT NULL AS missing");
    ASSERT_EQ(result.row_count, 1U);
    EXPECT_TRUE(result.columns[0].is_null(0));
}

TEST_P(EngineConformance, KeepsDates) {
    open(kKinds);
    const auto result = run(kinds_column("day"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::date);
    EXPECT_EQ(result.columns[0].text(0), "2026-01-31");
    EXPECT_EQ(result.columns[0].text(2), "2024-02-29");
    EXPECT_EQ(json_of(result.columns[0], 1), "\"1970-01-01\"");
}

TEST_P(EngineConformance, KeepsTimestampsWithFractionsAndBeforeTheEpoch) {
    open(kKinds);
    const auto result = run(kinds_column("moment"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::timestamp);
    EXPECT_EQ(result.columns[0].text(0), "2026-01-31 12:30:00.5");
    EXPECT_EQ(result.columns[0].text(1), "1969-12-31 23:59:59");
}

TEST_P(EngineConformance, KeepsBooleans) {
    open(kKinds);
    const auto result = run(kinds_column("flag"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::boolean);
    EXPECT_EQ(result.columns[0].text(0), "true");
    EXPECT_EQ(json_of(result.columns[0], 1), "false");
}

TEST_P(EngineConformance, KeepsDecimals) {
    open(kKinds);
    const auto result = run(kinds_column("price"));
    ASSERT_EQ(result.row_count, 4U);
    EXPECT_TRUE(is_numeric(result.columns[0].kind()));
    EXPECT_DOUBLE_EQ(result.columns[0].number(0).value_or(0), 12.5);
    EXPECT_EQ(result.columns[0].text(2), "9007199254740.99");
    if (!GetParam().has_decimals) return;
    EXPECT_EQ(result.columns[0].kind(), ValueKind::decimal);
    EXPECT_EQ(result.columns[0].text(0), "12.50");
    EXPECT_EQ(result.columns[0].text(1), "-0.01");
}

TEST_P(EngineConformance, ShowsBytesInHexadecimal) {
    open_shop();
    const auto result = run(GetParam().blob_query);
    ASSERT_EQ(result.row_count, 1U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::blob);
    EXPECT_EQ(result.columns[0].text(0), "\\x00FF");
}

TEST_P(EngineConformance, WritesListsAsJson) {
    open_shop();
    if (GetParam().list_query.empty()) GTEST_SKIP() << "has no lists";
    const auto result = run(GetParam().list_query);
    ASSERT_EQ(result.row_count, 1U);
    EXPECT_EQ(result.columns[0].kind(), ValueKind::list);
    EXPECT_EQ(json_of(result.columns[0], 0), "[1,2,3]");
}

TEST_P(EngineConformance, NamesTheColumnsOfAnEmptyResult) {
    open_shop();
    const auto result = run("SELECT id, name AS who FROM customers WHERE id < 0");
    EXPECT_EQ(result.row_count, 0U);
    EXPECT_FALSE(result.truncated);
    EXPECT_EQ(names_of_columns(result), (std::vector<std::string>{"id", "who"}));
}

TEST_P(EngineConformance, KeepsColumnsOfTheSameNameApart) {
    open_shop();
    const auto result = run("SELECT 1 AS a, 2 AS a");
    ASSERT_EQ(result.columns.size(), 2U);
    EXPECT_EQ(result.columns[0].text(0), "1");
    EXPECT_EQ(result.columns[1].text(0), "2");
}

TEST_P(EngineConformance, KeepsStrangeColumnNames) {
    open_shop();
    const auto result = run("SELECT 1 AS \"order no. \"\"1\"\"\", 2 AS \"\xE8\xAE\xA2\xE5\x8D\x95\"");
    EXPECT_EQ(names_of_columns(result), (std::vector<std::string>{"order no. \"1\"", "\xE8\xAE\xA2\xE5\x8D\x95"}));
}

TEST_P(EngineConformance, CountsExactly) {
    open_shop();
    EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
    EXPECT_EQ(cell("SELECT count(DISTINCT status) FROM orders"), "3");
}

TEST_P(EngineConformance, WritesAResultAsJson) {
    open_shop();
    const auto json = to_json_text(run("SELECT id, name FROM customers WHERE id <= 2 ORDER BY id"));
    EXPECT_NE(json.find(R"("rows":[[1,"Ada"],[2,"Bo"]])"), std::string::npos) << json;
    EXPECT_NE(json.find(R"("truncated":false)"), std::string::npos) << json;
}

TEST_P(EngineConformance, NamesATypeForEveryColumn) {
    open(kKinds);
    for (const auto& column : run("SELECT id, whole, ratio, label, day, moment, flag, price FROM kinds").columns) {
        EXPECT_FALSE(column.type().empty()) << column.name();
    }
}

TEST_P(EngineConformance, MeasuresTheTime) {
    open_shop();
    EXPECT_GT(run("SELECT count(*) FROM orders").execution_time, Duration::zero());
}

}  // namespace quaestor::data
