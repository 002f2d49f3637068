// What a PostgreSQL server declares about its tables, and the fingerprint that tells when to look again.
#include "data/postgres_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace quaestor::data {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PostgresSchema : public PostgresShop {
protected:
    Catalog schema(Engine& engine) {
        auto catalog = engine.read_schema({});
        EXPECT_TRUE(catalog) << catalog.error().describe();
        return catalog ? std::move(*catalog) : Catalog();
    }

    static std::vector<std::string> names(const Catalog& catalog) {
        std::vector<std::string> names;
        for (const CatalogTable& table : catalog.tables) names.push_back(table.schema + "." + table.name);
        return names;
    }
};

TEST_F(PostgresSchema, TablesColumnsKeysAndCommentsAreThere) {
    execute("COMMENT ON TABLE orders IS 'What was bought'; COMMENT ON COLUMN orders.amount IS 'in euros'");
    const Catalog catalog = schema(*open_as_reader());
    EXPECT_EQ(catalog.dialect, Dialect::postgres);
    EXPECT_EQ(catalog.database, "postgres");
    EXPECT_EQ(catalog.default_schema, "public");
    EXPECT_THAT(names(catalog), ElementsAre("public.customers", "public.employees", "public.events",
                                            "public.order_items", "public.orders", "public.products"));
    const CatalogTable* orders = catalog.find_table("orders");
    ASSERT_NE(orders, nullptr);
    EXPECT_EQ(orders->description, "What was bought");
    EXPECT_THAT(orders->primary_key, ElementsAre("id"));
    ASSERT_EQ(orders->foreign_keys.size(), 1U);
    EXPECT_THAT(orders->foreign_keys[0].columns, ElementsAre("customer_id"));
    EXPECT_EQ(orders->foreign_keys[0].table, "customers");
    EXPECT_EQ(orders->foreign_keys[0].schema, "public");
    EXPECT_THAT(orders->foreign_keys[0].target_columns, ElementsAre("id"));
    const CatalogColumn* amount = orders->find_column("amount");
    ASSERT_NE(amount, nullptr);
    EXPECT_EQ(amount->type, "numeric(12,2)");
    EXPECT_EQ(amount->kind, ValueKind::decimal);
    EXPECT_FALSE(amount->nullable);
    EXPECT_EQ(amount->description, "in euros");
    EXPECT_TRUE(orders->find_column("note")->nullable);
    EXPECT_THAT(catalog.find_table("order_items")->primary_key, ElementsAre("order_id", "product_id"));
}

TEST_F(PostgresSchema, EveryKindOfRelationIsThereButNoPartition) {
    execute(
        "CREATE VIEW v AS SELECT id FROM orders; CREATE MATERIALIZED VIEW m AS SELECT id FROM orders; "
        "CREATE TABLE parted (day date) PARTITION BY RANGE (day); "
        "CREATE TABLE parted_2026 PARTITION OF parted FOR VALUES FROM ('2026-01-01') TO ('2027-01-01'); "
        "CREATE SCHEMA archive; CREATE TABLE archive.orders (id int); CREATE TEMP TABLE passing (id int)");
    const Catalog catalog = schema(*open_as_owner());
    EXPECT_THAT(names(catalog), testing::IsSupersetOf({"archive.orders", "public.v", "public.m", "public.parted"}));
    EXPECT_EQ(catalog.tables.size(), 10U);
    EXPECT_EQ(catalog.find_table("v")->kind, CatalogTable::Kind::view);
    EXPECT_EQ(catalog.find_table("m")->kind, CatalogTable::Kind::view);
    EXPECT_EQ(catalog.find_table("parted")->kind, CatalogTable::Kind::table);
}

TEST_F(PostgresSchema, WhatTheRoleMayNotReadIsLeftOut) {
    execute(
        "REVOKE ALL ON employees FROM reader; GRANT SELECT (id, name) ON employees TO reader; "
        "REVOKE ALL ON events FROM reader; CREATE SCHEMA hidden; CREATE TABLE hidden.t (a int); "
        "GRANT SELECT ON hidden.t TO reader");
    const auto engine = open_as_reader();
    const Catalog catalog = schema(*engine);
    EXPECT_THAT(names(catalog), ElementsAre("public.customers", "public.employees", "public.order_items",
                                            "public.orders", "public.products"));
    EXPECT_EQ(catalog.find_table("employees")->columns.size(), 2U);
    const auto denied = engine->run("SELECT * FROM events", {}, {});
    ASSERT_FALSE(denied);
    EXPECT_EQ(denied.error().code, Code::permission_denied);
    EXPECT_EQ(cell(*engine, "SELECT count(name) FROM employees"), "9");
}

