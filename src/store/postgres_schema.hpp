// The tables in PostgreSQL, in a schema of their own named quaestor, and how older ones are brought up to date.
// Nothing here is owned; the connection is the caller's.
// Threads: as Connection. Several processes may migrate one database at once; one does it, the others wait.
#pragma once

#include "base/error.hpp"
#include "store/postgres_connection.hpp"

namespace quaestor::store::postgres {

/// Makes the tables, or brings them up to date. Code::unsupported: made by a newer Quaestor.
/// Code::corrupt: the schema is there and not ours. Code::unavailable: another process holds its lock.
[[nodiscard]] Result<> migrate(Connection& connection);

}  // namespace quaestor::store::postgres
