// DuckDB's parser: SQL text in, its parse tree out, through json_serialize_sql on a database in memory that holds
// nothing and can reach nothing. Nothing is bound or run. Private to data/.
// Threads: any; parsers are kept in a pool, one per thread that parses at the same time.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <memory>
#include <string_view>

namespace quaestor::data {

/// The tree, or what is wrong with the text: {"error", "statements"} or {"error", "error_type", "error_message",
/// "position"}, as DuckDB writes them.
class DuckdbTree {
public:
    DuckdbTree(std::unique_ptr<json::monotonic_resource> memory, json::value root)
        : memory_(std::move(memory)), root_(std::move(root)) {}

    [[nodiscard]] const json::object& tree() const { return root_.get_object(); }

private:
    std::unique_ptr<json::monotonic_resource> memory_;  ///< of the values; the first member, so that it goes last
    json::value root_;
};

/// Code::limit_exceeded when the tree is deeper or larger than is looked at.
[[nodiscard]] Result<DuckdbTree> parse_with_duckdb(std::string_view sql);

}  // namespace quaestor::data
