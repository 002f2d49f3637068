#include "data/postgres/schema.hpp"

#include "base/json.hpp"
#include "data/postgres/values.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace quaestor::data::postgres {

namespace {

constexpr const char* kDatabaseQuery = "SELECT pg_catalog.current_database(), pg_catalog.current_schema()";

/// In front of the next three: what the role may read.
constexpr std::string_view kRelations = R"sql(
WITH relations AS (
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
      AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
      AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')))
)sql";

constexpr std::string_view kTablesQuery = R"sql(
SELECT r.oid::int8, r.nspname, r.relname, r.relkind, r.reltuples::int8,
       coalesce(pg_catalog.obj_description(r.oid, 'pg_class'), '')
FROM relations r ORDER BY r.nspname COLLATE "C", r.relname COLLATE "C"
)sql";

constexpr std::string_view kColumnsQuery = R"sql(
SELECT r.oid::int8, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.atttypid::int8, a.attnotnull,
       coalesce(pg_catalog.col_description(r.oid, a.attnum), '')
FROM relations r JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid
WHERE a.attnum > 0 AND NOT a.attisdropped AND pg_catalog.has_column_privilege(r.oid, a.attnum, 'SELECT')
ORDER BY r.oid, a.attnum
)sql";

/// Names of columns as JSON lists, in the order of the key.
constexpr std::string_view kKeysQuery = R"sql(
SELECT r.oid::int8, k.contype,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY p.place)
        FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS p(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.number),
       n.nspname, f.relname,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY p.place)
        FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS p(number, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.number)
FROM relations r JOIN pg_catalog.pg_constraint k ON k.conrelid = r.oid AND k.contype IN ('p', 'f')
LEFT JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = f.relnamespace
ORDER BY r.oid, k.conname
)sql";

/// Declarations show in the xmin of catalogue rows, which every change of a row replaces; TRUNCATE and rewriting in
/// relfilenode; changed rows in the counters of the statistics. All of that is in memory of the server. The position
/// of its log would also do, but moves with every other database and with housekeeping.
constexpr const char* kFingerprintQuery = R"sql(
SELECT pg_catalog.md5(pg_catalog.concat_ws(';',
    (SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(',', c.oid, c.xmin, c.relfilenode,
         s.n_tup_ins, s.n_tup_upd, s.n_tup_del), ';' ORDER BY c.oid))
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     LEFT JOIN pg_catalog.pg_stat_user_tables s ON s.relid = c.oid
     WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'),
    (SELECT pg_catalog.concat_ws(',', pg_catalog.count(*), pg_catalog.sum(a.xmin::text::int8))
     FROM pg_catalog.pg_attribute a WHERE a.attrelid >= 16384 AND a.attnum > 0),
    (SELECT pg_catalog.concat_ws(',', pg_catalog.count(*), pg_catalog.sum(k.xmin::text::int8))
     FROM pg_catalog.pg_constraint k WHERE k.conrelid >= 16384),
    (SELECT pg_catalog.concat_ws(',', pg_catalog.count(*), pg_catalog.sum(d.xmin::text::int8))
     FROM pg_catalog.pg_description d WHERE d.objoid >= 16384)))
)sql";

constexpr const char* kColumnNamesQuery = R"sql(
SELECT DISTINCT a.attname FROM pg_catalog.json_array_elements_text($1::json) AS r(name)
JOIN pg_catalog.pg_attribute a ON a.attrelid = pg_catalog.to_regclass(r.name)
WHERE a.attnum > 0 AND NOT a.attisdropped
)sql";

std::int64_t number_in(std::string_view text) {
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// A JSON list of names.
std::vector<std::string> listed_names(std::string_view text) {
    std::vector<std::string> names;
    const auto list = parse_json(text);
    if (!list || !list->is_array()) return names;
    for (const json::value& name : list->get_array()) {
        if (name.is_string()) names.emplace_back(name.get_string());
    }
    return names;
}

Answer<Rows> query_relations(std::string_view query, Connection& connection, const Patience& patience) {
    return connection.query(std::string(kRelations).append(query), {}, patience);
}

using ById = std::unordered_map<std::int64_t, std::size_t>;  ///< the server's number of a table → its place

Answer<ById> add_tables(Catalog& catalog, Connection& connection, const Patience& patience) {
    const auto rows = query_relations(kTablesQuery, connection, patience);
    if (!rows) return std::unexpected(rows.error());
    ById places;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        const auto kind = rows->text(row, 3);
        const auto estimate = number_in(rows->text(row, 4));
        CatalogTable table;
        table.schema = rows->text(row, 1);
        table.name = rows->text(row, 2);
        table.kind = kind == "v" || kind == "m" ? CatalogTable::Kind::view : CatalogTable::Kind::table;
        table.description = rows->text(row, 5);
        if (estimate > 0) table.rows = estimate;  // 0 and -1 also stand for "not known"
        table.rows_are_exact = !table.rows.has_value();
        places[number_in(rows->text(row, 0))] = catalog.tables.size();
        catalog.tables.push_back(std::move(table));
    }
    return places;
}

