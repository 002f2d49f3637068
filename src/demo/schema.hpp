// The tables of the league: names, types, keys, and a sentence on each. Statements are made from it; docs/demo.md is
// held against it by a test. Private to demo/.
// Threads: constants.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quaestor::demo {

struct ColumnSpec {
    std::string_view name;
    std::string_view type;  ///< with NOT NULL and REFERENCES
    std::string_view comment;
};

struct TableSpec {
    std::string_view name;
    std::string_view comment;
    std::string_view primary_key;
    std::span<const ColumnSpec> columns;
};

/// A table stands behind those it points to.
[[nodiscard]] std::span<const TableSpec> league_tables();

/// CREATE TABLE and COMMENT ON for all of them.
[[nodiscard]] std::string schema_statements();

}  // namespace quaestor::demo
