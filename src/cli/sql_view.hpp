// How statements and their results look: verdicts with a mark under what is meant, rows as a table, blocks or CSV.
// Private to cli/.
// Threads: pure functions.
#pragma once

#include "data/result_set.hpp"
#include "data/verdict.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace quaestor::cli {

/// The line of `sql` that holds the byte `at`, and below it a mark under that place; no wider than `width`.
[[nodiscard]] std::string point_at(std::string_view sql, std::size_t at, std::size_t width);

/// "ok" or "refused", what the statement reads and calls, then each error and warning with its place.
[[nodiscard]] std::string describe(const data::Verdict& verdict, std::string_view sql, std::size_t width);

/// The rows as a table or, where that is too narrow for its columns, as blocks.
[[nodiscard]] std::string draw(const data::ResultSet& result, std::size_t width);

/// As RFC 4180 has it, lines ended by \n. NULL is an empty field, an empty text is "".
[[nodiscard]] std::string to_csv(const data::ResultSet& result);

/// "12 rows, 4 ms"; says when there are more than `row_limit`, or than memory was allowed for.
[[nodiscard]] std::string summary(const data::ResultSet& result, std::size_t row_limit);

}  // namespace quaestor::cli
