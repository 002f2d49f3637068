// What the reflective analyst asks of whoever can answer: a model, or the program itself (native.hpp).
// Threads: pure values.
#pragma once

#include "workflows/reflective/prompts_answer.hpp"
#include "workflows/reflective/prompts_sql.hpp"
#include "workflows/reflective/prompts_understanding.hpp"

namespace quaestor::workflows::reflective {

/// All of them, so that they can be listed and asked by key.
void add_prompts(llm::PromptBook& book);

}  // namespace quaestor::workflows::reflective
