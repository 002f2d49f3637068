// What a run did, as lines for a case file: one per event, then how it ended.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "graph/checkpoint.hpp"
#include "graph/event.hpp"
#include "graph/run.hpp"
#include "graph/shape.hpp"

#include <string>
#include <vector>

namespace quaestor::graph {

[[nodiscard]] std::vector<std::string> describe(const std::vector<Event>& events, const Shape& shape);
[[nodiscard]] std::vector<std::string> describe(const RunOutcome& outcome);
[[nodiscard]] std::string describe(const CheckpointInfo& checkpoint);
[[nodiscard]] std::string describe(const Error& error);

/// The fields that are not as in a new state.
[[nodiscard]] std::string describe_state(const json::object& state, const json::object& new_state);

}  // namespace quaestor::graph
