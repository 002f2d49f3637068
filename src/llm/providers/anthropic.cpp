// Anthropic's Messages. A reply of a given shape is asked for as the call of a tool that the model must call; its input
// becomes the reply's text, so that callers see JSON as with everyone else.
#include "llm/protocol.hpp"
#include "llm/providers/provider_error.hpp"
#include "llm/providers/stream_reader.hpp"
#include "llm/providers/wire.hpp"

#include <algorithm>
#include <map>

namespace quaestor::llm {

namespace {

using wire::count_at;
using wire::object_at;
using wire::text_at;

constexpr std::string_view kAnthropicUrl = "https://api.anthropic.com";
constexpr std::string_view kVersion = "2023-06-01";
constexpr int kMaxTokens = 4096;  ///< they want a number

/// The name of the tool that carries the output; not that of another tool.
std::string output_tool(const ChatRequest& request) {
    if (!request.output) return {};
    std::string name = request.output->name;
    while (std::ranges::find(request.tools, name, &Tool::name) != request.tools.end()) name += "_output";
    return name;
}

json::array blocks_of(const Message& message) {
    json::array blocks;
    if (message.role == Role::tool) {
        blocks.push_back(
            {{"type", "tool_result"}, {"tool_use_id", message.tool_call_id}, {"content", message.content}});
        return blocks;
    }
    // They refuse empty texts.
    if (!message.content.empty()) blocks.push_back({{"type", "text"}, {"text", message.content}});
    for (const ToolCall& call : message.tool_calls)
        blocks.push_back({{"type", "tool_use"},
                          {"id", call.id},
                          {"name", call.name},
                          {"input", wire::arguments_object(call.arguments)}});
    return blocks;
}

/// Messages in turn: what one side says in a row, and all results of tools together, is one message.
json::array messages_of(const ChatRequest& request) {
    json::array messages;
    for (const Message& message : request.messages) {
        if (message.role == Role::system) continue;
        const std::string_view role = message.role == Role::assistant ? "assistant" : "user";
        wire::add_turn(messages, role, "content", blocks_of(message));
    }
    return messages;
}

json::array tools_of(const ChatRequest& request) {
    json::array tools;
    for (const Tool& tool : request.tools)
        tools.push_back({{"name", tool.name}, {"description", tool.description}, {"input_schema", tool.parameters}});
    if (request.output)
        tools.push_back({{"name", output_tool(request)},
                         {"description", "Takes your answer. Call it once, with the whole answer."},
                         {"input_schema", request.output->schema}});
    return tools;
}

json::object tool_choice_of(const ChatRequest& request) {
    if (request.output && (request.tools.empty() || request.tool_choice == ToolChoice::none))
        return {{"type", "tool"}, {"name", output_tool(request)}, {"disable_parallel_tool_use", true}};
    // Answering is calling a tool too.
    if (request.output || request.tool_choice == ToolChoice::required) return {{"type", "any"}};
    return {{"type", request.tool_choice == ToolChoice::none ? "none" : "auto"}};
}

class AnthropicReader final : public StreamReader {
public:
    AnthropicReader(const Endpoint& endpoint, const ChatRequest& request)
        : StreamReader(endpoint, request), output_tool_(output_tool(request)) {}

private:
    struct Block {
        bool is_tool = false;
        bool is_output = false;
        bool has_input = false;  ///< pieces of it came
        std::string input{};     ///< what it began with; counts when no pieces follow
    };

    ModelResult<void> take(const json::object& event, const Tell& tell) override;
    ModelResult<void> begin_block(std::int64_t index, const json::object& block, const Tell& tell);
    ModelResult<void> take_delta(std::int64_t index, const json::object& delta, const Tell& tell);
    ModelResult<void> end_block(std::int64_t index, const Tell& tell);
    ModelResult<void> take_input(std::int64_t index, std::string input, const Tell& tell);
    void take_usage(const json::object& usage);
    void take_stop(std::string_view reason);

