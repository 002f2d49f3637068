// What the values of a DuckDB file say of it: ranges, samples, and keys that nobody declared.
#include "data/duckdb_shop.hpp"
#include "data/statistics.hpp"
#include "data/timed_run.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class DuckdbCatalog : public testing::Test {
protected:
    ~DuckdbCatalog() override { fs::remove_all(folder_); }

    /// The complete catalogue of a database made by these statements.
    Catalog learn(const std::string& sql) {
        make_duckdb(folder_ / "data.duckdb", sql);
        engine_ = open_duckdb((folder_ / "data.duckdb").string()).value();
        Catalog catalog = engine_->read_schema({}).value();
        EXPECT_TRUE(add_statistics(*engine_, catalog, {}, [](const Catalog&) {}).has_value());
        EXPECT_TRUE(infer_keys(*engine_, catalog, {}).has_value());
        return catalog;
    }

    /// "orders.customer_id -> customers.id" for every foreign key that was inferred.
    static std::vector<std::string> inferred(const Catalog& catalog) {
        std::vector<std::string> keys;
        for (const auto& table : catalog.tables) {
            for (const auto& key : table.foreign_keys) {
                if (key.origin != Origin::inferred) continue;
                keys.push_back(table.name + "." + key.columns[0] + " -> " + key.table + "." + key.target_columns[0]);
            }
        }
        return keys;
    }

    const fs::path folder_ = make_folder();
    std::unique_ptr<Engine> engine_;
};

TEST_F(DuckdbCatalog, KnowsRangesSamplesAndNulls) {
    const Catalog catalog = learn(
        "CREATE TABLE t AS SELECT i AS n, CASE WHEN i % 2 = 0 THEN 'even' END AS word, "
        "DATE '2026-01-01' + i::INTEGER AS day, [i] AS l FROM range(10) r(i)");
    const auto& columns = catalog.tables.at(0).columns;
    EXPECT_EQ(catalog.tables[0].rows, 10);
    EXPECT_EQ(columns[0].min, "0");
    EXPECT_EQ(columns[0].max, "9");
    EXPECT_EQ(columns[0].distinct, 10);
    EXPECT_EQ(columns[1].nulls, 5);
    EXPECT_THAT(columns[1].samples, ElementsAre("even"));
    EXPECT_EQ(columns[1].min, std::nullopt);
    EXPECT_EQ(columns[2].max, "2026-01-10");
    EXPECT_THAT(columns[3].samples, IsEmpty());
}

TEST_F(DuckdbCatalog, LooksAtEmptyTablesViewsAndStrangeNames) {
    const Catalog catalog = learn(R"sql(CREATE TABLE "a ""b"" . c" ("x y" INTEGER); CREATE VIEW v AS SELECT 1 AS one;
        CREATE TABLE docs AS SELECT '{"a": 1}'::JSON AS d, '\x00'::BLOB AS b, 1::BIGNUM AS big)sql");
    ASSERT_EQ(catalog.tables.size(), 3U);
    EXPECT_EQ(catalog.find_table("a \"b\" . c")->rows, 0);
    EXPECT_EQ(catalog.find_table("v")->rows, 1);
    EXPECT_EQ(catalog.find_table("docs")->rows, 1);
}

TEST_F(DuckdbCatalog, FindsKeysByNamesAndValues) {
    const Catalog catalog = learn(
        "CREATE TABLE customers AS SELECT i AS id FROM range(1, 11) r(i);"
        "CREATE TABLE categories AS SELECT i AS category_id FROM range(1, 4) r(i);"
        "CREATE TABLE currencies AS SELECT unnest(['EUR', 'USD']) AS code;"
        "CREATE TABLE orders AS SELECT i AS id, i % 10 + 1 AS customer_id, i % 10 + 1 AS billing_customer_id, "
        "i % 10 + 1 AS customer_id_shipping, "
        "i % 3 + 1 AS category_id, 'EUR' AS currency_code FROM range(40) r(i);"
        "CREATE TABLE badges AS SELECT i AS number, i AS person_id FROM range(1, 4) r(i);"
        "CREATE TABLE employees AS SELECT i AS id, CASE WHEN i > 1 THEN 1 END::BIGINT AS manager_id FROM range(1, 5) "
        "r(i)");
    EXPECT_THAT(inferred(catalog),
                testing::UnorderedElementsAre(
                    "orders.customer_id -> customers.id", "orders.billing_customer_id -> customers.id",
                    "orders.customer_id_shipping -> customers.id", "orders.category_id -> categories.category_id",
                    "orders.currency_code -> currencies.code", "badges.person_id -> employees.id",
                    "employees.manager_id -> employees.id"));
    EXPECT_THAT(catalog.find_table("orders")->primary_key, ElementsAre("id"));
    EXPECT_EQ(catalog.find_table("orders")->primary_key_origin, Origin::inferred);
}

