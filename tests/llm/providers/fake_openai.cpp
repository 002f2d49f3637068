#include "llm/providers/request_check.hpp"

#include <fmt/format.h>

#include <map>

namespace quaestor::test {

namespace {

using llm::Fault;
using llm::FinishReason;

json::object chunk(json::object delta, json::value finish = nullptr) {
    json::array choices;
    choices.push_back({{"index", 0}, {"delta", std::move(delta)}, {"finish_reason", std::move(finish)}});
    return {{"id", "chatcmpl-1"},
            {"object", "chat.completion.chunk"},
            {"created", 1},
            {"model", "fake-1"},
            {"choices", std::move(choices)}};
}

std::string_view openai_finish_for(FinishReason reason) {
    switch (reason) {
        case FinishReason::stop:
            return "stop";
        case FinishReason::length:
            return "length";
        case FinishReason::tool_calls:
            return "tool_calls";
        case FinishReason::refused:
            return "content_filter";
    }
    return "stop";
}

/// Reads a request's messages; calls are known by their ids to the results behind them.
class MessageReader {
public:
    explicit MessageReader(Asked& asked) : asked_(asked) {}

    void read(const json::value& message, const std::string& path) {
        const std::string role = one_of(message.at("role"), path, {"system", "user", "assistant", "tool"});
        if (role == "assistant") return read_assistant(message, path);
        if (role == "tool") return read_result(message, path);
        const auto& object = object_with(message, path, {{"role", Kind::text}, {"content", Kind::text}});
        const std::string text = text_of(object.at("content"));
        if (role == "system")
            asked_.system += text;
        else
            asked_.turns.push_back("user: " + text);
    }

private:
    void read_assistant(const json::value& message, const std::string& path) {
        const auto& object = object_with(
            message, path, {{"role", Kind::text}, {"content", Kind::any}, {"tool_calls", Kind::list, kOptional}});
        const json::value* calls = object.if_contains("tool_calls");
        if (object.at("content").is_null() && !calls) throw WrongRequest(path + ": says nothing");
        if (!object.at("content").is_null()) asked_.turns.push_back("assistant: " + text_of(object.at("content")));
        if (!calls) return;
        for (const json::value& item : calls->get_array()) {
            const auto& call = object_with(item, path + ".tool_calls",
                                           {{"id", Kind::text}, {"type", Kind::text}, {"function", Kind::object}});
            one_of(call.at("type"), path, {"function"});
            const auto& function =
                object_with(call.at("function"), path + ".function", {{"name", Kind::text}, {"arguments", Kind::text}});
            names_[text_of(call.at("id"))] = text_of(function.at("name"));
            asked_.turns.push_back(
                fmt::format("call {} {}", text_of(function.at("name")), text_of(function.at("arguments"))));
        }
    }

    void read_result(const json::value& message, const std::string& path) {
        const auto& object =
            object_with(message, path, {{"role", Kind::text}, {"content", Kind::text}, {"tool_call_id", Kind::text}});
        const auto name = names_.find(text_of(object.at("tool_call_id")));
        if (name == names_.end()) throw WrongRequest(path + ": answers no call");
        asked_.turns.push_back(fmt::format("result {} {}", name->second, text_of(object.at("content"))));
    }

    Asked& asked_;
    std::map<std::string, std::string> names_;
};

class FakeOpenAi : public FakeProvider {
public:
    std::unique_ptr<llm::Protocol> protocol(const std::string& server) const override {
        return llm::openai_protocol(
            {.name = "openai/fake", .model = "fake", .base_url = server + "/v1", .key = kFakeKey});
    }

