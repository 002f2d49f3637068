// A database as the parser sees it: tables, columns of five kinds, keys. Made from a catalogue; column 0 is `*`.
// Immutable once made. Threads: share freely.
#pragma once

#include "data/catalog.hpp"

#include <boost/describe/enum.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quaestor::native {

/// In the order in which the trained model knows them.
enum class ColumnKind { text, number, time, boolean, other };
BOOST_DESCRIBE_ENUM(ColumnKind, text, number, time, boolean, other)

/// Texts that stand for amounts: "12.5", or feet and inches, "6-8".
enum class TextAmount { none, number, feet_inches };

using TableId = int;   ///< index into Schema::tables
using ColumnId = int;  ///< index into Schema::columns; 0 is `*`, which belongs to no table

struct SchemaTable {
    std::string schema;  ///< as SQL needs it; empty for the default
    std::string name;
    std::string words;  ///< "order item": what a person says, from its name (words.hpp)
};

struct SchemaColumn {
    TableId table = -1;
    std::string name;
    std::string words;
    ColumnKind kind = ColumnKind::text;
    bool is_primary = false;   ///< part of the primary key
    bool is_iso_date = false;  ///< compared as a date: a date type, or text that holds nothing but 2023-05-01…
    TextAmount amount = TextAmount::none;  ///< text that holds nothing but amounts: ordered and measured as those
    [[nodiscard]] bool is_amount() const { return kind == ColumnKind::number || amount != TextAmount::none; }
};

/// Words that end in the unit of the column, where its name says one: "height cm"; inches for feet and inches.
[[nodiscard]] inline std::string_view unit_words(const SchemaColumn& column) {
    return column.amount == TextAmount::feet_inches ? "inches" : std::string_view(column.words);
}

struct ForeignKey {
    ColumnId from = 0;
    ColumnId to = 0;
};

class Schema {
public:
    /// Views are tables too. Inferred keys of the catalogue count as keys; those that its names imply are added: a
    /// column named like another table's only primary key column, where no key joins the two tables.
    explicit Schema(const data::Catalog& catalog);
    Schema(std::vector<SchemaTable> tables, std::vector<SchemaColumn> columns, std::vector<ForeignKey> keys);

    [[nodiscard]] const std::vector<SchemaTable>& tables() const { return tables_; }
    [[nodiscard]] const std::vector<SchemaColumn>& columns() const { return columns_; }
    [[nodiscard]] const std::vector<ForeignKey>& keys() const { return keys_; }
    [[nodiscard]] TableId table_of(ColumnId column) const { return columns_[static_cast<std::size_t>(column)].table; }
    [[nodiscard]] const std::vector<ColumnId>& columns_of(TableId table) const;

    /// A table that a key joins to another, and the two columns that do.
    struct Neighbour {
        TableId table = 0;
        ColumnId own = 0;
        ColumnId other = 0;
    };
    /// One for each pair of tables, in the order of the keys; of several keys between two tables one that is called by
    /// what it leads to, rather than by a role.
    [[nodiscard]] const std::vector<Neighbour>& neighbours(TableId table) const;
    /// Whether a key is called by what it leads to and nothing else: `dept_id`, not `head_doctor_id`.
    [[nodiscard]] bool is_plain(const ForeignKey& key) const;

private:
    void add_implied_keys();
    void make_neighbours();

    std::vector<SchemaTable> tables_;
    std::vector<SchemaColumn> columns_;
    std::vector<ForeignKey> keys_;
    std::vector<std::vector<ColumnId>> columns_of_;
    std::vector<std::vector<Neighbour>> neighbours_;
};

}  // namespace quaestor::native
