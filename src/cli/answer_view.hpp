// How an answer looks to the person who asked: the answer, its chart, what was assumed, how it was found, what to ask
// next; and its parts alone, for who wants to look closer. Private to cli/.
// Threads: pure functions.
#pragma once

#include "cli/chart_view.hpp"
#include "cli/terminal.hpp"
#include "workflows/common/answer.hpp"

#include <string>
#include <string_view>

namespace quaestor::cli {

/// What the status means to whoever started the program.
[[nodiscard]] ExitCode exit_code_for(workflows::AnswerStatus status);

/// All of it. `how_to_reply` stands below the options of a clarification.
[[nodiscard]] std::string draw(const workflows::Answer& answer, const ChartLook& look, std::string_view how_to_reply);

/// The queries, each with what it is about where there are several.
[[nodiscard]] std::string draw_queries(const workflows::Answer& answer);
/// The rows of a query's result that were kept.
[[nodiscard]] std::string draw_rows(const workflows::AskedQuery& query, std::size_t width);
/// The places that it cites, each with the words that stand there; empty where it cites none.
[[nodiscard]] std::string draw_citations(const workflows::Answer& answer, std::size_t width);
/// How the question was understood, what was assumed, how the answer was checked, and what each step took.
[[nodiscard]] std::string draw_reasons(const workflows::Answer& answer, std::size_t width);

}  // namespace quaestor::cli