Answer<void> add_columns(Catalog& catalog, const ById& places, Connection& connection, const Patience& patience) {
    const auto rows = query_relations(kColumnsQuery, connection, patience);
    if (!rows) return std::unexpected(rows.error());
    std::vector<TypeId> ids;
    ids.reserve(rows->size());
    for (std::size_t row = 0; row < rows->size(); ++row) {
        ids.push_back(static_cast<TypeId>(number_in(rows->text(row, 3))));
    }
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    const auto types = learn_types(ids, connection, patience);
    if (!types) return std::unexpected(types.error());
    for (std::size_t row = 0; row < rows->size(); ++row) {
        const auto place = places.find(number_in(rows->text(row, 0)));
        if (place == places.end()) continue;  // made since the tables were listed
        const auto type = types->find(static_cast<TypeId>(number_in(rows->text(row, 3))));
        CatalogColumn column;
        column.name = rows->text(row, 1);
        column.type = rows->text(row, 2);
        column.kind = type == types->end() ? ValueKind::other : type->second.kind;
        column.nullable = rows->text(row, 4) != "t";
        column.description = rows->text(row, 5);
        catalog.tables[place->second].columns.push_back(std::move(column));
    }
    return {};
}

Answer<void> add_keys(Catalog& catalog, const ById& places, Connection& connection, const Patience& patience) {
    const auto rows = query_relations(kKeysQuery, connection, patience);
    if (!rows) return std::unexpected(rows.error());
    for (std::size_t row = 0; row < rows->size(); ++row) {
        const auto place = places.find(number_in(rows->text(row, 0)));
        if (place == places.end()) continue;
        CatalogTable& table = catalog.tables[place->second];
        auto columns = listed_names(rows->text(row, 2));
        if (rows->text(row, 1) == "p") {
            table.primary_key = std::move(columns);
            continue;
        }
        table.foreign_keys.push_back({.columns = std::move(columns),
                                      .schema = std::string(rows->text(row, 3)),
                                      .table = std::string(rows->text(row, 4)),
                                      .target_columns = listed_names(rows->text(row, 5))});
    }
    return {};
}

}  // namespace

Answer<Catalog> read_catalog(Connection& connection, const Patience& patience) {
    const auto database = connection.query(kDatabaseQuery, {}, patience);
    if (!database) return std::unexpected(database.error());
    Catalog catalog;
    catalog.dialect = Dialect::postgres;
    catalog.database = database->text(0, 0);
    catalog.default_schema = database->text(0, 1);
    const auto places = add_tables(catalog, connection, patience);
    if (!places) return std::unexpected(places.error());
    if (auto added = add_columns(catalog, *places, connection, patience); !added) {
        return std::unexpected(added.error());
    }
    if (auto added = add_keys(catalog, *places, connection, patience); !added) return std::unexpected(added.error());
    return catalog;
}

Answer<std::string> read_fingerprint(Connection& connection, const Patience& patience) {
    const auto rows = connection.query(kFingerprintQuery, {}, patience);
    if (!rows) return std::unexpected(rows.error());
    return std::string(rows->text(0, 0));
}

Answer<std::vector<std::string>> read_columns(const std::vector<std::string>& names, Connection& connection,
                                              const Patience& patience) {
    const auto rows = connection.query(kColumnNamesQuery, {to_text(encode(names))}, patience);
    if (!rows) return std::unexpected(rows.error());
    std::vector<std::string> columns;
    columns.reserve(rows->size());
    for (std::size_t row = 0; row < rows->size(); ++row) columns.emplace_back(rows->text(row, 0));
    return columns;
}

}  // namespace quaestor::data::postgres
