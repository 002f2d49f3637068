// Greetings, thanks and questions about the assistant itself, told from their words alone.
// Rules that are exact; a model's judgement replaces them where there is one.
// Threads: pure functions.
#pragma once

#include "workflows/common/agent.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows {

inline constexpr std::string_view kWelcome = "You are welcome. Ask on whenever you like.";

/// What the agent is for, with an example.
[[nodiscard]] std::string introduction(const AgentInfo& info);

/// A greeting, thanks, or "what can you do?": the reply to it.
[[nodiscard]] std::optional<std::string> small_talk_reply(const AgentInfo& info, std::string_view question);

using WordSet = std::set<std::string, std::less<>>;
[[nodiscard]] bool all_among(const std::vector<std::string>& words, const WordSet& known);
[[nodiscard]] bool any_among(const std::vector<std::string>& words, const WordSet& known);
/// Only known words, and one of those that say it.
[[nodiscard]] bool consists_of(const std::vector<std::string>& words, const WordSet& known, const WordSet& telling);

}  // namespace quaestor::workflows
