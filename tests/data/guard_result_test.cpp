// Results and their JSON: what a reader of JSON would change is written as a string.
#include "data/json_text.hpp"
#include "data/result_set.hpp"
#include "data/row_budget.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace quaestor::data {

namespace {

std::string json_string(std::string_view text) {
    std::string out;
    write_json_string(text, out);
    return out;
}

std::string json_digits(std::string_view text) {
    std::string out;
    write_json_digits(text, out);
    return out;
}

std::string json_number(double value) {
    std::string out;
    write_json_number(value, out);
    return out;
}

std::string json_integer(std::int64_t value) {
    std::string out;
    write_json_integer(value, out);
    return out;
}

TEST(JsonText, EscapesWhatJsonWantsEscaped) {
    EXPECT_EQ(json_string("plain"), R"("plain")");
    EXPECT_EQ(json_string("a\"b\\c\n\r\t\x01/"), R"("a\"b\\c\n\r\t\u0001/")");
    EXPECT_EQ(json_string("ü 世 🌍"), R"("ü 世 🌍")");
    EXPECT_EQ(json_string(""), R"("")");
    EXPECT_EQ(json_string(std::string_view("a\0b", 3)), R"("a\u0000b")");
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
    EXPECT_EQ(json_string("a\xff\"b"), "\"a\xef\xbf\xbd\\\"b\"");
    EXPECT_TRUE(json::parse(json_string("\xc3\x28\xed\xa0\x80")).is_string());
}

TEST(JsonText, WritesIntegersThatADoubleHolds) {
    EXPECT_EQ(json_integer(9007199254740992), "9007199254740992");
    EXPECT_EQ(json_integer(9007199254740993), R"("9007199254740993")");
    EXPECT_EQ(json_integer(-9007199254740993), R"("-9007199254740993")");
    EXPECT_EQ(json_integer(std::numeric_limits<std::int64_t>::min()), R"("-9223372036854775808")");
}

TEST(JsonText, WritesDoublesSoThatTheyReadBack) {
    EXPECT_EQ(json_number(0.1), "0.1");
    EXPECT_EQ(json_number(-0.0), "-0");
    EXPECT_EQ(json_number(1e300), "1e+300");
    EXPECT_EQ(json_number(std::nan("")), R"("NaN")");
    EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()), R"("-Infinity")");
}

TEST(JsonText, WritesDigitsAsANumberOnlyWhereNothingIsLost) {
    EXPECT_EQ(json_digits("12.50"), "12.50");
    EXPECT_EQ(json_digits("-0.001"), "-0.001");
    EXPECT_EQ(json_digits("123456789012345"), "123456789012345");
    EXPECT_EQ(json_digits("1234567890123.4567"), R"("1234567890123.4567")");
    for (const char* no_number : {"", "-", "1.", ".5", "007", "1e5", "NaN", "1,5", "--1"}) {
        EXPECT_EQ(json_digits(no_number), json_string(no_number));
    }
}

ResultSet sample() {
    ResultSet result;
    result.columns.emplace_back("n", ValueKind::integer, "BIGINT");
    result.columns.emplace_back("d", ValueKind::decimal, "DECIMAL(30,2)");
    result.columns.emplace_back("b", ValueKind::boolean, "BOOLEAN");
    result.columns.emplace_back("l", ValueKind::list, "INTEGER[]");
    result.columns.emplace_back("x", ValueKind::number, "DOUBLE");
    result.columns[0].add_integer(1);
    result.columns[1].add_text("12345678901234567890.25");
    result.columns[2].add_integer(1);
    result.columns[3].add_text("[1,2]");
    result.columns[4].add_number(0.5);
    for (auto& column : result.columns) column.add_null();
    result.row_count = 2;
    return result;
}

TEST(ResultSets, BecomeJsonThatKeepsEveryValue) {
    EXPECT_EQ(to_json_text(sample()),
              R"j({"columns":["n","d","b","l","x"],)j"
              R"j("types":["BIGINT","DECIMAL(30,2)","BOOLEAN","INTEGER[]","DOUBLE"],)j"
              R"j("rows":[[1,"12345678901234567890.25",true,[1,2],0.5],[null,null,null,null,null]],)j"
              R"j("row_count":2,"truncated":false,"execution_time_ms":0.000})j");
    EXPECT_TRUE(json::parse(to_json_text(ResultSet{})).is_object());
}

TEST(ResultSets, AreReadAsTextAndNumbers) {
    const ResultSet result = sample();
    EXPECT_EQ(result.columns[2].text(0), "true");
    EXPECT_EQ(result.columns[1].text(0), "12345678901234567890.25");
    EXPECT_EQ(result.columns[0].text(1), "");
    EXPECT_TRUE(result.columns[0].is_null(1));
    EXPECT_EQ(result.columns[0].number(0), 1.0);
    EXPECT_EQ(result.columns[3].number(0), std::nullopt);
    EXPECT_EQ(result.columns[0].number(1), std::nullopt);
}

TEST(RowBudgets, TakeBackTheRowThatIsTooMuch) {
    ResultSet result;
    result.columns.emplace_back("t", ValueKind::text, "VARCHAR");
    const QueryLimits limits{.rows = 3, .bytes = 200};
    RowBudget budget(result, limits);
    ASSERT_TRUE(budget.has_room());
    result.columns[0].add_text("short");
    budget.count_row();
    result.columns[0].add_text(std::string(500, 'x'));
    budget.count_row();
    EXPECT_EQ(result.row_count, 1U);
    EXPECT_EQ(result.columns[0].size(), 1U);
    EXPECT_TRUE(result.truncated);
    EXPECT_FALSE(budget.has_room());
}

TEST(RowBudgets, AreTruncatedOnlyWhenThereIsAnotherRow) {
    ResultSet result;
    result.columns.emplace_back("t", ValueKind::integer, "BIGINT");
    const QueryLimits limits{.rows = 1};
    RowBudget budget(result, limits);
    ASSERT_TRUE(budget.has_room());
    result.columns[0].add_integer(1);
    budget.count_row();
    EXPECT_FALSE(result.truncated);
    EXPECT_FALSE(budget.has_room());
    EXPECT_TRUE(result.truncated);
}

}  // namespace

}  // namespace quaestor::data
