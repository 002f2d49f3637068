// With a real language model, which is small and weak: what it says does not matter, how it is said does.
#include "llm/chat.hpp"

#include "base/bell.hpp"
#include "base/task.hpp"
#include "base/text.hpp"
#include "llm/llama/generation.hpp"
#include "llm/llama/llama.hpp"

#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace quaestor::llm {

namespace {

using testing::HasSubstr;
using testing::Not;

class LlamaChat : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(QUAESTOR_TEST_MODEL)) GTEST_SKIP() << "needs a model: script/test --with-models";
        auto opened = open_llama_chat({.name = "llama/tinyllama",
                                       .path = QUAESTOR_TEST_MODEL,
                                       .threads = 1,
                                       .context_tokens = 1024,
                                       .max_tokens = 12});
        ASSERT_TRUE(opened) << opened.error().describe();
        model = std::move(*opened);
    }
    ModelResult<ChatReply> ask(ChatRequest request, CallOptions options = {}) {
        return run_to_end(model->chat(std::move(request), std::move(options)));
    }
    ChatReply reply_to(ChatRequest request, CallOptions options = {}) {
        auto reply = ask(std::move(request), std::move(options));
        EXPECT_TRUE(reply) << reply.error().error.describe();
        return reply ? *reply : ChatReply{};
    }
    /// All text that is told, and whether each piece of it is whole characters.
    CallOptions listening() {
        return {.on_delta = [this](const Delta& delta) -> Task<> {
            if (const auto* piece = std::get_if<TextDelta>(&delta)) {
                EXPECT_TRUE(text::is_utf8(piece->text));
                EXPECT_FALSE(piece->text.empty());
                told += piece->text;
                ++pieces;
            } else {
                calls.push_back(std::get<ToolCallDelta>(delta));
            }
            co_return;
        }};
    }

    std::unique_ptr<ChatModel> model;
    std::string told;
    int pieces = 0;
    std::vector<ToolCallDelta> calls;
};

ChatRequest question(std::string text) {
    return {.messages = {system("You are a helpful assistant."), user(std::move(text))}};
}

std::string long_text(std::size_t words) {
    std::string text;
    for (std::size_t i = 0; i < words; ++i) text += "word" + std::to_string(i) + " ";
    return text;
}

TEST_F(LlamaChat, StreamsAReply) {
    const auto reply = reply_to(question("What is the capital of France?"), listening());
    EXPECT_EQ(reply.message.role, Role::assistant);
    EXPECT_FALSE(reply.message.content.empty());
    EXPECT_EQ(told, reply.message.content);
    EXPECT_GT(pieces, 1);
    EXPECT_EQ(reply.model, "llama/tinyllama");
    EXPECT_GT(reply.usage.input_tokens, 10);
    EXPECT_GT(reply.usage.output_tokens, 1);
    EXPECT_FALSE(reply.usage.is_estimate);
}

TEST_F(LlamaChat, TheSameRequestGivesTheSameReplyAlsoFromTheCache) {
    auto request = question("Tell me a story about " + long_text(40));
    request.temperature = 1.0;
    const auto first = reply_to(request);
    const auto second = reply_to(request);
    EXPECT_EQ(first.message.content, second.message.content);
    EXPECT_EQ(first.usage.cached_tokens, 0);
    EXPECT_GE(second.usage.cached_tokens, static_cast<std::int64_t>(llama::kChunkTokens));
    EXPECT_EQ(second.usage.input_tokens, first.usage.input_tokens);
    EXPECT_LT(second.usage.cached_tokens, second.usage.input_tokens);
    EXPECT_FALSE(reply_to(question("Something else")).message.content.empty());
    EXPECT_EQ(reply_to(request).message.content, first.message.content);
}

TEST_F(LlamaChat, AnotherSeedGivesAnotherReply) {
    auto request = question("Write a poem.");
    request.temperature = 1.5;
    const auto other = open_llama_chat(
        {.name = "other", .path = QUAESTOR_TEST_MODEL, .threads = 1, .context_tokens = 1024, .seed = 2});
    ASSERT_TRUE(other);
    const auto reply = reply_to(request);
    request.max_tokens = 12;
    const auto reply_of_other = run_to_end((*other)->chat(request, {}));
    ASSERT_TRUE(reply_of_other);
    EXPECT_NE(reply.message.content, reply_of_other->message.content);
}

TEST_F(LlamaChat, EndsAtTheBoundOfTokens) {
    auto request = question("Count from one to a hundred in words.");
    request.max_tokens = 5;
    const auto reply = reply_to(request);
    EXPECT_EQ(reply.finish, FinishReason::length);
    EXPECT_EQ(reply.usage.output_tokens, 5);
}

