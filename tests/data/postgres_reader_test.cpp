// What the reader finds in a statement of PostgreSQL.
#include "data/functions.hpp"
#include "data/reading.hpp"
#include "data/sql_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::data {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> relations_of(std::string_view sql) {
    std::vector<std::string> names;
    for (const Mention& relation : read_postgres(sql).relations) {
        names.push_back(relation.schema.empty() ? relation.name : relation.schema + "." + relation.name);
    }
    return names;
}

std::vector<std::string> columns_of(std::string_view sql) {
    std::vector<std::string> names;
    for (const ColumnMention& column : read_postgres(sql).columns) {
        names.push_back(column.relation.empty() ? column.name : column.relation + "." + column.name);
    }
    return names;
}

std::vector<std::string> functions_of(std::string_view sql) {
    std::vector<std::string> names;
    for (const Mention& function : read_postgres(sql).functions) names.push_back(function.name);
    return names;
}

std::vector<Problem::Code> codes_of(const std::vector<Problem>& problems) {
    std::vector<Problem::Code> codes;
    for (const Problem& problem : problems) codes.push_back(problem.code);
    return codes;
}

TEST(PostgresReader, TablesAreThoseOfTheWholeStatement) {
    EXPECT_THAT(
        relations_of("SELECT a FROM t JOIN s.u ON true WHERE b IN (SELECT c FROM v) ORDER BY (SELECT d FROM w)"),
        ElementsAre("t", "s.u", "v", "w"));
    EXPECT_THAT(relations_of("SELECT 1 UNION (SELECT 2 FROM a EXCEPT TABLE b)"), ElementsAre("a", "b"));
    EXPECT_THAT(relations_of("SELECT 1 FROM \"Odd \"\"Name\"\".\" , \"a.b\".\"c d\""),
                ElementsAre("Odd \"Name\".", "a.b.c d"));
    EXPECT_THAT(relations_of("SELECT 1 FROM 客户表"), ElementsAre("客户表"));
}

TEST(PostgresReader, ADatabaseInFrontOfASchemaIsKept) {
    const Reading reading = read_postgres("SELECT 1 FROM d.s.t");
    ASSERT_EQ(reading.relations.size(), 1U);
    EXPECT_EQ(reading.relations[0], (Mention{.database = "d", .schema = "s", .name = "t", .at = 14}));
}

TEST(PostgresReader, ACteHidesATableOnlyWhereItIsVisible) {
    EXPECT_THAT(relations_of("WITH t AS (SELECT 1) SELECT * FROM t"), IsEmpty());
    EXPECT_THAT(relations_of("WITH t AS (SELECT * FROM t) SELECT * FROM t"), ElementsAre("t"));
    EXPECT_THAT(relations_of("WITH RECURSIVE t AS (SELECT 1 UNION SELECT * FROM t) SELECT * FROM t"), IsEmpty());
    EXPECT_THAT(relations_of("WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a"), ElementsAre("b"));
    EXPECT_THAT(relations_of("WITH RECURSIVE a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a"), IsEmpty());
    EXPECT_THAT(relations_of("SELECT * FROM (WITH t AS (SELECT 1) SELECT * FROM t) x, t"), ElementsAre("t"));
    EXPECT_THAT(relations_of("WITH t AS (SELECT 1) SELECT (SELECT 1 FROM t) FROM (SELECT * FROM t) x"), IsEmpty());
    EXPECT_THAT(relations_of("WITH t AS (SELECT 1) SELECT * FROM s.t"), ElementsAre("s.t"));
    EXPECT_THAT(relations_of("WITH t AS (SELECT 1) SELECT 1 FROM t UNION SELECT 1 FROM t"), IsEmpty());
    EXPECT_THAT(relations_of("WITH \"T\" AS (SELECT 1) SELECT * FROM T"), ElementsAre("t"));
}

