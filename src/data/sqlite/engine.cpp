#include "data/engine.hpp"

#include "data/sqlite/connection.hpp"
#include "data/sqlite/pool.hpp"
#include "data/sqlite/prepare.hpp"
#include "data/sqlite/reading.hpp"
#include "data/sqlite/rows.hpp"
#include "data/sqlite/schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace quaestor::data {

namespace {

/// How often a file is read again that changed while it was read without locks.
constexpr int kAttemptsMax = 3;

std::optional<Problem> forbidden_function(const std::vector<Mention>& functions) {
    const auto found = std::ranges::find_if(
        functions, [](const Mention& function) { return !is_harmless_function(Dialect::sqlite, function.name); });
    if (found == functions.end()) return std::nullopt;
    return Problem{.code = Problem::Code::forbidden_function,
                   .message = fmt::format("the function {}() is not among those known to be harmless", found->name),
                   .at = found->at,
                   .suggestion = "use functions that compute from the values they are given"};
}

Error error_of(const Problem& problem) {
    const bool is_mistake = problem.code != Problem::Code::not_a_query && problem.code != Problem::Code::forbidden &&
                            problem.code != Problem::Code::forbidden_function &&
                            problem.code != Problem::Code::several_statements;
    return {.code = is_mistake ? Code::invalid_argument : Code::permission_denied,
            .message = problem.message,
            .hint = problem.suggestion};
}

/// What stands in the way of running, the engine's own list of functions included.
std::optional<Problem> first_problem(const sqlite::Prepared& prepared, const sqlite::Observed& observed,
                                     sqlite::Connection& connection, const sqlite::StatementText& text) {
    if (!prepared.problems.empty()) return prepared.problems.front();
    return forbidden_function(sqlite::functions_in(observed, connection, text));
}

class SqliteEngine final : public Engine {
public:
    SqliteEngine(std::string path, std::size_t memory_limit) : path_(std::move(path)), pool_(path_, memory_limit) {}

    [[nodiscard]] Result<> probe() {
        const auto connection = pool_.take();
        if (!connection) return fail(connection.error());
        return {};
    }

    [[nodiscard]] Dialect dialect() const override { return Dialect::sqlite; }

    [[nodiscard]] Result<Catalog> read_schema(const CancelToken& stop) override {
        return with_connection<Catalog>(
            [&](sqlite::Connection& connection) { return sqlite::read_schema(connection, stop); });
    }

    /// What the file system says changes with every commit, but its clock ticks in milliseconds; the counter in the
    /// file's header closes that gap for files without a write-ahead log. A log grows or has its time changed.
    [[nodiscard]] Result<std::string> fingerprint() override {
        const auto connection = pool_.take();
        if (!connection) return fail(connection.error());
        const sqlite::FileState& state = (*connection)->state();
        return fmt::format("sqlite:{}:{}:{}:{}:{}:{}", state.inode, state.size, state.changed_at,
                           (*connection)->change_counter(), state.wal_size,
                           state.wal_size == 0 ? 0 : state.wal_changed_at);
    }

    /// When the database cannot be asked the statement is read without it; bind() and run() tell what is wrong.
    [[nodiscard]] Reading read(std::string_view sql) override {
        auto reading =
            with_connection<Reading>([&](sqlite::Connection& connection) { return sqlite::read(connection, sql); });
        return reading ? std::move(*reading) : read_sqlite(sql);
    }

    [[nodiscard]] Result<std::optional<Problem>> bind(const std::string& sql, const CancelToken& stop) override {
        using Answer = std::optional<Problem>;
        return with_connection<Answer>([&](sqlite::Connection& connection) -> Result<Answer> {
            const sqlite::StatementText text(sql);
            const sqlite::Connection::Oversight oversight(connection, stop);
            const auto prepared = sqlite::prepare(connection, oversight, sql, text, stop);
            if (!prepared) return fail(prepared.error());
            return first_problem(*prepared, oversight.observed(), connection, text);
        });
    }

    [[nodiscard]] Result<ResultSet> run(const std::string& sql, const QueryLimits& limits,
                                        const CancelToken& stop) override {
        return with_connection<ResultSet>(
            [&](sqlite::Connection& connection) { return run_on(connection, sql, limits, stop); });
    }

private:
    /// `work` with a connection of its own. What was read without locks from a file that changed meanwhile does not
    /// count, whether it looks right or wrong.
    template <class T, class Work>
    Result<T> with_connection(Work work) {
        for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
            auto connection = pool_.take();
            if (!connection) return fail(connection.error());
            Result<T> result = work(**connection);
            if (!(*connection)->is_frozen() || sqlite::look_at(path_) == (*connection)->state()) return result;
        }
        return fail(Code::unavailable, fmt::format("{} is being changed while it is read", path_),
                    "try again when it has been written");
    }

    static Result<ResultSet> run_on(sqlite::Connection& connection, const std::string& sql, const QueryLimits& limits,
                                    const CancelToken& stop) {
        const Instant begin = std::chrono::steady_clock::now();
        if (stop.cancelled()) return fail(stop.error());
        const sqlite::StatementText text(sql);
        const sqlite::Connection::Oversight oversight(connection, stop);
        const auto prepared = sqlite::prepare(connection, oversight, sql, text, stop);
        if (!prepared) return fail(prepared.error());
        if (const auto problem = first_problem(*prepared, oversight.observed(), connection, text)) {
            return fail(error_of(*problem));
        }
        sqlite::RowCollector rows(prepared->statement.get(), limits);
        int code = SQLITE_OK;
        while ((code = sqlite3_step(prepared->statement.get())) == SQLITE_ROW && rows.add_row()) {
        }
        if (code != SQLITE_ROW && code != SQLITE_DONE) return fail(connection.error(code, stop));
        ResultSet result = std::move(rows).finish();
        result.execution_time = std::chrono::steady_clock::now() - begin;
        return result;
    }

    std::string path_;
    sqlite::Pool pool_;
};

}  // namespace

Result<std::unique_ptr<Engine>> open_sqlite(const std::string& path, std::size_t memory_limit) {
    auto engine = std::make_unique<SqliteEngine>(path, memory_limit);
    if (auto done = engine->probe(); !done) return fail(done.error());
    return engine;
}

}  // namespace quaestor::data
