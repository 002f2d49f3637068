// OpenAI's Chat Completions, as OpenAI documents them and as Ollama, vLLM, llama-server and others speak them.
#include "llm/protocol.hpp"
#include "llm/providers/provider_error.hpp"
#include "llm/providers/stream_reader.hpp"
#include "llm/providers/wire.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::llm {

namespace {

using wire::array_at;
using wire::count_at;
using wire::object_at;
using wire::text_at;

constexpr std::string_view kOpenaiUrl = "https://api.openai.com/v1";

bool is_openai_itself(const Endpoint& endpoint) {
    return endpoint.base_url.empty() || endpoint.base_url.starts_with("https://api.openai.com/");
}

/// OpenAI holds a model to a tool's schema only where the schema leaves nothing open.
bool is_strict(const json::value& schema) {
    const json::object* object = schema.if_object();
    if (!object) return false;
    if (const json::object* properties = object_at(*object, "properties")) {
        const json::value* additional = object->if_contains("additionalProperties");
        if (!additional || *additional != json::value(false)) return false;
        const json::array* required = array_at(*object, "required");
        for (const auto& [name, property] : *properties) {
            if (!required || std::ranges::find(*required, json::value(name)) == required->end()) return false;
            if (!is_strict(property)) return false;
        }
    } else if (text_at(*object, "type") == "object") {
        return false;
    }
    if (const json::value* items = object->if_contains("items"); items && !is_strict(*items)) return false;
    const json::array* choices = array_at(*object, "anyOf");
    return !choices || std::ranges::all_of(*choices, is_strict);
}

json::object function_of(const Tool& tool, bool has_schemas) {
    json::object function{{"name", tool.name}, {"description", tool.description}, {"parameters", tool.parameters}};
    if (has_schemas && is_strict(tool.parameters)) function["strict"] = true;
    return function;
}

std::string_view word_for(ToolChoice choice) {
    switch (choice) {
        case ToolChoice::automatic:
            return "auto";
        case ToolChoice::none:
            return "none";
        case ToolChoice::required:
            return "required";
    }
    return "auto";
}

json::object message_of(const Message& message) {
    switch (message.role) {
        case Role::system:
            return {{"role", "system"}, {"content", message.content}};
        case Role::user:
            return {{"role", "user"}, {"content", message.content}};
        case Role::tool:
            return {{"role", "tool"}, {"tool_call_id", message.tool_call_id}, {"content", message.content}};
        case Role::assistant:
            break;
    }
    json::object written{{"role", "assistant"}, {"content", message.content}};
    if (message.tool_calls.empty()) return written;
    if (message.content.empty()) written["content"] = nullptr;
    json::array calls;
    for (const ToolCall& call : message.tool_calls)
        calls.push_back({{"id", call.id},
                         {"type", "function"},
                         {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
    written["tool_calls"] = std::move(calls);
    return written;
}

/// The schema in words joins the first system message: many chat templates take one only, and in front.
json::array messages_of(const ChatRequest& request, const std::string& words) {
    json::array messages;
    bool has_words = words.empty();
    if (!has_words && (request.messages.empty() || request.messages.front().role != Role::system)) {
        messages.push_back(message_of(system(words)));
        has_words = true;
    }
    for (const Message& message : request.messages) {
        if (has_words) {
            messages.push_back(message_of(message));
        } else {
            messages.push_back(message_of(system(message.content + "\n\n" + words)));
            has_words = true;
        }
    }
    return messages;
}

class OpenAiReader final : public StreamReader {
public:
    using StreamReader::StreamReader;

private:
    ModelResult<void> take(const json::object& event, const Tell& tell) override;
    ModelResult<void> take_choice(const json::object& choice, const Tell& tell);
    ModelResult<void> take_calls(const json::array& calls, const Tell& tell);
    void take_content(const json::object& delta, const Tell& tell);
    void take_usage(const json::object& usage);
    void take_finish(std::string_view reason);

    bool has_refused_ = false;
};

ModelResult<void> OpenAiReader::take(const json::object& event, const Tell& tell) {
    const json::value* error = event.if_contains("error");
    if (error && !error->is_null()) return std::unexpected(provider_error(endpoint(), says_of(*error)));
    if (text_at(event, "object") == "error") return std::unexpected(provider_error(endpoint(), says_of(event)));

    set_model(text_at(event, "model"));
    if (const auto* usage = object_at(event, "usage")) take_usage(*usage);
    const json::array* choices = array_at(event, "choices");
    if (!choices || choices->empty() || !choices->front().is_object()) return {};
    return take_choice(choices->front().get_object(), tell);
}

ModelResult<void> OpenAiReader::take_choice(const json::object& choice, const Tell& tell) {
    // A server that does not stream sends a message where a stream has deltas.
    const json::object* delta = object_at(choice, "delta");
    if (!delta) delta = object_at(choice, "message");
    if (delta) {
        take_content(*delta, tell);
        if (const auto refusal = text_at(*delta, "refusal"); !refusal.empty()) {
            has_refused_ = true;
            say(refusal, tell);
        }
        if (const auto* calls = array_at(*delta, "tool_calls"))
            if (auto outcome = take_calls(*calls, tell); !outcome) return outcome;
    }
    take_finish(text_at(choice, "finish_reason"));
    return {};
}

/// Content is a text, or a list of parts of which some are thoughts.
void OpenAiReader::take_content(const json::object& delta, const Tell& tell) {
    say(text_at(delta, "content"), tell);
    const json::array* parts = array_at(delta, "content");
    if (!parts) return;
    for (const json::value& part : *parts)
        if (const auto* object = part.if_object(); object && text_at(*object, "type") == "text")
            say(text_at(*object, "text"), tell);
}

ModelResult<void> OpenAiReader::take_calls(const json::array& calls, const Tell& tell) {
    for (const json::value& item : calls) {
        const json::object* piece = item.if_object();
        if (!piece) return malformed("a tool call that is no object");
        CallPiece told{.id = std::string(text_at(*piece, "id"))};
        if (const json::value* index = piece->if_contains("index"); index && index->is_int64())
            told.index = index->get_int64();
        if (const auto* function = object_at(*piece, "function")) {
            told.name = text_at(*function, "name");
            told.arguments = wire::arguments_text(function->if_contains("arguments"));
        }
        if (auto outcome = call(std::move(told), tell); !outcome) return outcome;
    }
    return {};
}

void OpenAiReader::take_usage(const json::object& usage) {
    Usage told{.input_tokens = count_at(usage, "prompt_tokens"), .output_tokens = count_at(usage, "completion_tokens")};
    if (const auto* details = object_at(usage, "prompt_tokens_details"))
        told.cached_tokens = std::min(count_at(*details, "cached_tokens"), told.input_tokens);
    // Some servers fill in zeros instead of leaving it out.
    if (told.input_tokens > 0 || told.output_tokens > 0) set_usage(told);
}

void OpenAiReader::take_finish(std::string_view reason) {
    if (reason.empty()) return;
    if (has_refused_ || reason == "content_filter")
        end(FinishReason::refused);
    else if (reason == "length")
        end(FinishReason::length);
    else
        end(reason == "tool_calls" ? FinishReason::tool_calls : FinishReason::stop);
}

ProviderSays openai_error_in(const json::object& body) {
    if (const json::value* error = body.if_contains("error"); error && !error->is_null()) return says_of(*error);
    ProviderSays says = says_of(json::value(body));
    if (says.message.empty()) says.message = text_at(body, "detail");
    return says;
}

class OpenAiProtocol final : public Protocol {
public:
    explicit OpenAiProtocol(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}

    [[nodiscard]] const Endpoint& endpoint() const override { return endpoint_; }

    [[nodiscard]] net::HttpRequest request(const ChatRequest& request) const override {
        auto written = wire::post(wire::address(endpoint_, kOpenaiUrl, "/chat/completions"), body_of(request));
        wire::add_key(written, "authorization", "Bearer ", endpoint_.key);
        return written;
    }

    [[nodiscard]] std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const override {
        return std::make_unique<OpenAiReader>(endpoint_, request);
    }

    [[nodiscard]] ModelError error_of(const net::HttpResponse& response) const override {
        return provider_error(endpoint_, says_of(response, openai_error_in));
    }

    [[nodiscard]] net::HttpRequest probe() const override {
        net::HttpRequest written{.url = wire::address(endpoint_, kOpenaiUrl, "/models")};
        wire::add_key(written, "authorization", "Bearer ", endpoint_.key);
        return written;
    }

private:
    [[nodiscard]] json::object body_of(const ChatRequest& request) const {
        const bool needs_words = request.output && !endpoint_.has_json_schema;
        json::object body{
            {"model", endpoint_.model},
            {"messages", messages_of(request, needs_words ? wire::schema_in_words(*request.output) : std::string())},
            {"stream", true}};
        if (endpoint_.has_stream_usage) body["stream_options"] = {{"include_usage", true}};
        if (const auto temperature = wire::temperature_of(request, endpoint_)) body["temperature"] = *temperature;
        if (const auto most = wire::max_tokens_of(request, endpoint_))
            body[is_openai_itself(endpoint_) ? "max_completion_tokens" : "max_tokens"] = *most;
        if (!request.stop.empty()) body["stop"] = json::array(request.stop.begin(), request.stop.end());
        if (!request.tools.empty()) add_tools(request, body);
        if (request.output) add_output(request, body);
        return body;
    }

    void add_tools(const ChatRequest& request, json::object& body) const {
        json::array tools;
        for (const Tool& tool : request.tools)
            tools.push_back({{"type", "function"}, {"function", function_of(tool, endpoint_.has_json_schema)}});
        body["tools"] = std::move(tools);
        body["tool_choice"] = word_for(request.tool_choice);
    }

    void add_output(const ChatRequest& request, json::object& body) const {
        if (endpoint_.has_json_schema)
            body["response_format"] = {
                {"type", "json_schema"},
                {"json_schema",
                 {{"name", request.output->name}, {"schema", request.output->schema}, {"strict", true}}}};
        else if (request.tools.empty())  // with tools it would forbid calling them
            body["response_format"] = {{"type", "json_object"}};
    }

    const Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Protocol> openai_protocol(Endpoint endpoint) {
    return std::make_unique<OpenAiProtocol>(std::move(endpoint));
}

}  // namespace quaestor::llm