TEST(PostgresReader, AliasesOfColumnsAreLookedUp) {
    EXPECT_THAT(columns_of("SELECT o.amount, status, c.name FROM orders o JOIN s.customers c ON o.customer_id = c.id"),
                ElementsAre("orders.customer_id", "s.customers.id", "orders.amount", "status", "s.customers.name"));
    EXPECT_THAT(
        columns_of("SELECT orders.id FROM orders WHERE EXISTS (SELECT 1 FROM items WHERE order_id = orders.id)"),
        ElementsAre("orders.id", "order_id", "orders.id"));
    EXPECT_THAT(columns_of("SELECT x.a FROM (SELECT b AS a FROM t) x"), ElementsAre("b", "a"));
    EXPECT_THAT(columns_of("WITH c AS (SELECT a FROM t) SELECT c.a FROM c"), ElementsAre("a", "a"));
    EXPECT_THAT(columns_of("SELECT t.a FROM t WHERE EXISTS (SELECT t.b FROM u t)"), ElementsAre("t.a", "u.b"));
}

TEST(PostgresReader, NamesOfTheOutputAreNoColumns) {
    EXPECT_THAT(columns_of("SELECT a + b AS total FROM t GROUP BY total ORDER BY total DESC"), ElementsAre("a", "b"));
    EXPECT_THAT(columns_of("SELECT a FROM t UNION SELECT b FROM u ORDER BY a"), ElementsAre("a", "b"));
    EXPECT_THAT(columns_of("SELECT a AS x FROM t ORDER BY x, y"), ElementsAre("a", "y"));
}

TEST(PostgresReader, FunctionsAreFoundInEveryPosition) {
    EXPECT_THAT(functions_of("SELECT f1(f2(1)) FILTER (WHERE f3()) OVER (PARTITION BY f4() ORDER BY f5()) FROM f6() x, "
                             "ROWS FROM (f7(), f8()) y JOIN LATERAL f9() z ON f10() WHERE f11() GROUP BY f12() HAVING "
                             "f13() WINDOW w AS (ORDER BY f14()) ORDER BY f15() LIMIT f16() OFFSET f17()"),
                testing::UnorderedElementsAre("f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
                                              "f13", "f14", "f15", "f16", "f17"));
    EXPECT_THAT(
        functions_of("SELECT percentile_cont(f1()) WITHIN GROUP (ORDER BY f2()), string_agg(a, b ORDER BY f3())"),
        ElementsAre("percentile_cont", "f1", "f2", "string_agg", "f3"));
    EXPECT_THAT(functions_of("VALUES (f1()), (CASE f2() WHEN f3() THEN f4() ELSE f5() END)"),
                ElementsAre("f1", "f2", "f3", "f4", "f5"));
    EXPECT_THAT(functions_of("SELECT a + b, a || b, a LIKE b, current_date, a IS NULL FROM t"), IsEmpty());
}

TEST(PostgresReader, PlacesAreByteOffsets) {
    const std::string sql = "SELECT 'ä', f(é) FROM t";
    const Reading reading = read_postgres(sql);
    ASSERT_EQ(reading.functions.size(), 1U);
    EXPECT_EQ(sql.substr(*reading.functions[0].at, 2), "f(");
    EXPECT_EQ(sql.substr(*reading.columns[0].at, 2), "é");
    EXPECT_EQ(sql.substr(*reading.relations[0].at), "t");

    const std::string wrong = "SELECT 'ä' FROM FROM t";
    const Reading refused = read_postgres(wrong);
    ASSERT_EQ(refused.refusals.size(), 1U);
    EXPECT_EQ(refused.refusals[0].at, wrong.rfind("FROM"));

    const std::string two = "SELECT 1;\n  DROP TABLE t";
    EXPECT_EQ(read_postgres(two).refusals.at(0).at, two.find("DROP"));
}

TEST(PostgresReader, WarnsOfStarsExceptInExists) {
    EXPECT_THAT(codes_of(read_postgres("SELECT * FROM t").warnings), ElementsAre(Problem::Code::select_star));
    EXPECT_THAT(codes_of(read_postgres("SELECT t.*, 1 FROM t").warnings), ElementsAre(Problem::Code::select_star));
    EXPECT_THAT(read_postgres("SELECT count(*) FROM t WHERE EXISTS (SELECT * FROM u)").warnings, IsEmpty());
    EXPECT_THAT(codes_of(read_postgres("SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM (SELECT * FROM u) x)").warnings),
                ElementsAre(Problem::Code::select_star));
}

