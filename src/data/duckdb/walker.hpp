// Walks DuckDB's parse tree and notes what is in it: relations, columns, functions, and whatever is not on the list of
// what a query may be made of. Private to data/; read_duckdb() is what others call.
// Threads: pure function.
#pragma once

#include "base/json.hpp"
#include "data/reading.hpp"

namespace quaestor::data {

/// Adds what is found in the query, the "node" of a statement, to the reading.
void walk_duckdb_query(const json::object& query, Reading& reading);

}  // namespace quaestor::data
