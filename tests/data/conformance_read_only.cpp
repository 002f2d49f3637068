// Statements that write are refused by the engine itself. They are given to run() past the guard, on purpose.

#include "data/conformance.hpp"

#include <array>

namespace quaestor::data {

namespace {

/// What must be the same before and after.
constexpr const char* kContents =
    "SELECT (SELECT count(*) FROM orders) * 1000 + (SELECT count(*) FROM customers) + (SELECT count(*) FROM customers"
    " WHERE name = 'Ada') * 100000";

/// Watches that a statement is refused and nothing changes.
class Refusal {
public:
    Refusal(EngineHome home, TestDatabase& database, Engine& engine)
        : home_(std::move(home)), database_(database), engine_(engine), before_(contents()), bytes_(bytes()) {}

    void expect_refused(const std::string& sql) {
        EXPECT_FALSE(engine_.run(sql, {}, {})) << home_.name << ": " << sql;
        EXPECT_EQ(contents(), before_) << sql;
        EXPECT_EQ(bytes(), bytes_) << sql;
    }

private:
    [[nodiscard]] std::string contents() {
        const auto result = engine_.run(kContents, {}, {});
        EXPECT_TRUE(result) << (result ? "" : result.error().describe());
        return result ? result->columns[0].text(0) : "";
    }
    [[nodiscard]] std::map<std::string, std::string> bytes() const {
        const auto file = database_.file();
        return file ? bytes_in(file->parent_path()) : std::map<std::string, std::string>();
    }

    EngineHome home_;
    TestDatabase& database_;
    Engine& engine_;
    std::string before_;
    std::map<std::string, std::string> bytes_;
};

}  // namespace

TEST_P(EngineConformance, DoesNotInsert) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("INSERT INTO customers VALUES (99, 'Eve', 'XX', NULL, '2026-01-01 00:00:00')");
    refusal.expect_refused(
        "INSERT INTO orders SELECT id + 1000, customer_id, order_date, status, amount, note FROM orders");
}

TEST_P(EngineConformance, DoesNotInsertAndReturn) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("INSERT INTO customers VALUES (99, 'Eve', 'XX', NULL, '2026-01-01 00:00:00') RETURNING id");
}

TEST_P(EngineConformance, DoesNotUpdate) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("UPDATE customers SET name = 'Eve'");
    refusal.expect_refused("UPDATE customers SET name = 'Eve' WHERE id = 1 RETURNING name");
}

TEST_P(EngineConformance, DoesNotDelete) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("DELETE FROM order_items");
    refusal.expect_refused("DELETE FROM order_items WHERE order_id = 1 RETURNING quantity");
}

TEST_P(EngineConformance, DoesNotWriteFromBehindAWith) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("WITH x AS (SELECT 1 AS id) DELETE FROM order_items WHERE order_id IN (SELECT id FROM x)");
    refusal.expect_refused(
        "WITH x AS (SELECT 1 AS id) UPDATE customers SET name = 'Eve' WHERE id IN (SELECT id FROM x)");
}

TEST_P(EngineConformance, DoesNotCreateTables) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("CREATE TABLE evil (id INTEGER)");
    refusal.expect_refused("CREATE TABLE evil AS SELECT * FROM customers");
}

TEST_P(EngineConformance, DoesNotCreateViewsAndIndexes) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("CREATE VIEW evil AS SELECT 1 AS x");
    refusal.expect_refused("CREATE INDEX evil ON customers (name)");
}

TEST_P(EngineConformance, DoesNotDrop) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("DROP TABLE order_items");
    refusal.expect_refused("DROP TABLE IF EXISTS order_items");
}

TEST_P(EngineConformance, DoesNotAlter) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("ALTER TABLE customers ADD COLUMN evil INTEGER");
    refusal.expect_refused("ALTER TABLE customers RENAME TO evil");
    refusal.expect_refused("ALTER TABLE customers RENAME COLUMN name TO evil");
}

TEST_P(EngineConformance, DoesNotRunASecondStatement) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    refusal.expect_refused("SELECT 1; DELETE FROM order_items");
    refusal.expect_refused("COMMIT; DELETE FROM order_items");
    refusal.expect_refused("ROLLBACK; DROP TABLE order_items");
}

TEST_P(EngineConformance, DoesNotWriteWhileItReadsAndBinds) {
    open_shop();
    Refusal refusal(GetParam(), *database_, *engine_);
    for (const auto* sql : {"DELETE FROM order_items", "DROP TABLE order_items", "CREATE TABLE evil (id INTEGER)"}) {
        (void)engine_->read(sql);
        (void)engine_->bind(sql, {});
    }
    refusal.expect_refused("DELETE FROM order_items");
}

TEST_P(EngineConformance, LeavesNothingBehindWhenItIsClosed) {
    open_own(shop_sql());
    const auto file = database_->file();
    if (!file) GTEST_SKIP() << "has no file";
    engine_.reset();
    const auto before = bytes_in(file->parent_path());
    engine_ = database_->open();
    (void)run("SELECT customer_id, sum(amount) FROM orders GROUP BY customer_id ORDER BY 2 DESC");
    (void)schema();
    EXPECT_EQ(bytes_in(file->parent_path()), before);
    engine_.reset();
    EXPECT_EQ(bytes_in(file->parent_path()), before);
}

}  // namespace quaestor::data
