// Google's streamGenerateContent.
#include "llm/protocol.hpp"
#include "llm/providers/google_schema.hpp"
#include "llm/providers/provider_error.hpp"
#include "llm/providers/stream_reader.hpp"
#include "llm/providers/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::llm {

namespace {

using wire::array_at;
using wire::count_at;
using wire::object_at;
using wire::text_at;

constexpr std::string_view kGoogleUrl = "https://generativelanguage.googleapis.com";

/// "gemini-2.5-flash" or "models/gemini-2.5-flash", safe to stand in a path.
std::string model_path(std::string_view model) {
    std::string path = model.contains('/') ? "" : "models/";
    for (const char c : model) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~/").contains(c);
        if (is_plain)
            path += c;
        else
            path += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return path;
}

/// Models from Gemini 3 on refuse a call in the history that has no signature, be it because another provider's model
/// made it. This is the word that Google gives for such calls.
constexpr std::string_view kForeignSignature = "skip_thought_signature_validator";

bool wants_signatures(std::string_view model) {
    return !model.contains("gemini-1") && !model.contains("gemini-2");
}

json::object call_part(const ToolCall& call, bool is_first, std::string_view model) {
    json::object written{{"name", call.name}, {"args", wire::arguments_object(call.arguments)}};
    if (!is_made_up(call.id)) written["id"] = call.id;
    json::object part{{"functionCall", std::move(written)}};
    // Of calls made together only the first is signed.
    if (!call.signature.empty())
        part["thoughtSignature"] = call.signature;
    else if (is_first && wants_signatures(model))
        part["thoughtSignature"] = kForeignSignature;
    return part;
}

/// A result is an object to them; anything else becomes the one field of one.
json::object result_part(const Message& message) {
    auto content = parse_json(message.content);
    json::object response;
    if (content && content->is_object())
        response = std::move(content->get_object());
    else
        response["output"] = message.content;
    json::object written{{"name", message.tool_name}, {"response", std::move(response)}};
    if (!is_made_up(message.tool_call_id)) written["id"] = message.tool_call_id;
    return {{"functionResponse", std::move(written)}};
}

json::array parts_of(const Message& message, std::string_view model) {
    json::array parts;
    if (message.role == Role::tool) {
        parts.push_back(result_part(message));
        return parts;
    }
    if (!message.content.empty()) parts.push_back({{"text", message.content}});
    for (const ToolCall& call : message.tool_calls)
        parts.push_back(call_part(call, &call == &message.tool_calls.front(), model));
    return parts;
}

json::array contents_of(const ChatRequest& request, std::string_view model) {
    json::array contents;
    for (const Message& message : request.messages) {
        if (message.role == Role::system) continue;
        const std::string_view role = message.role == Role::assistant ? "model" : "user";
        wire::add_turn(contents, role, "parts", parts_of(message, model));
    }
    return contents;
}

json::array declared_tools(const ChatRequest& request) {
    json::array declarations;
    for (const Tool& tool : request.tools) {
        json::object declaration{{"name", tool.name}, {"description", tool.description}};
        // They refuse an object without properties.
        const json::object* parameters = tool.parameters.if_object();
        const json::object* properties = parameters ? object_at(*parameters, "properties") : nullptr;
        if (properties && !properties->empty()) declaration["parameters"] = google_schema(*parameters);
        declarations.push_back(std::move(declaration));
    }
    json::array tools;
    tools.push_back({{"functionDeclarations", std::move(declarations)}});
    return tools;
}

std::string_view mode_for(ToolChoice choice) {
    switch (choice) {
        case ToolChoice::automatic:
            return "AUTO";
        case ToolChoice::none:
            return "NONE";
        case ToolChoice::required:
            return "ANY";
    }
    return "AUTO";
}

/// They do not take a schema for the reply together with tools; then it goes into words.
bool needs_words(const ChatRequest& request, const Endpoint& endpoint) {
    return request.output && (!request.tools.empty() || !endpoint.has_json_schema);
}

json::object generation_config_of(const ChatRequest& request, const Endpoint& endpoint) {
    json::object config;
    if (const auto temperature = wire::temperature_of(request, endpoint)) config["temperature"] = *temperature;
    if (const auto most = wire::max_tokens_of(request, endpoint)) config["maxOutputTokens"] = *most;
    if (!request.stop.empty()) config["stopSequences"] = json::array(request.stop.begin(), request.stop.end());
    if (request.output && !needs_words(request, endpoint)) {
        config["responseMimeType"] = "application/json";
        if (const auto* schema = request.output->schema.if_object()) config["responseSchema"] = google_schema(*schema);
    }
    return config;
}

/// The reason and the time to wait stand among the details, each told apart by its type.
ProviderSays read_google_error(const json::object& error) {
    ProviderSays says{.type = std::string(text_at(error, "status")), .message = std::string(text_at(error, "message"))};
    if (const std::int64_t status = count_at(error, "code"); status >= 400 && status < 600)
        says.status = static_cast<int>(status);
    const json::array* details = array_at(error, "details");
    if (!details) return says;
    for (const json::value& item : *details) {
        const json::object* detail = item.if_object();
        if (!detail) continue;
        const std::string_view type = text_at(*detail, "@type");
        if (type.ends_with("google.rpc.ErrorInfo")) says.code = text_at(*detail, "reason");
        if (type.ends_with("google.rpc.RetryInfo")) says.retry_after = seconds_from(text_at(*detail, "retryDelay"));
    }
    return says;
}

ProviderSays google_error_in(const json::object& body) {
    const json::object* error = object_at(body, "error");
    return error ? read_google_error(*error) : ProviderSays{};
}

class GoogleReader final : public StreamReader {
public:
    using StreamReader::StreamReader;

private:
    ModelResult<void> take(const json::object& event, const Tell& tell) override;
    ModelResult<void> take_part(const json::object& part, const Tell& tell);
    ModelResult<void> take_finish(std::string_view reason);
    void take_usage(const json::object& usage);
};

ModelResult<void> GoogleReader::take(const json::object& event, const Tell& tell) {
    if (const auto* error = object_at(event, "error"))
        return std::unexpected(provider_error(endpoint(), read_google_error(*error)));
    set_model(text_at(event, "modelVersion"));
    if (const auto* usage = object_at(event, "usageMetadata")) take_usage(*usage);

    const json::array* candidates = array_at(event, "candidates");
    if (!candidates || candidates->empty() || !candidates->front().is_object()) {
        const json::object* feedback = object_at(event, "promptFeedback");
        const std::string_view reason = feedback ? text_at(*feedback, "blockReason") : std::string_view();
        if (reason.empty()) return {};
        return fault(Fault::refused, endpoint().name,
                     fmt::format("the provider will not answer this content ({})", shown_words(reason, {})));
    }
    const json::object& candidate = candidates->front().get_object();
    const json::object* content = object_at(candidate, "content");
    if (const json::array* parts = content ? array_at(*content, "parts") : nullptr)
        for (const json::value& part : *parts)
            if (const auto* object = part.if_object())
                if (auto outcome = take_part(*object, tell); !outcome) return outcome;
    return take_finish(text_at(candidate, "finishReason"));
}

ModelResult<void> GoogleReader::take_part(const json::object& part, const Tell& tell) {
    if (wire::is_true(part, "thought")) return {};
    say(text_at(part, "text"), tell);
    const json::object* told = object_at(part, "functionCall");
    if (!told) return {};
    return call({.id = std::string(text_at(*told, "id")),
                 .name = std::string(text_at(*told, "name")),
                 .arguments = wire::arguments_text(told->if_contains("args")),
                 .signature = std::string(text_at(part, "thoughtSignature")),
                 .is_whole = true},
                tell);
}

ModelResult<void> GoogleReader::take_finish(std::string_view reason) {
    // The model's own slips; everything else that is neither an end nor a length keeps content back.
    constexpr std::array<std::string_view, 5> kSlips{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL",
                                                     "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
                                                     "MALFORMED_RESPONSE"};
    if (reason.empty() || reason == "FINISH_REASON_UNSPECIFIED") return {};
    if (std::ranges::find(kSlips, reason) != kSlips.end())
        return malformed(fmt::format("the model wrote a reply that cannot be used ({})", reason));
    if (reason == "STOP")
        end(FinishReason::stop);
    else
        end(reason == "MAX_TOKENS" ? FinishReason::length : FinishReason::refused);
    return {};
}

void GoogleReader::take_usage(const json::object& usage) {
    const Usage told{
        .input_tokens = count_at(usage, "promptTokenCount"),
        .output_tokens = count_at(usage, "candidatesTokenCount") + count_at(usage, "thoughtsTokenCount"),
        .cached_tokens = std::min(count_at(usage, "cachedContentTokenCount"), count_at(usage, "promptTokenCount"))};
    if (told.input_tokens > 0 || told.output_tokens > 0) set_usage(told);
}

class GoogleProtocol final : public Protocol {
public:
    explicit GoogleProtocol(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}

