// What an engine tells of its database.

#include "data/conformance.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace quaestor::data {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const CatalogTable& table_of(const Catalog& catalog, const std::string& name) {
    static const CatalogTable nothing;
    const auto found = std::ranges::find(catalog.tables, name, &CatalogTable::name);
    EXPECT_NE(found, catalog.tables.end()) << name;
    return found == catalog.tables.end() ? nothing : *found;
}

const CatalogColumn& column_of(const CatalogTable& table, const std::string& name) {
    static const CatalogColumn nothing;
    const auto* found = table.find_column(name);
    EXPECT_NE(found, nullptr) << table.name << "." << name;
    return found == nullptr ? nothing : *found;
}

std::vector<std::string> names_in(const Catalog& catalog) {
    std::vector<std::string> names;
    for (const CatalogTable& table : catalog.tables) names.push_back(table.name);
    return names;
}

}  // namespace

TEST_P(EngineConformance, ListsTheTablesByName) {
    open_shop();
    const auto catalog = schema();
    EXPECT_EQ(catalog.dialect, GetParam().dialect);
    EXPECT_THAT(names_in(catalog),
                ElementsAre("customers", "employees", "events", "order_items", "orders", "products"));
    for (const CatalogTable& table : catalog.tables) {
        EXPECT_EQ(table.schema, catalog.default_schema);
        EXPECT_EQ(table.kind, CatalogTable::Kind::table);
    }
}

TEST_P(EngineConformance, ListsTheColumnsInTheirOrder) {
    open_shop();
    const auto catalog = schema();
    std::vector<std::string> names;
    for (const auto& column : table_of(catalog, "orders").columns) names.push_back(column.name);
    EXPECT_THAT(names, ElementsAre("id", "customer_id", "order_date", "status", "amount", "note"));
}

TEST_P(EngineConformance, TellsTheKindsOfColumns) {
    open_shop();
    const auto catalog = schema();
    const auto& orders = table_of(catalog, "orders");
    EXPECT_EQ(column_of(orders, "id").kind, ValueKind::integer);
    EXPECT_EQ(column_of(orders, "order_date").kind, ValueKind::date);
    EXPECT_EQ(column_of(orders, "status").kind, ValueKind::text);
    EXPECT_TRUE(is_numeric(column_of(orders, "amount").kind));
    EXPECT_EQ(column_of(table_of(catalog, "events"), "ts").kind, ValueKind::timestamp);
    EXPECT_EQ(column_of(table_of(catalog, "events"), "weight").kind, ValueKind::number);
    EXPECT_FALSE(column_of(orders, "amount").type.empty());
}

TEST_P(EngineConformance, TellsWhichColumnsMayBeNull) {
    open_shop();
    const auto catalog = schema();
    EXPECT_TRUE(column_of(table_of(catalog, "customers"), "email").nullable);
    EXPECT_FALSE(column_of(table_of(catalog, "customers"), "name").nullable);
    EXPECT_FALSE(column_of(table_of(catalog, "customers"), "id").nullable);
}

TEST_P(EngineConformance, TellsThePrimaryKeys) {
    open_shop();
    const auto catalog = schema();
    EXPECT_THAT(table_of(catalog, "orders").primary_key, ElementsAre("id"));
    EXPECT_THAT(table_of(catalog, "order_items").primary_key, ElementsAre("order_id", "product_id"));
}

TEST_P(EngineConformance, TellsTheForeignKeys) {
    open_shop();
    const auto catalog = schema();
    const auto& keys = table_of(catalog, "order_items").foreign_keys;
    ASSERT_EQ(keys.size(), 2U);
    const auto to_orders = std::ranges::find(keys, "orders", &ForeignKey::table);
    ASSERT_NE(to_orders, keys.end());
    EXPECT_THAT(to_orders->columns, ElementsAre("order_id"));
    EXPECT_THAT(to_orders->target_columns, ElementsAre("id"));
    EXPECT_EQ(to_orders->schema, catalog.default_schema);
    EXPECT_EQ(to_orders->origin, Origin::declared);
}

TEST_P(EngineConformance, CompletesAForeignKeyWithoutColumns) {
    open(
        "CREATE TABLE parents (code VARCHAR(9) PRIMARY KEY);"
        "CREATE TABLE children (id INTEGER PRIMARY KEY, parent VARCHAR(9) REFERENCES parents);");
    const auto catalog = schema();
    const auto& keys = table_of(catalog, "children").foreign_keys;
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_THAT(keys[0].columns, ElementsAre("parent"));
    EXPECT_THAT(keys[0].target_columns, ElementsAre("code"));
}

TEST_P(EngineConformance, TellsAForeignKeyOfTwoColumns) {
    open(
        "CREATE TABLE parents (a INTEGER, b INTEGER, PRIMARY KEY (b, a));"
        "CREATE TABLE children (x INTEGER, y INTEGER, FOREIGN KEY (x, y) REFERENCES parents (b, a));");
    const auto catalog = schema();
    EXPECT_THAT(table_of(catalog, "parents").primary_key, ElementsAre("b", "a"));
    const auto& keys = table_of(catalog, "children").foreign_keys;
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_THAT(keys[0].columns, ElementsAre("x", "y"));
    EXPECT_THAT(keys[0].target_columns, ElementsAre("b", "a"));
}

TEST_P(EngineConformance, ListsViewsAsViews) {
    open(shop_sql() + "CREATE VIEW paid AS SELECT id, amount AS worth FROM orders WHERE status = 'paid';");
    const auto catalog = schema();
    const auto& paid = table_of(catalog, "paid");
    EXPECT_EQ(paid.kind, CatalogTable::Kind::view);
    ASSERT_EQ(paid.columns.size(), 2U);
    EXPECT_EQ(paid.columns[1].name, "worth");
    EXPECT_THAT(paid.primary_key, IsEmpty());
}

