#include "llm/protocol.hpp"
#include "llm/providers/stream_kit.hpp"

#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

using test::body_of;
using test::events;
using test::joined;
using test::read_reply;

std::unique_ptr<Protocol> anthropic(std::string base_url = {}) {
    return anthropic_protocol(
        {.name = "anthropic/claude", .model = "claude", .base_url = std::move(base_url), .key = "sk-ant-test-0123"});
}

const json::value kSchema = json::parse(R"({"type":"object","properties":{"ok":{"type":"boolean"}}})");

const std::string kStart =
    R"({"type":"message_start","message":{"model":"claude-x","usage":{"input_tokens":10,"cache_read_input_tokens":5,)"
    R"("cache_creation_input_tokens":2,"output_tokens":1}}})";
const std::string kEnd = R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":20}})";
const std::string kStop = R"({"type":"message_stop"})";

TEST(AnthropicRequest, TheVersionIsWrittenOnceWhereverTheAddressEnds) {
    EXPECT_EQ(anthropic()->request({}).url, "https://api.anthropic.com/v1/messages");
    EXPECT_EQ(anthropic("http://proxy:8080/")->request({}).url, "http://proxy:8080/v1/messages");
    EXPECT_EQ(anthropic("http://proxy/claude/v1")->request({}).url, "http://proxy/claude/v1/messages");
    EXPECT_EQ(anthropic()->probe().url, "https://api.anthropic.com/v1/models");
}

TEST(AnthropicRequest, ResultsOfToolsAndTheNextQuestionAreOneMessage) {
    const ToolCall first{"a", "sum", R"({"x":1})"};
    const ToolCall second{"b", "sum", "not json"};
    const auto body = body_of(*anthropic(), {.messages = {system("one"),
                                                          user("q"),
                                                          {.role = Role::assistant, .tool_calls = {first, second}},
                                                          tool_result(first, "1"),
                                                          tool_result(second, "2"),
                                                          user("and now?"),
                                                          system("two"),
                                                          assistant("")}});
    EXPECT_EQ(body.at("system"), "one\n\ntwo");
    EXPECT_EQ(body.at("messages"), json::parse(R"([
        {"role":"user","content":[{"type":"text","text":"q"}]},
        {"role":"assistant","content":[
            {"type":"tool_use","id":"a","name":"sum","input":{"x":1}},
            {"type":"tool_use","id":"b","name":"sum","input":{"unreadable_arguments":"not json"}}]},
        {"role":"user","content":[
            {"type":"tool_result","tool_use_id":"a","content":"1"},
            {"type":"tool_result","tool_use_id":"b","content":"2"},
            {"type":"text","text":"and now?"}]}])"));
    EXPECT_EQ(body.at("max_tokens"), 4096);
}

TEST(AnthropicRequest, AnOutputNamedLikeAToolGetsANameOfItsOwn) {
    const auto body = body_of(
        *anthropic(),
        {.messages = {user("q")}, .tools = {{"verdict", "", kSchema}}, .output = OutputShape{"verdict", kSchema}});
    EXPECT_EQ(body.at("tools").at(0).at("name"), "verdict");
    EXPECT_EQ(body.at("tools").at(1).at("name"), "verdict_output");
    EXPECT_EQ(body.at("tool_choice"), json::parse(R"({"type":"any"})"));
}

TEST(AnthropicRequest, WithToolsForbiddenTheOutputIsForced) {
    const auto body = body_of(*anthropic(), {.messages = {user("q")},
                                             .tools = {{"sum", "", kSchema}},
                                             .tool_choice = ToolChoice::none,
                                             .output = OutputShape{"verdict", kSchema}});
    EXPECT_EQ(body.at("tool_choice"),
              json::parse(R"({"type":"tool","name":"verdict","disable_parallel_tool_use":true})"));
}

TEST(AnthropicReply, CachedTokensAreInputTokensToo) {
    const auto read = read_reply(*anthropic(), events({kStart, kEnd, kStop}));
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().usage.input_tokens, 17);
    EXPECT_EQ(read.reply.value().usage.cached_tokens, 5);
    EXPECT_EQ(read.reply.value().usage.output_tokens, 20);
    EXPECT_EQ(read.reply.value().model, "claude-x");
    EXPECT_EQ(read.reply.value().finish, FinishReason::stop) << "tool_use without a call";
}

