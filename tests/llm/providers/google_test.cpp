#include "llm/protocol.hpp"
#include "llm/providers/stream_kit.hpp"

#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

using test::body_of;
using test::events;
using test::joined;
using test::read_reply;

std::unique_ptr<Protocol> google(std::string model = "gemini-2.5-flash", std::string base_url = {}) {
    return google_protocol({.name = "google/gemini",
                            .model = std::move(model),
                            .base_url = std::move(base_url),
                            .key = "AIzaTest0123456789"});
}

TEST(GoogleRequest, TheModelStandsInTheAddressAndTheKeyDoesNot) {
    EXPECT_EQ(google()->request({}).url,
              "https://generativelanguage.googleapis.com/v1beta/models/"
              "gemini-2.5-flash:streamGenerateContent?alt=sse");
    EXPECT_EQ(google("tunedModels/a b?key=x", "http://h/v1beta")->request({}).url,
              "http://h/v1beta/tunedModels/a%20b%3Fkey%3Dx:streamGenerateContent?alt=sse");
    EXPECT_EQ(google()->probe().url, "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1");
    EXPECT_EQ(google()->request({}).headers.back().name, "x-goog-api-key");
    EXPECT_EQ(google()->request({}).headers.back().value, "AIzaTest0123456789");
}

TEST(GoogleRequest, CallsAndResultsGoBackByNameAndWithTheIdsOnlyThatGoogleGave) {
    const ToolCall made_up{"call_made_up_0", "sum", R"({"x":1})"};
    const ToolCall given{"g1", "rank", "{}"};
    const auto body = body_of(
        *google(), {.messages = {user("q"),
                                 {.role = Role::assistant, .content = "Let me see", .tool_calls = {made_up, given}},
                                 tool_result(made_up, R"({"total":1})"),
                                 tool_result(given, "three rows")}});
    EXPECT_EQ(body.at("contents"), json::parse(R"([
        {"role":"user","parts":[{"text":"q"}]},
        {"role":"model","parts":[{"text":"Let me see"},
            {"functionCall":{"name":"sum","args":{"x":1}}},
            {"functionCall":{"name":"rank","args":{},"id":"g1"}}]},
        {"role":"user","parts":[
            {"functionResponse":{"name":"sum","response":{"total":1}}},
            {"functionResponse":{"name":"rank","response":{"output":"three rows"},"id":"g1"}}]}])"));
}

TEST(GoogleRequest, SignaturesGoBackAndCallsOfOthersAreMarkedForModelsThatWantThem) {
    const Message signed_calls{.role = Role::assistant, .tool_calls = {{"a", "sum", "{}", "c2ln"}, {"b", "sum", "{}"}}};
    const Message foreign{.role = Role::assistant, .tool_calls = {{"c", "sum", "{}"}, {"d", "sum", "{}"}}};
    const auto parts = [](const Protocol& protocol, const Message& message) {
        return body_of(protocol, {.messages = {message}}).at("contents").at(0).at("parts").get_array();
    };
    const auto newer = google("gemini-3-pro");
    EXPECT_EQ(parts(*newer, signed_calls)[0].at("thoughtSignature"), "c2ln");
    EXPECT_FALSE(parts(*newer, signed_calls)[1].get_object().contains("thoughtSignature"));
    EXPECT_EQ(parts(*newer, foreign)[0].at("thoughtSignature"), "skip_thought_signature_validator");
    EXPECT_FALSE(parts(*newer, foreign)[1].get_object().contains("thoughtSignature"));
    EXPECT_FALSE(parts(*google(), foreign)[0].get_object().contains("thoughtSignature"));
}

TEST(GoogleRequest, AToolWithoutPropertiesHasNoParameters) {
    const auto body = body_of(
        *google(),
        {.messages = {user("q")}, .tools = {{"now", "the time", json::parse(R"({"type":"object","properties":{}})")}}});
    EXPECT_EQ(body.at("tools"), json::parse(R"([{"functionDeclarations":[{"name":"now","description":"the time"}]}])"));
    EXPECT_EQ(body.at("toolConfig"), json::parse(R"({"functionCallingConfig":{"mode":"AUTO"}})"));
}

