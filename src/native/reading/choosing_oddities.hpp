// Features of choosing.hpp that tell readings which are well formed and hardly ever meant: joined through the wrong one
// of two keys, showing what was not grouped by, averaging texts. Private to native/.
// Threads: pure functions.
#pragma once

#include "native/reading/choosing_view.hpp"

namespace quaestor::native {

/// 1 when the question names another key between two tables better than the one that joins them, -1 when it names this
/// one better ("reported by" and the keys reported_by, closed_by).
[[nodiscard]] double better_keys(const CandidateView& view);
/// Shown columns that the grouping leaves open.
[[nodiscard]] double ungrouped(const CandidateView& view);
/// Shown columns that are compared too: what is asked for is seldom what is said.
[[nodiscard]] double shown_compared(const CandidateView& view);
[[nodiscard]] double shown_twice(const CandidateView& view);
/// Texts that are summed up or averaged.
[[nodiscard]] double text_measured(const CandidateView& view);
/// Patterns for numbers, and parts of dates of what is none.
[[nodiscard]] double odd_tests(const CandidateView& view);
/// Words that more than one value is made of.
[[nodiscard]] double words_reused(const CandidateView& view);
/// Words that may name columns or tables of which the form has none.
[[nodiscard]] double likely_names_unused(const CandidateView& view);

/// Columns of one end of rows with two, where nobody said which: points at home for points.
[[nodiscard]] double ends_unsaid(const CandidateView& view);

/// "starting with", "contains", "the letter".
[[nodiscard]] bool says_pattern(const QuestionView& question);
/// "More than" as at least, or the other way round.
[[nodiscard]] bool is_strictness_wrong(const CandidateView& view);

}  // namespace quaestor::native
