// From a frame to queries. Private to the rules. assembly.cpp has lists, totals and groups, assembly_order.cpp what is
// ordered, assembly_parts.cpp shares, differences and windows.
// Threads: one for each draft.
#pragma once

#include "native/reading/rules/conditions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native::rules {

/// A query with what was taken for granted on the way.
struct Draft {
    Query form;
    std::string_view rule;
    std::vector<std::string> assumptions{};
    double cost = 0;  ///< of choices that a person may not have meant
};

/// All readings of a frame that hang together, in no order.
[[nodiscard]] std::vector<Draft> drafts_of(const Frame& frame, const SchemaView& view, const LinkedQuestion& question);

/// "oldest": the order by the first column of a table that its words name.
[[nodiscard]] std::optional<Order> order_about(const Order& order, TableId table, const SchemaView& view);

class Assembly {
public:
    Assembly(const Frame& frame, const SchemaView& view, const LinkedQuestion& question, const Choices& choices)
        : frame_(frame), view_(view), choices_(choices), conditions_(frame, view, question, choices) {}

    [[nodiscard]] std::optional<Draft> draft();

private:
    /// What a group is shown as and what makes it one.
    struct Group {
        std::vector<Expression> shown;
        std::vector<Expression> by;
        bool is_time = false;
    };
    /// Two things that are set against each other, and what both are tested by besides.
    struct Sides {
        std::vector<Test> left;
        std::vector<Test> right;
        std::vector<Test> common;
        bool has_later_right = false;  ///< "from 2021 to 2022"
    };

    // assembly.cpp
    [[nodiscard]] TableId base_table() const;
    [[nodiscard]] std::optional<Frame> with_what_is_meant() const;
    std::optional<Draft> total();
    std::optional<Draft> list();
    std::optional<Expression> measure(TableId base, std::optional<Condition> filter = {});
    std::optional<Expression> rate(TableId base, const Expression& top, std::optional<Condition> filter);
    [[nodiscard]] bool has_row_for_each(TableId base, TableId per) const;
    bool add_where(Query& query, TableId base, std::span<const Test> tests, std::span<const Never> nevers);
    bool add_groups(Query& query, TableId base);
    std::optional<Group> group(TableId base, const Grouping& grouping);
    std::optional<Group> time_group(TableId base, DatePart part, bool with_year);
    [[nodiscard]] bool is_rate(const Grouping& grouping) const;
    [[nodiscard]] std::vector<Expression> labels(TableId base, TableId table, ColumnId role) const;
    [[nodiscard]] std::vector<Expression> shown(TableId base, TableId entity) const;
    void add_order_of_list(Query& query, TableId base);
    [[nodiscard]] Draft finished(Query query, std::string_view rule) const;

    // assembly_order.cpp
    std::optional<Draft> ordered();
    std::optional<Draft> extreme();
    std::optional<Draft> ordered_rows(TableId base, TableId entity, const ColumnRef& key);
    std::optional<Draft> ordered_groups(TableId base, TableId entity);
    std::optional<Draft> ranked(Query query, const Expression& key);
    [[nodiscard]] TableId entity_of_order(TableId of_key) const;
    void limit(Query& query, const Expression& key) const;

    // assembly_parts.cpp
    std::optional<Draft> share();
    std::optional<Draft> share_of_groups(TableId base);
    std::optional<Draft> difference();
    std::optional<Draft> extremes();
    std::optional<Draft> comparison();
    Frame told_for_comparison(const Sides& found);
    std::vector<Expression> told_apart_by(TableId base, const Test& test);
    std::optional<Draft> ratio_of_columns();
    std::optional<Draft> window();
    std::optional<Sides> sides() const;
    std::optional<Expression> side(TableId base, std::span<const Test> tests);
    [[nodiscard]] bool covers_one_year() const;

    const Frame& frame_;
    const SchemaView& view_;
    const Choices& choices_;
    Conditions conditions_;
    std::vector<std::string> assumptions_;
    double cost_ = 0;
};

}  // namespace quaestor::native::rules
