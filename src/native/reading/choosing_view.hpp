// What the features of choosing.hpp are computed from: what a question says, and what a candidate makes of it.
// Private to native/. Views over the question, the knowledge and the candidates.
// Threads: pure functions.
#pragma once

#include "native/reading/choosing.hpp"
#include "native/reading/form_profile.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Words that surely name something.
struct SaidSpan {
    std::size_t first = 0;
    std::size_t last = 0;
    std::set<ColumnId> columns;      ///< that it may be, or be a value of
    std::set<TableId> tables;        ///< that it may be
    std::vector<std::string> texts;  ///< as links have them
};

struct QuestionView {
    QuestionView(const LinkedQuestion& linked, const Knowledge& known);

    const LinkedQuestion& question;
    const Knowledge& knowledge;
    std::vector<std::string> folded;
    std::vector<bool> has_content;             ///< by word: neither mark nor filler
    std::map<ColumnId, double> column_scores;  ///< of the best link that names it
    std::map<TableId, double> table_scores;
    std::set<ColumnId> value_columns;     ///< that some value said belongs to
    std::vector<SaidSpan> values;         ///< sure, and no name of a table or column
    std::vector<SaidSpan> likely_values;  ///< less sure
    std::vector<SaidSpan> numbers;        ///< and dates
    std::vector<SaidSpan> names;          ///< very words of tables and columns
    double unlinked = 0;                  ///< words with content that nothing is linked to

    bool asks_count = false;
    bool asks_number = false;  ///< one number is the answer
    bool asks_when = false;
    bool asks_names = false;  ///< who, which, list
    bool asks_one = false;    ///< "the oldest", without a number behind it
    bool says_distinct = false;

    /// Whether some link of the kind says it (any text when empty), sure enough.
    [[nodiscard]] bool says(LinkKind kind, std::string_view text = {}) const;
    [[nodiscard]] bool has_word(std::string_view word) const;
    [[nodiscard]] bool starts_with(std::string_view word) const { return !folded.empty() && folded.front() == word; }
};

struct CandidateView {
    CandidateView(const QuestionView& asked, const Candidate& judged);

    /// Whether the form uses the words, or their meaning.
    [[nodiscard]] bool uses(const SaidSpan& span) const;
    /// The part of the question's words with content that the form accounts for.
    [[nodiscard]] double coverage() const;
    [[nodiscard]] double count_unused(const std::vector<SaidSpan>& spans) const;
    [[nodiscard]] bool is_extreme() const;
    [[nodiscard]] bool has_comparison() const;

    const QuestionView& question;
    const Candidate& candidate;
    FormProfile form;
    std::string key;  ///< of its rows; empty without a result
    std::optional<double> trained_score;
    std::optional<double> rule_score;
    std::optional<double> fact_score;
    std::optional<double> amended_score;  ///< of the trained parser's reading without what was left out
    double fact_lead = 0;  ///< over the best fact reading with another result; below 0 when that one is better

    // Among all candidates; set by features_of().
    double share = 0;  ///< of the trained parser's probability
    double pooled_share = 0;
    double same_results = 0;
    double different_results = 0;
    double candidates = 0;
    double empty_share = 0;        ///< of the candidates with a result
    double best_score = 0;         ///< of the trained parser
    bool is_confirmed = false;     ///< the trained parser and another one have this result
    bool is_amended = false;       ///< some candidate has what the trained parser left out
    bool is_contradicted = false;  ///< both have candidates, and not both this result

private:
    [[nodiscard]] bool accounts_for(const Link& link) const;
};

/// Whether it leaves the figure out by which another reading orders or compares.
[[nodiscard]] inline bool is_names_alone(const CandidateView& view) {
    return view.candidate.proposal.rule.ends_with(kNamesAloneRule);
}

inline constexpr double kSureScore = 0.95;
inline constexpr double kSaidScore = 0.45;

}  // namespace quaestor::native
