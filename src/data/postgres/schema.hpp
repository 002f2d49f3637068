// What PostgreSQL declares about its tables, read from its catalogue in a few queries however many tables there are.
// Private to data/.
// Threads: as the connection, one at a time.
#pragma once

#include "data/catalog.hpp"
#include "data/postgres/connection.hpp"

#include <string>

namespace quaestor::data::postgres {

/// The tables, views, and materialised, foreign and partitioned tables that the role may read; partitions are left out.
[[nodiscard]] Answer<Catalog> read_catalog(Connection& connection, const Patience& patience);

/// A text that changes with the declarations and, at most about a second later, with the rows.
[[nodiscard]] Answer<std::string> read_fingerprint(Connection& connection, const Patience& patience);

/// The names of the columns of the relations in `names`, each as one would write it in SQL.
[[nodiscard]] Answer<std::vector<std::string>> read_columns(const std::vector<std::string>& names,
                                                            Connection& connection, const Patience& patience);

}  // namespace quaestor::data::postgres
