// What was said in a thread, in order, whose thread it is, and what people thought of the answers.
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
    std::string title;  ///< as given; else the first user message, shortened to kTitleColumns
    std::string owner;  ///< who began it; empty: nobody in particular
    std::size_t messages = 0;
    WallTime created_at;
    WallTime updated_at;
};
BOOST_DESCRIBE_STRUCT(ConversationInfo, (), (thread_id, title, owner, messages, created_at, updated_at))

inline constexpr std::size_t kTitleColumns = 80;

struct ConversationQuery {
    std::optional<std::string> owner;
    std::size_t limit = 100;
    std::size_t offset = 0;
};

/// What a person thought of one turn.
struct Feedback {
    enum class Rating { up, down };
    BOOST_DESCRIBE_NESTED_ENUM(Rating, up, down)

    std::string id;
    std::string thread_id;
    std::int64_t turn = 0;  ///< from 0
    std::string owner;
    Rating rating = Rating::up;
    std::string comment;
    WallTime created_at;
    WallTime updated_at;
};
BOOST_DESCRIBE_STRUCT(Feedback, (), (id, thread_id, turn, owner, rating, comment, created_at, updated_at))

struct FeedbackQuery {
    std::optional<std::string> id;
    std::optional<std::string> thread_id;
    std::optional<std::string> owner;
    std::optional<Feedback::Rating> rating;
    std::size_t limit = 100;
    std::size_t offset = 0;
};

class ConversationStore {
public:
    virtual ~ConversationStore() = default;
    /// Makes a conversation before anything is said in it. One that is there stays as it is, whoever owns it. Of `info`
    /// thread_id, title, owner and created_at count.
    virtual Task<Result<>> begin(ConversationInfo info) = 0;
    /// Adds a message at the end; one with the same id replaces the old in its place.
    virtual Task<Result<>> append(std::string thread_id, Message message) = 0;
    /// The last `limit` messages, oldest first.
    virtual Task<Result<std::vector<Message>>> messages(std::string thread_id, std::size_t limit = 100) = 0;
    virtual Task<Result<std::optional<ConversationInfo>>> info(std::string thread_id) = 0;
    /// Conversations, the most recently changed first.
    virtual Task<Result<std::vector<ConversationInfo>>> list(ConversationQuery query) = 0;
    Task<Result<std::vector<ConversationInfo>>> list(std::size_t limit = 100) {
        return list(ConversationQuery{.owner = {}, .limit = limit, .offset = 0});
    }
    /// Gives a title; an empty one brings the first message back. False when there is no such conversation.
    virtual Task<Result<bool>> rename(std::string thread_id, std::string title) = 0;
    /// Removes a conversation and what was thought of it; returns how many messages it had.
    virtual Task<Result<std::size_t>> remove(std::string thread_id) = 0;

    /// Keeps one opinion for each owner, thread and turn: a second replaces rating and comment of the first.
    virtual Task<Result<>> rate(Feedback feedback) = 0;
    /// The most recently given first.
    virtual Task<Result<std::vector<Feedback>>> feedback(FeedbackQuery query) = 0;
};

}  // namespace quaestor::store
