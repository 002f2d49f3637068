// The tables of a SQLite file as they are declared, and a handle that can only read them.
// Private to the import; whoever opens a SqliteFile owns it.
// Threads: one at a time, except interrupt().
#pragma once

#include "base/error.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace quaestor::data {

struct SqliteColumn {
    std::string name;
    std::string declared;  ///< its type, in upper case; may be empty or anything
    bool not_null = false;
    int place_in_key = 0;  ///< in the primary key, from 1; 0 when it is not in it
};

struct SqliteForeignKey {
    std::vector<std::string> columns;
    std::string table;
    std::vector<std::string> target_columns;  ///< empty: the primary key
};

struct SqliteTable {
    std::string name;
    std::vector<SqliteColumn> columns;
    std::vector<SqliteForeignKey> foreign_keys;
};

struct SqliteSchema {
    std::vector<SqliteTable> tables;
    std::vector<std::string> notes;  ///< views and virtual tables that were passed over
};

class SqliteFile {
public:
    /// Opens read-only, without making files beside it, and begins a transaction, so that all reads see one state.
    [[nodiscard]] static Result<SqliteFile> open(const std::string& path);

    [[nodiscard]] Result<SqliteSchema> read_schema() const;
    /// Calls `visit` on each row until it fails.
    [[nodiscard]] Result<> for_each_row(const std::string& sql,
                                        const std::function<Result<>(sqlite3_stmt*)>& visit) const;

    /// Ends what runs now. Any thread may call it.
    void interrupt() const;

private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    SqliteFile(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
    [[nodiscard]] Error failure() const;
    [[nodiscard]] Result<> read_columns(SqliteTable& table) const;
    [[nodiscard]] Result<> read_foreign_keys(SqliteTable& table) const;

    std::unique_ptr<sqlite3, Close> handle_;
    std::string path_;
};

/// A text value of the current row, its bytes as they are.
[[nodiscard]] std::string_view sqlite_text(sqlite3_stmt* row, int column);

}  // namespace quaestor::data
