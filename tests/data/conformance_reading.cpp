// What an engine finds in a statement, as the guard and bind() tell it.

#include "data/conformance.hpp"
#include "data/guard.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace quaestor::data {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<Problem::Code> codes_of(const std::vector<Problem>& problems) {
    std::vector<Problem::Code> codes;
    for (const Problem& problem : problems) codes.push_back(problem.code);
    return codes;
}

std::string messages_of(const Verdict& verdict) {
    std::string messages;
    for (const Problem& problem : verdict.errors) messages += problem.message + "\n";
    return messages;
}

}  // namespace

TEST_P(EngineConformance, FindsTheTablesOfAJoin) {
    open_shop();
    const auto verdict = judge(
        "SELECT c.name, sum(o.amount) FROM customers AS c JOIN orders o ON o.customer_id = c.id"
        " GROUP BY c.name");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_EQ(verdict.statement, "select");
    EXPECT_THAT(verdict.tables, UnorderedElementsAre(EndsWith("customers"), EndsWith("orders")));
    EXPECT_THAT(verdict.functions, ElementsAre("sum"));
}

TEST_P(EngineConformance, FindsTheTablesOfSubqueries) {
    open_shop();
    const auto verdict = judge(
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE EXISTS (SELECT 1 FROM"
        " order_items i WHERE i.order_id = orders.id))");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_THAT(verdict.tables,
                UnorderedElementsAre(EndsWith("customers"), EndsWith("orders"), EndsWith("order_items")));
}

TEST_P(EngineConformance, DoesNotTakeACteForATable) {
    open_shop();
    const auto verdict = judge(
        "WITH big AS (SELECT customer_id, amount FROM orders WHERE amount > 500), few AS (SELECT"
        " customer_id FROM big) SELECT count(*) FROM big JOIN few ON few.customer_id ="
        " big.customer_id");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_THAT(verdict.tables, ElementsAre(EndsWith("orders")));
}

TEST_P(EngineConformance, TakesNamesInQuotesAndAnyCase) {
    open_shop();
    const auto verdict = judge("SELECT \"id\" FROM \"orders\" UNION ALL SELECT ID FROM CUSTOMERS");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_THAT(verdict.tables, UnorderedElementsAre(EndsWith("customers"), EndsWith("orders")));
}

TEST_P(EngineConformance, TakesNamesWithASchema) {
    open_shop();
    const std::string schema_name = schema().default_schema;
    const auto verdict = judge("SELECT count(*) FROM " + schema_name + ".orders");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_THAT(verdict.tables, ElementsAre(EndsWith("orders")));
}

TEST_P(EngineConformance, SuggestsTheNearestTable) {
    open_shop();
    const auto verdict = judge("SELECT count(*) FROM ordrs");
    ASSERT_THAT(codes_of(verdict.errors), ElementsAre(Problem::Code::unknown_table));
    EXPECT_THAT(verdict.errors[0].suggestion, HasSubstr("orders"));
    EXPECT_EQ(verdict.errors[0].at, std::optional<std::size_t>(21));
}

TEST_P(EngineConformance, RefusesASecondStatement) {
    open_shop();
    EXPECT_THAT(codes_of(judge("SELECT 1; SELECT 2").errors), Contains(Problem::Code::several_statements));
}

TEST_P(EngineConformance, TakesASemicolonAndCommentsAtTheEnd) {
    open_shop();
    const auto verdict = judge("SELECT id FROM orders; -- that is all\n /* really */");
    EXPECT_TRUE(verdict.ok) << messages_of(verdict);
    EXPECT_EQ(run(verdict.sql).row_count, 40U) << verdict.sql;
}

TEST_P(EngineConformance, RefusesNothingButComments) {
    open_shop();
    EXPECT_THAT(codes_of(judge("-- nothing here").errors), ElementsAre(Problem::Code::empty));
    EXPECT_THAT(codes_of(judge(" \n").errors), ElementsAre(Problem::Code::empty));
}

TEST_P(EngineConformance, RefusesWhatIsNoQuery) {
    open_shop();
    for (const auto* sql : {"DELETE FROM orders", "DROP TABLE orders", "UPDATE orders SET amount = 0",
                            "INSERT INTO orders (id) VALUES (1)", "CREATE TABLE t (i INTEGER)", "BEGIN"}) {
        EXPECT_THAT(codes_of(judge(sql).errors), Contains(Problem::Code::not_a_query)) << sql;
    }
}

TEST_P(EngineConformance, RefusesBadSyntax) {
    open_shop();
    EXPECT_THAT(codes_of(judge("SELEC id FROM orders").errors), ElementsAre(Problem::Code::syntax));
    EXPECT_THAT(codes_of(judge("SELECT (1").errors), ElementsAre(Problem::Code::syntax));
}

TEST_P(EngineConformance, RefusesAFunctionThatIsNotHarmless) {
    open_shop();
    const auto codes = codes_of(judge("SELECT id, " + GetParam().forbidden_call + " FROM orders").errors);
    EXPECT_THAT(codes, Contains(Problem::Code::forbidden_function));
}

TEST_P(EngineConformance, FindsAForbiddenFunctionInEveryPosition) {
    open_shop();
    const std::string& call = GetParam().forbidden_call;
    for (const std::string& sql :
         {"SELECT id FROM orders WHERE " + call + " IS NULL", "SELECT id FROM orders ORDER BY " + call,
          "SELECT count(*) FROM orders GROUP BY " + call, "SELECT max(id) FROM orders HAVING " + call + " IS NULL",
          "SELECT (SELECT " + call + ")", "WITH x AS (SELECT " + call + " AS y) SELECT y FROM x",
          "SELECT CASE WHEN id = 1 THEN " + call + " END FROM orders",
          "SELECT a.id FROM orders a JOIN orders b ON a.id = b.id AND " + call + " IS NULL"}) {
        EXPECT_THAT(codes_of(judge(sql).errors), Contains(Problem::Code::forbidden_function)) << sql;
    }
}

TEST_P(EngineConformance, WarnsOfSelectStar) {
    open_shop();
    EXPECT_THAT(codes_of(judge("SELECT * FROM orders").warnings), ElementsAre(Problem::Code::select_star));
    EXPECT_THAT(codes_of(judge("SELECT o.* FROM orders o").warnings), ElementsAre(Problem::Code::select_star));
    EXPECT_THAT(judge("SELECT count(*), 2 * 3 FROM orders").warnings, IsEmpty());
}

TEST_P(EngineConformance, WarnsOfALeadingWildcard) {
    open_shop();
    EXPECT_THAT(codes_of(judge("SELECT id FROM customers WHERE name LIKE '%a'").warnings),
                ElementsAre(Problem::Code::leading_wildcard));
    EXPECT_THAT(judge("SELECT id FROM customers WHERE name LIKE 'a%'").warnings, IsEmpty());
}

TEST_P(EngineConformance, WarnsOfRecursion) {
    open_shop();
    const auto verdict = judge("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n");
    EXPECT_THAT(codes_of(verdict.warnings), ElementsAre(Problem::Code::unbounded_recursion));
}

TEST_P(EngineConformance, AddsALimitWhereThereIsNone) {
    open_shop();
    EXPECT_THAT(judge("SELECT id FROM orders").sql, HasSubstr("LIMIT 10001"));
    EXPECT_THAT(judge("SELECT id FROM orders WHERE id IN (SELECT id FROM orders LIMIT 5)").sql,
                HasSubstr("LIMIT 10001"));
}

TEST_P(EngineConformance, KeepsALimitThatIsThere) {
    open_shop();
    for (const auto* sql : {"SELECT id FROM orders LIMIT 5", "SELECT id FROM orders ORDER BY id LIMIT 5 OFFSET 2"}) {
        const auto verdict = judge(sql);
        EXPECT_TRUE(verdict.ok) << messages_of(verdict);
        EXPECT_THAT(verdict.sql, Not(HasSubstr("10001")));
        EXPECT_EQ(run(verdict.sql).row_count, 5U);
    }
}

TEST_P(EngineConformance, RunsWhatTheGuardMadeOfAStatement) {
    open_shop();
    for (const auto* sql : {"SELECT id FROM orders", "SELECT id FROM orders -- a comment", "VALUES (1), (2)",
                            "SELECT id FROM orders UNION SELECT id FROM customers ORDER BY 1",
                            "WITH x AS (SELECT id FROM orders) SELECT id FROM x;"}) {
        const auto verdict = judge(sql);
        EXPECT_TRUE(verdict.ok) << sql << "\n" << messages_of(verdict);
        EXPECT_GT(run(verdict.sql).row_count, 0U) << verdict.sql;
    }
}

TEST_P(EngineConformance, BindsAGoodStatement) {
    open_shop();
    EXPECT_FALSE(
        bind("SELECT c.name, sum(o.amount) AS total FROM customers c JOIN orders o ON o.customer_id = c.id"
             " GROUP BY c.name HAVING sum(o.amount) > 100 ORDER BY total DESC"));
}

TEST_P(EngineConformance, BindFindsAnUnknownColumnAndSuggestsOne) {
    open_shop();
    const auto problem = bind("SELECT amunt FROM orders");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, Problem::Code::unknown_column);
    EXPECT_THAT(problem->message + problem->suggestion, HasSubstr("amount"));
}

TEST_P(EngineConformance, BindFindsAnUnknownColumnBehindAnAlias) {
    open_shop();
    const auto problem = bind("SELECT o.id FROM orders AS o WHERE o.statuss = 'paid'");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, Problem::Code::unknown_column);
    EXPECT_THAT(problem->message + problem->suggestion, HasSubstr("status"));
}

TEST_P(EngineConformance, BindFindsAnUnknownTable) {
    open_shop();
    const auto problem = bind("SELECT 1 FROM nothing_like_this");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, Problem::Code::unknown_table);
}

TEST_P(EngineConformance, BindFindsBadSyntax) {
    open_shop();
    const auto problem = bind("SELECT id FROM orders WHERE");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, Problem::Code::syntax);
}

TEST_P(EngineConformance, BindFindsTypesThatDoNotFit) {
    open_shop();
    if (!GetParam().checks_types) GTEST_SKIP() << "takes any value anywhere";
    const auto problem = bind("SELECT sum(name) FROM customers");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->code, Problem::Code::wrong_type);
}

TEST_P(EngineConformance, BindRunsNothing) {
    open_shop();
    EXPECT_FALSE(
        bind("WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) SELECT count(*)"
             " FROM n"));
}

}  // namespace quaestor::data
