#include "data/duckdb/walker.hpp"

#include "data/ascii.hpp"
#include "data/duckdb/sizes.hpp"
#include "data/duckdb/tree.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace quaestor::data {

namespace {

using Code = Problem::Code;
using tree::argument;
using tree::is_among;
using tree::is_true;
using tree::list_field;
using tree::literal;
using tree::object_field;
using tree::place_of;
using tree::text_field;

// What a tree may be made of. A kind that a later DuckDB adds is refused until somebody has looked at it.
constexpr auto kExpressions = std::to_array<std::string_view>(
    {"BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT", "FUNCTION", "LAMBDA",
     "LAMBDA_REF", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "WINDOW"});
constexpr auto kRelations = std::to_array<std::string_view>(
    {"BASE_TABLE", "EMPTY", "EXPRESSION_LIST", "JOIN", "PIVOT", "SHOW_REF", "SUBQUERY", "TABLE_FUNCTION"});
constexpr auto kQueries =
    std::to_array<std::string_view>({"CTE_NODE", "RECURSIVE_CTE_NODE", "SELECT_NODE", "SET_OPERATION_NODE"});
/// What else says of which type it is: modifiers of a query, ways of ordering, and what types are made of.
constexpr auto kParts = std::to_array<std::string_view>(
    {"ARRAY_TYPE_INFO", "ASCENDING", "DECIMAL_TYPE_INFO", "DESCENDING", "DISTINCT_MODIFIER", "ENUM_TYPE_INFO",
     "GENERIC_TYPE_INFO", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "LIST_TYPE_INFO", "ORDER_DEFAULT",
     "ORDER_MODIFIER", "STRING_TYPE_INFO", "STRUCT_TYPE_INFO", "USER_TYPE_INFO"});
/// Functions that make rows from their arguments alone.
constexpr auto kTableFunctions =
    std::to_array<std::string_view>({"generate_series", "json_each", "json_tree", "range", "unnest"});
constexpr auto kLikes = std::to_array<std::string_view>(
    {"~~", "!~~", "~~*", "!~~*", "like_escape", "not_like_escape", "ilike_escape", "not_ilike_escape"});
/// Where DuckDB's own functions are. Any other name in front of one is a value: name.upper().
constexpr auto kSystemSchemas = std::to_array<std::string_view>({"main", "pg_catalog", "system"});

bool begins_with_wildcard(const json::object& like) {
    const auto* pattern = argument(like, 1);
    const auto* value = pattern != nullptr ? literal(*pattern) : nullptr;
    return value != nullptr && value->is_string() &&
           (value->get_string().starts_with('%') || value->get_string().starts_with('_'));
}

/// Names that mean something only in a part of the statement, in lower case, and those of the query around it.
struct Scope {
    const Scope* outer = nullptr;
    std::map<std::string, const json::value*> ctes{};  ///< → the definition; none for one that is being defined
    std::map<std::string, std::string> aliases{};      ///< of relations → their table; empty for a subquery
    std::set<std::string> locals{};                    ///< parameters of lambdas, names of results

    template <class Names>
    static auto find(const Scope* scope, Names Scope::* names, const std::string& name) {
        for (; scope != nullptr; scope = scope->outer) {
            const auto found = (scope->*names).find(name);
            if (found != (scope->*names).end()) return std::optional(*found);
        }
        return std::optional<typename Names::value_type>();
    }
    [[nodiscard]] bool has_cte(const std::string& name) const { return find(this, &Scope::ctes, name).has_value(); }
};

/// Every object in the tree is visited, whatever field it hangs in, so that no position is forgotten.
class Walker {
public:
    explicit Walker(Reading& reading) : reading_(reading) {}

