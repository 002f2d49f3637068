// A name that several rows have: "Los Angeles" is the city of two teams, and a last name that of two players. Whoever
// says it of one thing has to be asked which.
// Private to native/.
// Threads: those of the source.
#pragma once

#include "base/task.hpp"
#include "data/source.hpp"
#include "native/reading/candidates.hpp"
#include "resilience/cancellation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

struct SharedName {
    std::string said;
    ColumnId column = 0;             ///< that was said
    ColumnId label = 0;              ///< by which its rows are told apart
    std::vector<std::string> names;  ///< of the rows that have it
};

/// Nothing where every name of the candidate is one row's, or is said of many: a country, a conference.
Task<Result<std::optional<SharedName>>> shared_name(data::Source& source, const Knowledge& knowledge,
                                                    const Candidate& candidate, const CancelToken& cancel);

/// The same form about the row of that name.
[[nodiscard]] Query about_one(const Query& form, const SharedName& shared, const std::string& name,
                              const LinkedQuestion& question);

}  // namespace quaestor::native
