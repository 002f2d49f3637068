// How the readings of a question look: as JSON for programs, as a few lines for people.
// Private to cli/.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "native/reading/reader.hpp"

#include <cstddef>
#include <string>

namespace quaestor::cli {

/// {question, decision, readings, not_understood}, and ask, options and near_values where they apply. `explain` adds
/// links, and to each reading the features by name.
[[nodiscard]] json::object to_json(const native::Understanding& understood, const native::Knowledge& knowledge,
                                   bool explain);

/// The best reading in words and in SQL, what was assumed, other readings, what was not understood.
[[nodiscard]] std::string describe(const native::Understanding& understood, const native::Knowledge& knowledge,
                                   bool explain, std::size_t width);

}  // namespace quaestor::cli
