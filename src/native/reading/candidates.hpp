// Proposals as statements that can be judged: written, run for a first look, and what they say that is not so.
// Private to native/.
// Threads: those of the source.
#pragma once

#include "base/task.hpp"
#include "data/source.hpp"
#include "native/reading/choosing.hpp"
#include "native/reading/reader.hpp"
#include "resilience/cancellation.hpp"

#include <string>
#include <vector>

namespace quaestor::native {

[[nodiscard]] Spoken spoken_in(const LinkedQuestion& question, const Knowledge& knowledge);

/// No two with the same SQL, at most kCandidatesMax; each list gives its best before any gives its second.
[[nodiscard]] std::vector<Candidate> written_candidates(std::vector<std::vector<Proposal>> lists,
                                                        const LinkedQuestion& question, const Knowledge& knowledge);

/// Takes out products that nobody means: of a key, and, where something is worth money, of no price though another
/// candidate has one ("revenue" as quantity times discount).
void drop_odd_products(std::vector<Candidate>& candidates, const LinkedQuestion& question, const Knowledge& knowledge);

/// Runs each for a first look, two at a time. What the guard or the database refuses is taken out; an error is a fault
/// of the database or a cancellation.
Task<Result<>> preview(data::Source& source, std::vector<Candidate>& candidates, const CancelToken& cancel);

/// Of candidates in their order, the best of those that leave out nothing that was said (left_out.hpp) becomes the
/// first.
void put_complete_first(std::vector<Candidate>& candidates, const LinkedQuestion& question, const Knowledge& knowledge);

/// A value that a candidate compares with and that the database does not have.
struct MissingValue {
    std::string said;
    ColumnId column = 0;
    std::vector<std::string> nearest;
};
/// Looks into columns that are too large to be known.
Task<Result<std::vector<MissingValue>>> missing_values(data::Source& source, const Knowledge& knowledge,
                                                       const Candidate& candidate, const CancelToken& cancel);

/// Whether one is missing as far as that can be told without a look.
[[nodiscard]] bool surely_misses_values(const Candidate& candidate, const Knowledge& knowledge);

/// The same form with tables joined through other keys, where the join had to choose; written, not run.
[[nodiscard]] std::vector<Candidate> other_joins(const Candidate& candidate, const LinkedQuestion& question,
                                                 const Knowledge& knowledge);

}  // namespace quaestor::native
