// What can be told from the words of a question alone, before any database is asked: greetings, what lies beyond data,
// questions that are several, and "best" without a measure. Rules where they are exact; else the classifier of intents,
// and a model's judgement where there is one. Private to the workflow. Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"
#include "workflows/common/agent.hpp"
#include "workflows/common/intent.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

/// "Why?", "how do you know that?": about the answer before, and nothing else.
[[nodiscard]] bool asks_for_reasons(std::string_view question);

/// What no table can hold: the future, opinions, texts of other kinds. The reason, for the person. Words that the data
/// has are no sign of it: there may be a table of forecasts.
[[nodiscard]] std::optional<std::string> beyond_data(const native::LinkedQuestion& question);

/// What to say to a text by what it wants, where the question itself was not understood. Nothing for questions.
[[nodiscard]] std::optional<std::string> reply_to(const AgentInfo& info, Intent intent);

/// Whether words of it surely mean something in the data.
[[nodiscard]] bool is_about_data(const native::LinkedQuestion& question);

/// The parts of a question that is several: "compare A and B, then tell me which is better". One part: it is one.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view question);

/// For a question that asks for the best without saying by what: the same question by each of the measures that the
/// data has, at most three. None when it says by what.
[[nodiscard]] std::vector<std::string> possible_measures(const native::LinkedQuestion& question,
                                                         const native::Knowledge& knowledge);

/// For a question about "them" that nobody has been named for: the same question about some that are often there.
[[nodiscard]] std::vector<std::string> possible_persons(const native::LinkedQuestion& question,
                                                        const native::Knowledge& knowledge);

}  // namespace quaestor::workflows::reflective
