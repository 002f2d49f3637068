#include "data/guard.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using testing::ElementsAre;

Verdict check(std::string_view sql) {
    const TableNames tables = TableNames::any();
    return Guard(Dialect::duckdb, tables).check(sql);
}

TEST(AnyTable, TakesEveryNameAsItIsWritten) {
    const auto verdict = check("SELECT a.x FROM sales.Orders AS a JOIN \"Old Ones\" AS b ON a.x = b.x");
    EXPECT_TRUE(verdict.ok);
    EXPECT_THAT(verdict.tables, ElementsAre("sales.Orders", "Old Ones"));
}

TEST(AnyTable, IsStillNoFile) {
    for (const char* name : {"'a.csv'", "'/etc/passwd'", "'https://example.org/a.parquet'", "'data/*'", "\"a.csv\""}) {
        const auto verdict = check(std::string("SELECT x FROM ") + name);
        ASSERT_FALSE(verdict.ok) << name;
        EXPECT_EQ(verdict.errors.front().code, Problem::Code::unknown_table) << name;
    }
}

TEST(AnyTable, IsStillNoneOfTheEnginesOwn) {
    for (const char* name : {"pg_shadow", "PG_CATALOG.pg_authid", "information_schema.tables", "sqlite_master",
                             "duckdb_settings", "pragma_table_info"}) {
        EXPECT_FALSE(check(std::string("SELECT x FROM ") + name).ok) << name;
    }
}

TEST(AnyTable, DoesNotChangeWhatIsHarmless) {
    EXPECT_FALSE(check("SELECT getenv('HOME') FROM t").ok);
    EXPECT_FALSE(check("DELETE FROM t").ok);
    EXPECT_FALSE(check("SELECT 1; SELECT 2").ok);
}

}  // namespace

}  // namespace quaestor::data
