// What a SQLite file declares: its tables and views, their columns and keys. Private to the SQLite engine.
// Threads: as the connection.
#pragma once

#include "base/error.hpp"
#include "data/catalog.hpp"
#include "data/sqlite/connection.hpp"
#include "resilience/cancellation.hpp"

namespace quaestor::data::sqlite {

/// SQLite's own tables are left out, and so are those that virtual tables keep their data in, and views and virtual
/// tables that SQLite cannot read.
[[nodiscard]] Result<Catalog> read_schema(Connection& connection, const CancelToken& stop);

}  // namespace quaestor::data::sqlite
