#include "llm/providers/request_check.hpp"

#include <fmt/format.h>

#include <deque>

namespace quaestor::test {

namespace {

using llm::Fault;
using llm::FinishReason;

json::object candidate(json::array parts) {
    json::object content{{"role", "model"}, {"parts", std::move(parts)}};
    json::array candidates;
    candidates.push_back({{"content", std::move(content)}, {"index", 0}});
    return {{"candidates", std::move(candidates)}, {"modelVersion", "fake-1"}, {"responseId", "r1"}};
}

json::object text_part(const std::string& text) {
    return {{"text", text}};
}

std::string_view google_finish_for(FinishReason reason) {
    switch (reason) {
        case FinishReason::length:
            return "MAX_TOKENS";
        case FinishReason::refused:
            return "SAFETY";
        default:
            return "STOP";
    }
}

/// Their schemas: types in capitals, and none of the fields that only JSON Schema has.
void check_schema(const json::value& schema, const std::string& path) {
    const auto& object = object_with(schema, path,
                                     {{"type", Kind::text},
                                      {"description", Kind::text, kOptional},
                                      {"nullable", Kind::boolean, kOptional},
                                      {"enum", Kind::list, kOptional},
                                      {"items", Kind::object, kOptional},
                                      {"properties", Kind::object, kOptional},
                                      {"required", Kind::list, kOptional},
                                      {"propertyOrdering", Kind::list, kOptional}});
    one_of(object.at("type"), path + ".type", {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"});
    if (const json::value* items = object.if_contains("items")) check_schema(*items, path + "[]");
    const json::value* properties = object.if_contains("properties");
    if (!properties) return;
    if (object.at("propertyOrdering").get_array().size() != properties->get_object().size())
        throw WrongRequest(path + ": propertyOrdering does not name all properties");
    for (const auto& [name, property] : properties->get_object())
        check_schema(property, path + "." + std::string(name));
}

class FakeGoogle final : public FakeProvider {
public:
    std::unique_ptr<llm::Protocol> protocol(const std::string& server) const override {
        return llm::google_protocol({.name = "google/fake", .model = "fake", .base_url = server, .key = kFakeKey});
    }

    Asked read(const ReceivedRequest& request) const override {
        const json::value body =
            posted(request, "/v1beta/models/fake:streamGenerateContent?alt=sse", "x-goog-api-key", kFakeKey);
        const auto& object = object_with(body, "body",
                                         {{"contents", Kind::list},
                                          {"systemInstruction", Kind::object, kOptional},
                                          {"tools", Kind::list, kOptional},
                                          {"toolConfig", Kind::object, kOptional},
                                          {"generationConfig", Kind::object, kOptional}});
        Asked asked{.model = "fake"};
        read_contents(object.at("contents").get_array(), asked);
        if (const json::value* config = object.if_contains("generationConfig")) read_config(*config, asked);
        if (const json::value* system = object.if_contains("systemInstruction")) read_system(*system, asked);
        if (object.contains("tools")) read_tools(object, asked);
        return asked;
    }

    std::vector<std::string> stream(const ScriptedReply& reply) const override {
        std::vector<std::string> events;
        json::object thought{{"text", "hm"}, {"thought", true}};
        json::array first;
        first.push_back(std::move(thought));
        events.push_back(event(candidate(std::move(first))));
        for (const std::string& text : reply.text) events.push_back(text_event(text));
        for (const ScriptedCall& call : reply.calls) {
            json::array parts;
            parts.push_back({{"functionCall", {{"name", call.name}, {"args", parse_json(call.arguments).value()}}},
                             {"thoughtSignature", "c2lnbmF0dXJl"}});
            events.push_back(event(candidate(std::move(parts))));
        }
        json::object last = candidate({});
        last["candidates"].at(0).as_object()["finishReason"] = google_finish_for(reply.finish);
        last["usageMetadata"] = {{"promptTokenCount", 120},
                                 {"candidatesTokenCount", 30},
                                 {"thoughtsTokenCount", 4},
                                 {"cachedContentTokenCount", 20},
                                 {"totalTokenCount", 154}};
        events.push_back(event(last));
        return events;
    }

    std::string text_event(const std::string& text) const override {
        json::array parts;
        parts.push_back(text_part(text));
        return event(candidate(std::move(parts)));
    }

    Reply error(Fault fault) const override {
        switch (fault) {
            case Fault::auth:
                return key_error();
            case Fault::rate_limited:
                return error_body(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota");
            case Fault::overloaded:
                return error_body(503, "UNAVAILABLE", "The model is overloaded");
            case Fault::context_too_long:
                return error_body(400, "INVALID_ARGUMENT",
                                  "The input token count (9) exceeds the maximum number of tokens allowed (8).");
            case Fault::refused:
                return Reply(200)
                    .header("content-type", "text/event-stream")
                    .body(event({{"promptFeedback", {{"blockReason", "PROHIBITED_CONTENT"}}}}));
            default:
                return error_body(404, "NOT_FOUND", "models/fake is not found");
        }
    }

    std::string error_event() const override {
        return event({{"error", {{"code", 503}, {"message", "Overloaded"}, {"status", "UNAVAILABLE"}}}});
    }

    std::string probe_target() const override { return "/v1beta/models?pageSize=1"; }

private:
    static Reply error_body(int status, std::string_view name, std::string_view message) {
        return Reply::json(to_text({{"error", {{"code", status}, {"message", message}, {"status", name}}}}), status);
    }

    static Reply key_error() {
        return Reply::json(
            R"({"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[)"
            R"({"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}})",
            400);
    }

    static void read_contents(const json::array& contents, Asked& asked) {
        std::string last;
        std::deque<std::string> open;  // calls that wait for their results, which come in the same order
        for (const json::value& item : contents) {
            const auto& content = object_with(item, "contents", {{"role", Kind::text}, {"parts", Kind::list}});
            const std::string role = one_of(content.at("role"), "role", {"user", "model"});
            if (role == last) throw WrongRequest("contents: roles must alternate");
            last = role;
            for (const json::value& part : content.at("parts").get_array()) read_part(part, role, open, asked);
        }
    }

    static void read_part(const json::value& value, const std::string& role, std::deque<std::string>& open,
                          Asked& asked) {
        const auto& part = object_with(value, "parts",
                                       {{"text", Kind::text, kOptional},
                                        {"functionCall", Kind::object, kOptional},
                                        {"functionResponse", Kind::object, kOptional},
                                        {"thoughtSignature", Kind::text, kOptional}});
        if (const json::value* text = part.if_contains("text"))
            asked.turns.push_back(fmt::format("{}: {}", role == "model" ? "assistant" : role, text_of(*text)));
        if (const json::value* item = part.if_contains("functionCall")) {
            const auto& call = object_with(*item, "functionCall", {{"name", Kind::text}, {"args", Kind::object}});
            if (text_of(part.at("thoughtSignature")) != "c2lnbmF0dXJl") throw WrongRequest("the signature is lost");
            open.push_back(text_of(call.at("name")));
            asked.turns.push_back(fmt::format("call {} {}", open.back(), to_text(call.at("args"))));
        }
        if (const json::value* item = part.if_contains("functionResponse")) {
            const auto& result =
                object_with(*item, "functionResponse", {{"name", Kind::text}, {"response", Kind::object}});
            if (open.empty() || open.front() != text_of(result.at("name")))
                throw WrongRequest("a result that answers no call");
            open.pop_front();
            asked.turns.push_back(
                fmt::format("result {} {}", text_of(result.at("name")), text_of(result.at("response").at("output"))));
        }
    }

    static void read_config(const json::value& value, Asked& asked) {
        const auto& config = object_with(value, "generationConfig",
                                         {{"temperature", Kind::number, kOptional},
                                          {"maxOutputTokens", Kind::number, kOptional},
                                          {"stopSequences", Kind::list, kOptional},
                                          {"responseMimeType", Kind::text, kOptional},
                                          {"responseSchema", Kind::object, kOptional}});
        asked.temperature = number_in(config, "temperature");
        if (const auto most = number_in(config, "maxOutputTokens")) asked.max_tokens = static_cast<int>(*most);
        asked.stop = texts_in(config, "stopSequences");
        const json::value* schema = config.if_contains("responseSchema");
        if (!schema) return;
        one_of(config.at("responseMimeType"), "responseMimeType", {"application/json"});
        check_schema(*schema, "responseSchema");
        asked.output = properties_of(*schema);
    }

    static void read_system(const json::value& value, Asked& asked) {
        const auto& parts = object_with(value, "systemInstruction", {{"parts", Kind::list}}).at("parts").get_array();
        asked.system = text_of(object_with(parts.at(0), "parts", {{"text", Kind::text}}).at("text"));
        const std::size_t words = asked.system.find(kSchemaWords);
        if (words == std::string::npos) return;
        asked.output = properties_of(parse_json(asked.system.substr(asked.system.find('{', words))).value());
        asked.system.resize(words > 1 ? words - 2 : 0);
    }

    static void read_tools(const json::object& body, Asked& asked) {
        for (const json::value& group : body.at("tools").get_array()) {
            const auto& tools = object_with(group, "tools", {{"functionDeclarations", Kind::list}});
            for (const json::value& item : tools.at("functionDeclarations").get_array()) {
                const auto& tool = object_with(
                    item, "functionDeclarations",
                    {{"name", Kind::text}, {"description", Kind::text}, {"parameters", Kind::object, kOptional}});
                const json::value* parameters = tool.if_contains("parameters");
                if (parameters) check_schema(*parameters, "parameters");
                asked.tools.push_back(fmt::format("{}({}): {}", text_of(tool.at("name")),
                                                  parameters ? properties_of(*parameters) : "",
                                                  text_of(tool.at("description"))));
            }
        }
        if (!asked.output.empty() && body.contains("generationConfig") &&
            body.at("generationConfig").get_object().contains("responseMimeType"))
            throw WrongRequest("Function calling with a response mime type: 'application/json' is unsupported");
        const auto& config =
            object_with(body.at("toolConfig"), "toolConfig", {{"functionCallingConfig", Kind::object}});
        const auto& mode = object_with(config.at("functionCallingConfig"), "config", {{"mode", Kind::text}});
        const std::string word = one_of(mode.at("mode"), "mode", {"AUTO", "ANY", "NONE"});
        asked.tool_choice = word == "AUTO" ? "automatic" : word == "ANY" ? "required" : "none";
    }
};

}  // namespace

std::unique_ptr<FakeProvider> fake_google() {
    return std::make_unique<FakeGoogle>();
}

}  // namespace quaestor::test
