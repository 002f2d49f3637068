// Changes to an earlier query that a follow-up asks for: another value in the same column, another period, one more
// condition, another measure, group, order or limit. Private to the rules.
// Threads: one for each follow-up.
#pragma once

#include "native/reading/rules/assembly.hpp"

#include <optional>
#include <vector>

namespace quaestor::native::rules {

class Graft {
public:
    Graft(const Query& earlier, const Frame& said, const SchemaView& view, const LinkedQuestion& question)
        : query_(earlier), said_(said), view_(view), question_(question), base_(base_of(earlier, view)) {}

    /// Nothing when what is said cannot be brought to the earlier query, or changes nothing.
    [[nodiscard]] std::optional<Draft> draft(bool is_reverse, bool is_about_rows);

    /// "who are they?": the names of the rows that were counted or added up. Nothing when they have none.
    [[nodiscard]] std::optional<Draft> rows_by_name();

private:
    [[nodiscard]] static TableId base_of(const Query& earlier, const SchemaView& view);

    bool change_tests();
    bool change_test(const Test& test);
    void take_year(Token& said, const Condition& before) const;
    bool drop_other_names();
    bool add_conditions(std::vector<Condition> parts);
    bool change_measure();
    bool change_groups();
    bool change_order();
    bool sort_rows(const Order& order);
    bool pick_first(const Order& order);
    [[nodiscard]] std::optional<Expression> sorted_by(ColumnId column) const;
    [[nodiscard]] Expression key_for(ColumnId column, std::optional<Aggregate> aggregate) const;
    bool count_rows();
    bool keep_to_earlier_rows();
    [[nodiscard]] std::optional<ColumnId> measured() const;

    Query query_;
    const Frame& said_;
    const SchemaView& view_;
    const LinkedQuestion& question_;
    TableId base_;
    Choices choices_;
    bool is_changed_ = false;
};

}  // namespace quaestor::native::rules
