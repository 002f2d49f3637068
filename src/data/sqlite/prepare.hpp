// A person's statement, prepared by SQLite under oversight and judged: what SQLite or we object to, and which names it
// could not find. Private to the SQLite engine.
// Threads: as the connection.
#pragma once

#include "base/error.hpp"
#include "data/reading.hpp"
#include "data/sqlite/connection.hpp"
#include "data/sqlite/text.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace quaestor::data::sqlite {

struct Prepared {
    Statement statement;
    std::vector<Problem> problems;         ///< empty when the statement may run
    std::optional<Mention> missing_table;  ///< that the first problem is about
    std::optional<Mention> missing_function;
};

/// `oversight` watches `connection`. An error is a fault of the database, or the cancelled token's.
[[nodiscard]] Result<Prepared> prepare(Connection& connection, const Connection::Oversight& oversight,
                                       std::string_view sql, const StatementText& text, const CancelToken& stop);

}  // namespace quaestor::data::sqlite
