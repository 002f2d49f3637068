#include "llm/chat.hpp"

namespace quaestor::llm {

namespace {

constexpr std::size_t kBytesPerToken = 4;
/// What a provider's template puts around each message.
constexpr std::int64_t kTokensPerMessage = 4;

std::int64_t tokens_of(const Message& message) {
    std::int64_t tokens = estimated_tokens(message.content);
    for (const ToolCall& call : message.tool_calls)
        tokens += estimated_tokens(call.name) + estimated_tokens(call.arguments);
    return tokens;
}

}  // namespace

std::int64_t estimated_tokens(std::string_view text) {
    return static_cast<std::int64_t>((text.size() + kBytesPerToken - 1) / kBytesPerToken);
}

Usage estimated_usage(const ChatRequest& request, const Message& reply) {
    Usage usage{.output_tokens = tokens_of(reply), .is_estimate = true};
    for (const Message& message : request.messages) usage.input_tokens += tokens_of(message) + kTokensPerMessage;
    for (const Tool& tool : request.tools)
        usage.input_tokens += estimated_tokens(tool.name) + estimated_tokens(tool.description) +
                              estimated_tokens(to_text(tool.parameters));
    if (request.output) usage.input_tokens += estimated_tokens(to_text(request.output->schema));
    return usage;
}

}  // namespace quaestor::llm