    void walk_query(const json::object& query, const Scope* outer) {
        const auto type = text_field(query, "type");
        if (!is_among(type, kQueries)) return refuse(query, fmt::format("a query of the kind {}", type));
        Scope scope{.outer = outer};
        walk_ctes(query, scope);
        if (type == "RECURSIVE_CTE_NODE") return walk_recursion(query, scope);
        if (const auto* from = object_field(query, "from_table")) add_aliases(*from, scope);
        for (const auto& field : query) {
            if (field.key() == "cte_map" || (field.key() == "query" && is_walked_cte(query, field.value(), scope))) {
                continue;
            }
            if (field.key() == "modifiers") {
                Scope inner{.outer = &scope};
                add_result_names(query, inner);
                walk(field.value(), inner);
            } else {
                walk(field.value(), scope);
            }
        }
    }

private:
    void walk(const json::value& value, const Scope& scope) {
        if (const auto* node = value.if_object()) {
            walk_object(*node, scope);
        } else if (const auto* items = value.if_array()) {
            for (const auto& item : *items) walk(item, scope);
        }
    }

    void walk_fields(const json::object& node, const Scope& scope) {
        for (const auto& field : node) walk(field.value(), scope);
    }

    void walk_object(const json::object& node, const Scope& scope) {
        if (node.contains("class")) return walk_expression(node, scope);
        const auto type = text_field(node, "type");
        if (type.ends_with("_NODE")) return walk_query(node, &scope);
        if (is_among(type, kRelations)) return walk_relation(node, scope);
        if (!type.empty() && !is_among(type, kParts)) return refuse(node, fmt::format("a part of the kind {}", type));
        walk_fields(node, scope);
    }

    /// A CTE sees those before it. DuckDB repeats the CTEs of a statement in the node of each that is materialised;
    /// what has been walked in the same place, or further out where fewer names are hidden, need not be walked again.
    void walk_ctes(const json::object& query, Scope& scope) {
        const auto* map = object_field(query, "cte_map");
        const auto* entries = map != nullptr ? list_field(*map, "map") : nullptr;
        if (entries == nullptr) return;
        for (const auto& entry : *entries) {
            const auto* cte = entry.if_object();
            const auto* definition = cte != nullptr ? cte->if_contains("value") : nullptr;
            if (definition == nullptr) continue;
            const std::string name = lower_ascii(text_field(*cte, "key"));
            const auto known = Scope::find(&scope, &Scope::ctes, name);
            const bool is_walked = known && known->second != nullptr && *known->second == *definition;
            if (!is_walked) walk(*definition, scope);
            scope.ctes[name] = definition;
        }
    }

    /// The node of a materialised CTE holds its query once more.
    static bool is_walked_cte(const json::object& query, const json::value& body, const Scope& scope) {
        const auto found = Scope::find(&scope, &Scope::ctes, lower_ascii(text_field(query, "cte_name")));
        if (!found || found->second == nullptr || !found->second->is_object()) return false;
        const auto* statement = object_field(found->second->get_object(), "query");
        const auto* node = statement != nullptr ? statement->if_contains("node") : nullptr;
        return node != nullptr && *node == body;
    }

    /// What is repeated sees the name; what it begins with does not.
    void walk_recursion(const json::object& query, const Scope& scope) {
        warn(Code::unbounded_recursion, query, "a recursive query runs until its data or its deadline ends it",
             "bound it: WHERE depth < 100");
        const Scope inner{.outer = &scope, .ctes = {{lower_ascii(text_field(query, "cte_name")), nullptr}}};
        for (const auto& field : query) {
            if (field.key() != "cte_map") walk(field.value(), field.key() == "left" ? scope : inner);
        }
    }

    void walk_relation(const json::object& relation, const Scope& scope) {
        const auto type = text_field(relation, "type");
        if (type == "BASE_TABLE") return note_table(relation, scope);
        if (type == "TABLE_FUNCTION") return note_table_function(relation, scope);
        if (type == "SHOW_REF" && !relation.contains("query")) {
            return refuse(relation, "SHOW", "see what there is: quaestor catalog show SOURCE");
        }
        walk_fields(relation, scope);
    }

