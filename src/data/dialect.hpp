// The three dialects of SQL that Quaestor speaks, and how names and texts are written in all of them.
// Plain values and pure functions.
// Threads: safe everywhere.
#pragma once

#include <boost/describe/enum.hpp>

#include <string>
#include <string_view>

namespace quaestor::data {

enum class Dialect { duckdb, postgres, sqlite };
BOOST_DESCRIBE_ENUM(Dialect, duckdb, postgres, sqlite)

/// "duckdb", "postgres", "sqlite".
[[nodiscard]] std::string_view to_string(Dialect dialect);

/// For people: "DuckDB", "PostgreSQL", "SQLite".
[[nodiscard]] std::string_view title_of(Dialect dialect);

/// `name` as SQL reads it back unchanged, always in double quotes: "order ""no""".
[[nodiscard]] std::string quote_name(std::string_view name);

/// `schema.name`, both quoted; only the name when there is no schema.
[[nodiscard]] std::string quote_name(std::string_view schema, std::string_view name);

/// `text` as a literal in single quotes. For our own statements over names and samples; never for a person's SQL.
[[nodiscard]] std::string quote_text(std::string_view text);

}  // namespace quaestor::data
