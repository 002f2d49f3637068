// The program's own answers to the analyst's prompts, from the native reader, the answer writer and rules: what is used
// without a language model, and in its place when it fails. Private to the workflow.
// Threads: as the reasoner that asks.
#pragma once

#include "workflows/reflective/analyst.hpp"
#include "workflows/reflective/prompts.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

/// Teaches the analyst's reasoner all of them. `analyst` outlives the reasoner.
void answer_natively(Analyst& analyst, llm::Reasoner& reasoner);

/// The native answer to ClarifyQuery, for when a model that should judge cannot be asked.
Task<Result<ClarifyQuery::Output>> clarify_natively(Analyst& analyst, ClarifyQuery::Input input,
                                                    llm::AskOptions options);

/// The same of AnalyzeData, for when a model has nothing to say.
Task<Result<AnalyzeData::Output>> analyze_natively(Analyst& analyst, AnalyzeData::Input input, llm::AskOptions options);

/// What else could be asked, from what was: at most three.
[[nodiscard]] std::vector<std::string> next_questions(const Analyst& analyst, const Finding& finding);

}  // namespace quaestor::workflows::reflective
