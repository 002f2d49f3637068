// DuckDB's parser: SQL text in, its parse tree out, through json_serialize_sql on a database in memory that holds
// nothing and can reach nothing. Nothing is bound or run. Private to data/.
// Threads: any; parsers are kept in a pool, one per thread that parses at the same time.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "data/sql_text.hpp"

#include <string_view>
#include <vector>

namespace quaestor::data {

/// An object that lies in `memory`: the tree, or what is wrong with the text, {"error", "statements"} or {"error",
/// "error_type", "error_message", "position"}, as DuckDB writes them. `tokens` are those of the text.
/// Code::limit_exceeded when the tree is deeper or larger than is looked at.
[[nodiscard]] Result<json::value> parse_with_duckdb(std::string_view sql, const std::vector<SqlToken>& tokens,
                                                    json::storage_ptr memory);

}  // namespace quaestor::data
