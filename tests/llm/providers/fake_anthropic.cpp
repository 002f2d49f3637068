#include "llm/providers/request_check.hpp"

#include <fmt/format.h>

#include <map>

namespace quaestor::test {

namespace {

using llm::Fault;
using llm::FinishReason;

std::string named(json::object data) {
    const std::string name = text_of(data.at("type"));
    return event(std::move(data), name);
}

std::string_view anthropic_stop_for(FinishReason reason) {
    switch (reason) {
        case FinishReason::stop:
            return "end_turn";
        case FinishReason::length:
            return "max_tokens";
        case FinishReason::tool_calls:
            return "tool_use";
        case FinishReason::refused:
            return "refusal";
    }
    return "end_turn";
}

/// Writes content blocks one after the other.
class Blocks {
public:
    explicit Blocks(std::vector<std::string>& events) : events_(events) {}

    void add(json::object block, std::string_view delta_type, std::string_view field,
             const std::vector<std::string>& pieces) {
        events_.push_back(
            named({{"type", "content_block_start"}, {"index", index_}, {"content_block", std::move(block)}}));
        for (const std::string& piece : pieces)
            events_.push_back(named({{"type", "content_block_delta"},
                                     {"index", index_},
                                     {"delta", {{"type", delta_type}, {field, piece}}}}));
        events_.push_back(named({{"type", "content_block_stop"}, {"index", index_}}));
        ++index_;
    }

    void add_tool(std::string_view name, std::vector<std::string> pieces) {
        pieces.insert(pieces.begin(), "");
        add({{"type", "tool_use"}, {"id", fmt::format("toolu_{}", index_)}, {"name", name}, {"input", json::object()}},
            "input_json_delta", "partial_json", pieces);
    }

private:
    std::vector<std::string>& events_;
    int index_ = 0;
};

class FakeAnthropic final : public FakeProvider {
public:
    std::unique_ptr<llm::Protocol> protocol(const std::string& server) const override {
        return llm::anthropic_protocol(
            {.name = "anthropic/fake", .model = "fake", .base_url = server, .key = kFakeKey});
    }

    Asked read(const ReceivedRequest& request) const override {
        const json::value body = posted(request, "/v1/messages", "x-api-key", kFakeKey);
        if (request.header("anthropic-version") != "2023-06-01") throw WrongRequest("anthropic-version");
        const auto& object = object_with(body, "body",
                                         {{"model", Kind::text},
                                          {"messages", Kind::list},
                                          {"max_tokens", Kind::number},
                                          {"stream", Kind::boolean},
                                          {"system", Kind::text, kOptional},
                                          {"temperature", Kind::number, kOptional},
                                          {"stop_sequences", Kind::list, kOptional},
                                          {"tools", Kind::list, kOptional},
                                          {"tool_choice", Kind::object, kOptional}});
        if (!object.at("stream").get_bool()) throw WrongRequest("stream: false");
        Asked asked{.model = text_of(object.at("model")),
                    .temperature = number_in(object, "temperature"),
                    .stop = texts_in(object, "stop_sequences")};
        const int most = object.at("max_tokens").to_number<int>();
        if (most != 4096) asked.max_tokens = most;
        if (const json::value* system = object.if_contains("system")) asked.system = text_of(*system);
        read_messages(object.at("messages").get_array(), asked);
        if (object.contains("tools")) read_tools(object, asked);
        return asked;
    }

    std::vector<std::string> stream(const ScriptedReply& reply) const override {
        std::vector<std::string> events{named({{"type", "message_start"},
                                               {"message",
                                                {{"id", "msg_1"},
                                                 {"type", "message"},
                                                 {"role", "assistant"},
                                                 {"model", "fake-1"},
                                                 {"content", json::array()},
                                                 {"stop_reason", nullptr},
                                                 {"usage",
                                                  {{"input_tokens", 90},
                                                   {"cache_creation_input_tokens", 10},
                                                   {"cache_read_input_tokens", 20},
                                                   {"output_tokens", 1}}}}}})};
        events.push_back(named({{"type", "ping"}}));
        Blocks blocks(events);
        if (!reply.output_tool.empty())
            blocks.add_tool(reply.output_tool, reply.text);
        else if (!reply.text.empty())
            blocks.add({{"type", "text"}, {"text", ""}}, "text_delta", "text", reply.text);
        for (const ScriptedCall& call : reply.calls) {
            const std::size_t half = call.arguments.size() / 2;
            blocks.add_tool(call.name, {call.arguments.substr(0, half), call.arguments.substr(half)});
        }
        const bool calls = (!reply.calls.empty() || !reply.output_tool.empty()) && reply.finish == FinishReason::stop;
        const std::string_view reason = anthropic_stop_for(calls ? FinishReason::tool_calls : reply.finish);
        events.push_back(named({{"type", "message_delta"},
                                {"delta", {{"stop_reason", reason}, {"stop_sequence", nullptr}}},
                                {"usage", {{"output_tokens", 34}}}}));
        events.push_back(named({{"type", "message_stop"}}));
        return events;
    }