    const std::string output_tool_;
    std::map<std::int64_t, Block> blocks_;
    Usage counted_;
};

ModelResult<void> AnthropicReader::take(const json::object& event, const Tell& tell) {
    const std::string_view type = text_at(event, "type");
    const std::int64_t index = count_at(event, "index");
    if (type == "error") {
        const json::value* error = event.if_contains("error");
        return std::unexpected(provider_error(endpoint(), error ? says_of(*error) : ProviderSays{}));
    }
    if (type == "message_start") {
        const json::object* message = object_at(event, "message");
        if (!message) return malformed("message_start without a message");
        set_model(text_at(*message, "model"));
        if (const auto* usage = object_at(*message, "usage")) take_usage(*usage);
    } else if (type == "content_block_start") {
        if (const auto* block = object_at(event, "content_block")) return begin_block(index, *block, tell);
    } else if (type == "content_block_delta") {
        if (const auto* delta = object_at(event, "delta")) return take_delta(index, *delta, tell);
    } else if (type == "content_block_stop") {
        return end_block(index, tell);
    } else if (type == "message_delta") {
        if (const auto* usage = object_at(event, "usage")) take_usage(*usage);
        if (const auto* delta = object_at(event, "delta")) take_stop(text_at(*delta, "stop_reason"));
    } else if (type == "message_stop") {
        set_complete();
    }
    return {};  // pings, and what they may add to the protocol
}

ModelResult<void> AnthropicReader::begin_block(std::int64_t index, const json::object& block, const Tell& tell) {
    const std::string_view type = text_at(block, "type");
    Block& begun = blocks_[index] = Block{};
    if (type == "text") say(text_at(block, "text"), tell);
    if (type != "tool_use") return {};
    const std::string_view name = text_at(block, "name");
    begun.is_tool = true;
    begun.is_output = !output_tool_.empty() && name == output_tool_;
    const json::object* input = object_at(block, "input");
    begun.input = input ? to_text(*input) : "{}";
    if (begun.is_output) return {};
    return call({.index = index, .id = std::string(text_at(block, "id")), .name = std::string(name)}, tell);
}

ModelResult<void> AnthropicReader::take_delta(std::int64_t index, const json::object& delta, const Tell& tell) {
    const std::string_view type = text_at(delta, "type");
    if (type == "text_delta") say(text_at(delta, "text"), tell);
    if (type != "input_json_delta") return {};
    const std::string_view piece = text_at(delta, "partial_json");
    if (piece.empty()) return {};
    return take_input(index, std::string(piece), tell);
}

ModelResult<void> AnthropicReader::take_input(std::int64_t index, std::string input, const Tell& tell) {
    const auto block = blocks_.find(index);
    if (block == blocks_.end() || !block->second.is_tool) return malformed("the input of a tool that was not called");
    block->second.has_input = true;
    if (!block->second.is_output) return call({.index = index, .arguments = std::move(input)}, tell);
    say(input, tell);
    return {};
}

ModelResult<void> AnthropicReader::end_block(std::int64_t index, const Tell& tell) {
    const auto block = blocks_.find(index);
    if (block == blocks_.end() || !block->second.is_tool || block->second.has_input) return {};
    return take_input(index, block->second.input, tell);
}

/// Counts are told at the beginning and, as far as they have grown, at the end. Tokens that come from their cache, or
/// go there, are not among the input tokens.
void AnthropicReader::take_usage(const json::object& usage) {
    const std::int64_t read = count_at(usage, "cache_read_input_tokens");
    const std::int64_t input = count_at(usage, "input_tokens") + count_at(usage, "cache_creation_input_tokens") + read;
    if (input > 0) {
        counted_.input_tokens = input;
        counted_.cached_tokens = read;
    }
    if (const std::int64_t output = count_at(usage, "output_tokens"); output > 0) counted_.output_tokens = output;
    if (counted_.input_tokens > 0 || counted_.output_tokens > 0) set_usage(counted_);
}

void AnthropicReader::take_stop(std::string_view reason) {
    if (reason.empty()) return;
    if (reason == "refusal")
        end(FinishReason::refused);
    else if (reason == "max_tokens" || reason == "model_context_window_exceeded")
        end(FinishReason::length);
    else
        end(reason == "tool_use" ? FinishReason::tool_calls : FinishReason::stop);
}

ProviderSays anthropic_error_in(const json::object& body) {
    const json::value* error = body.if_contains("error");
    return error ? says_of(*error) : says_of(json::value(body));
}

class AnthropicProtocol final : public Protocol {
public:
    explicit AnthropicProtocol(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}

    [[nodiscard]] const Endpoint& endpoint() const override { return endpoint_; }

    [[nodiscard]] net::HttpRequest request(const ChatRequest& request) const override {
        auto written = wire::post(wire::address(endpoint_, kAnthropicUrl, "/v1/messages"), body_of(request));
        add_headers(written);
        return written;
    }

    [[nodiscard]] std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const override {
        return std::make_unique<AnthropicReader>(endpoint_, request);
    }

    [[nodiscard]] ModelError error_of(const net::HttpResponse& response) const override {
        return provider_error(endpoint_, says_of(response, anthropic_error_in));
    }

    [[nodiscard]] net::HttpRequest probe() const override {
        net::HttpRequest written{.url = wire::address(endpoint_, kAnthropicUrl, "/v1/models")};
        add_headers(written);
        return written;
    }

private:
    void add_headers(net::HttpRequest& request) const {
        request.headers.push_back({"anthropic-version", std::string(kVersion)});
        wire::add_key(request, "x-api-key", "", endpoint_.key);
    }

    [[nodiscard]] json::object body_of(const ChatRequest& request) const {
        json::object body{{"model", endpoint_.model},
                          {"max_tokens", wire::max_tokens_of(request, endpoint_).value_or(kMaxTokens)},
                          {"messages", messages_of(request)},
                          {"stream", true}};
        if (std::string text = wire::system_text(request); !text.empty()) body["system"] = text;
        if (const auto temperature = wire::temperature_of(request, endpoint_)) body["temperature"] = *temperature;
        if (!request.stop.empty()) body["stop_sequences"] = json::array(request.stop.begin(), request.stop.end());
        if (!request.tools.empty() || request.output) {
            body["tools"] = tools_of(request);
            body["tool_choice"] = tool_choice_of(request);
        }
        return body;
    }

    const Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Protocol> anthropic_protocol(Endpoint endpoint) {
    return std::make_unique<AnthropicProtocol>(std::move(endpoint));
}

}  // namespace quaestor::llm
