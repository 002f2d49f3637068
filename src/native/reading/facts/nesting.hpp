// Questions that contain another one: "the coach of the team with the most wins", "how much did the MVP of 2023 earn".
// The inner part is read by itself, as the keys of the rows that it describes; the rest is a question over those.
// Private to the fact reader. Threads: pure functions.
#pragma once

#include "native/reading/facts/fact_query.hpp"

#include <vector>

namespace quaestor::native::facts {

/// Parts of a question that are tried as questions of their own.
inline constexpr std::size_t kPhrasesMax = 3;

/// Readings of every table for every part that can be read by itself; none for most questions.
[[nodiscard]] std::vector<FactReading> nested_readings(const LinkedQuestion& question, const Names& names,
                                                       const Mentions& mentions, const rules::SchemaView& view);

}  // namespace quaestor::native::facts
