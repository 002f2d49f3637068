// DuckDB's C API as C++: handles that close themselves, errors as values. Thin on purpose: what it does not cover is
// called on raw(). Whoever opens a handle owns it; close in reverse order: rows and statements, connection, database.
// Threads: a Database may be shared; a Connection and what comes from it is used by one thread, except interrupt().
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <duckdb.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace quaestor::data::duck {

/// What DuckDB says as an error with our code. Control characters other than line ends become spaces; the kind's name
/// in front ("Binder Error: …") and the lines that point into the statement stay.
[[nodiscard]] Error error_of(duckdb_error_type type, std::string_view message);

/// Calls one of the C API's `duckdb_destroy_…(&handle)`.
template <auto destroy>
struct Destroy {
    template <class T>
    void operator()(T* handle) const {
        static_cast<void>(destroy(&handle));
    }
};
template <class Pointer, auto destroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<destroy>>;

using LogicalType = Handle<duckdb_logical_type, duckdb_destroy_logical_type>;

/// DuckDB's options by name: {"threads", "2"}, {"access_mode", "READ_ONLY"}.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Up to duckdb_vector_size() rows.
class Chunk {
public:
    explicit Chunk(duckdb_data_chunk handle) : handle_(handle) {}

    [[nodiscard]] std::size_t size() const { return duckdb_data_chunk_get_size(raw()); }
    [[nodiscard]] duckdb_vector column(std::size_t index) const { return duckdb_data_chunk_get_vector(raw(), index); }

    [[nodiscard]] bool is_null(std::size_t column, std::size_t row) const;
    /// A cell of a VARCHAR column; valid as long as the chunk.
    [[nodiscard]] std::string_view text(std::size_t column, std::size_t row) const;
    /// A cell of a BIGINT column.
    [[nodiscard]] std::int64_t integer(std::size_t column, std::size_t row) const;

    [[nodiscard]] duckdb_data_chunk raw() const { return handle_.get(); }

private:
    Handle<duckdb_data_chunk, duckdb_destroy_data_chunk> handle_;
};

/// What a statement returned, all of it or as a stream.
class Rows {
public:
    explicit Rows(const duckdb_result& result) : result_(new duckdb_result(result)) {}

    [[nodiscard]] std::size_t column_count() { return duckdb_column_count(raw()); }
    [[nodiscard]] std::string_view column_name(std::size_t index) { return duckdb_column_name(raw(), index); }
    [[nodiscard]] LogicalType column_type(std::size_t index) {
        return LogicalType(duckdb_column_logical_type(raw(), index));
    }
    /// Rows that an INSERT, UPDATE or DELETE touched.
    [[nodiscard]] std::size_t changed() { return duckdb_rows_changed(raw()); }

    /// The next rows; nothing at the end.
    [[nodiscard]] Result<std::optional<Chunk>> next();

    [[nodiscard]] duckdb_result* raw() { return result_.get(); }

private:
    struct Delete {
        void operator()(duckdb_result* result) const;
    };
    std::unique_ptr<duckdb_result, Delete> result_;
};

/// A prepared statement. Places count from 1; a place that does not exist is told by execute().
class Statement {
public:
    explicit Statement(duckdb_prepared_statement handle) : handle_(handle) {}

    [[nodiscard]] std::size_t parameter_count() const { return duckdb_nparams(raw()); }
    [[nodiscard]] duckdb_statement_type type() const { return duckdb_prepared_statement_type(raw()); }

    void bind(std::size_t place, std::string_view text);
    void bind(std::size_t place, std::int64_t value);

    /// Runs it and keeps all rows in memory.
    [[nodiscard]] Result<Rows> execute();
    /// Runs it as far as rows are asked for, where DuckDB can do that.
    [[nodiscard]] Result<Rows> execute_streaming();

    [[nodiscard]] duckdb_prepared_statement raw() const { return handle_.get(); }

private:
    Handle<duckdb_prepared_statement, duckdb_destroy_prepare> handle_;
};

class Connection {
public:
    explicit Connection(duckdb_connection handle) : handle_(handle) {}

    /// Runs one or more statements and returns what the last one did.
    [[nodiscard]] Result<Rows> query(const std::string& sql) const;
    [[nodiscard]] Result<Statement> prepare(const std::string& sql) const;

    /// Ends what runs now with DUCKDB_ERROR_INTERRUPT (Code::cancelled). Any thread may call it. It is forgotten when
    /// the next statement begins, so whoever starts one looks at his token afterwards as well.
    void interrupt() const { duckdb_interrupt(raw()); }
    /// Of what runs now: 0 to 1, or nothing while DuckDB cannot tell. Needs enable_progress_bar.
    [[nodiscard]] std::optional<double> progress() const;

    [[nodiscard]] duckdb_connection raw() const { return handle_.get(); }

private:
    Handle<duckdb_connection, duckdb_disconnect> handle_;
};

class Database {
public:
    /// Opens or, unless the settings say READ_ONLY, makes a file; ":memory:" is one of its own. Nothing is ever fetched
    /// from the network. Code::conflict when another process holds the file, Code::corrupt when it is no database.
    [[nodiscard]] static Result<Database> open(const std::string& path, const Settings& settings);

    [[nodiscard]] Result<Connection> connect() const;

    [[nodiscard]] duckdb_database raw() const { return handle_.get(); }

private:
    explicit Database(duckdb_database handle) : handle_(handle) {}
    Handle<duckdb_database, duckdb_close> handle_;
};

/// Writes rows into a table, values through the C API's duckdb_append_…(raw(), value). Their failures show in
/// end_row().
class Appender {
public:
    [[nodiscard]] static Result<Appender> open(const Connection& connection, const std::string& schema,
                                               const std::string& table);

    [[nodiscard]] Result<> end_row();
    /// Writes what is waiting in memory.
    [[nodiscard]] Result<> flush();
    /// Writes what is left; an appender that is not closed may lose it.
    [[nodiscard]] Result<> close();

    [[nodiscard]] duckdb_appender raw() const { return handle_.get(); }

private:
    explicit Appender(duckdb_appender handle) : handle_(handle) {}
    [[nodiscard]] Error failure() const;
    Handle<duckdb_appender, duckdb_appender_destroy> handle_;
};

}  // namespace quaestor::data::duck