    void note_table(const json::object& relation, const Scope& scope) {
        if (relation.contains("at_clause")) return refuse(relation, "AT, a look at another version of a table");
        Mention table{.database = std::string(text_field(relation, "catalog_name")),
                      .schema = std::string(text_field(relation, "schema_name")),
                      .name = std::string(text_field(relation, "table_name")),
                      .at = place_of(relation)};
        if (table.database.empty() && table.schema.empty() && scope.has_cte(lower_ascii(table.name))) return;
        reading_.relations.push_back(std::move(table));
    }

    void note_table_function(const json::object& relation, const Scope& scope) {
        const auto* function = object_field(relation, "function");
        const auto name = function != nullptr ? lower_ascii(text_field(*function, "function_name")) : std::string();
        if (!is_among(name, kTableFunctions)) {
            reading_.refusals.push_back(
                {.code = Code::forbidden_function,
                 .message =
                     fmt::format("{}() may not stand in FROM: it can reach beyond the tables of this source", name),
                 .at = place_of(relation),
                 .suggestion = "read from the source's tables; open files or folders as a source of their own"});
            return;
        }
        note_function(*function, scope);
        walk_fields(*function, scope);
        for (const auto& field : relation) {
            if (field.key() != "function") walk(field.value(), scope);
        }
    }

    void walk_expression(const json::object& node, const Scope& scope) {
        const auto kind = text_field(node, "class");
        if (kind == "PARAMETER") return refuse(node, "a parameter", "write the value itself");
        if (!is_among(kind, kExpressions)) return refuse(node, fmt::format("an expression of the kind {}", kind));
        if (kind == "CONSTANT") return;  // data
        if (kind == "COLUMN_REF") return note_column(node, scope);
        if (kind == "LAMBDA") return walk_lambda(node, scope);
        if (kind == "FUNCTION" || kind == "WINDOW") note_function(node, scope);
        if (kind == "FUNCTION") check_size(node);
        if (kind == "STAR") note_star(node);
        const bool is_exists = text_field(node, "subquery_type") == "EXISTS";
        exists_depth_ += is_exists ? 1 : 0;
        walk_fields(node, scope);
        exists_depth_ -= is_exists ? 1 : 0;
    }

    void walk_lambda(const json::object& node, const Scope& scope) {
        Scope inner{.outer = &scope};
        const auto* body = object_field(node, "expr");
        // doc -> 'part' is read as a lambda too; its left side is a column.
        const bool takes_part = body != nullptr && text_field(*body, "class") == "CONSTANT";
        const auto* left = takes_part ? nullptr : object_field(node, "lhs");
        const auto add = [&](const json::object& parameter) {
            const auto* names = list_field(parameter, "column_names");
            if (names != nullptr && !names->empty()) inner.locals.insert(lower_ascii(names->front().as_string()));
        };
        if (left != nullptr) add(*left);
        for (std::size_t i = 0; left != nullptr && argument(*left, i) != nullptr; ++i) add(*argument(*left, i));
        walk_fields(node, inner);
    }

    void note_column(const json::object& node, const Scope& scope) {
        const auto* names = list_field(node, "column_names");
        if (names == nullptr || names->empty()) return;
        std::vector<std::string> parts;
        for (const auto& name : *names) parts.emplace_back(name.as_string());
        if (Scope::find(&scope, &Scope::locals, lower_ascii(parts.front()))) return;
        ColumnMention column{.relation = {}, .name = parts.front(), .at = place_of(node)};
        if (parts.size() > 1) {
            if (const auto alias = Scope::find(&scope, &Scope::aliases, lower_ascii(parts[parts.size() - 2]))) {
                column.relation = alias->second;
                column.name = parts.back();
            }
        }
        reading_.columns.push_back(std::move(column));
    }

