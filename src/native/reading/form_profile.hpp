// What a logical form is made of, taken together: its columns, the words it uses, its operations. Sub-queries count.
// Private to native/. Plain values.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"

#include <array>
#include <set>
#include <utility>
#include <vector>

namespace quaestor::native {

struct FormProfile {
    std::vector<ColumnId> shown;                          ///< plain columns of the outermost select
    std::set<ColumnId> columns;                           ///< all, without `*`
    std::set<ColumnId> compared;                          ///< with something
    std::set<ColumnId> matched;                           ///< with a pattern
    std::set<ColumnId> measured;                          ///< summed up or averaged
    std::set<ColumnId> dated;                             ///< taken apart as a date
    std::set<ColumnId> of_ends;                           ///< of the end that is meant, with the same of the other end
    std::vector<std::pair<ColumnId, ColumnId>> products;  ///< of two plain columns
    std::set<TableId> tables;
    std::vector<Words> words;          ///< of its values
    std::array<int, 5> aggregates{};   ///< by Aggregate
    std::array<int, 6> comparisons{};  ///< by Comparison
    int constants = 0;
    int levels = 0;   ///< queries in it
    int parts = 0;    ///< nodes of the tree: its length
    int outputs = 0;  ///< of the outermost select
    int arithmetic = 0;
    int shares = 0;  ///< divisions and percentages
    int differences = 0;
    int windows = 0;
    int date_parts = 0;
    int ranges = 0;  ///< BETWEEN
    int negations = 0;
    int combinations = 0;  ///< set operations
    int alternatives = 0;  ///< OR, and values after IN
    int matches = 0;       ///< LIKE
    int through = 0;       ///< columns through a named key
    int null_tests = 0;
    int either_ends = 0;  ///< tables reached through either of two keys
    int ascending = 0;
    int descending = 0;
    bool is_grouped = false;
    bool is_limited = false;
    bool is_distinct = false;
    bool counts_distinct = false;

    [[nodiscard]] int aggregate(Aggregate kind) const { return aggregates[static_cast<std::size_t>(kind)]; }
    [[nodiscard]] bool is_ordered() const { return ascending + descending > 0; }
};

[[nodiscard]] FormProfile profile_of(const Query& form, const Schema& schema);

}  // namespace quaestor::native
