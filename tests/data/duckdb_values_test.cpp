// Each type of DuckDB, with its extreme values, against DuckDB's own text of the same value.
#include "data/duckdb_shop.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using testing::HasSubstr;

class DuckdbValues : public testing::Test {
protected:
    ResultSet run(const std::string& sql) {
        auto result = shop_.engine().run(sql, {}, {});
        EXPECT_TRUE(result.has_value()) << sql << ": " << (result ? "" : result.error().describe());
        return result ? std::move(*result) : ResultSet{};
    }

    /// Every value of a list of expressions reads as DuckDB casts it to text.
    void expect_as_duckdb_writes(const std::vector<std::string>& expressions) {
        for (const auto& expression : expressions) {
            const ResultSet result = run("SELECT x, x::VARCHAR FROM (SELECT " + expression + " AS x)");
            if (result.row_count != 1) continue;
            EXPECT_EQ(result.columns[0].text(0), result.columns[1].text(0)) << expression;
        }
    }

    std::string json_of(const std::string& expression) {
        std::string out;
        const ResultSet result = run("SELECT " + expression);
        if (result.row_count == 1) result.columns[0].write_json(0, out);
        return out;
    }

    DuckdbShop shop_;
};

TEST_F(DuckdbValues, WholeNumbersAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"true", "false", "(-128)::TINYINT", "255::UTINYINT", "(-32768)::SMALLINT",
                             "65535::USMALLINT", "(-2147483648)::INTEGER", "4294967295::UINTEGER",
                             "(-9223372036854775808)::BIGINT", "18446744073709551615::UBIGINT",
                             "(-170141183460469231731687303715884105728)::HUGEINT",
                             "170141183460469231731687303715884105727::HUGEINT",
                             "340282366920938463463374607431768211455::UHUGEINT", "0::HUGEINT", "(-1)::HUGEINT"});
}

TEST_F(DuckdbValues, DecimalsAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"0.05::DECIMAL(4,2)", "(-0.05)::DECIMAL(4,2)", "99.99::DECIMAL(4,2)",
                             "(-9999999.99)::DECIMAL(9,2)", "1234567890123456.78::DECIMAL(18,2)",
                             "99999999999999999999999999999999999999::DECIMAL(38,0)", "5::DECIMAL(1,0)",
                             "(-12345678901234567890.123456789)::DECIMAL(38,9)"});
}

TEST_F(DuckdbValues, DecimalsAlwaysHaveADigitBeforeThePoint) {
    EXPECT_EQ(run("SELECT (-0.5)::DECIMAL(2,2)").columns[0].text(0), "-0.50");
}

TEST_F(DuckdbValues, DatesAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"DATE '2026-01-31'", "DATE '1969-12-31'", "DATE '0001-01-01'", "DATE '0044-03-15 (BC)'",
                             "DATE '5877642-06-25 (BC)'", "DATE '5881580-07-10'", "DATE '99999-01-01'",
                             "'infinity'::DATE", "'-infinity'::DATE", "DATE '2000-02-29'"});
}

TEST_F(DuckdbValues, TimesAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"TIME '00:00:00'", "TIME '23:59:59.999999'", "TIME '24:00:00'", "TIME '12:30:00.5'",
                             "TIMETZ '12:30:00+02'", "TIMETZ '12:30:00.25-05:30'", "TIMETZ '00:00:00+15:59:59'",
                             "TIMETZ '23:59:59.999999-15:59:59'", "TIMETZ '01:02:03+00'"});
}

TEST_F(DuckdbValues, TimestampsAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"TIMESTAMP '2026-01-31 12:30:00.5'", "TIMESTAMP '1969-12-31 23:59:59.999999'",
                             "TIMESTAMP '290309-12-22 (BC) 00:00:00'", "TIMESTAMP '294247-01-10 04:00:54.775806'",
                             "'infinity'::TIMESTAMP", "'-infinity'::TIMESTAMP", "'2026-01-31 12:30:00'::TIMESTAMP_S",
                             "'2026-01-31 12:30:00.123'::TIMESTAMP_MS", "'2026-01-31 12:30:00.123456789'::TIMESTAMP_NS",
                             "'1677-09-22 00:00:00'::TIMESTAMP_NS", "TIMESTAMPTZ '2026-01-31 12:30:00+02'",
                             "'infinity'::TIMESTAMPTZ", "TIMESTAMP '0044-03-15 (BC) 12:00:00'",
                             "TIMESTAMPTZ '0044-03-15 (BC) 12:00:00+00'"});
}

TEST_F(DuckdbValues, IntervalsAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"INTERVAL '0 days'", "INTERVAL '1 year 2 months 3 days 04:05:06.789'",
                             "INTERVAL '-1 year -2 months -3 days -04:05:06.789'", "INTERVAL '13 months'",
                             "INTERVAL '-13 months 5 days'", "INTERVAL '1 day -00:00:01'", "INTERVAL '100 hours'",
                             "INTERVAL '1 microsecond'", "INTERVAL '-1 microsecond'", "INTERVAL '1 month'",
                             "INTERVAL '2 years'", "INTERVAL '178000000 years'"});
}

TEST_F(DuckdbValues, OtherTypesAreAsDuckdbWritesThem) {
    expect_as_duckdb_writes({"'00000000-0000-0000-0000-000000000000'::UUID",
                             "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID",
                             "'12345678-9abc-def0-1234-56789abcdef0'::UUID", "'1'::BIT", "'0101010101'::BIT",
                             "'11111111'::BIT", "'paid'::ENUM ('open', 'paid')", "'ü 世界 🌍'", "''",
                             "'a longer text than twelve bytes'", "'{\"a\": [1, null]}'::JSON"});
}

