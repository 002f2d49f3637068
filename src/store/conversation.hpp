// What was said in a thread, in order: the memory of a conversation and the source of its export.
// Messages are data; nothing in them is ever executed or trusted.
// Threads: as Store.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <vector>

namespace quaestor::store {

struct Message {
    enum class Role { user, assistant, system };
    BOOST_DESCRIBE_NESTED_ENUM(Role, user, assistant, system)

    std::string id;
    Role role = Role::user;
    std::string text;
    json::object data;  ///< what belongs to it: queries, citations, run_id
    WallTime created_at;
};
BOOST_DESCRIBE_STRUCT(Message, (), (id, role, text, data, created_at))

struct ConversationInfo {
    std::string thread_id;
    std::string title;  ///< the first user message, shortened to kTitleColumns
    std::size_t messages = 0;
    WallTime updated_at;
};
BOOST_DESCRIBE_STRUCT(ConversationInfo, (), (thread_id, title, messages, updated_at))

inline constexpr std::size_t kTitleColumns = 80;

class ConversationStore {
public:
    virtual ~ConversationStore() = default;
    /// Adds a message at the end; one with the same id replaces the old in its place.
    virtual Task<Result<>> append(std::string thread_id, Message message) = 0;
    /// The last `limit` messages, oldest first.
    virtual Task<Result<std::vector<Message>>> messages(std::string thread_id, std::size_t limit = 100) = 0;
    /// Conversations, the most recently changed first.
    virtual Task<Result<std::vector<ConversationInfo>>> list(std::size_t limit = 100) = 0;
    /// Removes a conversation; returns how many messages it had.
    virtual Task<Result<std::size_t>> remove(std::string thread_id) = 0;
};

}  // namespace quaestor::store