TEST(AnthropicReply, ThePingsThoughtsAndNewThingsAreSkipped) {
    const auto read = read_reply(
        *anthropic(),
        events({kStart, R"({"type":"ping"})",
                R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
                R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})",
                R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}})",
                R"({"type":"content_block_stop","index":0})", R"({"type":"something_new"})",
                R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
                R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}})",
                R"({"type":"content_block_stop","index":1})", kEnd, kStop}),
        11);
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().message.content, "Hi");
    EXPECT_EQ(read.deltas.size(), 1U);
    EXPECT_TRUE(read.was_complete);
}

ChatRequest asking_for_verdict() {
    return {.messages = {user("q")}, .output = OutputShape{"verdict", kSchema}};
}

TEST(AnthropicReply, TheForcedToolsInputIsStreamedAsText) {
    const auto read = read_reply(
        *anthropic(),
        events(
            {kStart,
             R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"verdict","input":{}}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":""}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"ok\":"}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"true}"}})",
             R"({"type":"content_block_stop","index":0})", kEnd, kStop}),
        64, asking_for_verdict());
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().message.content, R"({"ok":true})");
    EXPECT_TRUE(read.reply.value().message.tool_calls.empty());
    EXPECT_EQ(read.reply.value().finish, FinishReason::stop);
    EXPECT_EQ(read.deltas.size(), 2U);
}

TEST(AnthropicReply, InputThatComesWithTheBeginningOfABlockCounts) {
    for (const std::string input : {R"({"ok":true})", "{}"}) {
        const auto read = read_reply(
            *anthropic(),
            events(
                {kStart,
                 R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"verdict","input":)" +
                     input + "}}",
                 R"({"type":"content_block_stop","index":0})",
                 R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"u","name":"sum","input":)" +
                     input + "}}",
                 R"({"type":"content_block_stop","index":1})", kEnd, kStop}),
            64, asking_for_verdict());
        ASSERT_TRUE(read.reply);
        EXPECT_EQ(read.reply.value().message.content, input);
        EXPECT_EQ(read.reply.value().message.tool_calls, (std::vector<ToolCall>{{"u", "sum", input}}));
        EXPECT_EQ(joined(read.deltas), read.reply.value().message);
    }
}

TEST(AnthropicReply, InputOfAToolThatWasNotCalledIsMalformed) {
    const auto read = read_reply(
        *anthropic(),
        events({kStart,
                R"({"type":"content_block_delta","index":4,"delta":{"type":"input_json_delta","partial_json":"{"}})"}));
    EXPECT_EQ(read.reply.error().fault, Fault::malformed);
}

TEST(AnthropicReply, AnErrorEventIsItsFault) {
    const auto read = read_reply(*anthropic(),
                                 "event: error\ndata: {\"type\":\"error\",\"error\":"
                                 "{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n");
    EXPECT_EQ(read.reply.error().fault, Fault::overloaded);
}

TEST(AnthropicReply, StopReasonsAreOurFinishReasons) {
    const auto finish_of = [](const std::string& reason) {
        return read_reply(
                   *anthropic(),
                   events({kStart, R"({"type":"message_delta","delta":{"stop_reason":")" + reason + R"("},"usage":{}})",
                           kStop}))
            .reply.value()
            .finish;
    };
    EXPECT_EQ(finish_of("end_turn"), FinishReason::stop);
    EXPECT_EQ(finish_of("stop_sequence"), FinishReason::stop);
    EXPECT_EQ(finish_of("max_tokens"), FinishReason::length);
    EXPECT_EQ(finish_of("refusal"), FinishReason::refused);
}

TEST(AnthropicReply, WithoutAnEndItBrokeOff) {
    EXPECT_EQ(read_reply(*anthropic(), events({kStart})).reply.error().fault, Fault::malformed);
}

}  // namespace
}  // namespace quaestor::llm