TEST(PostgresReader, WarnsOfPatternsThatBeginWithAWildcard) {
    using enum Problem::Code;
    EXPECT_THAT(codes_of(read_postgres("SELECT 1 FROM t WHERE a LIKE '%x'").warnings), ElementsAre(leading_wildcard));
    EXPECT_THAT(codes_of(read_postgres("SELECT 1 FROM t WHERE a NOT ILIKE '_x'").warnings),
                ElementsAre(leading_wildcard));
    EXPECT_THAT(codes_of(read_postgres("SELECT 1 FROM t WHERE a LIKE '%!%' ESCAPE '!'").warnings),
                ElementsAre(leading_wildcard));
    EXPECT_THAT(read_postgres("SELECT 1 FROM t WHERE a LIKE 'x%' AND b LIKE c AND d = '%x'").warnings, IsEmpty());
}

TEST(PostgresReader, WarnsOfRecursionOnlyWhereThereIsOne) {
    EXPECT_THAT(
        codes_of(read_postgres("WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n FROM r) SELECT n FROM r").warnings),
        ElementsAre(Problem::Code::unbounded_recursion));
    EXPECT_THAT(read_postgres("WITH RECURSIVE r AS (SELECT 1 n), s AS (SELECT n FROM r) SELECT n FROM r, s").warnings,
                IsEmpty());
}

TEST(PostgresReader, OnlyANumberBehindTheOutermostQueryIsALimit) {
    EXPECT_TRUE(read_postgres("SELECT 1 LIMIT 5").has_limit);
    EXPECT_TRUE(read_postgres("SELECT 1 FETCH FIRST 5 ROWS ONLY").has_limit);
    EXPECT_TRUE(read_postgres("(SELECT 1 UNION SELECT 2) LIMIT 1").has_limit);
    EXPECT_FALSE(read_postgres("SELECT * FROM (SELECT 1 LIMIT 5) x").has_limit);
    EXPECT_FALSE(read_postgres("SELECT 1 UNION (SELECT 2 LIMIT 5)").has_limit);
    EXPECT_TRUE(read_postgres("SELECT 1 OFFSET 5").takes_limit);
    for (const char* unlimited : {"SELECT 1 LIMIT ALL", "SELECT 1 LIMIT NULL", "SELECT 1 LIMIT 1 + 1"}) {
        const Reading reading = read_postgres(unlimited);
        EXPECT_FALSE(reading.has_limit) << unlimited;
        EXPECT_FALSE(reading.takes_limit) << unlimited;
    }
}

TEST(PostgresReader, NamesWhatAStatementIsInsteadOfAQuery) {
    EXPECT_EQ(read_postgres("INSERT INTO t VALUES (1)").statement, "insert");
    EXPECT_EQ(read_postgres("SET x = 1").statement, "set");
    EXPECT_EQ(read_postgres("ALTER TABLE t ADD c int").statement, "alter table");
    EXPECT_EQ(read_postgres("WITH x AS (DELETE FROM t RETURNING 1) SELECT 1 FROM x").statement, "delete");
    EXPECT_EQ(read_postgres("EXPLAIN SELECT 1").statement, "explain");
    EXPECT_EQ(read_postgres("SELECT 1").statement, "select");
}

TEST(PostgresReader, TextThatIsNoTextIsRefused) {
    using namespace std::string_view_literals;
    EXPECT_THAT(codes_of(read_postgres("SELECT 1\0; DROP TABLE t"sv).refusals), ElementsAre(Problem::Code::syntax));
    EXPECT_THAT(codes_of(read_postgres("SELECT '\xff'").refusals), ElementsAre(Problem::Code::syntax));
    EXPECT_THAT(codes_of(read_postgres("").refusals), ElementsAre(Problem::Code::empty));
    EXPECT_THAT(codes_of(read_postgres(std::string(kSqlBytesMax + 1, ' ')).refusals),
                ElementsAre(Problem::Code::too_long));
}