    [[nodiscard]] const Endpoint& endpoint() const override { return endpoint_; }

    [[nodiscard]] net::HttpRequest request(const ChatRequest& request) const override {
        const std::string path = fmt::format("/v1beta/{}:streamGenerateContent?alt=sse", model_path(endpoint_.model));
        auto written = wire::post(wire::address(endpoint_, kGoogleUrl, path), body_of(request));
        wire::add_key(written, "x-goog-api-key", "", endpoint_.key);
        return written;
    }

    [[nodiscard]] std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const override {
        return std::make_unique<GoogleReader>(endpoint_, request);
    }

    [[nodiscard]] ModelError error_of(const net::HttpResponse& response) const override {
        return provider_error(endpoint_, says_of(response, google_error_in));
    }

    [[nodiscard]] net::HttpRequest probe() const override {
        net::HttpRequest written{.url = wire::address(endpoint_, kGoogleUrl, "/v1beta/models?pageSize=1")};
        wire::add_key(written, "x-goog-api-key", "", endpoint_.key);
        return written;
    }

private:
    [[nodiscard]] json::object body_of(const ChatRequest& request) const {
        json::object body{{"contents", contents_of(request, endpoint_.model)}};
        std::string instruction = wire::system_text(request);
        if (needs_words(request, endpoint_)) {
            if (!instruction.empty()) instruction += "\n\n";
            instruction += wire::schema_in_words(*request.output);
        }
        if (!instruction.empty()) body["systemInstruction"] = {{"parts", json::array{{{"text", instruction}}}}};
        if (!request.tools.empty()) {
            body["tools"] = declared_tools(request);
            body["toolConfig"] = {{"functionCallingConfig", {{"mode", mode_for(request.tool_choice)}}}};
        }
        if (json::object config = generation_config_of(request, endpoint_); !config.empty())
            body["generationConfig"] = std::move(config);
        return body;
    }

    const Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Protocol> google_protocol(Endpoint endpoint) {
    return std::make_unique<GoogleProtocol>(std::move(endpoint));
}

}  // namespace quaestor::llm
