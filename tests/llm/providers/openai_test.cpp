#include "llm/protocol.hpp"
#include "llm/providers/stream_kit.hpp"

#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

using test::body_of;
using test::events;
using test::joined;
using test::read_reply;

std::unique_ptr<Protocol> openai() {
    return openai_protocol({.name = "openai/gpt-5-mini", .model = "gpt-5-mini", .key = "sk-test-0123456789"});
}

Endpoint local() {
    return {.name = "local/qwen", .model = "qwen", .base_url = "http://127.0.0.1:11434/v1"};
}

Tool tool(std::string_view schema) {
    return {"sum", "adds", parse_json(schema).value()};
}

OutputShape verdict() {
    return {"verdict", parse_json(R"({"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],
                                      "additionalProperties":false})")
                           .value()};
}

TEST(OpenAiRequest, GoesToOpenAiWithTheKeyInAHeader) {
    const auto request = openai()->request({.messages = {user("hello")}});
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.url, "https://api.openai.com/v1/chat/completions");
    EXPECT_EQ(request.headers.back().name, "authorization");
    EXPECT_EQ(request.headers.back().value, "Bearer sk-test-0123456789");
    EXPECT_EQ(openai()->probe().url, "https://api.openai.com/v1/models");
}

TEST(OpenAiRequest, AKeyFromAFileWithALineEndMakesNoSecondHeader) {
    const auto protocol = openai_protocol({.name = "x", .model = "m", .key = "sk-1\r\nx-evil: 1\n"});
    EXPECT_EQ(protocol->request({}).headers.back().value, "Bearer sk-1x-evil:1");
}

TEST(OpenAiRequest, WithoutAKeyThereIsNoHeaderForIt) {
    for (const auto& header : openai_protocol(local())->request({}).headers) EXPECT_NE(header.name, "authorization");
}

TEST(OpenAiRequest, TheNumberOfTokensIsNamedAsTheServerWantsIt) {
    const ChatRequest request{.messages = {user("hello")}, .max_tokens = 50};
    EXPECT_EQ(body_of(*openai(), request).at("max_completion_tokens"), 50);
    const auto compatible = body_of(*openai_protocol(local()), request);
    EXPECT_EQ(compatible.at("max_tokens"), 50);
    EXPECT_FALSE(compatible.contains("max_completion_tokens"));
}

TEST(OpenAiRequest, OnlySchemasThatLeaveNothingOpenAreStrict) {
    const auto is_strict = [](std::string_view schema) {
        const auto body = body_of(*openai(), {.tools = {tool(schema)}});
        return body.at("tools").at(0).at("function").get_object().contains("strict");
    };
    EXPECT_TRUE(is_strict(R"({"type":"object","properties":{},"required":[],"additionalProperties":false})"));
    EXPECT_TRUE(is_strict(R"({"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],
                              "additionalProperties":false})"));
    EXPECT_FALSE(is_strict(R"({"type":"object","properties":{"a":{"type":"string"}},"required":[],
                               "additionalProperties":false})"));
    EXPECT_FALSE(is_strict(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"));
    EXPECT_FALSE(is_strict(R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},
                               "required":["a"],"additionalProperties":false})"));
    EXPECT_FALSE(is_strict(R"({"type":"object"})"));
}

TEST(OpenAiRequest, AServerWithoutJsonSchemaGetsItInWordsInItsOnlySystemMessage) {
    Endpoint endpoint = local();
    endpoint.has_json_schema = false;
    const auto body =
        body_of(*openai_protocol(endpoint), {.messages = {system("be brief"), user("hi")}, .output = verdict()});
    EXPECT_EQ(body.at("messages").get_array().size(), 2U);
    const std::string words(body.at("messages").at(0).at("content").get_string());
    EXPECT_TRUE(words.starts_with("be brief\n\n"));
    EXPECT_TRUE(words.contains(to_text(verdict().schema)));
    EXPECT_EQ(body.at("response_format"), json::parse(R"({"type":"json_object"})"));
}

TEST(OpenAiRequest, WithoutASystemMessageTheWordsBecomeOne) {
    Endpoint endpoint = local();
    endpoint.has_json_schema = false;
    const auto body = body_of(*openai_protocol(endpoint),
                              {.messages = {user("hi")}, .tools = {tool(R"({"type":"object"})")}, .output = verdict()});
    EXPECT_EQ(body.at("messages").at(0).at("role"), "system");
    EXPECT_EQ(body.at("messages").at(1).at("content"), "hi");
    EXPECT_FALSE(body.contains("response_format")) << "it would keep the model from calling tools";
}