    Asked read(const ReceivedRequest& request) const override {
        const json::value body = posted(request, "/v1/chat/completions", "authorization", "Bearer " + kFakeKey);
        const auto& object = object_with(body, "body",
                                         {{"model", Kind::text},
                                          {"messages", Kind::list},
                                          {"stream", Kind::boolean},
                                          {"stream_options", Kind::object, kOptional},
                                          {"temperature", Kind::number, kOptional},
                                          {"max_tokens", Kind::number, kOptional},
                                          {"stop", Kind::list, kOptional},
                                          {"tools", Kind::list, kOptional},
                                          {"tool_choice", Kind::text, kOptional},
                                          {"response_format", Kind::object, kOptional}});
        Asked asked{.model = text_of(object.at("model")),
                    .temperature = number_in(object, "temperature"),
                    .stop = texts_in(object, "stop")};
        if (!object.at("stream").get_bool()) throw WrongRequest("stream: false");
        check_stream_options(object.if_contains("stream_options"));
        if (const auto most = number_in(object, "max_tokens")) asked.max_tokens = static_cast<int>(*most);
        MessageReader messages(asked);
        for (const json::value& message : object.at("messages").get_array()) messages.read(message, "messages");
        read_tools(object, asked);
        read_output(object.if_contains("response_format"), asked);
        return asked;
    }

    std::vector<std::string> stream(const ScriptedReply& reply) const override {
        std::vector<std::string> events{event(chunk({{"role", "assistant"}, {"content", ""}}))};
        for (const std::string& text : reply.text) events.push_back(text_event(text));
        for (std::size_t at = 0; at < reply.calls.size(); ++at) add_call(reply.calls[at], at, events);
        const bool calls = !reply.calls.empty() && reply.finish == FinishReason::stop;
        events.push_back(
            event(chunk({}, json::value(openai_finish_for(calls ? FinishReason::tool_calls : reply.finish)))));
        json::object usage = chunk({});
        usage["choices"] = json::array();
        usage["usage"] = {{"prompt_tokens", 120},
                          {"completion_tokens", 34},
                          {"total_tokens", 154},
                          {"prompt_tokens_details", {{"cached_tokens", 20}}}};
        events.push_back(event(usage));
        events.emplace_back("data: [DONE]\n\n");
        return events;
    }

    std::string text_event(const std::string& text) const override { return event(chunk({{"content", text}})); }

    Reply error(Fault fault) const override {
        switch (fault) {
            case Fault::auth:
                return error_body(401, "invalid_request_error", "invalid_api_key", "Incorrect API key");
            case Fault::rate_limited:
                return error_body(429, "requests", "rate_limit_exceeded", "Rate limit reached");
            case Fault::overloaded:
                return error_body(503, "server_error", nullptr, "Overloaded");
            case Fault::context_too_long:
                return error_body(400, "invalid_request_error", "context_length_exceeded", "Too long");
            case Fault::refused:
                return error_body(400, "invalid_request_error", "content_policy_violation", "Against the rules");
            default:
                return error_body(404, "invalid_request_error", "model_not_found", "No such model");
        }
    }

    std::string error_event() const override {
        return event({{"error", {{"message", "Overloaded"}, {"type", "server_error"}, {"code", nullptr}}}});
    }

    std::string probe_target() const override { return "/v1/models"; }

protected:
    static Reply error_body(int status, std::string_view type, json::value code, std::string_view message) {
        return Reply::json(
            to_text({{"error", {{"message", message}, {"type", type}, {"param", nullptr}, {"code", std::move(code)}}}}),
            status);
    }

private:
    virtual void check_stream_options(const json::value* options) const {
        if (!options) throw WrongRequest("stream_options: missing, so usage is not told");
        const auto& object = object_with(*options, "stream_options", {{"include_usage", Kind::boolean}});
        if (!object.at("include_usage").get_bool()) throw WrongRequest("include_usage: false");
    }

    virtual void read_output(const json::value* format, Asked& asked) const {
        if (!format) return;
        const auto& object =
            object_with(*format, "response_format", {{"type", Kind::text}, {"json_schema", Kind::object}});
        one_of(object.at("type"), "response_format.type", {"json_schema"});
        const auto& shape = object_with(object.at("json_schema"), "json_schema",
                                        {{"name", Kind::text}, {"schema", Kind::object}, {"strict", Kind::boolean}});
        if (!shape.at("strict").get_bool()) throw WrongRequest("strict: false");
        asked.output = properties_of(shape.at("schema"));
    }

