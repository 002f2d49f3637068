// What an answer may stand on, read once: the texts of cells under their words, numbers and days of columns, and the
// words and numbers of the question and of cited texts. Private to native/. Borrows the evidence. Threads: immutable
// once made.
#pragma once

#include "native/answer/grounding.hpp"
#include "native/answer/marks.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quaestor::native {

/// Cells beyond these are not looked at.
inline constexpr std::size_t kIndexedCellsMax = 400'000;
/// Texts that are looked through for one word.
inline constexpr std::size_t kTextsPerWordMax = 500;
inline constexpr std::size_t kPassageMarksMax = 20'000;

/// A row of one of the results.
struct RowPlace {
    std::size_t result = 0;
    std::size_t row = 0;
    friend auto operator<=>(const RowPlace&, const RowPlace&) = default;
};

struct IndexedColumn {
    std::size_t result = 0;
    std::size_t column = 0;
    std::vector<std::string> stems;  ///< of its name
    std::vector<double> numbers;     ///< by row; NaN: none. Empty for a column without numbers
    std::vector<int> days;           ///< by row: 20230503; 0: none. Empty for a column without dates
    double sum = 0;
    std::size_t count = 0;
    std::size_t lowest = 0;  ///< row
    std::size_t highest = 0;
    std::vector<std::pair<double, std::size_t>> sorted;  ///< numbers with their rows

    [[nodiscard]] bool has_number(std::size_t row) const;
};

/// Cells with the same words.
struct KnownText {
    std::string words;  ///< folded, one space between
    std::vector<CellPlace> cells;
};

/// A question or a cited text.
struct KnownProse {
    std::string words;  ///< folded, a space before and behind each
    MarkedText marked;
};

struct FoldedWord {
    std::string text;
    std::size_t begin = 0;
    std::size_t end = 0;
};
/// The words of a text without marks, with their places.
[[nodiscard]] std::vector<FoldedWord> folded_words(std::string_view text, std::size_t begin, std::size_t end);
/// With one space between.
[[nodiscard]] std::string joined_words(const std::vector<FoldedWord>& words);

class EvidenceIndex {
public:
    explicit EvidenceIndex(const Evidence& evidence);

    [[nodiscard]] const std::vector<const data::ResultSet*>& results() const { return results_; }
    [[nodiscard]] const std::vector<IndexedColumn>& columns() const { return columns_; }
    /// Those of one result, in order.
    [[nodiscard]] std::span<const IndexedColumn> columns_of(std::size_t result) const;
    [[nodiscard]] const KnownProse& question() const { return question_; }
    [[nodiscard]] const std::vector<KnownProse>& passages() const { return passages_; }
    /// The longest text of a cell that the words from `first` on are; nothing when there is none.
    [[nodiscard]] const KnownText* longest_at(const std::vector<FoldedWord>& words, std::size_t first,
                                              std::size_t& last) const;
    /// Texts of cells that contain the words one behind the other.
    [[nodiscard]] std::vector<const KnownText*> containing(std::string_view words) const;
    /// Whether a column's name has the word.
    [[nodiscard]] bool names_column(std::string_view stem) const;
    /// Names of columns that have digits in them.
    [[nodiscard]] const std::vector<std::string>& numbered_names() const { return numbered_names_; }

private:
    void add_result(std::size_t result);
    void add_text(std::string_view text, const CellPlace& place);
    void add_numbered(const std::string& text);
    void add_name(const std::string& name, IndexedColumn& column);

    std::vector<const data::ResultSet*> results_;
    std::vector<std::size_t> first_column_;  ///< of each result
    std::vector<IndexedColumn> columns_;
    std::vector<KnownText> texts_;
    std::unordered_map<std::string, std::size_t> by_words_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_first_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_word_;
    std::vector<std::string> numbered_names_;
    std::size_t cells_ = 0;
    KnownProse question_;
    std::vector<KnownProse> passages_;
};

/// check_grounding() of several answers against the same evidence.
[[nodiscard]] Grounding check_grounding(std::string_view answer, const EvidenceIndex& index);

}  // namespace quaestor::native
