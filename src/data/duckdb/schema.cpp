#include "data/duckdb/schema.hpp"

#include "data/kinds.hpp"

#include <map>
#include <utility>

namespace quaestor::data {

namespace {

constexpr const char* kTables = R"sql(
    SELECT schema_name, table_name, comment, FALSE FROM duckdb_tables()
    WHERE NOT internal AND NOT temporary AND database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name, comment, TRUE FROM duckdb_views()
    WHERE NOT internal AND NOT temporary AND database_name = current_database()
    ORDER BY 1, 2)sql";

constexpr const char* kColumns = R"sql(
    SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
    WHERE NOT internal AND database_name = current_database() ORDER BY 1, 2, column_index)sql";

/// Lists are unnested side by side: the n-th column points to the n-th target.
constexpr const char* kKeys = R"sql(
    SELECT schema_name, table_name, constraint_index, constraint_type, coalesce(referenced_table, ''),
           unnest(constraint_column_names), unnest(referenced_column_names)
    FROM duckdb_constraints()
    WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
    ORDER BY 1, 2, 3)sql";

using TableKey = std::pair<std::string, std::string>;

/// Calls `take(cells)` for each row, its values as text.
template <class Take>
Result<> for_each_row(const duck::Connection& connection, const std::string& sql, Take take) {
    // Everything as text, so that one way of reading does for all columns.
    auto rows = connection.query("SELECT COLUMNS(*)::VARCHAR FROM (" + sql + ")");
    if (!rows) return fail(rows.error());
    const std::size_t width = rows->column_count();
    std::vector<std::string> cells(width);
    while (true) {
        auto chunk = rows->next();
        if (!chunk) return fail(chunk.error());
        if (!*chunk) return {};
        for (std::size_t row = 0; row < (*chunk)->size(); ++row) {
            for (std::size_t i = 0; i < width; ++i) {
                cells[i] = (*chunk)->is_null(i, row) ? "" : std::string((*chunk)->text(i, row));
            }
            take(cells);
        }
    }
}

void add_key(CatalogTable& table, const std::vector<std::string>& cells, bool continues) {
    if (cells[3] == "PRIMARY KEY") {
        table.primary_key.push_back(cells[5]);
        return;
    }
    if (!continues) table.foreign_keys.push_back({.schema = table.schema, .table = cells[4]});
    table.foreign_keys.back().columns.push_back(cells[5]);
    table.foreign_keys.back().target_columns.push_back(cells[6]);
}

}  // namespace

Result<Catalog> read_duckdb_schema(const duck::Connection& connection) {
    Catalog catalog{.dialect = Dialect::duckdb, .default_schema = "main"};
    std::map<TableKey, std::size_t> places;
    const auto table_of = [&](const std::vector<std::string>& cells) -> CatalogTable* {
        const auto place = places.find({cells[0], cells[1]});
        return place == places.end() ? nullptr : &catalog.tables[place->second];
    };
    auto read =
        for_each_row(connection, "SELECT current_database()", [&](const auto& cells) { catalog.database = cells[0]; });
    if (!read) return fail(read.error());
    read = for_each_row(connection, kTables, [&](const auto& cells) {
        places.emplace(TableKey(cells[0], cells[1]), catalog.tables.size());
        catalog.tables.push_back({.schema = cells[0],
                                  .name = cells[1],
                                  .kind = cells[3] == "true" ? CatalogTable::Kind::view : CatalogTable::Kind::table,
                                  .description = cells[2]});
    });
    if (!read) return fail(read.error());
    read = for_each_row(connection, kColumns, [&](const auto& cells) {
        if (CatalogTable* table = table_of(cells)) {
            table->columns.push_back({.name = cells[2],
                                      .type = cells[3],
                                      .kind = kind_of_type(cells[3]),
                                      .nullable = cells[4] == "true",
                                      .description = cells[5]});
        }
    });
    if (!read) return fail(read.error());
    std::vector<std::string> last;
    read = for_each_row(connection, kKeys, [&](const auto& cells) {
        const std::vector<std::string> key(cells.begin(), cells.begin() + 3);
        if (CatalogTable* table = table_of(cells)) add_key(*table, cells, key == last);
        last = key;
    });
    if (!read) return fail(read.error());
    return catalog;
}

}  // namespace quaestor::data
