// How the run of an agent looks: the question and its answer instead of a state, and its trace in the form that
// document 003 gives it. Private to cli/.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "store/trace.hpp"

#include <cstddef>
#include <string>

namespace quaestor::cli {

/// The question that the run was made to answer; empty for other runs.
[[nodiscard]] std::string question_of(const store::RunRecord& run);
/// Whether the run was made to answer a question.
[[nodiscard]] bool answers_question(const store::RunRecord& run);

/// {trace_id, question, nodes_executed: [{node, status, latency_ms, attempts}], total_latency_ms, llm_calls, retries,
/// cache_hits}
[[nodiscard]] json::object execution_trace(const store::RunRecord& run);

/// The question, the answer or what the run waits for, and the SQL.
[[nodiscard]] std::string draw_question_and_answer(const store::RunRecord& run, std::size_t width);

}  // namespace quaestor::cli
