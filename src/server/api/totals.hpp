// The sums at the end of an answer: queries, rows, time, tokens, money, and where the time went.
// Values; nobody owns anything. Private to server/.
// Threads: functions without state.
#pragma once

#include "workflows/common/answer.hpp"

namespace quaestor::server {

/// The totals of `done`, which POST /api/chat has as well.
[[nodiscard]] json::object totals_of(const workflows::Answer& answer);

/// {by_node, by_pipeline, total, slowest_node}, each with wall_time_ms, llm_time_ms, io_time_ms and call_count; total
/// has overhead_ms, what passed between the steps, instead of a count. llm_time_ms is null where a model was asked,
/// for the steps do not tell how long it took.
[[nodiscard]] json::object step_timing(const workflows::Answer& answer);

}  // namespace quaestor::server
