// The analyst's prompts, asked from its nodes.
// Private to the workflow.
// Threads: as nodes of every graph.
#pragma once

#include "workflows/common/asking.hpp"
#include "workflows/reflective/analyst.hpp"
#include "workflows/reflective/prompts.hpp"

namespace quaestor::workflows::reflective {

/// `spent` is what the question has taken so far: its budget holds for all prompts together.
template <llm::Prompt P>
Task<Asked<P>> ask(Analyst& analyst, graph::Context& context, typename P::Input input, UsageSummary spent) {
    return ask_prompt<P>(analyst, context, std::move(input), spent);
}

}  // namespace quaestor::workflows::reflective
