// What the reader of PostgreSQL knows to be harmless besides functions: types, operators, sampling methods, and the
// columns of the engine's own functions that return rows. Private to data/.
// Threads: constants and pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quaestor::data::postgres {

/// The engine's own schema, where its types, operators and functions are.
inline constexpr std::string_view kSystemSchema = "pg_catalog";

/// True for a type of the engine that only holds values. Types that look names up in the catalogue (regclass and kin)
/// or parse XML are left out.
[[nodiscard]] bool is_plain_type(std::string_view name);

/// True for an operator symbol that the engine itself defines.
[[nodiscard]] bool is_builtin_operator(std::string_view symbol);

/// True for the engine's own methods of TABLESAMPLE.
[[nodiscard]] bool is_sampling_method(std::string_view name);

/// The columns of a function of the engine that returns rows; empty for all others.
[[nodiscard]] std::span<const std::string_view> columns_of_function(std::string_view name);

/// A statement's kind for people, from the parser's name for it: "InsertStmt" is "insert", "AlterTableStmt" "alter
/// table".
[[nodiscard]] std::string statement_name(std::string_view node_kind);

}  // namespace quaestor::data::postgres