TEST_F(LlamaChat, EndsWhereTheContextEnds) {
    const auto small =
        open_llama_chat({.name = "small", .path = QUAESTOR_TEST_MODEL, .threads = 1, .context_tokens = 64});
    ASSERT_TRUE(small);
    auto request = question("Count from one to a hundred in words.");
    request.max_tokens = 100'000;
    const auto reply = run_to_end((*small)->chat(request, {}));
    ASSERT_TRUE(reply) << reply.error().error.describe();
    EXPECT_EQ(reply->finish, FinishReason::length);
    EXPECT_EQ(reply->usage.input_tokens + reply->usage.output_tokens, 64);
}

TEST_F(LlamaChat, EndsBeforeAStopString) {
    auto request = question("Repeat after me: one two three four five six");
    request.temperature = 0;
    const auto whole = reply_to(request).message.content;
    ASSERT_GT(whole.size(), 8U);
    const auto stop = whole.substr(whole.size() / 2, 3);
    request.stop = {stop};
    const auto reply = reply_to(request, listening());
    EXPECT_EQ(reply.finish, FinishReason::stop);
    EXPECT_EQ(reply.message.content, whole.substr(0, whole.find(stop)));
    EXPECT_EQ(told, reply.message.content);
}

TEST_F(LlamaChat, StopsByItself) {
    auto request = question("Say yes.");
    request.max_tokens = 150;
    request.temperature = 0;
    const auto reply = reply_to(request);
    EXPECT_EQ(reply.finish, FinishReason::stop);
    EXPECT_LT(reply.usage.output_tokens, 150);
}

TEST_F(LlamaChat, RefusesWhatDoesNotFitBeforeComputing) {
    const auto reply = ask(question(long_text(2000)));
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::context_too_long);
    EXPECT_THAT(reply.error().error.message, HasSubstr("1024 tokens"));
    const auto huge = ask(question(std::string(5'000'000, 'x')));
    ASSERT_FALSE(huge);
    EXPECT_EQ(huge.error().fault, Fault::context_too_long);
}

TEST_F(LlamaChat, AnswersInTheShapeThatIsAskedFor) {
    auto request = question("What were the three best-selling products?");
    request.output = {.name = "verdict", .schema = *parse_json(R"({"type": "object", "properties": {
        "kind": {"type": "string", "enum": ["sum", "rank", "other"]}, "limit": {"type": ["integer", "null"]},
        "sure": {"type": "boolean"}}, "required": ["kind", "limit", "sure"], "additionalProperties": false})")};
    request.max_tokens = 100;
    for (const double temperature : {0.0, 1.5}) {
        request.temperature = temperature;
        told.clear();
        const auto reply = reply_to(request, listening());
        EXPECT_EQ(reply.finish, FinishReason::stop);
        EXPECT_EQ(told, reply.message.content);
        const auto parsed = parse_json(reply.message.content);
        ASSERT_TRUE(parsed) << reply.message.content;
        EXPECT_EQ(parsed->as_object().size(), 3U);
        EXPECT_THAT((std::array{"sum", "rank", "other"}), testing::Contains(parsed->at("kind").as_string()));
        EXPECT_TRUE(parsed->at("limit").is_number() || parsed->at("limit").is_null());
        EXPECT_TRUE(parsed->at("sure").is_bool());
    }
}

TEST_F(LlamaChat, RefusesAShapeThatAGrammarCannotSay) {
    auto request = question("?");
    request.output = {.name = "map", .schema = *parse_json(R"({"type": "object", "additionalProperties": true})")};
    const auto reply = ask(request);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::bad_request);
}

ChatRequest with_tool(ToolChoice choice) {
    auto request = question("What is the weather in Paris?");
    request.tools = {
        {"get_weather", "tells the weather of a city",
         *parse_json(R"({"type": "object", "properties": {"city": {"type": "string", "enum": ["Paris", "Rome"]}},
                                      "required": ["city"], "additionalProperties": false})")}};
    request.tool_choice = choice;
    request.max_tokens = 100;
    return request;
}

TEST_F(LlamaChat, CallsATool) {
    const auto reply = reply_to(with_tool(ToolChoice::required), listening());
    EXPECT_EQ(reply.finish, FinishReason::tool_calls);
    EXPECT_EQ(reply.message.content, "");
    EXPECT_EQ(told, "");
    ASSERT_FALSE(reply.message.tool_calls.empty());
    EXPECT_EQ(reply.message.tool_calls[0].name, "get_weather");
    EXPECT_THAT(reply.message.tool_calls[0].arguments, HasSubstr("\"city\""));
    ASSERT_EQ(calls.size(), reply.message.tool_calls.size());
    EXPECT_EQ(calls[0].id, "call_1");
    EXPECT_EQ(calls[0].arguments, reply.message.tool_calls[0].arguments);
}

TEST_F(LlamaChat, TextOrCallsWhenItMayChoose) {
    const auto reply = reply_to(with_tool(ToolChoice::automatic), listening());
    EXPECT_EQ(told, reply.message.content);
    EXPECT_EQ(calls.size(), reply.message.tool_calls.size());
    EXPECT_NE(reply.message.content.empty(), reply.message.tool_calls.empty());
}

TEST_F(LlamaChat, CallsThatAreCutOffAreText) {
    auto request = with_tool(ToolChoice::required);
    request.max_tokens = 6;
    const auto reply = reply_to(request, listening());
    EXPECT_EQ(reply.finish, FinishReason::length);
    EXPECT_TRUE(reply.message.tool_calls.empty());
    EXPECT_EQ(told, reply.message.content);
}

TEST_F(LlamaChat, CancellingStopsBeforeTheNextToken) {
    CancelSource cancel;
    auto options = listening();
    options.cancel = cancel.token();
    options.on_delta = [&, tell = options.on_delta](const Delta& delta) -> Task<> {
        co_await tell(delta);
        cancel.cancel(CancelReason::user_request);
    };
    auto request = question("Count to a million.");
    request.max_tokens = 500;
    const auto reply = ask(request, options);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::cancelled);
    EXPECT_EQ(pieces, 1);
    EXPECT_EQ(reply_to(question("Still there?")).model, "llama/tinyllama");
}