TEST(GoogleRequest, WithToolsTheShapeOfTheOutputGoesIntoWords) {
    const OutputShape shape{"verdict", json::parse(R"({"type":"object","properties":{"ok":{"type":"boolean"}}})")};
    const ChatRequest request{.messages = {system("be brief"), user("q")},
                              .tools = {{"now", "", json::parse(R"({"type":"object"})")}},
                              .output = shape};
    const auto body = body_of(*google(), request);
    EXPECT_FALSE(body.contains("generationConfig"));
    const std::string words(body.at("systemInstruction").at("parts").at(0).at("text").get_string());
    EXPECT_TRUE(words.starts_with("be brief\n\n"));
    EXPECT_TRUE(words.contains(to_text(shape.schema)));
}

std::string candidate(const std::string& parts, const std::string& rest = {}) {
    return R"({"candidates":[{"content":{"role":"model","parts":[)" + parts + "]}" + rest +
           R"(}],"modelVersion":"gemini-x"})";
}

TEST(GoogleReply, ThoughtsAreSkippedButCounted) {
    const auto read = read_reply(
        *google(),
        events({candidate(R"({"text":"hm","thought":true},{"text":"Hi"})"),
                R"({"candidates":[{"content":{"parts":[{"text":" you"}]},"finishReason":"STOP"}],"usageMetadata":
            {"promptTokenCount":9,"candidatesTokenCount":3,"thoughtsTokenCount":4,"cachedContentTokenCount":2}})"}),
        13);
    ASSERT_TRUE(read.reply) << read.reply.error().error.message;
    EXPECT_EQ(read.reply.value().message.content, "Hi you");
    EXPECT_EQ(read.reply.value().model, "gemini-x");
    EXPECT_EQ(read.reply.value().usage.input_tokens, 9);
    EXPECT_EQ(read.reply.value().usage.output_tokens, 7);
    EXPECT_EQ(read.reply.value().usage.cached_tokens, 2);
}

TEST(GoogleReply, CallsKeepTheirSignatureAndGetIds) {
    const auto read = read_reply(
        *google(),
        events({candidate(R"({"functionCall":{"name":"sum","args":{"x":1}},"thoughtSignature":"c2ln"},)"
                          R"({"functionCall":{"name":"sum","args":{"x":1}}},{"functionCall":{"name":"now","id":"g"}})",
                          R"(,"finishReason":"STOP")")}));
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().message.tool_calls,
              (std::vector<ToolCall>{{"call_made_up_0", "sum", R"({"x":1})", "c2ln"},
                                     {"call_made_up_1", "sum", R"({"x":1})"},
                                     {"g", "now", "{}"}}));
    EXPECT_EQ(read.reply.value().finish, FinishReason::tool_calls);
    EXPECT_EQ(joined(read.deltas), test::without_signatures(read.reply.value().message));
}

TEST(GoogleReply, FinishReasonsAreOurs) {
    const auto finish_of = [](const std::string& reason) {
        return read_reply(*google(), events({candidate("", R"(,"finishReason":")" + reason + "\"")})).reply;
    };
    EXPECT_EQ(finish_of("STOP")->finish, FinishReason::stop);
    EXPECT_EQ(finish_of("MAX_TOKENS")->finish, FinishReason::length);
    for (const std::string reason : {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER"})
        EXPECT_EQ(finish_of(reason)->finish, FinishReason::refused) << reason;
    EXPECT_EQ(finish_of("MALFORMED_FUNCTION_CALL").error().fault, Fault::malformed);
    EXPECT_EQ(finish_of("FINISH_REASON_UNSPECIFIED").error().fault, Fault::malformed) << "it broke off";
}

TEST(GoogleReply, ABlockedPromptIsRefused) {
    const auto read =
        read_reply(*google(), events({R"({"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}})"}));
    ASSERT_FALSE(read.reply);
    EXPECT_EQ(read.reply.error().fault, Fault::refused);
    EXPECT_EQ(read.reply.error().error.message, "google/gemini: the provider will not answer this content (SAFETY)");
}

TEST(GoogleReply, AListInPlaceOfAStreamIsTaken) {
    const auto read = read_reply(
        *google(),
        "[" + candidate(R"({"text":"Hi"})") + ",\r\n" + candidate(R"({"text":"!"})", R"(,"finishReason":"STOP")") + "]",
        9);
    ASSERT_TRUE(read.reply);
    EXPECT_EQ(read.reply.value().message.content, "Hi!");
    EXPECT_FALSE(read_reply(*google(), "[7]").reply);
}

TEST(GoogleReply, AnErrorInsideTheStreamIsItsFault) {
    const auto read = read_reply(
        *google(), events({candidate(R"({"text":"Hi"})"),
                           R"({"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}})"}));
    EXPECT_EQ(read.reply.error().fault, Fault::overloaded);
}

}  // namespace
}  // namespace quaestor::llm
