// How people say tables and columns: by their names, by what descriptions call them, by an abbreviation in brackets,
// by words that mean the same. Private to the fact reader; made for a question, which outlives it.
// Threads: one at a time.
#pragma once

#include "native/reading/linking.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quaestor::native::facts {

/// A phrase that stands for a column, as stems.
struct SaidAs {
    std::vector<std::string> stems;
    double weight = 1;  ///< 1: its name; less for what a description says
};

/// How well some words of a question say a column.
struct Said {
    double score = 0;                ///< 1: every word of a name
    std::vector<std::size_t> words;  ///< that say it, in their order
};

class Names {
public:
    Names(const rules::SchemaView& view, const LinkedQuestion& question);

    /// Words that are taken for something else are not looked at. `unsaid`: a word of the name that need not be said.
    [[nodiscard]] Said said(ColumnId column, const std::vector<bool>& taken, std::string_view unsaid = {}) const;
    /// How surely a word names the table: 1 for its whole name, less for its last word; 0 not at all.
    [[nodiscard]] double names_table(std::size_t word, TableId table) const;
    /// Whether the name or the description of the column, or its table's name, has the word.
    [[nodiscard]] bool is_about(ColumnId column, std::size_t word) const;
    [[nodiscard]] bool is_described(ColumnId column, std::size_t word) const;
    [[nodiscard]] bool has_in_name(TableId table, std::size_t word) const;
    [[nodiscard]] bool is_in_name(ColumnId column, std::size_t word) const;
    [[nodiscard]] const std::string& stem_of(std::size_t word) const { return words_[word].front().first; }
    [[nodiscard]] const std::string& folded(std::size_t word) const { return folded_[word]; }
    [[nodiscard]] std::size_t size() const { return words_.size(); }
    /// As if another word stood there.
    void put(std::size_t word, std::string_view said);

private:
    /// A word with what it may stand for, and how surely.
    using Meanings = std::vector<std::pair<std::string, double>>;

    void add_near_words();
    void settle_ends();
    void add_column(ColumnId column);
    [[nodiscard]] double weight_of(const std::string& stem) const;
    [[nodiscard]] double strength(std::size_t word, const std::string& stem) const;

    const rules::SchemaView& view_;
    std::vector<std::string> folded_;
    std::vector<Meanings> words_;
    std::vector<std::vector<SaidAs>> phrases_;        ///< by column
    std::vector<std::vector<std::string>> about_;     ///< by column: stems of name and description
    std::vector<std::vector<std::string>> of_table_;  ///< by table
    std::map<std::string, double> count_;             ///< columns whose name has the stem
    bool says_average_ = false;
};

}  // namespace quaestor::native::facts