TEST_F(DuckdbValues, DoublesReadBackAsTheyWere) {
    for (const char* value : {"0.1", "1e300", "5e-324", "1.7976931348623157e308", "-0.0", "123456789.123"}) {
        const ResultSet result = run(std::string("SELECT (") + value + ")::DOUBLE");
        EXPECT_EQ(result.columns[0].number(0), std::strtod(value, nullptr));
    }
    EXPECT_EQ(json_of("'nan'::DOUBLE"), R"("NaN")");
    EXPECT_EQ(json_of("'-inf'::FLOAT"), R"("-Infinity")");
    EXPECT_EQ(json_of("0.1::FLOAT"), "0.1");
}

TEST_F(DuckdbValues, BytesAreWrittenInHexadecimals) {
    EXPECT_EQ(run("SELECT '\\x00\\xFFa'::BLOB").columns[0].text(0), "\\x00FF61");
    EXPECT_EQ(run("SELECT ''::BLOB").columns[0].text(0), "\\x");
}

TEST_F(DuckdbValues, NestedTypesBecomeJson) {
    EXPECT_EQ(json_of("[1, NULL, 3]"), "[1,null,3]");
    EXPECT_EQ(json_of("[]::INTEGER[]"), "[]");
    EXPECT_EQ(json_of("[[1], [], NULL, [2, 3]]"), "[[1],[],null,[2,3]]");
    EXPECT_EQ(json_of("array_value(1, 2, 3)"), "[1,2,3]");
    EXPECT_EQ(json_of("{'a': 1, 'b \"c\"': 'x\"y', 'd': NULL}"), R"({"a":1,"b \"c\"":"x\"y","d":null})");
    EXPECT_EQ(json_of("MAP {'a': 1, 'b': NULL}"), R"({"a":1,"b":null})");
    EXPECT_EQ(json_of("MAP {1: 'x', 2: 'y'}"), R"({"1":"x","2":"y"})");
    EXPECT_EQ(json_of("[DATE '2026-01-31']"), R"(["2026-01-31"])");
    EXPECT_EQ(json_of("[1.50, 12345678901234567.25]"), R"([1.50,"12345678901234567.25"])");
    EXPECT_EQ(json_of("[9007199254740993, 1]"), R"(["9007199254740993",1])");
    EXPECT_EQ(json_of("union_value(n := 2)"), "2");
    EXPECT_EQ(json_of("[{'a': [MAP {'k': TIME '01:02:03'}]}]"), R"([{"a":[{"k":"01:02:03"}]}])");
    EXPECT_EQ(json_of("['true'::BOOLEAN, NULL]"), "[true,null]");
    EXPECT_EQ(json_of("{'j': '{\"x\": 1}'::JSON}"), R"({"j":{"x": 1}})");
}

TEST_F(DuckdbValues, DocumentsThatAreNoJsonAreToldAsText) {
    const std::string written = json_of("'[NaN, 1]'::JSON");
    EXPECT_TRUE(json::parse(written).is_string()) << written;
    EXPECT_EQ(json_of("'[1, 2]'::JSON"), "[1, 2]");
}

TEST_F(DuckdbValues, ColumnsTellTheirTypes) {
    const ResultSet result =
        run("SELECT 1::DECIMAL(18,2), [1], {'a': 1, 'b': ['x']}, MAP {1: 2}, NULL, 'x'::JSON[] "
            "FROM range(0)");
    EXPECT_EQ(result.columns[0].type(), "DECIMAL(18,2)");
    EXPECT_EQ(result.columns[1].type(), "INTEGER[]");
    EXPECT_EQ(result.columns[2].type(), "STRUCT(a INTEGER, b VARCHAR[])");
    EXPECT_EQ(result.columns[3].type(), "MAP(INTEGER, INTEGER)");
    EXPECT_EQ(result.columns[0].kind(), ValueKind::decimal);
    EXPECT_EQ(result.columns[3].kind(), ValueKind::structure);
    EXPECT_EQ(result.row_count, 0U);
}

TEST_F(DuckdbValues, AreAllReadFromManyRows) {
    const ResultSet result =
        run("SELECT i, i::VARCHAR, [i], {'a': i}, i::DECIMAL(38,2), CASE WHEN i % 3 = 0 THEN NULL "
            "ELSE i END FROM range(9000) t(i)");
    ASSERT_EQ(result.row_count, 9000U);
    EXPECT_EQ(result.columns[1].text(8999), "8999");
    EXPECT_EQ(result.columns[2].text(4097), "[4097]");
    EXPECT_EQ(result.columns[3].text(2048), R"({"a":2048})");
    EXPECT_EQ(result.columns[4].text(2047), "2047.00");
    EXPECT_TRUE(result.columns[5].is_null(8997));
    EXPECT_FALSE(result.columns[5].is_null(8998));
}

TEST_F(DuckdbValues, OfATypeThatCannotBeShownAreAnErrorWithAdvice) {
    const auto result = shop_.engine().run("SELECT 1::BIGNUM", {}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, Code::unsupported);
    EXPECT_THAT(result.error().hint, HasSubstr("CAST"));
}

TEST_F(DuckdbValues, InErrorsAreShownWithoutControlCharacters) {
    const auto result = shop_.engine().run("SELECT (chr(27) || '[2J')::INTEGER FROM orders", {}, {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, Code::invalid_argument);
    EXPECT_EQ(result.error().message.find('\x1b'), std::string::npos) << result.error().message;
}

}  // namespace

}  // namespace quaestor::data
