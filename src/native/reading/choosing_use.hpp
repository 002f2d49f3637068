// Features of choosing.hpp that tell what a reading shows and what it makes of the words: keys that nobody asked for,
// halves of names, values in columns that do not have them. Private to native/.
// Threads: pure functions.
#pragma once

#include "native/reading/choosing_view.hpp"

namespace quaestor::native {

/// Keys are shown only to those who ask for them.
[[nodiscard]] double shown_keys(const CandidateView& view);
/// A table that is asked for is shown by what tells its rows apart for a person.
[[nodiscard]] double shown_names(const CandidateView& view);
/// One part of a person's name where the table has both and nobody asked for the part.
[[nodiscard]] double half_names(const CandidateView& view);
/// Values that mean different things put into one list, or taken from each other.
[[nodiscard]] double mixed_combination(const CandidateView& view);
/// A key is no measure: nobody wants the greatest customer number.
[[nodiscard]] double measured_keys(const CandidateView& view);
[[nodiscard]] double tables_unsaid(const CandidateView& view);
[[nodiscard]] double names_unused(const CandidateView& view);
/// Values that are compared with columns which do not have them, though others do.
[[nodiscard]] double misplaced_values(const CandidateView& view);
[[nodiscard]] double spellings(const CandidateView& view, Spelling::Certainty certainty);
/// Words against a number, or against a date.
[[nodiscard]] double values_of_another_kind(const CandidateView& view);

}  // namespace quaestor::native