TEST(PostgresReader, MessagesHoldNoControlCharacters) {
    const Reading reading = read_postgres("SELECT \"\x1b[31m\x07\" FROM FROM");
    ASSERT_FALSE(reading.refusals.empty());
    EXPECT_THAT(read_postgres("SELECT 1 \"\x1b[31m\" \"\x1b[31m\"").refusals.at(0).message,
                testing::Not(testing::HasSubstr("\x1b")));
}

TEST(PostgresReader, LongListsAreNoNesting) {
    std::string list = "SELECT 1 FROM t WHERE a IN (0";
    for (int i = 1; i < 10'000; ++i) list += fmt::format(",{}", i);
    EXPECT_THAT(read_postgres(list + ")").refusals, IsEmpty());
    std::string conditions = "SELECT 1 FROM t WHERE a = 0";
    for (int i = 1; i < 1'000; ++i) conditions += fmt::format(" OR a = {}", i);
    EXPECT_THAT(read_postgres(conditions).refusals, IsEmpty());
}

TEST(PostgresReader, EveryDepthGivesAnAnswer) {
    for (const auto& [before, opening, inner, closing] :
         std::vector<std::array<std::string, 4>>{{"SELECT ", "f(", "1", ")"},
                                                 {"SELECT ", "(SELECT ", "1", ")"},
                                                 {"SELECT ", "@ ", "1", ""},
                                                 {"SELECT ", "CASE WHEN ", "true", " THEN 1 END"},
                                                 {"SELECT 1", "+1", "", ""},
                                                 {"SELECT ", "ARRAY[", "1", "]"},
                                                 {"SELECT 1 FROM ", "(SELECT 1 FROM ", "t", ") x"}}) {
        for (const int depth : {10, 50, 150, 250, 500, 1'000, 2'000, 4'000}) {
            std::string sql = before;
            for (int i = 0; i < depth; ++i) sql += opening;
            sql += inner;
            for (int i = 0; i < depth; ++i) sql += closing;
            const Reading reading = read_postgres(sql);
            if (depth <= 50) EXPECT_THAT(reading.refusals, IsEmpty()) << opening << depth;
            if (depth > 200) EXPECT_FALSE(reading.refusals.empty()) << opening << depth;
        }
    }
}

TEST(PostgresFunctions, WhatCouldDoHarmIsNotOnTheList) {
    for (const std::string_view name : {"pg_sleep",
                                        "pg_read_file",
                                        "lo_import",
                                        "dblink",
                                        "set_config",
                                        "current_setting",
                                        "query_to_xml",
                                        "table_to_xml",
                                        "cursor_to_xml",
                                        "schema_to_xml",
                                        "database_to_xml",
                                        "query_to_xmlschema",
                                        "ts_stat",
                                        "ts_rewrite",
                                        "nextval",
                                        "setval",
                                        "currval",
                                        "lastval",
                                        "has_table_privilege",
                                        "txid_current",
                                        "inet_server_addr",
                                        "version",
                                        "setseed",
                                        "xpath",
                                        "to_regclass",
                                        "obj_description",
                                        "loread",
                                        "lowrite"}) {
        EXPECT_FALSE(is_harmless_function(Dialect::postgres, name)) << name;
    }
    for (const std::string_view name : harmless_postgres_functions()) {
        EXPECT_FALSE(name.starts_with("pg_") || name.starts_with("lo_") || name.ends_with("_to_xml")) << name;
    }
}

TEST(PostgresFunctions, WhatAnalysesNeedIsOnTheList) {
    for (const std::string_view name :
         {"count", "sum", "date_trunc", "to_char", "now", "age", "generate_series", "unnest", "jsonb_each",
          "string_agg", "percentile_cont", "row_number", "random"}) {
        EXPECT_TRUE(is_harmless_function(Dialect::postgres, name)) << name;
    }
}

}  // namespace

}  // namespace quaestor::data
