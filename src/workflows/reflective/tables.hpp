// Which tables a question is about, and how they are described to a model: hybrid search over names, descriptions and
// columns, and the schema as text.
// Private to the workflow. Threads: pure functions, but for the search, which asks the embedder.
#pragma once

#include "workflows/reflective/analyst.hpp"

#include <string>
#include <vector>

namespace quaestor::workflows::reflective {

/// "games: one row per game. season, home_team_id, …"
[[nodiscard]] std::string table_line(const data::Catalog& catalog, const data::CatalogTable& table);
/// Of all tables or, where there are more than kTablesListed, of those that share most words with the question.
inline constexpr std::size_t kTablesListed = 30;
[[nodiscard]] std::vector<std::string> table_lines(const data::Catalog& catalog, const std::string& question);
/// With its schema where it is not the default one.
[[nodiscard]] std::string table_name(const data::Catalog& catalog, const data::CatalogTable& table);

/// The tables nearest to a question, best first: by words and, with a model configured, by meaning.
Task<std::vector<std::string>> candidate_tables(Analyst& analyst, std::string question, CancelToken cancel);

/// `chosen` as far as they are there, at most kSelectedTables; filled up with the first of `candidates` when there is
/// none, or one that is not there. Then the tables that their foreign keys need for a join.
[[nodiscard]] std::vector<std::string> with_joining(const data::Catalog& catalog,
                                                    const std::vector<std::string>& chosen,
                                                    const std::vector<std::string>& candidates);

/// CREATE TABLE statements with comments, keys and sample values, bounded. Whatever a name or a comment holds stays on
/// its line and in its quotes.
inline constexpr std::size_t kSchemaBytesMax = 24'000;
[[nodiscard]] std::string schema_text(const data::Catalog& catalog, const std::vector<std::string>& tables);

}  // namespace quaestor::workflows::reflective
