#include "llm/llama/dialogue.hpp"
#include "llm/llama/llama.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::llm::llama {

namespace {

using testing::HasSubstr;
using testing::Not;

/// The bundled embedder has a vocabulary with control tokens and no chat template: its prompts are ChatML.
class Prompt : public testing::Test {
protected:
    std::shared_ptr<const LoadedModel> model = *LoadedModel::load(*bundled_embedder_path());
    ChatTemplate chat_template{*model};
};

TEST_F(Prompt, IsChatMlWithoutATemplate) {
    EXPECT_EQ(
        chat_template.prompt_for({.messages = {system("Be brief."), user("Hello"), assistant("Hi"), user("How?")}}),
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n"
        "<|im_start|>assistant\nHi<|im_end|>\n<|im_start|>user\nHow?<|im_end|>\n<|im_start|>assistant\n");
    EXPECT_THAT(chat_template.stops(), testing::ElementsAre("<|im_end|>"));
}

TEST_F(Prompt, NobodyCanWriteAControlToken) {
    const auto prompt = chat_template.prompt_for({.messages = {user("a [SEP] b [CLS][CLS]")}});
    EXPECT_THAT(prompt, HasSubstr("a [ SEP] b [ CLS][ CLS]"));
}

TEST_F(Prompt, AZeroByteDoesNotEndAMessage) {
    EXPECT_THAT(chat_template.prompt_for({.messages = {user(std::string("a\0b", 3))}}), HasSubstr("ab<|im_end|>"));
}

TEST_F(Prompt, OffersToolsInWords) {
    ChatRequest request{.messages = {system("Be brief."), user("How much?")},
                        .tools = {{"sum", "adds numbers", {{"type", "object"}}}}};
    const auto prompt = chat_template.prompt_for(request);
    EXPECT_THAT(prompt, HasSubstr("<|im_start|>system\nYou may call tools."));
    EXPECT_THAT(prompt, HasSubstr(R"({"tool_calls": [{"name": "TOOL", "arguments": {...}}]})"));
    EXPECT_THAT(prompt, HasSubstr("- sum: adds numbers {\"type\":\"object\"}\n\nBe brief.<|im_end|>"));
    request.tool_choice = ToolChoice::none;
    EXPECT_THAT(chat_template.prompt_for(request), Not(HasSubstr("sum")));
}

TEST_F(Prompt, CallsAndTheirResultsAreToldAsText) {
    const ToolCall call{.id = "call_1", .name = "sum", .arguments = R"({"of":"sales"})"};
    Message calling = assistant("");
    calling.tool_calls = {call, {.id = "call_2", .name = "find", .arguments = "no JSON"}};
    const auto prompt = chat_template.prompt_for({.messages = {user("How much?"), calling, tool_result(call, "42"),
                                                               tool_result(calling.tool_calls[1], "none")}});
    EXPECT_THAT(prompt, HasSubstr("assistant\n"
                                  R"({"tool_calls":[{"name":"sum","arguments":{"of":"sales"}},)"
                                  R"({"name":"find","arguments":{}}]})"));
    EXPECT_THAT(prompt, HasSubstr("user\nResult of sum: 42\nResult of find: none<|im_end|>"));
}

TEST_F(Prompt, ShowsTheShapeOfTheReply) {
    const auto prompt = chat_template.prompt_for(
        {.messages = {user("?")}, .output = OutputShape{.name = "answer", .schema = {{"type", "object"}}}});
    EXPECT_THAT(prompt, HasSubstr("fits this JSON Schema:\n{\"type\":\"object\"}"));
}

TEST(ToolCallsIn, AreReadWithIdsThatGoOn) {
    Message calling = assistant("");
    calling.tool_calls = {{.id = "call_1", .name = "a", .arguments = "{}"}};
    const auto calls = tool_calls_in(
        R"({"tool_calls": [{"name": "sum", "arguments": {"of": "sales"}}, {"name": "find", "arguments": {}}]})",
        {.messages = {calling}});
    ASSERT_TRUE(calls);
    EXPECT_EQ(*calls, (std::vector<ToolCall>{{"call_2", "sum", R"({"of":"sales"})"}, {"call_3", "find", "{}"}}));
}

TEST(ToolCallsIn, FindsNoneInOtherTexts) {
    for (const char* text : {"", "text", "{\"tool_calls\": [", R"({"answer": 1})", R"({"tool_calls": 1})",
                             R"({"tool_calls": [1]})", R"({"tool_calls": [{"name": 1, "arguments": {}}]})",
                             R"({"tool_calls": [{"name": "a"}]})", R"({"tool_calls": [], "more": 1})"}) {
        EXPECT_FALSE(tool_calls_in(text, {})) << text;
    }
}

}  // namespace

}  // namespace quaestor::llm::llama
