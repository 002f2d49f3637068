#include "server/api/node_labels.hpp"

#include <algorithm>
#include <array>

namespace quaestor::server {

namespace {

constexpr std::string_view kSql = "query_tool";
constexpr std::string_view kGraphql = "atlas_graphql";
constexpr std::string_view kDocs = "docs_tool";

struct NodeLabel {
    std::string_view node;
    std::string_view label;
    std::string_view pipeline;
};

constexpr std::array kLabels{
    // reflective
    NodeLabel{"clarify_query", "Understanding the question", kSql},
    NodeLabel{"ask_user", "Asking back", kSql},
    NodeLabel{"decline", "Explaining what can be asked", kSql},
    NodeLabel{"rewrite_query", "Completing the question from the conversation", kSql},
    NodeLabel{"plan_query", "Planning", kSql},
    NodeLabel{"select_tables", "Selecting tables", kSql},
    NodeLabel{"decompose", "Splitting the question", kSql},
    NodeLabel{"answer_sub_query", "Answering a part", kSql},
    NodeLabel{"combine_results", "Combining the parts", kSql},
    NodeLabel{"analyze_data", "Writing the answer", kSql},
    NodeLabel{"grade_response", "Checking the answer", kSql},
    // cited
    NodeLabel{"assess_query", "Understanding the question", kDocs},
    NodeLabel{"search_corpus", "Searching the documents", kDocs},
    NodeLabel{"evaluate_confidence", "Judging what was found", kDocs},
    NodeLabel{"reformulate_query", "Searching in other words", kDocs},
    NodeLabel{"synthesize_answer", "Writing the answer", kDocs},
    NodeLabel{"validate_citations", "Checking the citations", kDocs},
    NodeLabel{"respond", "Answering", kDocs},
    // atlas: SQL
    NodeLabel{"extract_tool_question", "Extracting question", kSql},
    NodeLabel{"extract_products", "Identifying products", kSql},
    NodeLabel{"lookup_codes", "Looking up product codes", kSql},
    NodeLabel{"get_table_info", "Loading table metadata", kSql},
    NodeLabel{"generate_sql", "Generating SQL query", kSql},
    NodeLabel{"validate_sql", "Validating SQL", kSql},
    NodeLabel{"execute_sql", "Executing query", kSql},
    NodeLabel{"format_results", "Formatting results", kSql},
    NodeLabel{"max_queries_exceeded", "Query limit reached", kSql},
    // atlas: GraphQL
    NodeLabel{"extract_graphql_question", "Extracting question", kGraphql},
    NodeLabel{"classify_query", "Classifying query type", kGraphql},
    NodeLabel{"extract_entities", "Extracting entities", kGraphql},
    NodeLabel{"resolve_ids", "Resolving entity IDs", kGraphql},
    NodeLabel{"build_and_execute_graphql", "Querying Atlas API", kGraphql},
    NodeLabel{"format_graphql_results", "Formatting results", kGraphql},
    // atlas: documents
    NodeLabel{"extract_docs_question", "Extracting question", kDocs},
    NodeLabel{"select_and_synthesize", "Consulting documentation", kDocs},
    NodeLabel{"format_docs_results", "Preparing documentation", kDocs},
};

const NodeLabel* label_entry(std::string_view node) {
    const auto* found = std::ranges::find(kLabels, node, &NodeLabel::node);
    return found == kLabels.end() ? nullptr : found;
}

}  // namespace

std::string label_of(std::string_view node) {
    if (const auto* known = label_entry(node)) return std::string(known->label);
    std::string shown(node);
    std::ranges::replace(shown, '_', ' ');
    return shown;
}

std::string_view pipeline_of(std::string_view node) {
    const auto* known = label_entry(node);
    return known == nullptr ? kSql : known->pipeline;
}

}  // namespace quaestor::server
