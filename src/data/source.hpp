// A database that can be asked: a DuckDB or SQLite file, a PostgreSQL URL, or a folder of CSV, Parquet or JSON files.
// It gives a catalogue and runs what its guard has admitted, each query with a deadline, bounds and a breaker around
// it. It never writes to what it was opened on; what it derives is kept in the data directory.
// Threads: all members may be called from any executor; none blocks it.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "data/catalog.hpp"
#include "data/engine.hpp"
#include "data/guard.hpp"
#include "data/read_only_sql.hpp"
#include "resilience/breaker.hpp"
#include "resilience/cancellation.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace quaestor::data {

struct SourceSettings {
    std::string cache_dir;                   ///< for catalogues and converted files; empty: nothing is kept
    std::optional<std::string> annotations;  ///< YAML file with descriptions and a glossary
    std::size_t threads = 2;                 ///< queries that run at the same time
    std::size_t memory_limit = kMemoryLimitDefault;
    BreakerSettings breaker{.failure_limit = 3, .open_time = std::chrono::seconds(60)};
    Clock* clock = &system_clock();
    /// Called now and then while files are read in: what, and how much of all is done, 0 to 1.
    std::function<void(std::string_view what, double done)> progress;
    /// Stops the reading in of files and the look at the values.
    CancelToken cancel;
};

class Source {
public:
    ~Source();
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// How a person named it, without a password.
    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] Dialect dialect() const;

    /// What is known by now: what is declared, ready at once also for large databases, and what has been learnt of the
    /// values so far.
    Task<Result<std::shared_ptr<const Catalog>>> schema();
    /// The complete catalogue. The first call looks at the values, in a thread of its own, while queries go on; what it
    /// finds is kept in the cache until the database changes.
    Task<Result<std::shared_ptr<const Catalog>>> catalog();
    /// The same for who does not wait longer than `patience`: what is known by then. The look at the values goes on.
    Task<Result<std::shared_ptr<const Catalog>>> catalog_within(Duration patience);

    /// The guard's verdict with the engine's objections. An error is a fault of the database.
    Task<Result<Verdict>> check(std::string sql, std::size_t row_limit = kRowLimitDefault);
    /// A statement that may run, or the guard's first objection as an error. What only the engine can object to, such
    /// as a column that is not there, is told by run().
    Task<Result<ReadOnlySql>> admit(std::string sql, std::size_t row_limit = kRowLimitDefault);

    /// Runs an admitted statement. Code::timeout after limits.timeout; the token's error when it is cancelled.
    Task<Result<ResultSet>> run(ReadOnlySql sql, QueryLimits limits = {}, CancelToken cancel = {});
    /// admit() and run() in one, with the rows of the limits as row limit.
    Task<Result<ResultSet>> query(std::string sql, QueryLimits limits = {}, CancelToken cancel = {});

private:
    friend Task<Result<std::unique_ptr<Source>>> open_source(std::string uri, std::unique_ptr<Engine> engine,
                                                             SourceSettings settings);
    struct Inside;
    explicit Source(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

/// Opens what `uri` names: a path ending in .duckdb or .ddb, .db, .sqlite or .sqlite3 (looked into, so that any ending
/// works), a folder, or postgres://….
Task<Result<std::unique_ptr<Source>>> open_source(std::string uri, SourceSettings settings = {});

/// The same around an engine of one's own; `uri` tells its catalogue from those of other sources.
Task<Result<std::unique_ptr<Source>>> open_source(std::string uri, std::unique_ptr<Engine> engine,
                                                  SourceSettings settings);

}  // namespace quaestor::data
