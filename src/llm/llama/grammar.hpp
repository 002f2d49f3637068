// GBNF grammars: what llama.cpp lets a model write next. grammar_of() in llama.hpp is the one for an output shape
// alone. Plain values. A private header of llm/llama/. Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "llm/chat.hpp"

#include <cstddef>
#include <string>

namespace quaestor::llm::llama {

inline constexpr std::size_t kToolCallsMax = 16;
/// The field that makes a reply calls of tools.
inline constexpr const char* kToolCallsKey = "tool_calls";

/// What the reply to `request` may be: anything (an empty grammar), JSON of its output shape, or calls of its tools
/// {"tool_calls": [{"name": "…", "arguments": {…}}]} beside that or beside a text that does not begin with "{".
/// Code::unsupported for a shape that a grammar cannot say; arguments of such a shape are any JSON object.
[[nodiscard]] Result<std::string> reply_grammar(const ChatRequest& request);

/// Whether the model is told of the tools at all.
[[nodiscard]] bool offers_tools(const ChatRequest& request);

}  // namespace quaestor::llm::llama
