// "What tables do you have?", "which columns does orders have?": questions about the data itself, answered from what is
// known of it. Private to the workflow.
// Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"

#include <optional>
#include <string>

namespace quaestor::workflows::reflective {

inline constexpr std::size_t kTablesInOverview = 40;
inline constexpr std::size_t kColumnsInOverview = 40;

/// The tables with their rows and columns, or those that are named. Nothing for any other question, and where a word
/// like "tables" names something in the data.
[[nodiscard]] std::optional<std::string> data_overview(const native::LinkedQuestion& question,
                                                       const native::Knowledge& knowledge);

}  // namespace quaestor::workflows::reflective
