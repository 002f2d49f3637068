#include "data/engine.hpp"

#include "data/duckdb/cells.hpp"
#include "data/duckdb/errors.hpp"
#include "data/duckdb/handle.hpp"
#include "data/duckdb/schema.hpp"
#include "data/row_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <utility>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

/// Connections of one database; so many queries run at the same time, the others wait for one.
constexpr std::size_t kConnections = 8;

/// What is set once before anything else may run. The last one makes it final.
constexpr auto kGlobalSettings = std::to_array<const char*>({
    "SET GLOBAL TimeZone = 'UTC'",
    "SET GLOBAL temp_directory = ''",  // nothing is written, also not when memory runs short
    "SET GLOBAL allow_community_extensions = false",
    "SET GLOBAL enable_external_access = false",
    "SET GLOBAL lock_configuration = true",
});

/// An open file with its connections. DuckDB allows one handle per file and process, so engines share it.
class SharedDatabase {
public:
    static Result<std::shared_ptr<SharedDatabase>> open(const std::string& path, std::size_t memory_limit);

    /// A connection for one query, given back when it goes.
    class Lease {
    public:
        Lease(SharedDatabase& owner, duck::Connection connection) : owner_(owner), connection_(std::move(connection)) {}
        ~Lease() { owner_.put_back(std::move(connection_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        [[nodiscard]] const duck::Connection& operator*() const { return connection_; }
        [[nodiscard]] const duck::Connection* operator->() const { return &connection_; }

    private:
        SharedDatabase& owner_;
        duck::Connection connection_;
    };

    /// Waits for a connection to be free; nothing when that was cancelled.
    [[nodiscard]] std::optional<Lease> lease(const CancelToken& stop) {
        const auto wake = stop.on_cancel([this] {
            const std::lock_guard lock(mutex_);
            is_free_.notify_all();
        });
        std::unique_lock lock(mutex_);
        is_free_.wait(lock, [&] { return stop.cancelled() || !idle_.empty(); });
        if (stop.cancelled()) return std::nullopt;
        duck::Connection connection = std::move(idle_.back());
        idle_.pop_back();
        return std::optional<Lease>(std::in_place, *this, std::move(connection));
    }

private:
    explicit SharedDatabase(duck::Database database) : database_(std::move(database)) {}
    Result<> prepare_connections();

    void put_back(duck::Connection connection) {
        {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(connection));
        }
        is_free_.notify_one();
    }

    duck::Database database_;
    std::mutex mutex_;
    std::condition_variable is_free_;
    std::vector<duck::Connection> idle_;
};

/// What a file is, by whatever path it is reached. One that was put in another's place is another.
using FileId = std::pair<dev_t, ino_t>;

Result<FileId> id_of(const std::string& path) {
    struct stat found{};
    if (::stat(path.c_str(), &found) == 0) return FileId(found.st_dev, found.st_ino);
    return fail(Code::not_found, fmt::format("there is no file {}", path), "look whether the path is right");
}

/// The files that are open in this process.
class OpenFiles {
public:
    template <class Open>
    Result<std::shared_ptr<SharedDatabase>> get(const FileId& file, Open open) {
        const std::lock_guard lock(mutex_);
        std::erase_if(files_, [](const auto& known) { return known.second.expired(); });
        const auto found = files_.find(file);
        if (auto there = found != files_.end() ? found->second.lock() : nullptr) return there;
        auto opened = open();
        if (opened) files_[file] = *opened;
        return opened;
    }

private:
    std::mutex mutex_;
    std::map<FileId, std::weak_ptr<SharedDatabase>> files_;
};

Result<std::shared_ptr<SharedDatabase>> SharedDatabase::open(const std::string& path, std::size_t memory_limit) {
    static OpenFiles files;
    const auto file = id_of(path);
    if (!file) return fail(file.error());
    return files.get(*file, [&]() -> Result<std::shared_ptr<SharedDatabase>> {
        auto database = duck::Database::open(
            path, {{"access_mode", "READ_ONLY"}, {"memory_limit", fmt::format("{}B", memory_limit)}, {"threads", "2"}});
        if (!database) return fail(database.error());
        std::shared_ptr<SharedDatabase> shared(new SharedDatabase(std::move(*database)));
        if (auto prepared = shared->prepare_connections(); !prepared) return fail(prepared.error());
        return shared;
    });
}

/// Errors with their place in the statement can only be had by a setting of each connection, and none can be set once
/// the configuration is locked. So all connections are made first.
Result<> SharedDatabase::prepare_connections() {
    for (std::size_t i = 0; i < kConnections; ++i) {
        auto connection = database_.connect();
        if (!connection) return fail(connection.error());
        if (auto set = connection->query("SET errors_as_json = true"); !set) return fail(set.error());
        idle_.push_back(std::move(*connection));
    }
    for (const char* setting : kGlobalSettings) {
        if (auto set = idle_.front().query(setting); !set) return fail(set.error());
    }
    return {};
}

class DuckdbEngine final : public Engine {
public:
    DuckdbEngine(std::string path, std::shared_ptr<SharedDatabase> database)
        : path_(std::move(path)), database_(std::move(database)) {}

    [[nodiscard]] Dialect dialect() const override { return Dialect::duckdb; }

    [[nodiscard]] Result<Catalog> read_schema(const CancelToken& stop) override {
        const auto connection = database_->lease(stop);
        if (!connection) return fail(stop.error());
        const auto interrupt = stop.on_cancel([&] { (*connection)->interrupt(); });
        auto catalog = read_duckdb_schema(**connection);
        if (!catalog && stop.cancelled()) return fail(stop.error());
        if (!catalog) return fail(duckdb_run_error(catalog.error()));
        return catalog;
    }