    void note_function(const json::object& node, const Scope& scope) {
        const auto name = text_field(node, "function_name");
        if (is_among(name, kLikes) && begins_with_wildcard(node)) {
            warn(Code::leading_wildcard, node, "a pattern that begins with a wildcard looks at every row",
                 "begin the pattern with the text itself, if it is known");
        }
        const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
        if (std::ranges::none_of(name, is_letter)) return;  // an operator
        Mention function{.database = std::string(text_field(node, "catalog")),
                         .schema = std::string(text_field(node, "schema")),
                         .name = name == "count_star" ? "count" : lower_ascii(name),
                         .at = place_of(node)};
        if (is_method(node)) {
            note_owner(function, scope);
            function.database.clear();
            function.schema.clear();
        }
        reading_.functions.push_back(std::move(function));
    }

    static bool is_method(const json::object& function) {
        const auto schema = text_field(function, "schema");
        return !schema.empty() && !is_among(schema, kSystemSchemas);
    }

    /// name.upper() and customers.name.upper(): what stands in front is a column.
    void note_owner(const Mention& function, const Scope& scope) {
        if (Scope::find(&scope, &Scope::locals, lower_ascii(function.schema))) return;
        const auto alias = Scope::find(&scope, &Scope::aliases, lower_ascii(function.database));
        reading_.columns.push_back(
            {.relation = alias ? alias->second : "", .name = function.schema, .at = function.at});
    }

    void check_size(const json::object& node) {
        auto advice = objection_to_size(node, is_method(node));
        if (advice.empty()) return;
        reading_.refusals.push_back(
            {.code = Code::forbidden,
             .message = fmt::format("{}() could make a value larger than memory", text_field(node, "function_name")),
             .at = place_of(node),
             .suggestion = std::move(advice)});
    }

    void note_star(const json::object& node) {
        if (is_true(node, "columns") || exists_depth_ > 0 || !place_of(node)) return;
        warn(Code::select_star, node, "SELECT * reads every column, also those that come later",
             "name the columns that are wanted");
    }

    void add_aliases(const json::object& relation, Scope& scope) {
        const auto type = text_field(relation, "type");
        const auto alias = text_field(relation, "alias");
        if (type == "JOIN") {
            for (const auto* side : {"left", "right"}) {
                if (const auto* node = object_field(relation, side)) add_aliases(*node, scope);
            }
        } else if (type == "BASE_TABLE") {
            const std::string table(text_field(relation, "table_name"));
            scope.aliases[lower_ascii(alias.empty() ? table : alias)] = scope.has_cte(lower_ascii(table)) ? "" : table;
        } else if (!alias.empty()) {
            scope.aliases[lower_ascii(alias)] = "";
        }
    }

    /// ORDER BY may name a result instead of a column.
    static void add_result_names(const json::object& query, Scope& scope) {
        const auto* results = list_field(query, "select_list");
        if (results == nullptr) return;
        for (const auto& result : *results) {
            const auto* node = result.if_object();
            const auto alias = node != nullptr ? text_field(*node, "alias") : std::string_view();
            if (!alias.empty()) scope.locals.insert(lower_ascii(alias));
        }
    }

    void refuse(const json::object& node, const std::string& what, std::string suggestion = {}) {
        reading_.refusals.push_back({.code = Code::forbidden,
                                     .message = fmt::format("{} is not among what a query may be made of", what),
                                     .at = place_of(node),
                                     .suggestion = std::move(suggestion)});
    }

    void warn(Code code, const json::object& node, std::string message, std::string suggestion) {
        reading_.warnings.push_back(
            {.code = code, .message = std::move(message), .at = place_of(node), .suggestion = std::move(suggestion)});
    }

    Reading& reading_;
    int exists_depth_ = 0;
};

}  // namespace

void walk_duckdb_query(const json::object& query, Reading& reading) {
    Walker(reading).walk_query(query, nullptr);
}

}  // namespace quaestor::data