TEST_F(DuckdbCatalog, FindsKeysOfWhichSomeOldRowsPointNowhere) {
    const Catalog catalog = learn(
        "CREATE TABLE team AS SELECT i AS id FROM range(1, 11) r(i);"
        "CREATE TABLE game AS SELECT i AS id, CASE WHEN i % 10 = 0 THEN 99 ELSE i % 10 END AS team_id, "
        "CASE WHEN i % 2 = 0 THEN 100 + i ELSE 1 END AS team_id_away FROM range(100) r(i)");
    EXPECT_THAT(inferred(catalog), ElementsAre("game.team_id -> team.id"));
}

TEST_F(DuckdbCatalog, DoesNotTakeFalseFriendsForKeys) {
    const Catalog catalog = learn(
        "CREATE TABLE customers AS SELECT i AS id FROM range(1, 11) r(i);"
        "CREATE TABLE visits AS SELECT i AS id, i * 100 AS customer_id, i::VARCHAR AS other_customer_id, 7 AS visit "
        "FROM range(40) r(i);"
        "CREATE TABLE copies AS SELECT 1 AS id FROM range(5);"
        "CREATE TABLE notes AS SELECT NULL::INTEGER AS id, NULL::BIGINT AS customer_id FROM range(5)");
    EXPECT_THAT(inferred(catalog), IsEmpty());
    EXPECT_THAT(catalog.find_table("copies")->primary_key, IsEmpty());
    EXPECT_THAT(catalog.find_table("notes")->primary_key, IsEmpty());
}

TEST_F(DuckdbCatalog, KeepsWhatIsDeclared) {
    const Catalog catalog = learn(
        "CREATE TABLE a (x INTEGER, y INTEGER, PRIMARY KEY (x, y));"
        "CREATE TABLE b (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, "
        "FOREIGN KEY (x, y) REFERENCES a (x, y)); INSERT INTO a VALUES (1, 2); "
        "INSERT INTO b VALUES (1, 1, 2); COMMENT ON TABLE a IS 'pairs'; "
        "COMMENT ON COLUMN b.x IS 'left'");
    const auto* a = catalog.find_table("a");
    const auto* b = catalog.find_table("b");
    EXPECT_THAT(a->primary_key, ElementsAre("x", "y"));
    EXPECT_EQ(a->description, "pairs");
    ASSERT_EQ(b->foreign_keys.size(), 1U);
    EXPECT_THAT(b->foreign_keys[0].columns, ElementsAre("x", "y"));
    EXPECT_THAT(b->foreign_keys[0].target_columns, ElementsAre("x", "y"));
    EXPECT_EQ(b->foreign_keys[0].origin, Origin::declared);
    EXPECT_EQ(b->find_column("x")->description, "left");
}

TEST_F(DuckdbCatalog, StopsWhenItIsCancelled) {
    make_duckdb(folder_ / "data.duckdb", "CREATE TABLE t AS SELECT 1 AS id");
    engine_ = open_duckdb((folder_ / "data.duckdb").string()).value();
    Catalog catalog = engine_->read_schema({}).value();
    CancelSource source;
    source.cancel(CancelReason::shutdown);
    EXPECT_EQ(add_statistics(*engine_, catalog, source.token(), [](const Catalog&) {}).error().code, Code::cancelled);
    EXPECT_EQ(infer_keys(*engine_, catalog, source.token()).error().code, Code::cancelled);
}

TEST_F(DuckdbCatalog, GivesUpAQueryWhoseTimeIsOver) {
    make_duckdb(folder_ / "data.duckdb", "SELECT 1");
    engine_ = open_duckdb((folder_ / "data.duckdb").string()).value();
    const QueryLimits limits{.timeout = std::chrono::milliseconds(20)};
    const auto late = run_in_time(*engine_, "SELECT sum(range) FROM range(1000000000000)", limits, {});
    EXPECT_EQ(late.error().code, Code::timeout);
    EXPECT_EQ(run_in_time(*engine_, "SELECT 1", {}, {}).value().row_count, 1U);
}

}  // namespace

}  // namespace quaestor::data
