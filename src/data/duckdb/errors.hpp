// What DuckDB objects to, in our terms. Connections are set to write their errors as JSON, with the place in the
// statement and the names that were meant. Private to data/.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "data/verdict.hpp"

namespace quaestor::data {

/// An error of preparing as a mistake in the statement, or as an error when it is a fault of the database.
[[nodiscard]] Result<Problem> duckdb_problem(const Error& error);

/// An error of running as Engine::run() tells it.
[[nodiscard]] Error duckdb_run_error(const Error& error);

}  // namespace quaestor::data
