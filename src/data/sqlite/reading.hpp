// What SQLite itself finds in a statement, put into the terms of the guard. Private to the SQLite engine.
// Threads: as the connection.
#pragma once

#include "base/error.hpp"
#include "data/reading.hpp"
#include "data/sqlite/connection.hpp"
#include "data/sqlite/prepare.hpp"
#include "data/sqlite/text.hpp"

#include <string_view>
#include <vector>

namespace quaestor::data::sqlite {

/// The functions that were asked for, also by views that are read and as tables; operators left out.
[[nodiscard]] std::vector<Mention> functions_in(const Observed& observed, Connection& connection,
                                                const StatementText& text);

/// What `sql` reads and calls. An error is a fault of the database.
[[nodiscard]] Result<Reading> read(Connection& connection, std::string_view sql);

}  // namespace quaestor::data::sqlite
