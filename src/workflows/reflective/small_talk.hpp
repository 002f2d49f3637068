// What can be told from the words of a question alone, before any database is asked: greetings, what lies beyond data,
// questions that are several, and "best" without a measure. Rules; a model's judgement replaces them where there is
// one. Private to the workflow. Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"
#include "workflows/common/agent.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

/// A greeting, thanks, or "what can you do?": the reply to it.
[[nodiscard]] std::optional<std::string> small_talk_reply(const AgentInfo& info, std::string_view question);

/// What no table can hold: the future, opinions, advice. The reason, for the person.
[[nodiscard]] std::optional<std::string> beyond_data(std::string_view question);

/// The parts of a question that is several: "compare A and B, then tell me which is better". One part: it is one.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view question);

/// For a question that asks for the best without saying by what: the same question by each of the measures that the
/// data has, at most three. None when it says by what.
[[nodiscard]] std::vector<std::string> possible_measures(const native::LinkedQuestion& question,
                                                         const native::Knowledge& knowledge);

}  // namespace quaestor::workflows::reflective
