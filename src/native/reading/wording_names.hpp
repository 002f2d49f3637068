// What the tables and columns of a form are called in a sentence, so that no two of them are called the same, and what
// its rows are about. Private to native/.
// Threads: pure functions over an immutable schema.
#pragma once

#include "native/logical_form.hpp"
#include "native/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// What one row of a query stands for before it is grouped: the table from which keys lead to all others.
struct RowSubject {
    TableId table = -1;                ///< -1: there is no such table
    std::vector<TableId> combined;     ///< without it: the tables whose rows are combined
    std::vector<TableId> also_needed;  ///< joined, though no column speaks of them
};

class WordingNames {
public:
    explicit WordingNames(const Schema& schema) : schema_(schema) {}

    [[nodiscard]] RowSubject subject_of(const Query& query) const;
    /// "singer"; "combination of concert and album".
    [[nodiscard]] std::string noun(const RowSubject& subject) const;
    [[nodiscard]] std::string noun(TableId table) const;
    /// "name" for one of the subject's columns, "concert name" for one of another table, "home team name" through a
    /// key.
    [[nodiscard]] std::string column(const ColumnRef& ref, const RowSubject& subject) const;
    /// "white player" for white_player_id, "singer" for a key called singer.
    [[nodiscard]] std::string role(ColumnId key) const;
    /// Whether a column alone is the primary key of its table.
    [[nodiscard]] bool is_identity(ColumnId column) const;
    [[nodiscard]] const SchemaColumn& operator[](ColumnId id) const {
        return schema_.columns()[static_cast<std::size_t>(id)];
    }
    /// Whether a column of the table has these words.
    [[nodiscard]] bool has_column(TableId table, std::string_view words) const;
    [[nodiscard]] const Schema& schema() const { return schema_; }

private:
    [[nodiscard]] std::string own_words(ColumnId column) const;
    [[nodiscard]] std::string owner(const ColumnRef& ref, const RowSubject& subject) const;

    const Schema& schema_;
};

}  // namespace quaestor::native
