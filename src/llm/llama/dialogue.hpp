// Between our messages and a model that knows only text: the prompt in the words of the model's own chat template, and
// calls of tools read from its reply. A private header of llm/llama/.
// Threads: immutable once built.
#pragma once

#include "base/error.hpp"
#include "llm/chat.hpp"
#include "llm/llama/loaded_model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::llm::llama {

class ChatTemplate {
public:
    /// The file's own template, or ChatML where it has none or one that llama.cpp does not know.
    explicit ChatTemplate(const LoadedModel& model);

    /// The whole prompt up to where the assistant begins to speak. What others wrote is in it as text: names of the
    /// model's control tokens are broken by a space, so that nobody can close a message or open one of another role.
    [[nodiscard]] std::string prompt_for(const ChatRequest& request) const;

    /// Texts that end a reply beside the model's own end token: ChatML's mark, which a model that does not know it as a
    /// token writes out.
    [[nodiscard]] const std::vector<std::string>& stops() const { return stops_; }

private:
    struct Said {
        std::string role;
        std::string content;
    };
    [[nodiscard]] std::string as_data(const std::string& text) const;
    [[nodiscard]] std::vector<Said> said_in(const ChatRequest& request) const;
    [[nodiscard]] std::optional<std::string> apply(const std::vector<Said>& said) const;

    std::string template_;
    std::vector<std::string> stops_;
    std::vector<std::string> control_texts_;
};

/// The calls that `reply` consists of; nothing when it is a text or cut off. Ids are unique in the conversation and the
/// same each time.
[[nodiscard]] std::optional<std::vector<ToolCall>> tool_calls_in(const std::string& reply, const ChatRequest& request);

}  // namespace quaestor::llm::llama
