// Finds for each mark of an answer what it follows from. What a sentence says of rows that it names is looked for in
// those rows alone, and a computed value only where the sentence has a word for the computation: so a wrong number is
// not taken for true because it stands somewhere else. Private to native/. Borrows the index and the text. Threads: one
// for each answer.
#pragma once

#include "native/answer/evidence_index.hpp"

#include <bitset>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

/// What the words of a sentence allow a number to be.
enum class Cue {
    counting,
    different,
    comparing,
    falling,
    multiplying,
    summing,
    averaging,
    sharing,
    extreme,
    ranking,
    kinds
};

/// A place in a sentence that says which rows are meant.
struct NamedRows {
    std::size_t begin = 0;
    std::size_t end = 0;
    CellPlace cell{};
    bool is_time = false;
    std::size_t group = 0;  ///< of SentenceContext::groups
};

struct SentenceContext {
    std::vector<FoldedWord> words;
    std::bitset<static_cast<std::size_t>(Cue::kinds)> cues;
    std::vector<NamedRows> named;
    std::vector<std::vector<RowPlace>> groups;  ///< names that speak of the same rows narrow each other
    std::vector<RowPlace> rows;                 ///< of all groups, sorted
    std::vector<const IndexedColumn*> columns;  ///< that the sentence mentions

    [[nodiscard]] bool has(Cue cue) const { return cues.test(static_cast<std::size_t>(cue)); }
};

class Tracer {
public:
    Tracer(const EvidenceIndex& index, const MarkedText& answer) : index_(index), answer_(answer) {}
    [[nodiscard]] std::vector<Claim> claims(std::string_view text) const;

private:
    struct Trace {
        Origin origin = Origin::none;
        std::vector<CellPlace> cells{};
        std::optional<std::size_t> passage{};
    };
    using Found = std::optional<Trace>;
    using Rows = std::vector<RowPlace>;

    // tracer_context.cpp
    /// `shown`: rows that lines of the same table have shown; a table shows none twice.
    [[nodiscard]] SentenceContext context_of(std::size_t sentence, Rows& shown) const;
    void add_named_texts(std::size_t sentence, SentenceContext& context) const;
    void add_named_times(std::size_t sentence, SentenceContext& context) const;
    void add_groups(std::vector<std::pair<NamedRows, Rows>> found, SentenceContext& context) const;
    void add_table_row(std::size_t sentence, Rows& shown, SentenceContext& context) const;
    [[nodiscard]] bool shows(const Mark& mark, const IndexedColumn& column, std::size_t row) const;
    [[nodiscard]] Rows rows_of_time(const Mark& mark) const;
    /// The rows of the name that a number belongs to: "Lakers: 112.3".
    [[nodiscard]] const Rows* pinned_rows(const Mark& mark, const SentenceContext& context) const;

    // tracer.cpp; numbers in tracer_numbers.cpp
    [[nodiscard]] Trace trace(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Trace trace_number(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Trace trace_ordinal(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Trace trace_date(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Trace trace_literal(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Trace trace_name(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found name_in_row(const std::vector<FoldedWord>& words) const;
    [[nodiscard]] bool is_no_name(const Mark& mark, const std::vector<FoldedWord>& words) const;
    [[nodiscard]] bool is_claim(const Mark& mark, const Trace& trace, const SentenceContext& context) const;
    [[nodiscard]] Found inside_name(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found cell_in(const Rows& rows, const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found number_in_cells(const Mark& mark, const SentenceContext& context, const Rows* pinned) const;
    [[nodiscard]] Found part_of_text(const Rows& rows, const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] bool contradicts_name(const Mark& mark) const;
    [[nodiscard]] bool is_said_too_often(const Trace& trace, const Mark& mark, const std::vector<Claim>& before) const;
    [[nodiscard]] bool is_stated_count(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found cell_anywhere(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found in_question(const Mark& mark) const;
    [[nodiscard]] Found in_passages(const Mark& mark) const;
    [[nodiscard]] bool shows_result(const MarkedSentence& sentence) const;
    [[nodiscard]] bool says(const KnownProse& prose, const Mark& mark) const;
    [[nodiscard]] std::string_view slice(const Mark& mark) const {
        return std::string_view(answer_.plain).substr(mark.begin, mark.end - mark.begin);
    }

    // tracer_derived.cpp
    [[nodiscard]] Found derived(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found count(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found extreme(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found of_columns(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found share(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found pairs(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Found pair(const Mark& mark, const SentenceContext& context, double left, double right) const;
    [[nodiscard]] Found pairs_across(const Mark& mark, const SentenceContext& context) const;
    [[nodiscard]] Rows compared_rows(const IndexedColumn& column, const SentenceContext& context) const;
    /// Those that the sentence mentions, or all.
    [[nodiscard]] std::vector<const IndexedColumn*> columns(const SentenceContext& context) const;

    const EvidenceIndex& index_;
    const MarkedText& answer_;
};

/// Whether a value is what a mark says, rounded as it is written.
[[nodiscard]] bool fits(const Mark& mark, double value);
/// The same for a size whose direction is said in words.
[[nodiscard]] bool fits_size(const Mark& mark, double value);

}  // namespace quaestor::native
