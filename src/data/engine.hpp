// What a backend does with its database. Engines are the blocking half: a Source (source.hpp) puts guard, worker
// threads, deadline and breaker around one. Every engine passes the same conformance suite.
// Threads: all members may be called from several threads at once; an engine keeps a pool of connections.
#pragma once

#include "base/error.hpp"
#include "data/catalog.hpp"
#include "data/reading.hpp"
#include "data/result_set.hpp"
#include "resilience/cancellation.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::data {

/// The bounds of one query. What goes beyond rows or bytes is cut off, and the result says so.
struct QueryLimits {
    std::size_t rows = 10'000;
    std::size_t bytes = std::size_t{64} << 20;
    std::chrono::milliseconds timeout{30'000};
};

/// Bytes of memory that one database may use for its queries, where it can be told.
inline constexpr std::size_t kMemoryLimitDefault = std::size_t{1} << 30;

class Engine {
public:
    virtual ~Engine() = default;

    [[nodiscard]] virtual Dialect dialect() const = 0;

    /// What is declared: tables, columns, keys, comments; nothing that needs a look at the rows. `source`,
    /// `is_complete` and `made_at` are left alone. System tables are left out.
    [[nodiscard]] virtual Result<Catalog> read_schema(const CancelToken& stop) = 0;

    /// Changes when tables or rows may have: what was learnt under one fingerprint holds as long as it stays.
    [[nodiscard]] virtual Result<std::string> fingerprint() = 0;

    /// Parses. Nothing is run.
    [[nodiscard]] virtual Reading read(std::string_view sql) = 0;

    /// Prepares: what the engine objects to (unknown columns, wrong types), or nothing. An error is a fault of the
    /// database, not of the statement. `at` counts from the beginning of `sql`.
    [[nodiscard]] virtual Result<std::optional<Problem>> bind(const std::string& sql, const CancelToken& stop) = 0;

    /// Runs one statement in a transaction that cannot write. Stops soon after `stop` is cancelled, with its error().
    ///   Code::invalid_argument  a mistake in the statement, also one that only its data shows: division by zero
    ///   Code::limit_exceeded    out of the memory it may use
    ///   Code::unavailable, Code::corrupt, Code::internal  a fault of the database
    [[nodiscard]] virtual Result<ResultSet> run(const std::string& sql, const QueryLimits& limits,
                                                const CancelToken& stop) = 0;
};

/// Opens a DuckDB file read-only, with no way to files or network from within. Code::not_found, Code::corrupt when it
/// is no database, Code::conflict when another program writes to it.
[[nodiscard]] Result<std::unique_ptr<Engine>> open_duckdb(const std::string& path,
                                                          std::size_t memory_limit = kMemoryLimitDefault);

/// Opens a SQLite file read-only.
[[nodiscard]] Result<std::unique_ptr<Engine>> open_sqlite(const std::string& path,
                                                          std::size_t memory_limit = kMemoryLimitDefault);

/// Connects to PostgreSQL. `url` may hold a password; errors never show it.
[[nodiscard]] Result<std::unique_ptr<Engine>> open_postgres(const std::string& url);

}  // namespace quaestor::data
