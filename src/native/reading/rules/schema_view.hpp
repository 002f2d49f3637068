// What the rules ask about a schema: which rows belong to one row of another table, what rows are called by, which
// columns measure and which say when. Private to the rules; made for a question, which outlives it.
// Threads: one at a time.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/knowledge.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native::rules {

class SchemaView {
public:
    explicit SchemaView(const Knowledge& knowledge);

    [[nodiscard]] const Knowledge& knowledge() const { return knowledge_; }
    [[nodiscard]] const Schema& schema() const { return knowledge_.schema(); }
    [[nodiscard]] const SchemaColumn& column(ColumnId id) const {
        return schema().columns()[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] std::string_view words(TableId table) const {
        return schema().tables()[static_cast<std::size_t>(table)].words;
    }
    [[nodiscard]] TableId table_of(ColumnId id) const { return schema().table_of(id); }

    /// Keys from a row of `from` to the one row of `to` that it belongs to; nothing when there is no such way.
    [[nodiscard]] std::optional<int> steps_to_one(TableId from, TableId to) const;
    [[nodiscard]] bool has_one(TableId from, TableId to) const { return steps_to_one(from, to).has_value(); }
    /// Foreign keys of a table that point to another.
    [[nodiscard]] std::vector<ColumnId> keys_between(TableId from, TableId to) const;
    /// The keys by which rows of `from` reach their one row of `to`, at the end of a way: several when they mean
    /// different things, as home and away do. Of ways of the same length those count that mean one thing.
    [[nodiscard]] std::vector<ColumnId> last_keys(TableId from, TableId to) const;
    /// Of keys that mean different things, the one that leads from or to a place; 0 when none says so.
    [[nodiscard]] ColumnId key_of_direction(std::span<const ColumnId> keys, bool is_from) const;
    /// Whether there are other ways of that length, so that the key has to be said.
    [[nodiscard]] bool has_several_ways(TableId from, TableId to) const;
    /// The table that a foreign key points to; nothing for another column.
    [[nodiscard]] std::optional<TableId> target_of(ColumnId key) const;
    /// The only column of the primary key; 0 when there is none.
    [[nodiscard]] ColumnId primary(TableId table) const;
    [[nodiscard]] bool is_key(ColumnId id) const;
    /// Whether no two rows have the same value there, as far as is known.
    [[nodiscard]] bool is_unique(ColumnId id) const;

    /// By which a person knows a row: a name, first and last name, a title; else its key.
    [[nodiscard]] std::vector<ColumnId> labels(TableId table) const;
    /// Whether its rows have names, as customers have and orders have not.
    [[nodiscard]] bool has_names(TableId table) const;

    [[nodiscard]] bool is_measure(ColumnId id) const;  ///< a number that is no key and no year
    [[nodiscard]] bool is_date(ColumnId id) const { return column(id).is_iso_date; }
    [[nodiscard]] bool is_year(ColumnId id) const;         ///< a number, or a text of one, that says a year
    [[nodiscard]] bool is_season(ColumnId id) const;       ///< a text like 2022-23
    [[nodiscard]] bool is_season_code(ColumnId id) const;  ///< like 22022: what kind of season, and its year
    [[nodiscard]] bool says_when(ColumnId id) const {
        return is_date(id) || is_year(id) || is_season(id) || is_season_code(id);
    }
    [[nodiscard]] bool is_flag(ColumnId id) const;  ///< true or false
    [[nodiscard]] bool has_word(ColumnId id, std::string_view word) const;
    [[nodiscard]] bool is_of_an_end(ColumnId id) const;  ///< of rows with two: home, away

private:
    [[nodiscard]] bool is_named_as_table(ColumnId id) const;
    /// All that end a shortest way.
    [[nodiscard]] std::vector<ColumnId> all_last_keys(TableId from, TableId to) const;

    const Knowledge& knowledge_;
    std::vector<std::vector<int>> steps_;          ///< from, to; -1: none
    std::vector<std::vector<std::string>> stems_;  ///< of the columns' words
};

}  // namespace quaestor::native::rules
