#include "llm/llama/dialogue.hpp"

#include "llm/llama/grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::llm::llama {

namespace {

constexpr const char* kChatMl = "chatml";

/// As the model is told to write them.
std::string written(const std::vector<ToolCall>& calls) {
    json::array list;
    for (const auto& call : calls) {
        auto arguments = parse_json(call.arguments);
        list.push_back({{"name", call.name}, {"arguments", arguments ? std::move(*arguments) : json::object{}}});
    }
    return to_text({{kToolCallsKey, std::move(list)}});
}

/// What the model must know beside the messages: its tools, and the shape of its reply.
std::string instructions_of(const ChatRequest& request) {
    std::string text;
    if (offers_tools(request)) {
        text += fmt::format(
            "{}To call tools answer with nothing but JSON of this form:\n"
            "{{\"{}\": [{{\"name\": \"TOOL\", \"arguments\": {{...}}}}]}}\n{}The tools, with the JSON Schema of their "
            "arguments:\n",
            request.tool_choice == ToolChoice::required ? "" : "You may call tools. ", kToolCallsKey,
            request.tool_choice == ToolChoice::required ? "" : "When you need none, answer the user.\n");
        for (const auto& tool : request.tools) {
            text += fmt::format("- {}: {} {}\n", tool.name, tool.description, to_text(tool.parameters));
        }
    }
    if (request.output) {
        text += fmt::format("Answer with JSON that fits this JSON Schema:\n{}\n", to_text(request.output->schema));
    }
    return text;
}

}  // namespace

ChatTemplate::ChatTemplate(const LoadedModel& model) {
    const llama_vocab* vocabulary = model.vocabulary();
    for (llama_token token = 0; token < llama_vocab_n_tokens(vocabulary); ++token) {
        if ((llama_vocab_get_attr(vocabulary, token) & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) == 0)
            continue;
        const std::string text = llama_vocab_get_text(vocabulary, token);
        if (text.size() > 1) control_texts_.push_back(text);
    }
    const char* own = llama_model_chat_template(model.get(), nullptr);
    template_ = own == nullptr ? kChatMl : own;
    if (!apply({{"user", "?"}})) template_ = kChatMl;
    if (template_ == kChatMl) stops_.emplace_back("<|im_end|>");
}

std::string ChatTemplate::as_data(const std::string& text) const {
    std::string data;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // The template takes texts that end with a zero byte.
        if (text[i] == '\0') continue;
        data += text[i];
        const auto rest = std::string_view(text).substr(i);
        if (std::ranges::any_of(control_texts_, [&](const auto& control) { return rest.starts_with(control); }))
            data += ' ';
    }
    return data;
}

std::vector<ChatTemplate::Said> ChatTemplate::said_in(const ChatRequest& request) const {
    std::vector<Said> said;
    if (const auto instructions = instructions_of(request); !instructions.empty()) {
        said.push_back({"system", as_data(instructions)});
    }
    for (const auto& message : request.messages) {
        std::string content = message.content;
        std::string role = message.role == Role::system      ? "system"
                           : message.role == Role::assistant ? "assistant"
                                                             : "user";
        if (!message.tool_calls.empty()) content += written(message.tool_calls);
        // Few templates know the role of a tool.
        if (message.role == Role::tool) content = fmt::format("Result of {}: {}", message.tool_name, content);
        if (!said.empty() && said.back().role == role) {
            // Templates want roles to alternate.
            said.back().content += "\n" + as_data(content);
        } else {
            said.push_back({std::move(role), as_data(content)});
        }
    }
    return said;
}

std::optional<std::string> ChatTemplate::apply(const std::vector<Said>& said) const {
    std::vector<llama_chat_message> messages;
    std::size_t size = 0;
    for (const auto& [role, content] : said) {
        messages.push_back({role.c_str(), content.c_str()});
        size += role.size() + content.size();
    }
    constexpr std::size_t kMarksPerMessage = 64;
    std::string prompt(size + (said.size() + 1) * kMarksPerMessage, '\0');
    const auto write = [&] {
        return llama_chat_apply_template(template_.c_str(), messages.data(), messages.size(), true, prompt.data(),
                                         static_cast<int>(prompt.size()));
    };
    int written_size = write();
    if (written_size > static_cast<int>(prompt.size())) {
        prompt.resize(static_cast<std::size_t>(written_size));
        written_size = write();
    }
    if (written_size < 0) return std::nullopt;
    prompt.resize(static_cast<std::size_t>(written_size));
    return prompt;
}

std::string ChatTemplate::prompt_for(const ChatRequest& request) const {
    // Templates that apply() accepted once take any messages.
    return apply(said_in(request)).value_or("");
}

std::optional<std::vector<ToolCall>> tool_calls_in(const std::string& reply, const ChatRequest& request) {
    const auto parsed = parse_json(reply);
    if (!parsed || !parsed->is_object() || parsed->get_object().size() != 1) return std::nullopt;
    const auto* calls = parsed->get_object().if_contains(kToolCallsKey);
    if (calls == nullptr || !calls->is_array()) return std::nullopt;
    std::size_t number = 0;
    for (const auto& message : request.messages) number += message.tool_calls.size();
    std::vector<ToolCall> found;
    for (const auto& call : calls->get_array()) {
        const auto* object = call.if_object();
        const auto* name = object == nullptr ? nullptr : object->if_contains("name");
        const auto* arguments = object == nullptr ? nullptr : object->if_contains("arguments");
        if (name == nullptr || !name->is_string() || arguments == nullptr) return std::nullopt;
        found.push_back({.id = fmt::format("call_{}", ++number),
                         .name = std::string(name->get_string()),
                         .arguments = to_text(*arguments)});
    }
    return found;
}

}  // namespace quaestor::llm::llama
