// A small shop that every engine can be filled with: customers, products, orders, order_items, employees, events.
#pragma once

namespace quaestor::data {

/// CREATE TABLE and INSERT statements that DuckDB, PostgreSQL and SQLite all understand.
extern const char* const kShopSql;

}  // namespace quaestor::data
