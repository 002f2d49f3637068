// The writer of one SQL statement. sql_writer.cpp writes its SELECTs, sql_terms.cpp the expressions and conditions in
// them. Throws Unsupported.
// Private to native/. Threads: one for each statement.
#pragma once

#include "native/joins.hpp"
#include "native/sql_values.hpp"
#include "native/sql_writer.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace quaestor::native {

/// `*`
[[nodiscard]] inline bool is_star(const Expression& expression) {
    const auto* ref = std::get_if<ColumnRef>(&expression.node);
    return ref != nullptr && ref->column == 0;
}

class SqlStatement {
public:
    SqlStatement(const Schema& schema, data::Dialect dialect, const Spoken& spoken)
        : schema_(schema), dialect_(dialect), values_(schema, dialect, spoken) {}

    /// `is_tail`: it stands behind a set operation.
    std::string query(const Query& query, bool is_tail = false);
    std::vector<UsedValue> take_used() { return values_.take_used(); }

private:
    /// One SELECT.
    struct Scope {
        std::vector<JoinStep> plan;
        std::map<JoinNode, std::string> names{};
        bool is_group = false;  ///< what is written now stands for a group of rows
        std::vector<Expression> group{};
        std::set<JoinNode> known{};           ///< tables with one row in each group
        const Expression* extreme = nullptr;  ///< what the only MIN or MAX is taken of
        bool is_highest = false;
        std::vector<std::string> also_grouped{};
    };
    /// Of a result.
    struct Item {
        std::string sql;
        std::string name;  ///< empty: that of the column
    };
    /// Columns of a query within a query: inside as C0, C1 …, outside under their names.
    struct Wrapped {
        std::string inner;
        std::vector<std::string> columns;
        std::string outer;
    };

    Scope& scope() { return scopes_.back(); }
    [[nodiscard]] const SchemaColumn& column(ColumnId id) const {
        return schema_.columns()[static_cast<std::size_t>(id)];
    }

    std::string from();
    std::string body(const Query& query, const std::string& source, bool is_tail);
    void begin_group(const Query& query);
    std::string group(const Query& query);
    std::vector<Item> items(const Query& query, bool needs_names, bool is_tail);
    void add_all_columns(std::vector<Expression>& select);
    [[nodiscard]] bool has_name(const Expression& expression, const std::string& sql, const std::string& name) const;
    static std::string list_of(const std::vector<Item>& items);
    static Wrapped wrap(const std::vector<Item>& select);
    std::string order_key(const Query& query, const OrderBy& order, bool is_tail);
    [[nodiscard]] std::string direction(const OrderBy& order) const;
    std::string limit(const Query& query);
    std::string with_ties(const Query& query, const std::vector<Item>& select, const std::string& order,
                          const std::string& rest);
    [[nodiscard]] bool needs_listing(const Query& query) const;
    std::string distinct_in_order(const Query& query, const std::vector<Item>& select,
                                  const std::vector<std::string>& keys, const std::string& rest);

    [[nodiscard]] std::string column_name(ColumnId id) const { return data::quote_name(column(id).name); }
    [[nodiscard]] std::string placed_name(const Scope& scope, const ColumnRef& ref) const;
    std::string of_group(const Expression& expression, const ColumnRef& ref, std::string sql);
    std::string inside_aggregate(const Expression& expression);
    [[nodiscard]] std::string as_amount(const Expression& expression, const std::string& sql) const;
    std::string amount(const Expression& expression);
    std::string expression(const Expression& whole);
    std::string write(const ColumnRef& ref, const Expression& whole);
    std::string write(const PartOf& part, const Expression& whole);
    std::string write(const AggregateOf& aggregate, const Expression& whole);
    std::string write(const Calculation& calculation, const Expression& whole);
    std::string write(const Subquery& sub, const Expression& whole);
    std::string write(const Window& window, const Expression& whole);
    std::string write(const OfEnd& of_end, const Expression& whole);
    std::string write(const InUnit& in_unit, const Expression& whole);

    std::string condition(const Condition& condition);
    std::string joined(const std::vector<Condition>& parts, std::string_view joiner);
    std::string test(const AllOf& all);
    std::string test(const AnyOf& any);
    std::string test(const NotThat& negation);
    std::string test(const IsNull& null);
    std::string test(const Compare& compare);
    std::string test_amount(const Compare& compare, const std::string& left);
    std::string test(const Between& between);
    std::string test(const Match& match);
    std::string test(const Among& among);
    std::string compared_with_days(const std::string& left, Comparison comparison, const SqlValues::Days& days) const;
    std::string side(const Side& side, const Expression& compared);

    const Schema& schema_;
    data::Dialect dialect_;
    SqlValues values_;
    std::vector<Scope> scopes_;
    int aliases_ = 0;
};

}  // namespace quaestor::native