    virtual void add_call(const ScriptedCall& call, std::size_t at, std::vector<std::string>& events) const {
        const auto piece = [&](json::object written) {
            written["index"] = at;
            json::array calls;
            calls.push_back(std::move(written));
            events.push_back(event(chunk({{"tool_calls", std::move(calls)}})));
        };
        piece({{"id", fmt::format("call_{}", at)},
               {"type", "function"},
               {"function", {{"name", call.name}, {"arguments", ""}}}});
        const std::size_t half = call.arguments.size() / 2;
        piece({{"function", {{"arguments", call.arguments.substr(0, half)}}}});
        piece({{"function", {{"arguments", call.arguments.substr(half)}}}});
    }

    static void read_tools(const json::object& body, Asked& asked) {
        const json::value* tools = body.if_contains("tools");
        if (!tools) return;
        for (const json::value& item : tools->get_array()) {
            const auto& tool = object_with(item, "tools", {{"type", Kind::text}, {"function", Kind::object}});
            one_of(tool.at("type"), "tools.type", {"function"});
            const auto& function = object_with(tool.at("function"), "tools.function",
                                               {{"name", Kind::text},
                                                {"description", Kind::text},
                                                {"parameters", Kind::object},
                                                {"strict", Kind::boolean, kOptional}});
            asked.tools.push_back(fmt::format("{}({}): {}", text_of(function.at("name")),
                                              properties_of(function.at("parameters")),
                                              text_of(function.at("description"))));
        }
        asked.tool_choice = one_of(body.at("tool_choice"), "tool_choice", {"auto", "none", "required"});
        if (asked.tool_choice == "auto") asked.tool_choice = "automatic";
    }
};

/// A server that speaks it with an accent: no json_schema, no usage, calls at once without id or index and with their
/// arguments as objects, lines that end with \r\n, thoughts, and no [DONE].
class FakeCompatible final : public FakeOpenAi {
public:
    std::unique_ptr<llm::Protocol> protocol(const std::string& server) const override {
        return llm::openai_protocol({.name = "compatible/fake",
                                     .model = "fake",
                                     .base_url = server + "/v1/",
                                     .key = kFakeKey,
                                     .has_json_schema = false,
                                     .has_stream_usage = false});
    }

    Asked read(const ReceivedRequest& request) const override {
        Asked asked = FakeOpenAi::read(request);
        const std::size_t words = asked.system.find(kSchemaWords);
        if (words == std::string::npos) return asked;
        const std::size_t schema = asked.system.find('{', words);
        asked.output = properties_of(parse_json(asked.system.substr(schema)).value());
        asked.system.resize(words > 1 ? words - 2 : 0);
        return asked;
    }

    std::vector<std::string> stream(const ScriptedReply& reply) const override {
        std::vector<std::string> events = FakeOpenAi::stream(reply);
        events.resize(events.size() - 2);  // usage and [DONE]
        events.insert(events.begin() + 1, event(chunk({{"reasoning_content", "hm"}})));
        for (std::string& text : events) {
            text.resize(text.size() - 2);
            text += "\r\n\r\n";
        }
        return events;
    }

    Reply error(Fault fault) const override {
        if (fault == Fault::rate_limited) return Reply(429);
        if (fault == Fault::context_too_long)
            return Reply::json(R"({"object":"error","message":"maximum context length is 8 tokens","code":400})", 400);
        return FakeOpenAi::error(fault);
    }

    bool tells_usage() const override { return false; }

private:
    void check_stream_options(const json::value* options) const override {
        if (options) throw WrongRequest("stream_options: unknown");
    }

    void read_output(const json::value* format, Asked&) const override {
        if (!format) return;
        one_of(object_with(*format, "response_format", {{"type", Kind::text}}).at("type"), "type", {"json_object"});
    }

    void add_call(const ScriptedCall& call, std::size_t, std::vector<std::string>& events) const override {
        json::array calls;
        calls.push_back({{"function", {{"name", call.name}, {"arguments", parse_json(call.arguments).value()}}}});
        events.push_back(event(chunk({{"tool_calls", std::move(calls)}})));
    }
};

}  // namespace

std::unique_ptr<FakeProvider> fake_openai() {
    return std::make_unique<FakeOpenAi>();
}

std::unique_ptr<FakeProvider> fake_compatible() {
    return std::make_unique<FakeCompatible>();
}

}  // namespace quaestor::test