TEST_P(EngineConformance, ReadsViewsAndNamesOnlyTheView) {
    open(shop_sql() + "CREATE VIEW paid AS SELECT id, amount AS worth FROM orders WHERE status = 'paid';");
    const auto verdict = judge("SELECT count(*) FROM paid");
    EXPECT_TRUE(verdict.ok);
    EXPECT_THAT(verdict.tables, ElementsAre(testing::EndsWith("paid")));
    EXPECT_EQ(cell("SELECT count(*) FROM paid"), "13");
}

TEST_P(EngineConformance, TakesStrangeNames) {
    const std::vector<std::string> names = {
        "order no. 1", "select", "it's \"quoted\"", "\xE8\xAE\xA2\xE5\x8D\x95", "semi;colon", "UPPER lower",
        "100%",        "a.b.c"};
    std::string sql;
    for (const auto& name : names) {
        sql += fmt::format("CREATE TABLE {} (id INTEGER PRIMARY KEY, {} INTEGER);", quote_name(name),
                           quote_name("c " + name));
        sql += fmt::format("INSERT INTO {} VALUES (1, 42);", quote_name(name));
    }
    open(sql);
    const auto catalog = schema();
    EXPECT_EQ(catalog.tables.size(), names.size());
    for (const auto& name : names) {
        const auto& table = table_of(catalog, name);
        EXPECT_EQ(column_of(table, "c " + name).kind, ValueKind::integer);
        const auto query = fmt::format("SELECT {} FROM {}", quote_name("c " + name), quote_name(name));
        const auto verdict = judge(query);
        EXPECT_TRUE(verdict.ok) << query << (verdict.errors.empty() ? "" : verdict.errors[0].message);
        EXPECT_EQ(cell(query), "42");
    }
}

TEST_P(EngineConformance, ReadsADatabaseWithoutTables) {
    open("CREATE TABLE t (i INTEGER); DROP TABLE t;");
    EXPECT_THAT(schema().tables, IsEmpty());
    EXPECT_EQ(cell("SELECT 1"), "1");
}

TEST_P(EngineConformance, ReadsTwoThousandTables) {
    std::string sql = "BEGIN;";
    for (int i = 0; i < 2'000; ++i) sql += fmt::format("CREATE TABLE t{:04} (id INTEGER PRIMARY KEY, x INTEGER);", i);
    open(sql + "COMMIT;");
    const auto catalog = schema();
    ASSERT_EQ(catalog.tables.size(), 2'000U);
    EXPECT_EQ(catalog.tables[1'234].name, "t1234");
    EXPECT_EQ(catalog.tables[1'234].columns.size(), 2U);
}

TEST_P(EngineConformance, ReadsATableOfManyColumns) {
    constexpr int kColumns = 1'500;  // PostgreSQL allows 1,600
    std::string sql = "CREATE TABLE wide (c0 INTEGER";
    for (int i = 1; i < kColumns; ++i) sql += fmt::format(", c{} INTEGER", i);
    open(sql + ");");
    const auto catalog = schema();
    EXPECT_EQ(table_of(catalog, "wide").columns.size(), std::size_t{kColumns});
    EXPECT_EQ(run("SELECT * FROM wide").columns.size(), std::size_t{kColumns});
}

TEST_P(EngineConformance, ListsTablesOfOtherSchemas) {
    if (!GetParam().has_schemas) GTEST_SKIP() << "has one schema";
    open("CREATE TABLE here (id INTEGER); CREATE SCHEMA other; CREATE TABLE other.there (id INTEGER);");
    const auto catalog = schema();
    EXPECT_EQ(table_of(catalog, "there").schema, "other");
    EXPECT_TRUE(judge("SELECT id FROM other.there").ok);
}

TEST_P(EngineConformance, GivesTheSameFingerprintTwice) {
    open_own(shop_sql());
    const auto first = engine_->fingerprint();
    ASSERT_TRUE(first) << first.error().describe();
    (void)run("SELECT count(*) FROM orders");
    EXPECT_EQ(engine_->fingerprint().value_or("failed"), *first);
    engine_.reset();
    engine_ = database_->open();
    EXPECT_EQ(engine_->fingerprint().value_or("failed"), *first);
}

TEST_P(EngineConformance, GivesAnotherFingerprintWhenRowsHaveChanged) {
    open_own(shop_sql());
    const auto before = engine_->fingerprint().value_or("failed");
    if (!GetParam().is_written_while_open) engine_.reset();
    database_->write("INSERT INTO products VALUES (99, 'new', 'new', 1.00);");
    if (!engine_) engine_ = database_->open();
    EXPECT_NE(engine_->fingerprint().value_or("failed"), before);
    EXPECT_EQ(cell("SELECT count(*) FROM products"), "7");
}

TEST_P(EngineConformance, GivesAnotherFingerprintWhenTablesHaveChanged) {
    open_own(shop_sql());
    const auto before = engine_->fingerprint().value_or("failed");
    if (!GetParam().is_written_while_open) engine_.reset();
    database_->write("CREATE TABLE added (id INTEGER PRIMARY KEY);");
    if (!engine_) engine_ = database_->open();
    EXPECT_NE(engine_->fingerprint().value_or("failed"), before);
    EXPECT_EQ(schema().tables.size(), 7U);
    EXPECT_EQ(cell("SELECT count(*) FROM added"), "0");
}

}  // namespace quaestor::data
