// The attacks and the legitimate queries of tests/data/cases, on the guard alone and on a server.
#include "data/case_file.hpp"
#include "data/guard.hpp"
#include "data/postgres_fixture.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using std::chrono::milliseconds;

const TableNames& shop_tables() {
    static const TableNames tables = TableNames::parse(
        "public.customers,public.products,public.orders,public.order_items,public.employees,public.events");
    return tables;
}

std::string names_of(const std::vector<Problem>& problems) {
    std::vector<std::string> names;
    for (const Problem& problem : problems) {
        names.push_back(fmt::format("{} ({})", boost::describe::enum_to_string(problem.code, "?"), problem.message));
    }
    return fmt::format("{}", fmt::join(names, "; "));
}

class PostgresAttack : public testing::TestWithParam<SqlCase> {};

TEST_P(PostgresAttack, IsRefusedOrLeftToTheEnginesBounds) {
    const SqlCase& attack = GetParam();
    const Verdict verdict = Guard(Dialect::postgres, shop_tables()).check(attack.sql);
    if (attack.fact("expect") == "bounded") {
        EXPECT_TRUE(verdict.ok) << names_of(verdict.errors);
        return;
    }
    EXPECT_FALSE(verdict.ok);
    EXPECT_TRUE(verdict.sql.empty());
    const std::string wanted = attack.fact("expect").substr(std::string("refused ").size());
    EXPECT_THAT(names_of(verdict.errors), testing::HasSubstr(wanted + " ("));
    for (const Problem& problem : verdict.errors) {
        EXPECT_FALSE(problem.message.empty());
        if (problem.at) EXPECT_LT(*problem.at, attack.sql.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, PostgresAttack, testing::ValuesIn(read_cases("attack_postgres.cases")),
                         [](const auto& info) { return test_name_of(info.param); });

class PostgresQuery : public testing::TestWithParam<SqlCase> {};

TEST_P(PostgresQuery, IsAccepted) {
    const Verdict verdict = Guard(Dialect::postgres, shop_tables()).check(GetParam().sql);
    EXPECT_TRUE(verdict.ok) << names_of(verdict.errors);
}

INSTANTIATE_TEST_SUITE_P(Cases, PostgresQuery, testing::ValuesIn(read_cases("positive_postgres.cases")),
                         [](const auto& info) { return test_name_of(info.param); });

class PostgresCases : public PostgresShop {
protected:
    /// All rows, objects, roles and large objects of the database as one number.
    std::string contents() {
        const auto owner = open_as_owner();
        return cell(*owner, R"sql(
            SELECT md5(string_agg(x, ';' ORDER BY x)) FROM (
                SELECT 'customers' || t::text AS x FROM customers t UNION ALL SELECT 'products' || t::text FROM products t
                UNION ALL SELECT 'orders' || t::text FROM orders t UNION ALL SELECT 'items' || t::text FROM order_items t
                UNION ALL SELECT 'employees' || t::text FROM employees t UNION ALL SELECT 'events' || t::text FROM events t
                UNION ALL SELECT 'class' || relname || relkind || coalesce(relacl::text, '') FROM pg_class WHERE oid >= 16384
                UNION ALL SELECT 'function' || proname FROM pg_proc WHERE oid >= 16384
                UNION ALL SELECT 'role' || rolname || rolsuper FROM pg_roles
                UNION ALL SELECT 'extension' || extname FROM pg_extension
                UNION ALL SELECT 'object' || oid FROM pg_largeobject_metadata) everything)sql");
    }
};

TEST_F(PostgresCases, EveryLegitimateQueryRunsOnTheServer) {
    const auto engine = open_as_reader();
    const Guard guard(Dialect::postgres, shop_tables());
    for (const SqlCase& query : read_cases("positive_postgres.cases")) {
        SCOPED_TRACE(query.place + " " + query.name);
        const Verdict verdict = guard.check(query.sql);
        const auto result = engine->run(verdict.sql, {}, {});
        EXPECT_TRUE(result) << result.error().describe();
        const auto problem = engine->bind(query.sql, {});
        EXPECT_TRUE(problem && !*problem);
    }
}

TEST_F(PostgresCases, AttacksThatPassTheGuardStayWithinTheirBoundsAndChangeNothing) {
    const std::string before = contents();
    const auto engine = open_as_reader();
    const Guard guard(Dialect::postgres, shop_tables(), 100);
    const QueryLimits limits{.rows = 100, .bytes = 1 << 20, .timeout = milliseconds(300)};
    for (const SqlCase& attack : read_cases("attack_postgres.cases")) {
        if (attack.fact("expect") != "bounded") continue;
        SCOPED_TRACE(attack.place + " " + attack.name);
        const auto result = engine->run(guard.check(attack.sql).sql, limits, {});
        if (!result) {
            EXPECT_THAT(result.error().code, testing::AnyOf(Code::timeout, Code::limit_exceeded));
            continue;
        }
        EXPECT_LE(result->row_count, limits.rows);
    }
    EXPECT_EQ(contents(), before);
    EXPECT_EQ(cell(*engine, "SELECT count(*) FROM customers"), "10");
}

/// What would happen if the guard had a hole: the transaction and the role hold.
TEST_F(PostgresCases, AttacksThatWouldSlipThroughTheGuardChangeNothing) {
    const std::string before = contents();
    const auto engine = open_as_reader();
    const QueryLimits limits{.rows = 100, .bytes = 1 << 20, .timeout = milliseconds(50)};
    for (const SqlCase& attack : read_cases("attack_postgres.cases")) {
        if (!attack.fact("expect").starts_with("refused ")) continue;
        const auto result = engine->run(attack.sql, limits, {});
        if (result) EXPECT_LE(result->row_count, limits.rows) << attack.place;
    }
    EXPECT_EQ(contents(), before);
    EXPECT_EQ(cell(*engine, "SELECT count(*) FROM customers"), "10");
}

}  // namespace

}  // namespace quaestor::data
