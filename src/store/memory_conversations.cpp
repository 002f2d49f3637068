#include "store/memory_conversations.hpp"

#include "base/text.hpp"
#include "store/checks.hpp"

#include <algorithm>
#include <ranges>

namespace quaestor::store {

MemoryConversations::Conversation& MemoryConversations::made(const ConversationInfo& info) {
    const auto [place, is_new] = conversations_.try_emplace(info.thread_id);
    if (is_new) {
        place->second.info = info;
        place->second.info.updated_at = info.created_at;
        place->second.changed = ++last_change_;
    }
    return place->second;
}

ConversationInfo MemoryConversations::info_of(const Conversation& conversation) {
    ConversationInfo info = conversation.info;
    info.messages = conversation.messages.size();
    const auto first = std::ranges::find(conversation.messages, Message::Role::user, &Message::role);
    if (info.title.empty() && first != conversation.messages.end()) {
        info.title = text::shorten(first->text, kTitleColumns);
    }
    return info;
}

Task<Result<>> MemoryConversations::begin(ConversationInfo info) {
    if (auto valid = check(info); !valid) co_return valid;
    const std::lock_guard lock(mutex_);
    made(info);
    co_return Result<>{};
}

Task<Result<>> MemoryConversations::append(std::string thread_id, Message message) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
    if (auto valid = check(message); !valid) co_return valid;
    const std::lock_guard lock(mutex_);
    ConversationInfo info;
    info.thread_id = std::move(thread_id);
    info.created_at = message.created_at;
    Conversation& conversation = made(info);
    conversation.changed = ++last_change_;
    conversation.info.updated_at = message.created_at;
    const auto old = std::ranges::find(conversation.messages, message.id, &Message::id);
    if (old != conversation.messages.end()) {
        *old = std::move(message);
    } else {
        conversation.messages.emplace_back() = std::move(message);
    }
    co_return Result<>{};
}

Task<Result<std::vector<Message>>> MemoryConversations::messages(std::string thread_id, std::size_t limit) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    const std::lock_guard lock(mutex_);
    const auto found = conversations_.find(thread_id);
    if (found == conversations_.end()) co_return std::vector<Message>{};
    const auto& all = found->second.messages;
    const auto count = static_cast<std::ptrdiff_t>(std::min(limit, all.size()));
    co_return std::vector<Message>(all.end() - count, all.end());
}

Task<Result<std::optional<ConversationInfo>>> MemoryConversations::info(std::string thread_id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    const std::lock_guard lock(mutex_);
    const auto found = conversations_.find(thread_id);
    if (found == conversations_.end()) co_return std::nullopt;
    co_return info_of(found->second);
}

Task<Result<std::vector<ConversationInfo>>> MemoryConversations::list(ConversationQuery query) {
    const std::lock_guard lock(mutex_);
    std::vector<const Conversation*> found;
    for (const auto& [thread_id, conversation] : conversations_) {
        if (!query.owner || conversation.info.owner == *query.owner) found.push_back(&conversation);
    }
    std::ranges::sort(found, std::greater(), &Conversation::changed);
    std::vector<ConversationInfo> infos;
    for (std::size_t at = query.offset; at < found.size() && infos.size() < query.limit; ++at) {
        infos.push_back(info_of(*found[at]));
    }
    co_return infos;
}

Task<Result<bool>> MemoryConversations::rename(std::string thread_id, std::string title) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    if (auto valid = check_text("the title", title); !valid) co_return fail(valid.error());
    const std::lock_guard lock(mutex_);
    const auto found = conversations_.find(thread_id);
    if (found == conversations_.end()) co_return false;
    found->second.info.title = std::move(title);
    co_return true;
}

Task<Result<std::size_t>> MemoryConversations::remove(std::string thread_id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    const std::lock_guard lock(mutex_);
    const auto node = conversations_.extract(thread_id);
    std::erase_if(feedback_, [&](const Feedback& given) { return given.thread_id == thread_id; });
    co_return node.empty() ? 0 : node.mapped().messages.size();
}

Task<Result<>> MemoryConversations::rate(Feedback feedback) {
    if (auto valid = check(feedback); !valid) co_return valid;
    const std::lock_guard lock(mutex_);
    const auto old = std::ranges::find_if(feedback_, [&](const Feedback& given) {
        return given.thread_id == feedback.thread_id && given.turn == feedback.turn && given.owner == feedback.owner;
    });
    if (old == feedback_.end()) {
        feedback_.push_back(std::move(feedback));
    } else {
        old->rating = feedback.rating;
        old->comment = std::move(feedback.comment);
        old->updated_at = feedback.updated_at;
    }
    co_return Result<>{};
}

Task<Result<std::vector<Feedback>>> MemoryConversations::feedback(FeedbackQuery query) {
    const std::lock_guard lock(mutex_);
    const auto is_wanted = [&](const Feedback& given) {
        return given.id == query.id.value_or(given.id) &&
               given.thread_id == query.thread_id.value_or(given.thread_id) &&
               given.owner == query.owner.value_or(given.owner) && given.rating == query.rating.value_or(given.rating);
    };
    std::vector<Feedback> found;
    std::size_t skipped = 0;
    for (const auto& given : feedback_ | std::views::reverse) {
        if (!is_wanted(given) || skipped++ < query.offset) continue;
        if (found.size() == query.limit) break;
        found.push_back(given);
    }
    co_return found;
}

}  // namespace quaestor::store
