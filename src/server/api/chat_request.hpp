// The body of a question: what may stand in it, and the title that a conversation gets from it.
// Values; nobody owns anything. Private to server/.
// Threads: functions without state.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <boost/describe/class.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::server {

/// The body of POST /api/chat and /api/chat/stream.
struct ChatRequest {
    std::string question;
    std::optional<std::string> thread_id;
    std::optional<std::string> agent;
    std::optional<std::string> override_schema;
    std::optional<std::string> override_direction;
    std::optional<std::string> override_mode;
    std::optional<std::string> mode;
    static constexpr auto kRequired = std::array{"question"};
};
BOOST_DESCRIBE_STRUCT(ChatRequest, (),
                      (question, thread_id, agent, override_schema, override_direction, override_mode, mode))

/// The first field that is wrong, as Code::invalid_argument.
[[nodiscard]] Result<> check(const ChatRequest& request, std::size_t question_bytes);

/// What a person set beside the question, as a workflow's state names it.
[[nodiscard]] json::object overrides_of(const ChatRequest& request);

/// "Which teams won most games" of "Which teams won most games? Show five.": at most 50 characters, cut between words.
[[nodiscard]] std::string title_of(std::string_view question);

}  // namespace quaestor::server
