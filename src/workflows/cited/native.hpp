// The program's own answers to the librarian's prompts: rules for dates and follow-ups, like words for a second search,
// and answers in the documents' own sentences. Private to the workflow.
// Threads: as the reasoner that asks.
#pragma once

#include "workflows/cited/librarian.hpp"
#include "workflows/cited/prompts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

/// Teaches the librarian's reasoner all of them. `librarian` outlives the reasoner.
void answer_natively(Librarian& librarian, llm::Reasoner& reasoner);

/// The question so that it can be understood alone: "and the meeting after that?" with what was asked before.
[[nodiscard]] std::string resolved_question(const Librarian& librarian, const std::string& question,
                                            const std::vector<Turn>& history);

/// Passages for a question of this reach: 10 for one meeting, 50 for many years.
[[nodiscard]] std::int64_t top_for(const DateReading& dates, native::AnswerOrder order);

/// The sentences that answer, in order, each with its [n].
[[nodiscard]] SynthesizeAnswer::Output extracted_answer(const Librarian& librarian,
                                                        const SynthesizeAnswer::Input& input);

}  // namespace quaestor::workflows::cited