TEST(OpenAiRequest, AServerThatRefusesStreamOptionsGetsNone) {
    Endpoint endpoint = local();
    endpoint.has_stream_usage = false;
    EXPECT_FALSE(body_of(*openai_protocol(endpoint), {}).contains("stream_options"));
}

TEST(OpenAiRequest, BytesThatAreNoUtf8DoNotBreakTheJson) {
    EXPECT_EQ(body_of(*openai(), {.messages = {user("a\xff")}}).at("messages").at(0).at("content"), "a\uFFFD");
}

constexpr std::string_view kHello =
    R"({"model":"gpt-5-mini-2026","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"}}]})";
constexpr std::string_view kLo = R"({"choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":null}]})";
constexpr std::string_view kStopped = R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";

TEST(OpenAiReply, AStreamIsReadWhereverItIsCut) {
    const std::string stream = events({std::string(kHello), std::string(kLo), std::string(kStopped), "[DONE]"});
    for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
        const auto read = read_reply(*openai(), stream, piece);
        ASSERT_TRUE(read.reply) << piece;
        EXPECT_EQ(read.reply.value().message.content, "Hello");
        EXPECT_EQ(read.reply.value().model, "gpt-5-mini-2026");
        EXPECT_TRUE(read.was_complete);
        ASSERT_EQ(read.deltas.size(), 2U);
    }
}

TEST(OpenAiReply, CarriageReturnsCommentsAndAMissingDoneAreTaken) {
    const std::string stream = ": OPENROUTER PROCESSING\r\n\r\ndata: " + std::string(kHello) +
                               "\r\n\r\ndata:" + std::string(kStopped) + "\r\n";
    const auto read = read_reply(*openai(), stream, 7);
    ASSERT_TRUE(read.reply) << read.reply.error().error.message;
    EXPECT_EQ(read.reply.value().message.content, "Hel");
    EXPECT_FALSE(read.was_complete);
}

TEST(OpenAiReply, WhatBreaksOffIsMalformed) {
    const auto read = read_reply(*openai(), events({std::string(kHello), std::string(kLo)}));
    ASSERT_FALSE(read.reply);
    EXPECT_EQ(read.reply.error().fault, Fault::malformed);
    EXPECT_EQ(read.reply.error().error.message, "openai/gpt-5-mini: the reply broke off before its end");
    EXPECT_EQ(joined(read.deltas).content, "Hello");
}

TEST(OpenAiReply, ATornEventBehindTheEndTakesNothingFromTheReply) {
    const auto read = read_reply(*openai(), events({std::string(kHello), std::string(kStopped)}) + "data: {\"cho");
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().message.content, "Hel");
}

TEST(OpenAiReply, MissingUsageIsEstimated) {
    const ChatRequest request{.messages = {user("How many are there?")}};
    const auto read =
        read_reply(*openai(), events({std::string(kHello), std::string(kStopped), "[DONE]"}), 64, request);
    ASSERT_TRUE(read.reply);
    EXPECT_TRUE(read.reply.value().usage.is_estimate);
    EXPECT_EQ(read.reply.value().usage.input_tokens, 9);
    EXPECT_EQ(read.reply.value().usage.output_tokens, 1);
}

TEST(OpenAiReply, UsageOfZerosCountsAsMissingAndTheLastOneWins) {
    const auto with = [](std::string_view usage) {
        return read_reply(*openai(), events({R"({"usage":{"prompt_tokens":5,"completion_tokens":1},"choices":[]})",
                                             std::string(kStopped), std::string(usage), "[DONE]"}));
    };
    EXPECT_EQ(with(R"({"usage":{"prompt_tokens":0,"completion_tokens":0}})").reply.value().usage.input_tokens, 5);
    const auto usage = with(R"({"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":
                                {"cached_tokens":4}},"choices":[]})")
                           .reply.value()
                           .usage;
    EXPECT_EQ(usage.input_tokens, 9);
    EXPECT_EQ(usage.cached_tokens, 4);
    EXPECT_FALSE(usage.is_estimate);
}