TEST_F(LlamaChat, CancellingStopsTheReadingOfAPrompt) {
    CancelSource cancel;
    cancel.cancel(CancelReason::client_gone);
    auto options = listening();
    options.cancel = cancel.token();
    const auto reply = ask(question(long_text(40)), options);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::cancelled);
    EXPECT_EQ(pieces, 0);
}

// The reading is interrupted from within: the deadline has passed when the first chunk asks for it.
TEST_F(LlamaChat, ADeadlineStopsTheReadingOfAPrompt) {
    const auto reply =
        ask(question(long_text(40)), {.deadline = Deadline::after(system_clock(), std::chrono::milliseconds(1))});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::timeout);
    const auto later = reply_to(question(long_text(40)));
    EXPECT_FALSE(later.message.content.empty());
}

TEST_F(LlamaChat, AnInterruptionLeavesTheSameReply) {
    auto request = question("Tell me about " + long_text(40));
    const auto expected = reply_to(request).message.content;
    EXPECT_FALSE(ask(request, {.deadline = Deadline::after(system_clock(), std::chrono::milliseconds(1))}));
    EXPECT_EQ(reply_to(request).message.content, expected);
}

// The sink of the first call holds the model; the second is cancelled while it waits and does not wait on.
TEST_F(LlamaChat, OneWhoWaitsForTheModelCanLeave) {
    asio::io_context loop;
    Bell go_on(loop.get_executor());
    CancelSource cancel;
    std::optional<ModelResult<ChatReply>> first;
    std::optional<ModelResult<ChatReply>> second;
    bool was_held = false;
    const auto hold = [&](const Delta&) -> Task<> {
        if (std::exchange(was_held, true)) co_return;
        cancel.cancel(CancelReason::user_request);
        co_await go_on.wait();
    };
    const auto call_first = [&]() -> Task<> { first = co_await model->chat(question("Hello"), {.on_delta = hold}); };
    const auto call_second = [&]() -> Task<> {
        second = co_await model->chat(question("Hello"), {.cancel = cancel.token()});
        EXPECT_FALSE(first);
        go_on.ring();
    };
    asio::co_spawn(loop, call_first(), asio::detached);
    asio::co_spawn(loop, call_second(), asio::detached);
    loop.run();
    ASSERT_TRUE(first && second);
    EXPECT_TRUE(*first);
    ASSERT_FALSE(*second);
    EXPECT_EQ(second->error().fault, Fault::cancelled);
}

TEST_F(LlamaChat, CallersTakeTurns) {
    auto request = question("Name a colour.");
    request.temperature = 0;
    const auto expected = reply_to(request).message.content;
    std::vector<std::string> replies(3);
    std::vector<std::jthread> callers;
    for (auto& reply : replies) {
        callers.emplace_back([&, request] {
            const auto answered = run_to_end(model->chat(request, {}));
            if (answered) reply = answered->message.content;
        });
    }
    callers.clear();
    EXPECT_THAT(replies, testing::Each(expected));
}

TEST_F(LlamaChat, TwoModelsOfOneFileDoNotDisturbEachOther) {
    auto request = question("Name a colour.");
    request.temperature = 0;
    request.max_tokens = 8;
    const auto other =
        open_llama_chat({.name = "other", .path = QUAESTOR_TEST_MODEL, .threads = 1, .context_tokens = 512});
    ASSERT_TRUE(other);
    const auto reply = reply_to(request);
    const auto same = run_to_end((*other)->chat(request, {}));
    ASSERT_TRUE(same);
    EXPECT_EQ(same->message.content, reply.message.content);
}

}  // namespace

}  // namespace quaestor::llm
