// A conversation as clients read it: messages in pairs, and for each answer a summary of how it was found.
// Pure functions over what the store keeps.
// Threads: safe everywhere.
#pragma once

#include "base/json.hpp"
#include "store/conversation.hpp"

#include <string>
#include <vector>

namespace quaestor::server {

/// One question and its answer.
struct TurnRecord {
    std::string question;
    std::string text;     ///< of the answer
    json::object answer;  ///< the complete Answer
    WallTime asked_at;
    WallTime answered_at;
};

/// The turns that have an answer; a question that is still being answered, or never was, is left out.
[[nodiscard]] std::vector<TurnRecord> turns_of(const std::vector<store::Message>& messages);

/// [{role: human|ai, content}]: two for each turn.
[[nodiscard]] json::array messages_json(const std::vector<TurnRecord>& turns);
/// What was set beside the last question: override_schema, override_direction, override_mode, each text or null.
[[nodiscard]] json::object overrides_json(const std::vector<store::Message>& messages);
/// A turn summary of document 001, with `answer` beside it.
[[nodiscard]] json::object summary_json(const TurnRecord& turn);
/// What a client of document 001 that loads summaries later wants to know of one at once.
[[nodiscard]] json::object metadata_json(const json::object& summary);

[[nodiscard]] std::string export_markdown(const store::ConversationInfo& info, const std::vector<TurnRecord>& turns);
[[nodiscard]] std::string export_csv(const std::vector<TurnRecord>& turns);
[[nodiscard]] json::object export_json(const store::ConversationInfo& info, const std::vector<TurnRecord>& turns);

}  // namespace quaestor::server
