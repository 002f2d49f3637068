// Any text as a statement of any dialect (the first byte says which): the guard must not crash, and what it lets
// through must be one statement by the engine's own count, with a limit, and be let through again.
#include "data/guard.hpp"

#include "data/sql_text.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <duckdb.h>
#include <string>

namespace {

using namespace quaestor::data;

void require(bool holds, const char* what, std::string_view sql) {
    if (holds) return;
    std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(sql.size()), sql.data());
    std::abort();
}

duckdb_connection connect() {
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    if (duckdb_open(nullptr, &database) != DuckDBSuccess || duckdb_connect(database, &connection) != DuckDBSuccess) {
        std::abort();
    }
    return connection;
}

/// As DuckDB counts; 0 when it cannot read the text.
std::size_t count_statements(const std::string& sql) {
    static const duckdb_connection connection = connect();
    duckdb_extracted_statements statements = nullptr;
    const auto count = duckdb_extract_statements(connection, sql.c_str(), &statements);
    duckdb_destroy_extracted(&statements);
    return count;
}

}  // namespace

/// What a parser keeps in DuckDB's own allocator looks lost to the leak checker.
extern "C" int __lsan_is_turned_off() {
    return 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto dialect = static_cast<Dialect>(data[0] % 3);
    const std::string_view sql(reinterpret_cast<const char*>(data) + 1, size - 1);
    static const TableNames tables = TableNames::parse("orders,customers,sales.orders");
    const Guard guard(dialect, tables);
    const Verdict verdict = guard.check(sql);
    require(verdict.ok == verdict.errors.empty(), "a verdict that contradicts itself", sql);
    require(verdict.ok != verdict.sql.empty(), "a statement to run that is none", sql);
    if (!verdict.ok) return 0;
    const Verdict again = guard.check(verdict.sql);
    require(again.ok, "what the guard wrote itself is refused", verdict.sql);
    require(again.sql == verdict.sql, "the guard adds a second limit", verdict.sql);
    require(again.tables == verdict.tables, "what would run reads other tables", verdict.sql);
    if (dialect == Dialect::duckdb) require(count_statements(verdict.sql) == 1, "not one statement", verdict.sql);
    return 0;
}