TEST(OpenAiReply, AbsurdCountsAreBounded) {
    const auto read = read_reply(*openai(), events({R"({"usage":{"prompt_tokens":1e300,"completion_tokens":-5,
        "prompt_tokens_details":{"cached_tokens":18446744073709551615}}})",
                                                    std::string(kStopped), "[DONE]"}));
    EXPECT_EQ(read.reply.value().usage.input_tokens, 1'000'000'000'000);
    EXPECT_EQ(read.reply.value().usage.output_tokens, 0);
    EXPECT_EQ(read.reply.value().usage.cached_tokens, 1'000'000'000'000);
}

TEST(OpenAiReply, AWholeJsonReplyInPlaceOfAStreamIsTaken) {
    const auto read = read_reply(*openai(), R"( {"object":"chat.completion","model":"m","choices":[{"index":0,
        "message":{"role":"assistant","content":"Hi","tool_calls":[
            {"id":"a","type":"function","function":{"name":"sum","arguments":{"x":1}}},
            {"type":"function","function":{"name":"sum","arguments":"{}"}}]},
        "finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}})",
                                 5);
    ASSERT_TRUE(read.reply) << read.reply.error().error.message;
    EXPECT_EQ(read.reply.value().message.content, "Hi");
    EXPECT_EQ(read.reply.value().finish, FinishReason::tool_calls);
    ASSERT_EQ(read.reply.value().message.tool_calls.size(), 2U);
    EXPECT_EQ(read.reply.value().message.tool_calls[0].arguments, R"({"x":1})");
    EXPECT_EQ(joined(read.deltas), read.reply.value().message);
}

TEST(OpenAiReply, RefusalsAreToldAndEndAsRefused) {
    const auto read = read_reply(
        *openai(), events({R"({"choices":[{"delta":{"refusal":"I can't "}}]})",
                           R"({"choices":[{"delta":{"refusal":"do that"}}]})", std::string(kStopped), "[DONE]"}));
    EXPECT_EQ(read.reply.value().finish, FinishReason::refused);
    EXPECT_EQ(read.reply.value().message.content, "I can't do that");
}

TEST(OpenAiReply, ThoughtsAreSkipped) {
    const auto read = read_reply(
        *openai(),
        events(
            {R"({"choices":[{"delta":{"reasoning_content":"hm"}}]})",
             R"({"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"Hi"}]}}]})",
             std::string(kStopped), "[DONE]"}));
    EXPECT_EQ(read.reply.value().message.content, "Hi");
    EXPECT_EQ(read.deltas.size(), 1U);
}

TEST(OpenAiReply, AnErrorInsideTheStreamIsItsFault) {
    const auto fault_of = [](std::string_view event) {
        return read_reply(*openai(), events({std::string(kHello), std::string(event)})).reply.error();
    };
    EXPECT_EQ(fault_of(R"({"error":{"message":"The server had an error","type":"server_error"}})").fault,
              Fault::overloaded);
    EXPECT_EQ(fault_of(R"({"error":{"message":"Provider returned error","code":429}})").fault, Fault::rate_limited);
    EXPECT_EQ(
        fault_of(R"({"object":"error","message":"This model's maximum context length is 8 tokens","code":400})").fault,
        Fault::context_too_long);
    EXPECT_EQ(fault_of(R"({"error":"model runner has stopped"})").error.message,
              "openai/gpt-5-mini: the provider is overloaded or has a fault of its own: model runner has stopped");
}

TEST(OpenAiReply, WhatIsNoJsonOrNoObjectIsMalformed) {
    for (const std::string event : {"{\"choices\":", "7", "[]", "hello"}) {
        const auto read = read_reply(*openai(), events({event}));
        ASSERT_FALSE(read.reply) << event;
        EXPECT_EQ(read.reply.error().fault, Fault::malformed);
    }
    EXPECT_EQ(read_reply(*openai(), "").reply.error().error.message, "openai/gpt-5-mini: the reply is empty");
    EXPECT_TRUE(read_reply(*openai(), "<html>").reply.error().error.message.contains("a web page"));
    EXPECT_TRUE(read_reply(*openai(), "{\"choices\":[").reply.error().error.message.contains("no complete JSON"));
}

TEST(OpenAiReply, AFaultStays) {
    const auto reader = openai()->reader({});
    const ReplyReader::Tell tell = [](const Delta&) {};
    EXPECT_FALSE(reader->feed("data: nonsense\n\n", tell));
    EXPECT_FALSE(reader->feed(events({std::string(kHello), std::string(kStopped), "[DONE]"}), tell));
    EXPECT_FALSE(reader->finish(tell));
}

}  // namespace
}  // namespace quaestor::llm
