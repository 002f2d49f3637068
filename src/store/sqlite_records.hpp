// Conversations, runs and the heartbeat in SQLite tables. Arguments have been checked; values are JSON text.
// Functions over a connection: those that write expect a transaction.
// Threads: as the Database given.
#pragma once

#include "base/error.hpp"
#include "store/conversation.hpp"
#include "store/sqlite_handle.hpp"
#include "store/store.hpp"
#include "store/trace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::store::sqlite {

[[nodiscard]] Result<> append_message(Database& database, const std::string& thread_id, const Message& message);
[[nodiscard]] Result<std::vector<Message>> list_messages(Database& database, const std::string& thread_id,
                                                         std::size_t limit);
[[nodiscard]] Result<> begin_conversation(Database& database, const ConversationInfo& info);
[[nodiscard]] Result<std::vector<ConversationInfo>> list_conversations(Database& database,
                                                                       const ConversationQuery& query);
[[nodiscard]] Result<std::optional<ConversationInfo>> get_conversation(Database& database,
                                                                       const std::string& thread_id);
/// How many were renamed: 0 or 1.
[[nodiscard]] Result<std::size_t> rename_conversation(Database& database, const std::string& thread_id,
                                                      const std::string& title);
[[nodiscard]] Result<std::size_t> remove_conversation(Database& database, const std::string& thread_id);
[[nodiscard]] Result<> keep_feedback(Database& database, const Feedback& feedback);
[[nodiscard]] Result<std::vector<Feedback>> list_feedback(Database& database, const FeedbackQuery& query);

[[nodiscard]] Result<> save_run(Database& database, const RunRecord& record);
[[nodiscard]] Result<std::optional<RunRecord>> get_run(Database& database, const std::string& run_id);
[[nodiscard]] Result<std::vector<RunRecord>> list_runs(Database& database, const RunQuery& query);

/// Writes a little, to show that writing works.
[[nodiscard]] Result<> beat(Database& database);
/// Everything but the location.
[[nodiscard]] Result<StoreHealth> read_health(Database& database);

}  // namespace quaestor::store::sqlite