    std::string text_event(const std::string& text) const override {
        return named(
            {{"type", "content_block_delta"}, {"index", 0}, {"delta", {{"type", "text_delta"}, {"text", text}}}});
    }

    Reply error(Fault fault) const override {
        switch (fault) {
            case Fault::auth:
                return error_body(401, "authentication_error", "invalid x-api-key");
            case Fault::rate_limited:
                return error_body(429, "rate_limit_error", "Rate limit reached");
            case Fault::overloaded:
                return error_body(529, "overloaded_error", "Overloaded");
            case Fault::context_too_long:
                return error_body(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum");
            case Fault::refused:
                return error_body(400, "invalid_request_error", "Output blocked by content filtering policy");
            default:
                return error_body(404, "not_found_error", "model: fake");
        }
    }

    std::string error_event() const override {
        return named({{"type", "error"}, {"error", {{"type", "overloaded_error"}, {"message", "Overloaded"}}}});
    }

    std::string probe_target() const override { return "/v1/models"; }

private:
    static Reply error_body(int status, std::string_view type, std::string_view message) {
        return Reply::json(
            to_text({{"type", "error"}, {"error", {{"type", type}, {"message", message}}}, {"request_id", "req_1"}}),
            status);
    }

    static void read_messages(const json::array& messages, Asked& asked) {
        std::string last;
        std::map<std::string, std::string> names;
        for (const json::value& item : messages) {
            const auto& message = object_with(item, "messages", {{"role", Kind::text}, {"content", Kind::list}});
            const std::string role = one_of(message.at("role"), "role", {"user", "assistant"});
            if (role == last) throw WrongRequest("messages: roles must alternate");
            last = role;
            for (const json::value& block : message.at("content").get_array()) read_block(block, role, names, asked);
        }
    }

    static void read_block(const json::value& block, const std::string& role, std::map<std::string, std::string>& names,
                           Asked& asked) {
        const std::string type = one_of(block.at("type"), "content.type", {"text", "tool_use", "tool_result"});
        if (type == "text") {
            const auto& text = object_with(block, "content", {{"type", Kind::text}, {"text", Kind::text}});
            if (text_of(text.at("text")).empty()) throw WrongRequest("text content blocks must be non-empty");
            asked.turns.push_back(fmt::format("{}: {}", role, text_of(text.at("text"))));
        } else if (type == "tool_use") {
            const auto& call =
                object_with(block, "content",
                            {{"type", Kind::text}, {"id", Kind::text}, {"name", Kind::text}, {"input", Kind::object}});
            names[text_of(call.at("id"))] = text_of(call.at("name"));
            asked.turns.push_back(fmt::format("call {} {}", text_of(call.at("name")), to_text(call.at("input"))));
        } else {
            const auto& result = object_with(
                block, "content", {{"type", Kind::text}, {"tool_use_id", Kind::text}, {"content", Kind::text}});
            const auto name = names.find(text_of(result.at("tool_use_id")));
            if (name == names.end() || role != "user") throw WrongRequest("a result that answers no call");
            asked.turns.push_back(fmt::format("result {} {}", name->second, text_of(result.at("content"))));
        }
    }

    /// The tool that must be called, or that stands last where any must, is the output.
    static void read_tools(const json::object& body, Asked& asked) {
        const auto& choice = object_with(body.at("tool_choice"), "tool_choice",
                                         {{"type", Kind::text},
                                          {"name", Kind::text, kOptional},
                                          {"disable_parallel_tool_use", Kind::boolean, kOptional}});
        const std::string type = one_of(choice.at("type"), "tool_choice.type", {"auto", "any", "none", "tool"});
        // Beside other tools the output is told by the name that the conformance list gives it.
        const std::string output = type == "tool" ? text_of(choice.at("name")) : "verdict";
        for (const json::value& item : body.at("tools").get_array()) {
            const auto& tool = object_with(
                item, "tools", {{"name", Kind::text}, {"description", Kind::text}, {"input_schema", Kind::object}});
            const std::string properties = properties_of(tool.at("input_schema"));
            const std::string name = text_of(tool.at("name"));
            if (name == output)
                asked.output = properties;
            else
                asked.tools.push_back(fmt::format("{}({}): {}", name, properties, text_of(tool.at("description"))));
        }
        if (type == "tool" && asked.output.empty()) throw WrongRequest("a tool is forced that is not there");
        if (!asked.output.empty() && type != "any" && type != "tool") throw WrongRequest("the output is not forced");
        if (asked.tools.empty()) return;
        asked.tool_choice = type == "auto" || !asked.output.empty() ? "automatic" : type == "any" ? "required" : "none";
    }
};

}  // namespace

std::unique_ptr<FakeProvider> fake_anthropic() {
    return std::make_unique<FakeAnthropic>();
}

}  // namespace quaestor::test
