// From what rows must be like to conditions of a query over a table: which column a period is about, how far tables are
// joined, and where rows of another table have to be looked for in a query of their own. Private to the rules.
// Threads: one for each draft.
#pragma once

#include "native/reading/rules/frame.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quaestor::native::rules {

/// Date columns that a period may be about, of which the rules propose readings.
inline constexpr std::size_t kDateColumnsMax = 3;

/// Where a frame can be read in several ways, the one that is tried.
struct Choices {
    std::size_t date = 0;  ///< among date_columns()
    bool is_rate = false;  ///< "points per game" rather than the points of each game
    bool adds_up = false;  ///< "more than 100 points" in all rows together rather than in one
};

class Conditions {
public:
    Conditions(const Frame& frame, const SchemaView& view, const LinkedQuestion& question, const Choices& choices)
        : frame_(frame), view_(view), question_(question), choices_(choices) {}

    /// All of them for rows of `base`; nothing when one of them cannot be brought to it.
    [[nodiscard]] std::optional<std::vector<Condition>> all(TableId base, std::span<const Test> tests,
                                                            std::span<const Never> nevers);
    /// Columns that say when rows of a table took place, the likeliest first.
    [[nodiscard]] std::vector<ColumnId> date_columns(TableId base, bool needs_days) const;
    [[nodiscard]] ColumnId date_column(TableId base, bool needs_days) const;
    /// The column as it is reached from a table; nothing when several rows belong to one.
    [[nodiscard]] std::optional<ColumnRef> reached(TableId base, ColumnId column, ColumnId role) const;

    /// A table whose rows belong to one row of each of the two.
    [[nodiscard]] std::optional<TableId> anchor_table(TableId base, TableId wanted) const;

    [[nodiscard]] Value said(const Token& token) const;
    [[nodiscard]] const std::vector<std::string>& assumptions() const { return assumptions_; }
    [[nodiscard]] const LinkedQuestion& question() const { return question_; }

private:
    /// Rows of another table that belong to those of `base`, and what they must be like.
    struct Anchor {
        TableId table = -1;
        std::vector<Test> tests;
        std::optional<Test> count;  ///< how many of them, or what they add up to
        bool negated = false;
    };

    static Anchor& anchor_for(std::vector<Anchor>& anchors, TableId table, bool is_negated);
    bool add_to_anchor(std::vector<Anchor>& anchors, TableId base, Test test) const;
    void add_mentioned(std::vector<Anchor>& anchors, TableId base) const;
    std::optional<Condition> one(TableId base, const Test& test);
    std::optional<Condition> plain(const Test& test, const ColumnRef& ref);
    std::optional<Condition> period(const Test& test, const ColumnRef& ref) const;
    std::optional<Condition> years(const Test& test, const ColumnRef& ref) const;
    std::optional<Condition> season(const Test& test, const ColumnRef& ref) const;
    std::optional<Condition> of_anchor(TableId base, const Anchor& anchor);
    std::optional<Condition> by_key(TableId base, const Anchor& anchor, ColumnId key);
    std::optional<Condition> without(TableId base, const Never& never);
    [[nodiscard]] ColumnId column_of(TableId base, const Test& test);
    [[nodiscard]] std::optional<Test> resolved(TableId base, const Test& test);
    [[nodiscard]] bool is_named_in_question(ColumnId column) const;

    const Frame& frame_;
    const SchemaView& view_;
    const LinkedQuestion& question_;
    const Choices& choices_;
    std::vector<std::string> assumptions_;
};

/// One condition of all, in their order; nothing for none.
[[nodiscard]] std::optional<Condition> joined(std::vector<Condition> parts);
/// A period of a link: first day and day after the last.
[[nodiscard]] Period period_in(const Token& token);
[[nodiscard]] std::string day_before(const std::string& iso);
/// From the first year to the last, where it is about whole years.
struct Years {
    std::string first;
    std::string last;
};
[[nodiscard]] std::optional<Years> years_in(const Period& period);

}  // namespace quaestor::native::rules