TEST_F(PostgresSchema, OddNamesComeThrough) {
    const std::vector<std::string> odd{"two words", "a \"quote\"", "dot.ted", "select", "客户", "UPPER", "apo'strophe"};
    for (const std::string& name : odd) {
        execute(fmt::format("CREATE TABLE {} ({} int)", quote_name(name), quote_name(name)));
    }
    const auto engine = open_as_owner();
    const Catalog catalog = schema(*engine);
    for (const std::string& name : odd) {
        const auto found = std::ranges::find(catalog.tables, name, &CatalogTable::name);
        ASSERT_NE(found, catalog.tables.end()) << name;
        EXPECT_EQ(found->columns.at(0).name, name);
        const auto result =
            engine->run(fmt::format("SELECT {} FROM {}", quote_name(name), quote_name("public", name)), {}, {});
        ASSERT_TRUE(result) << result.error().describe();
        EXPECT_EQ(result->columns[0].name(), name);
    }
}

TEST_F(PostgresSchema, AWideTableComesThrough) {
    std::string columns;
    for (int i = 0; i < 1'600; ++i) columns += fmt::format("{}c{} int", i == 0 ? "" : ", ", i);
    execute(fmt::format("CREATE TABLE wide ({})", columns));
    execute("INSERT INTO wide (c1599) VALUES (7)");
    const auto engine = open_as_owner();
    EXPECT_EQ(schema(*engine).find_table("wide")->columns.size(), 1'600U);
    const auto result = engine->run("SELECT * FROM wide", {}, {});
    ASSERT_TRUE(result) << result.error().describe();
    ASSERT_EQ(result->columns.size(), 1'600U);
    EXPECT_TRUE(result->columns[0].is_null(0));
    EXPECT_EQ(result->columns[1599].text(0), "7");
}

TEST_F(PostgresSchema, TwoThousandTablesComeThrough) {
    // In steps: one transaction could not hold so many locks.
    for (int from = 0; from < 2'000; from += 500) {
        execute(
            fmt::format("DO $$ BEGIN FOR i IN {}..{} LOOP EXECUTE format('CREATE TABLE t%s (id int, name text)', i); "
                        "END LOOP; END $$",
                        from, from + 499));
    }
    const Catalog catalog = schema(*open_as_owner());
    EXPECT_EQ(catalog.tables.size(), 2'006U);
    EXPECT_EQ(catalog.find_table("t1999")->columns.size(), 2U);
    for (int from = 0; from < 2'000; from += 500) {
        execute(fmt::format("DO $$ BEGIN FOR i IN {}..{} LOOP EXECUTE format('DROP TABLE t%s', i); END LOOP; END $$",
                            from, from + 499));
    }
}

TEST_F(PostgresSchema, AnEmptyDatabaseHasNoTables) {
    ASSERT_TRUE(server_->empty_database());
    EXPECT_THAT(schema(*open_as_owner()).tables, IsEmpty());
}

TEST_F(PostgresSchema, TheFingerprintChangesWithDeclarationsAndRowsAndOtherwiseStays) {
    const auto engine = open_as_owner();
    std::string last = *engine->fingerprint();
    EXPECT_EQ(*engine->fingerprint(), last);
    for (const std::string change :
         {"INSERT INTO products VALUES (99, 'x', 'y', 1)", "UPDATE products SET price = 2 WHERE id = 99",
          "DELETE FROM products WHERE id = 99", "TRUNCATE events", "ALTER TABLE products ADD weight int",
          "ALTER TABLE products RENAME weight TO mass", "COMMENT ON TABLE products IS 'wares'",
          "CREATE TABLE more (id int)", "ALTER TABLE more ADD PRIMARY KEY (id)", "DROP TABLE more",
          "CREATE VIEW v AS SELECT 1 AS one", "CREATE OR REPLACE VIEW v AS SELECT 1 AS one, 2 AS two"}) {
        execute(change + "; SELECT pg_stat_force_next_flush()");
        const std::string now = *engine->fingerprint();
        EXPECT_NE(now, last) << change;
        last = now;
    }
    EXPECT_TRUE(engine->run("SELECT count(*) FROM orders", {}, {}));
    EXPECT_EQ(*engine->fingerprint(), last);
}

TEST_F(PostgresSchema, ReadingItCanBeCancelled) {
    CancelSource source;
    source.cancel(CancelReason::shutdown, "the end");
    const auto catalog = open_as_owner()->read_schema(source.token());
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().code, Code::cancelled);
}

}  // namespace

}  // namespace quaestor::data
