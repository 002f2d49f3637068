// What the steps of all workflows are called in front of people, in one table.
// Constant data.
// Threads: safe everywhere.
#pragma once

#include <string>
#include <string_view>

namespace quaestor::server {

/// "execute_sql" is "Executing query"; a node that has no label yet is shown by its name, with spaces.
[[nodiscard]] std::string label_of(std::string_view node);

/// The group that a node belongs to, as the totals of document 001 name it: query_tool, atlas_graphql, docs_tool.
[[nodiscard]] std::string_view pipeline_of(std::string_view node);

}  // namespace quaestor::server
