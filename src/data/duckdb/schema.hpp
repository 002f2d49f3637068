// What a DuckDB database declares: tables, views, columns, keys and comments. Private to data/.
// Threads: uses one connection.
#pragma once

#include "base/error.hpp"
#include "data/catalog.hpp"
#include "data/duckdb/handle.hpp"

namespace quaestor::data {

[[nodiscard]] Result<Catalog> read_duckdb_schema(const duck::Connection& connection);

}  // namespace quaestor::data
