// Databases for a test, as DuckDB and SQLite files in a folder of their own that goes with the object.
// Threads: one at a time.
#pragma once

#include "data/duckdb/handle.hpp"
#include "data/engine.hpp"
#include "data/guard.hpp"
#include "native/form/golden_forms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::native {

using data::Dialect;

/// Statements that make a table and fill it.
inline std::string table_sql(const GoldenDatabase& database, TableId table, Dialect dialect) {
    const Schema& schema = database.schema;
    std::vector<std::string> columns;
    for (const ColumnId id : schema.columns_of(table)) {
        const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(id)];
        const std::string_view date = dialect == Dialect::sqlite ? "TEXT" : "DATE";
        const std::string_view type = column.is_iso_date                   ? date
                                      : column.kind == ColumnKind::number  ? "DOUBLE"
                                      : column.kind == ColumnKind::boolean ? "BOOLEAN"
                                                                           : "VARCHAR";
        columns.push_back(fmt::format("{} {}", data::quote_name(column.name), type));
    }
    const std::string name = data::quote_name(schema.tables()[static_cast<std::size_t>(table)].name);
    std::string sql = fmt::format("CREATE TABLE {} ({});", name, fmt::join(columns, ", "));
    for (const auto& row : database.rows.at(static_cast<std::size_t>(table)).as_array()) {
        std::vector<std::string> cells;
        for (const auto& cell : row.as_array()) {
            cells.push_back(cell.is_string() ? data::quote_text(cell.as_string()) : json::serialize(cell));
        }
        sql += fmt::format("INSERT INTO {} VALUES ({});", name, fmt::join(cells, ", "));
    }
    return sql;
}

/// A database in two engines.
class MadeDatabase {
public:
    MadeDatabase(const std::string& duckdb_sql, const std::string& sqlite_sql) : folder_(make_folder()) {
        fill_duckdb(path("a.duckdb"), duckdb_sql);
        fill_sqlite(path("a.sqlite"), sqlite_sql);
        duckdb_ = data::open_duckdb(path("a.duckdb")).value();
        sqlite_ = data::open_sqlite(path("a.sqlite")).value();
        duckdb_names_ = data::names_of(duckdb_->read_schema({}).value());
        sqlite_names_ = data::names_of(sqlite_->read_schema({}).value());
    }
    explicit MadeDatabase(const GoldenDatabase& database)
        : MadeDatabase(all_sql(database, Dialect::duckdb), all_sql(database, Dialect::sqlite)) {}
    ~MadeDatabase() {
        duckdb_.reset();
        sqlite_.reset();
        std::filesystem::remove_all(folder_);
    }
    MadeDatabase(const MadeDatabase&) = delete;
    MadeDatabase& operator=(const MadeDatabase&) = delete;

    [[nodiscard]] data::Engine& engine(Dialect dialect) { return dialect == Dialect::duckdb ? *duckdb_ : *sqlite_; }

    /// Runs what the guard lets pass; what is wrong is a failure of the test.
    [[nodiscard]] data::ResultSet run(const std::string& sql, Dialect dialect) {
        const data::Guard guard(dialect, dialect == Dialect::duckdb ? duckdb_names_ : sqlite_names_);
        const data::Verdict verdict = guard.judge(sql, engine(dialect).read(sql));
        EXPECT_TRUE(verdict.ok) << sql << "\n" << (verdict.errors.empty() ? "" : verdict.errors.front().message);
        auto result = engine(dialect).run(sql, {}, {});
        EXPECT_TRUE(result) << sql << "\n" << (result ? "" : result.error().describe());
        return result ? std::move(*result) : data::ResultSet{};
    }

private:
    static std::filesystem::path make_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "quaestor-native-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        return name;
    }
    static std::string all_sql(const GoldenDatabase& database, Dialect dialect) {
        std::string sql;
        for (std::size_t table = 0; table < database.schema.tables().size(); ++table) {
            sql += table_sql(database, static_cast<TableId>(table), dialect);
        }
        return sql;
    }
    static void fill_duckdb(const std::string& file, const std::string& sql) {
        const auto database = data::duck::Database::open(file, {{"threads", "1"}}).value();
        const auto made = database.connect().value().query(sql);
        ASSERT_TRUE(made) << made.error().describe();
    }
    static void fill_sqlite(const std::string& file, const std::string& sql) {
        sqlite3* handle = nullptr;
        ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(handle, ("BEGIN;" + sql + "COMMIT").c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(handle);
        sqlite3_close(handle);
    }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    std::filesystem::path folder_;
    std::unique_ptr<data::Engine> duckdb_;
    std::unique_ptr<data::Engine> sqlite_;
    data::TableNames duckdb_names_;
    data::TableNames sqlite_names_;
};

/// The cells of each row; numbers with four digits behind the point, so that engines compare.
inline std::vector<std::vector<std::string>> rows_of(const data::ResultSet& result) {
    std::vector<std::vector<std::string>> rows(result.row_count);
    for (std::size_t at = 0; at < result.row_count; ++at) {
        for (const data::ResultColumn& column : result.columns) {
            const auto number = data::is_numeric(column.kind()) ? column.number(at) : std::nullopt;
            rows[at].push_back(column.is_null(at) ? "NULL" : number ? fmt::format("{:.4f}", *number) : column.text(at));
        }
    }
    return rows;
}

}  // namespace quaestor::native