    /// The file cannot change while it is open here, for DuckDB locks it; between two runs its size and time tell.
    [[nodiscard]] Result<std::string> fingerprint() override {
        std::string print;
        for (const auto& file : {path_, path_ + ".wal"}) {
            std::error_code missing;
            const auto size = fs::file_size(file, missing);
            const auto time = fs::last_write_time(file, missing);
            if (!missing) print += fmt::format("{}:{} ", size, time.time_since_epoch().count());
        }
        return print;
    }

    [[nodiscard]] Reading read(std::string_view sql) override { return read_duckdb(sql); }

    [[nodiscard]] Result<std::optional<Problem>> bind(const std::string& sql, const CancelToken& stop) override {
        const auto connection = database_->lease(stop);
        if (!connection) return fail(stop.error());
        const auto interrupt = stop.on_cancel([&] { (*connection)->interrupt(); });
        const auto statement = (*connection)->prepare(sql);
        if (statement) return std::nullopt;
        if (stop.cancelled()) return fail(stop.error());
        return duckdb_problem(statement.error());
    }

    [[nodiscard]] Result<ResultSet> run(const std::string& sql, const QueryLimits& limits,
                                        const CancelToken& stop) override {
        const auto connection = database_->lease(stop);
        if (!connection) return fail(stop.error());
        const auto began = std::chrono::steady_clock::now();
        auto result = run_on(**connection, sql, limits, stop);
        if (result) result->execution_time = std::chrono::steady_clock::now() - began;
        if (!result && stop.cancelled()) return fail(stop.error());
        return result;
    }

private:
    static Result<ResultSet> run_on(const duck::Connection& connection, const std::string& sql,
                                    const QueryLimits& limits, const CancelToken& stop);
    static Result<ResultSet> read_rows(duck::Rows& rows, const QueryLimits& limits, const CancelToken& stop);

    const std::string path_;
    const std::shared_ptr<SharedDatabase> database_;
};

using Pending = duck::Handle<duckdb_pending_result, duckdb_destroy_pending>;

Result<ResultSet> DuckdbEngine::run_on(const duck::Connection& connection, const std::string& sql,
                                       const QueryLimits& limits, const CancelToken& stop) {
    const auto interrupt = stop.on_cancel([&] { connection.interrupt(); });
    auto statement = connection.prepare(sql);
    if (!statement) return fail(duckdb_run_error(statement.error()));
    // A read-only database still lets one make temporary tables and change settings.
    if (statement->type() != DUCKDB_STATEMENT_TYPE_SELECT) {
        return fail(Code::permission_denied, "only queries may run", "write one SELECT statement");
    }
    duckdb_pending_result handle = nullptr;
    const auto state = duckdb_pending_prepared_streaming(statement->raw(), &handle);
    const Pending pending(handle);
    if (state != DuckDBSuccess) {
        return fail(duckdb_run_error({Code::invalid_argument, duckdb_pending_error(handle)}));
    }
    // An interruption is forgotten when a statement begins, and this one has begun: its tasks run already. So one that
    // came before is said again; a later one is kept.
    if (stop.cancelled()) connection.interrupt();
    duckdb_result raw{};
    const auto executed = duckdb_execute_pending(handle, &raw);
    duck::Rows rows(raw);
    if (executed != DuckDBSuccess) {
        const char* message = duckdb_result_error(rows.raw());
        return fail(duckdb_run_error({Code::invalid_argument, message != nullptr ? message : ""}));
    }
    return read_rows(rows, limits, stop);
}

Result<ResultSet> DuckdbEngine::read_rows(duck::Rows& rows, const QueryLimits& limits, const CancelToken& stop) {
    ResultSet result;
    std::vector<DuckdbCells> readers;
    for (std::size_t i = 0; i < rows.column_count(); ++i) {
        auto reader = DuckdbCells::of(rows.column_type(i).get());
        if (!reader) return fail(reader.error());
        result.columns.emplace_back(std::string(rows.column_name(i)), reader->kind(), reader->type());
        readers.push_back(std::move(*reader));
    }
    RowBudget budget(result, limits);
    while (!result.truncated) {
        if (stop.cancelled()) return fail(stop.error());
        auto chunk = rows.next();
        if (!chunk) return fail(duckdb_run_error(chunk.error()));
        if (!*chunk) break;
        std::vector<DuckdbVector> vectors;
        for (std::size_t i = 0; i < readers.size(); ++i) vectors.emplace_back((*chunk)->column(i));
        for (std::size_t row = 0; row < (*chunk)->size() && budget.has_room(); ++row) {
            for (std::size_t i = 0; i < readers.size(); ++i) readers[i].add(vectors[i], row, result.columns[i]);
            budget.count_row();
        }
    }
    return result;
}

}  // namespace

Result<std::unique_ptr<Engine>> open_duckdb(const std::string& path, std::size_t memory_limit) {
    std::error_code problem;
    if (!fs::exists(path, problem)) {
        return fail(Code::not_found, fmt::format("there is no file {}", path), "look whether the path is right");
    }
    if (fs::is_directory(path, problem)) {
        return fail(Code::invalid_argument, fmt::format("{} is a folder, not a DuckDB file", path));
    }
    auto database = SharedDatabase::open(path, memory_limit);
    if (!database) {
        return fail(Error{database.error().code, fmt::format("cannot open {} as a DuckDB database", path),
                          std::string(database.error().advice())}
                        .because(database.error()));
    }
    return std::make_unique<DuckdbEngine>(path, std::move(*database));
}

}  // namespace quaestor::data
