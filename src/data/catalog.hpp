// What is in a source: schemas, tables, columns, keys, and what is known of their values. Enough for a person who has
// never seen the database, or a model, to write a query. Plain values with a JSON form.
// Threads: immutable once made; shared by pointer.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "data/dialect.hpp"
#include "data/result_set.hpp"
#include "data/table_names.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// How a fact came to be known.
enum class Origin { declared, inferred };
BOOST_DESCRIBE_ENUM(Origin, declared, inferred)

struct CatalogColumn {
    std::string name;
    std::string type;  ///< the engine's own name
    ValueKind kind = ValueKind::other;
    bool nullable = true;
    std::string description;  ///< the database's comment, or a person's words from the annotations
    std::optional<std::string> min;
    std::optional<std::string> max;
    std::optional<std::int64_t> distinct;  ///< different values, about
    std::optional<std::int64_t> nulls;
    std::vector<std::string> samples;  ///< frequent values first
};
BOOST_DESCRIBE_STRUCT(CatalogColumn, (), (name, type, kind, nullable, description, min, max, distinct, nulls, samples))

struct ForeignKey {
    std::vector<std::string> columns;
    std::string schema;  ///< of the table it points to
    std::string table;
    std::vector<std::string> target_columns;
    Origin origin = Origin::declared;
};
BOOST_DESCRIBE_STRUCT(ForeignKey, (), (columns, schema, table, target_columns, origin))

struct CatalogTable {
    enum class Kind { table, view };
    BOOST_DESCRIBE_NESTED_ENUM(Kind, table, view)

    std::string schema;
    std::string name;
    Kind kind = Kind::table;
    std::string description;
    std::optional<std::int64_t> rows;
    bool rows_are_exact = true;
    std::vector<CatalogColumn> columns;
    std::vector<std::string> primary_key;
    Origin primary_key_origin = Origin::declared;
    std::vector<ForeignKey> foreign_keys;

    [[nodiscard]] const CatalogColumn* find_column(std::string_view column) const;
};
BOOST_DESCRIBE_STRUCT(CatalogTable, (),
                      (schema, name, kind, description, rows, rows_are_exact, columns, primary_key, primary_key_origin,
                       foreign_keys))

struct Catalog {
    std::string source;  ///< how a person named it; without a password
    Dialect dialect = Dialect::duckdb;
    std::string database;  ///< its own name, which may be written in front of a schema
    std::string default_schema;
    std::vector<CatalogTable> tables;             ///< by schema and name
    std::map<std::string, std::string> glossary;  ///< a person's words for what is meant: "revenue" → "sum of …"
    bool is_complete = false;                     ///< false while values have not been looked at
    WallTime made_at{};

    /// "name" in the default schema, or "schema.name", without regard to case.
    [[nodiscard]] const CatalogTable* find_table(std::string_view name) const;
};
BOOST_DESCRIBE_STRUCT(Catalog, (), (source, dialect, database, default_schema, tables, glossary, is_complete, made_at))

[[nodiscard]] TableNames names_of(const Catalog& catalog);

}  // namespace quaestor::data
