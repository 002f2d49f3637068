// What is said to a language model and by it: messages, tools, and calls of tools.
// Plain values. Threads: immutable once built.
#pragma once

#include "base/json.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::llm {

enum class Role { system, user, assistant, tool };
BOOST_DESCRIBE_ENUM(Role, system, user, assistant, tool)

/// A model's wish to call a tool.
struct ToolCall {
    std::string id;  ///< the result refers to it; made up by the reader where a provider gives none
    std::string name;
    std::string arguments;    ///< JSON as the model wrote it: checked by whoever calls the tool, never trusted
    std::string signature{};  ///< what the provider wants to see again with the call, as Google does; empty for others
    friend bool operator==(const ToolCall&, const ToolCall&) = default;
};
BOOST_DESCRIBE_STRUCT(ToolCall, (), (id, name, arguments, signature))

struct Message {
    Role role = Role::user;
    std::string content{};
    std::vector<ToolCall> tool_calls{};  ///< of an assistant
    std::string tool_call_id{};          ///< of a tool's result: which call it answers
    std::string tool_name{};             ///< of a tool's result
    friend bool operator==(const Message&, const Message&) = default;
};
BOOST_DESCRIBE_STRUCT(Message, (), (role, content, tool_calls, tool_call_id, tool_name))

[[nodiscard]] inline Message system(std::string content) {
    return {.role = Role::system, .content = std::move(content)};
}
[[nodiscard]] inline Message user(std::string content) {
    return {.role = Role::user, .content = std::move(content)};
}
[[nodiscard]] inline Message assistant(std::string content) {
    return {.role = Role::assistant, .content = std::move(content)};
}
[[nodiscard]] inline Message tool_result(const ToolCall& call, std::string content) {
    return {.role = Role::tool, .content = std::move(content), .tool_call_id = call.id, .tool_name = call.name};
}

/// A tool that a model may ask for.
struct Tool {
    std::string name;         ///< letters, digits, _ and -, at most 64
    std::string description;  ///< when to use it and what it gives
    json::value parameters;   ///< JSON Schema of an object
};
BOOST_DESCRIBE_STRUCT(Tool, (), (name, description, parameters))

}  // namespace quaestor::llm
