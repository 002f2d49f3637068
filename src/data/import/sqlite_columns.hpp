// The type that a column of SQLite gets in DuckDB. SQLite keeps any value in any column, so what is declared counts as
// far as all values fit it.
// Private to the import. Threads: a SqliteColumnGuess is used by one.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <duckdb.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_stmt;

namespace quaestor::data {

enum class SqliteKind : std::uint8_t {
    integer,
    number,
    decimal,
    boolean,
    date,
    timestamp,
    timestamp_with_zone,
    time,
    blob,
    text,  ///< holds everything; bytes as \x00FF
};

class SqliteColumnGuess {
public:
    /// `declared` in upper case. A column of a key is not read as a type that makes different values equal.
    SqliteColumnGuess(std::string_view declared, bool is_in_key);

    /// Looks at the value of the current row.
    void add(sqlite3_stmt* row, int column, std::int64_t row_number);

    /// The first kind of those the declared type allows that all values fit.
    [[nodiscard]] SqliteKind kind() const;
    /// "DECIMAL(10,2)"
    [[nodiscard]] std::string duckdb_type() const;
    /// Why the declared type was not kept: "declared DATE, read as VARCHAR: 'soon' in row 3"; empty when it was.
    [[nodiscard]] std::string note() const;
    [[nodiscard]] bool has_nulls() const { return has_nulls_; }
    /// False when different values may have become the same.
    [[nodiscard]] bool keeps_values_apart() const { return kind() != SqliteKind::text || !has_blobs_; }

    /// Appends the value of the current row. False when it does not fit any more.
    [[nodiscard]] bool append(duckdb_appender appender, sqlite3_stmt* row, int column) const;

private:
    using Kinds = std::uint16_t;
    [[nodiscard]] Kinds kinds_of_integer(std::int64_t value) const;
    [[nodiscard]] Kinds kinds_of_number(double value) const;

    std::string declared_;
    std::vector<SqliteKind> wanted_;  ///< in order of preference
    int width_ = 0;                   ///< of a decimal
    int scale_ = 0;
    Kinds possible_ = 0;
    bool has_nulls_ = false;
    bool has_blobs_ = false;
    std::int64_t miss_row_ = 0;
    std::string miss_value_;
};

}  // namespace quaestor::data
