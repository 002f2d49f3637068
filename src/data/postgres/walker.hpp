// Walks the parse tree that libpg_query gives as JSON and notes what a SELECT reads and calls. Only nodes, and fields
// of nodes, that are known are passed; anything else becomes a refusal. Private to data/.
// Threads: one walker per statement, used by one thread.
#pragma once

#include "base/json.hpp"
#include "data/reading.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data::postgres {

class Walker {
public:
    explicit Walker(Reading& reading) : reading_(reading) {}

    /// `statement` holds the one node of the statement: {"SelectStmt": {…}}.
    void walk_statement(const json::value& statement);

private:
    using Place = std::optional<std::size_t>;

    /// A kind of node that may stand in a query, all its fields, and who looks at them.
    struct NodeKind {
        std::string_view name;
        std::string_view fields;  ///< separated by blanks
        void (Walker::*walk)(const json::object& fields);
    };

    /// What a name in front of a column may stand for.
    struct Range {
        std::string name;
        std::string relation;  ///< the table, as written; empty for CTEs, subqueries and functions
        /// Of a function: how its columns are called. Any other name behind its alias would call a function.
        std::optional<std::vector<std::string>> function_columns;
    };
    /// The FROM clause of one SELECT. Inner queries see the outer ones' names.
    struct Scope {
        std::vector<Range> ranges;
        std::vector<std::string> output_names;  ///< that ORDER BY and GROUP BY may use instead of columns
    };
    struct Cte {
        std::string name;
        bool is_used = false;
    };

    [[nodiscard]] static const NodeKind* find_kind(std::string_view name);
    void walk_node(const json::value& value);
    void walk_as(std::string_view kind, const json::object& fields);
    void walk_value(const json::value& value);
    void walk_fields(const json::object& fields, std::initializer_list<std::string_view> names);

    // Queries: walker_queries.cpp.
    void walk_select(const json::object& select);
    void walk_set_operation(const json::object& select);
    void walk_simple_select(const json::object& select);
    void walk_with(const json::object& with);
    void walk_cte(const json::object& cte);
    void walk_target(const json::object& target);
    void walk_ordering(const json::array& items);
    void walk_sort_key(const json::object& key);
    void walk_table(const json::object& table);
    void walk_subquery(const json::object& range);
    void walk_range_function(const json::object& range);
    void walk_join(const json::object& join);
    void walk_sample(const json::object& sample);
    void add_range(Range range);

    // Expressions: walker_expressions.cpp.
    void walk_children(const json::object& fields);
    void walk_nothing(const json::object& fields);
    void walk_column(const json::object& column);
    void walk_function(const json::object& call);
    void walk_operation(const json::object& operation);
    void walk_cast(const json::object& cast);
    void walk_type(const json::object& type);
    void walk_column_definition(const json::object& definition);
    void walk_sublink(const json::object& link);
    void walk_indirection(const json::object& indirection);
    void check_operator(const json::object& fields, std::string_view field, Place at);
    void check_wildcard(const json::object& operation);
    void check_function_columns(std::string_view range, const std::string& column, Place at);

    [[nodiscard]] const Range* find_range(std::string_view name) const;
    [[nodiscard]] Cte* find_cte(std::string_view name);
    void refuse(Problem::Code code, std::string message, Place at, std::string suggestion = {});

    Reading& reading_;
    std::vector<Scope> scopes_;  ///< the innermost last
    std::vector<Cte> ctes_;      ///< that are visible here
    std::size_t depth_ = 0;
    bool is_in_exists_ = false;  ///< the next query is that of EXISTS, where a star costs nothing
};

}  // namespace quaestor::data::postgres
