// Every query of cases/positive_duckdb.cases is accepted and answered.
#include "data/case_file.hpp"
#include "data/duckdb_shop.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

/// The first row, as a person reads it: "Ada | 12.50 | NULL".
std::string first_row(const ResultSet& result) {
    std::string row;
    for (const auto& column : result.columns) {
        if (!row.empty()) row += " | ";
        row += column.is_null(0) ? "NULL" : column.text(0);
    }
    return row;
}

TEST(DuckdbQueries, AreAcceptedAndAnswered) {
    DuckdbShop shop;
    for (const SqlCase& query : read_cases("positive_duckdb.cases")) {
        SCOPED_TRACE(query.place + " " + query.name);
        const Verdict verdict = shop.guard().check(query.sql);
        EXPECT_TRUE(verdict.ok) << (verdict.errors.empty() ? "" : verdict.errors[0].message);
        if (!verdict.ok) continue;
        const auto objection = shop.engine().bind(verdict.sql, {});
        EXPECT_TRUE(objection && !*objection) << (objection ? (**objection).message : objection.error().describe());
        const auto result = shop.engine().run(verdict.sql, {}, {});
        EXPECT_TRUE(result.has_value()) << result.error().describe();
        if (!result) continue;
        EXPECT_FALSE(result->truncated);
        if (!query.fact("rows").empty()) EXPECT_EQ(std::to_string(result->row_count), query.fact("rows"));
        if (!query.fact("first").empty()) EXPECT_EQ(first_row(*result), query.fact("first"));
    }
}

}  // namespace

}  // namespace quaestor::data
