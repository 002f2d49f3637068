// Rows with two ends, as games have a home and an away team: the keys to the ends, and the columns that say the same of
// the one and of the other. Private to the fact reader; plain values.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::native::facts {

class TwoEnds {
public:
    /// Columns that say the same of the two ends: pts_home and pts_away.
    struct Pair {
        ColumnId first = 0;
        ColumnId second = 0;
        std::string first_word;  ///< of its name, that says the end
        std::string second_word;
        std::string shared;  ///< the other words
    };

    /// Of the table, or of one that its rows belong to. Nothing where rows have no two ends that are alike.
    [[nodiscard]] static std::optional<TwoEnds> of(const rules::SchemaView& view, TableId table);

    [[nodiscard]] ColumnId first_key() const { return keys_.first; }
    [[nodiscard]] ColumnId second_key() const { return keys_.second; }
    /// A column of the table at the ends, whichever it is.
    [[nodiscard]] ColumnRef either(ColumnId column) const { return {column, keys_.first, keys_.second}; }
    /// Of the end at which either(…) stands.
    [[nodiscard]] Expression of_end(const Pair& pair) const;
    /// Of the end opposite to it.
    [[nodiscard]] Expression of_other_end(const Pair& pair) const;
    [[nodiscard]] const Pair* pair_with(ColumnId column) const;
    /// What decides who wins: points, goals, runs.
    [[nodiscard]] const Pair* score() const;

private:
    [[nodiscard]] static std::optional<TwoEnds> of_rows(const rules::SchemaView& view, TableId table);

    Pair keys_;
    ColumnId target_ = 0;
    std::vector<Pair> pairs_;
};

}  // namespace quaestor::native::facts
