// Conversations and what people thought of them, in memory.
// Part of the memory store. Private to store/.
// Threads: as Store.
#pragma once

#include "store/conversation.hpp"

#include <mutex>
#include <unordered_map>

namespace quaestor::store {

class MemoryConversations final : public ConversationStore {
public:
    Task<Result<>> begin(ConversationInfo info) override;
    Task<Result<>> append(std::string thread_id, Message message) override;
    Task<Result<std::vector<Message>>> messages(std::string thread_id, std::size_t limit) override;
    Task<Result<std::optional<ConversationInfo>>> info(std::string thread_id) override;
    Task<Result<std::vector<ConversationInfo>>> list(ConversationQuery query) override;
    Task<Result<bool>> rename(std::string thread_id, std::string title) override;
    Task<Result<std::size_t>> remove(std::string thread_id) override;
    Task<Result<>> rate(Feedback feedback) override;
    Task<Result<std::vector<Feedback>>> feedback(FeedbackQuery query) override;

private:
    struct Conversation {
        ConversationInfo info;  ///< without the count, and with the title that was given
        std::vector<Message> messages;
        std::uint64_t changed = 0;  ///< order of the last change, over all conversations
    };

    // These need the mutex.
    Conversation& made(const ConversationInfo& info);
    [[nodiscard]] static ConversationInfo info_of(const Conversation& conversation);

    std::mutex mutex_;
    std::unordered_map<std::string, Conversation> conversations_;
    std::vector<Feedback> feedback_;  ///< in the order of giving
    std::uint64_t last_change_ = 0;
};

}  // namespace quaestor::store
