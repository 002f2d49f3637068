// SQLite as C++: a connection that closes itself, statements prepared once and kept, errors for people.
// Whoever opens a Database owns it; a Query or Transaction borrows it and must end before it.
// Threads: a Database, and what borrows it, is used by one thread at a time.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace quaestor::store::sqlite {

class Database {
public:
    /// Opens a file that is there. A lock of another process is waited for as long as `patience`.
    [[nodiscard]] static Result<Database> open(const std::string& path, std::chrono::milliseconds patience);

    /// Runs statements without values, separated by semicolons.
    [[nodiscard]] Result<> execute(const std::string& sql);
    /// The integer that `sql` returns: `integer("PRAGMA user_version")`.
    [[nodiscard]] Result<std::int64_t> integer(const char* sql);

    /// Rows that the last statement wrote or removed.
    [[nodiscard]] std::size_t changes() const;
    /// False once SQLite gave a transaction up by itself, as it does when the disk is full.
    [[nodiscard]] bool in_transaction() const;
    [[nodiscard]] bool is_read_only() const;
    /// What went wrong last.
    [[nodiscard]] Error last_error() const;

private:
    friend class Query;
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };

    Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
    sqlite3_stmt* prepare(const char* sql);

    std::unique_ptr<sqlite3, Close> handle_;
    std::string path_;
    std::unordered_map<std::string_view, std::unique_ptr<sqlite3_stmt, Finalize>> prepared_;
};

/// One use of a statement. What goes wrong in preparing or binding it is told by next() or run().
class Query {
public:
    /// `sql`, a literal, is prepared at its first use. Values for ?1, ?2, … are texts, integers, times, or optionals of
    /// them of which an empty one is NULL.
    template <class... Values>
    Query(Database& database, const char* sql, const Values&... values);
    ~Query();
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    /// Moves to the next row; false when there is none.
    [[nodiscard]] Result<bool> next();
    /// Runs a statement to its end.
    [[nodiscard]] Result<> run();
    /// Calls `visit()`, a Result<>, on each row until it fails.
    template <class Visit>
    [[nodiscard]] Result<> for_each(Visit visit);

    /// Columns of the current row, from 0. A text is valid until the next row.
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] bool is_null(int column) const;
    [[nodiscard]] WallTime time(int column) const;

private:
    void bind(int place, std::string_view value);
    void bind(int place, std::int64_t value);
    void bind(int place, WallTime value) { bind(place, value.time_since_epoch().count()); }
    template <class T>
    void bind(int place, const std::optional<T>& value);
    void keep_failure(int code);

    Database& database_;
    sqlite3_stmt* statement_;
    std::optional<Error> failure_;
};

/// Rolls back when it ends without a commit.
class Transaction {
public:
    enum class Kind { read, write };

    [[nodiscard]] static Result<Transaction> begin(Database& database, Kind kind);
    ~Transaction();
    Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;

    [[nodiscard]] Result<> commit();

private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

template <class... Values>
Query::Query(Database& database, const char* sql, const Values&... values)
    : database_(database), statement_(database.prepare(sql)) {
    if (statement_ == nullptr) failure_ = database.last_error();
    [[maybe_unused]] int place = 0;
    (bind(++place, values), ...);
}

template <class T>
void Query::bind(int place, const std::optional<T>& value) {
    if (value) bind(place, *value);
}

template <class Visit>
Result<> Query::for_each(Visit visit) {
    while (true) {
        const auto more = next();
        if (!more) return fail(more.error());
        if (!*more) return {};
        if (auto visited = visit(); !visited) return visited;
    }
}

}  // namespace quaestor::store::sqlite
