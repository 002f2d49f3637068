// What a parser found in a statement: the common ground on which the guard judges all dialects. Each dialect has a
// reader that walks the engine's own parse tree with a list of the node kinds it knows to be harmless; anything else
// becomes a refusal. Threads: the readers may be called from any thread.
#pragma once

#include "data/dialect.hpp"
#include "data/verdict.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// Deepest nesting of a parse tree that a reader follows.
inline constexpr std::size_t kSqlDepthMax = 200;

/// A relation or function, as written.
struct Mention {
    std::string database;  ///< empty, as the next, when none was written
    std::string schema;
    std::string name;
    std::optional<std::size_t> at;
    bool operator==(const Mention&) const = default;
};

struct ColumnMention {
    std::string relation;  ///< the table it belongs to, its alias looked up; empty when it does not say
    std::string name;
    std::optional<std::size_t> at;
};

struct Reading {
    std::string statement = "select";
    std::vector<Mention> relations;  ///< tables and views; names of CTEs and aliases are no relations
    std::vector<ColumnMention> columns;
    std::vector<Mention> functions;  ///< in every position: expressions, FROM, windows; not operators
    std::vector<Problem> refusals;
    std::vector<Problem> warnings;  ///< SELECT *, LIKE '%…', recursion
    bool has_limit = false;         ///< the outermost query has a LIMIT, so none is added
    bool takes_limit = true;        ///< false where none can be written, as behind DESCRIBE, or one row is all there is
};

/// Reads with DuckDB's parser. Nothing is bound or run, and no database of the person's is touched.
[[nodiscard]] Reading read_duckdb(std::string_view sql);

/// Reads with PostgreSQL's parser.
[[nodiscard]] Reading read_postgres(std::string_view sql);

/// Reads a statement for SQLite without a database: with DuckDB's parser, which knows nearly the same SELECT. With a
/// database SQLite itself is asked (sqlite/reading.hpp).
[[nodiscard]] Reading read_sqlite(std::string_view sql);

/// True for a function of the engine that neither writes, nor reads files, settings or other databases, nor runs text
/// as SQL, nor waits. `name` in lower case.
[[nodiscard]] bool is_harmless_function(Dialect dialect, std::string_view name);

}  // namespace quaestor::data
