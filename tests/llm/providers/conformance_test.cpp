// What every provider does alike.
#include "llm/providers/conformance.hpp"

#include <boost/asio/post.hpp>

namespace quaestor::test {
namespace {

using llm::assistant;
using llm::ChatRequest;
using llm::Delta;
using llm::Fault;
using llm::FinishReason;
using llm::Message;
using llm::OutputShape;
using llm::system;
using llm::TextDelta;
using llm::Tool;
using llm::tool_result;
using llm::ToolChoice;
using llm::user;

const json::value kVerdictSchema = json::parse(
    R"({"type":"object","properties":{"why":{"type":"string","description":"first think"},
        "ok":{"type":["boolean","null"]},"kind":{"type":"string","enum":["a","b"]}},
        "required":["why","ok","kind"],"additionalProperties":false})");
const json::value kSumSchema = json::parse(
    R"({"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"array","items":{"type":"number"}}},
        "required":["x","y"],"additionalProperties":false})");

const Tool kSum{"sum", "adds numbers", kSumSchema};
const Tool kNow{"now", "the time", json::parse(R"({"type":"object","properties":{},"additionalProperties":false})")};
const OutputShape kVerdict{"verdict", kVerdictSchema};

INSTANTIATE_TEST_SUITE_P(Providers, Conformance, testing::Values("openai", "compatible", "anthropic", "google"),
                         [](const auto& name) { return name.param; });

TEST_P(Conformance, AnswersInPlainText) {
    script({.text = {"There are ", "three."}});
    const auto heard = chat({.messages = {system("be brief"), user("how many?")}});
    ASSERT_TRUE(heard.reply) << heard.reply.error().error.describe();
    EXPECT_EQ(heard.reply.value().message, assistant("There are three."));
    EXPECT_EQ(heard.reply.value().finish, FinishReason::stop);
    EXPECT_EQ(heard.reply.value().model, "fake-1");
    EXPECT_EQ(asked().at(0), (Asked{.model = "fake", .system = "be brief", .turns = {"user: how many?"}}));
}

TEST_P(Conformance, TellsItsUsageOrAnEstimate) {
    script({.text = {"three"}});
    const auto heard = chat({.messages = {user("how many?")}});
    ASSERT_TRUE(heard.reply);
    EXPECT_EQ(heard.reply.value().usage.is_estimate, !provider_->tells_usage());
    if (!provider_->tells_usage()) {
        EXPECT_GT(heard.reply.value().usage.input_tokens, 0);
        EXPECT_EQ(heard.reply.value().usage.output_tokens, 2);
        return;
    }
    EXPECT_EQ(heard.reply.value().usage.input_tokens, 120);
    EXPECT_EQ(heard.reply.value().usage.output_tokens, 34);
    EXPECT_EQ(heard.reply.value().usage.cached_tokens, 20);
}

TEST_P(Conformance, StreamsPiecesInOrderAndWaitsUntilEachIsTaken) {
    script({.text = {"one ", "two ", "three ", "four"}});
    std::string taken;
    int open = 0;
    const auto heard = chat({.messages = {user("count")}}, {.on_delta = [&](const Delta& delta) -> Task<> {
                                EXPECT_EQ(++open, 1) << "a delta came while the one before was being taken";
                                co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
                                taken += std::get<TextDelta>(delta).text + "|";
                                --open;
                            }});
    ASSERT_TRUE(heard.reply);
    EXPECT_EQ(taken, "one |two |three |four|");
}

TEST_P(Conformance, WorksWithoutAnyoneListening) {
    script({.text = {"one ", "two"}, .calls = {{"sum", R"({"x":1,"y":[]})"}}});
    llm::HttpChatModel model(provider_->protocol(server_.url("")), client_);
    const auto reply = run_to_end(model.chat({.messages = {user("q")}, .tools = {kSum}}, {}));
    ASSERT_TRUE(reply) << reply.error().error.describe();
    EXPECT_EQ(reply.value().message.content, "one two");
}

TEST_P(Conformance, CharactersThatAreCutByTheNetworkArriveWhole) {
    const std::string text = "Zürich, 東京 and 🚀";
    std::string stream;
    for (const std::string& event : provider_->stream({.text = {text, text}})) stream += event;
    script(Reply(200).header("content-type", "text/event-stream").pieces(stream, 1));
    const auto heard = chat({.messages = {user("Wo? 東京?")}});
    ASSERT_TRUE(heard.reply) << heard.reply.error().error.describe();
    EXPECT_EQ(heard.reply.value().message.content, text + text);
    EXPECT_EQ(heard.deltas.size(), 2U);
    EXPECT_EQ(asked().at(0).turns.at(0), "user: Wo? 東京?");
}

TEST_P(Conformance, CallsToolsInParallelAndGetsTheirResults) {
    script({.text = {"Let me see."},
            .calls = {{"sum", R"({"x":1,"y":[2,3]})"}, {"now", "{}"}, {"sum", R"({"x":4,"y":[]})"}}});
    ChatRequest request{.messages = {user("add up")}, .tools = {kSum, kNow}};
    const auto first = chat(request);
    ASSERT_TRUE(first.reply) << first.reply.error().error.describe();
    const Message& said = first.reply.value().message;
    EXPECT_EQ(first.reply.value().finish, FinishReason::tool_calls);
    EXPECT_EQ(said.content, "Let me see.");
    ASSERT_EQ(said.tool_calls.size(), 3U);
    EXPECT_EQ(said.tool_calls[0].arguments, R"({"x":1,"y":[2,3]})");
    EXPECT_EQ(said.tool_calls[1].name, "now");
    EXPECT_EQ(said.tool_calls[1].arguments, "{}");
    EXPECT_NE(said.tool_calls[0].id, said.tool_calls[2].id);
    EXPECT_EQ(joined(first.deltas), without_signatures(said));

    request.messages.push_back(said);
    for (const std::string result : {"6", "noon", "4"})
        request.messages.push_back(tool_result(said.tool_calls[request.messages.size() - 2], result));
    script({.text = {"10"}});
    ASSERT_TRUE(chat(request).reply);
    Asked expected{.model = "fake",
                   .turns = {"user: add up"},
                   .tools = {"sum(x, y): adds numbers", "now(): the time"},
                   .tool_choice = "automatic"};
    EXPECT_EQ(asked().at(0), expected);
    expected.turns = {"user: add up",
                      "assistant: Let me see.",
                      R"(call sum {"x":1,"y":[2,3]})",
                      "call now {}",
                      R"(call sum {"x":4,"y":[]})",
                      "result sum 6",
                      "result now noon",
                      "result sum 4"};
    EXPECT_EQ(asked().at(1), expected);
}

TEST_P(Conformance, IdsOfCallsAreNewInEachTurn) {
    const ScriptedReply calls{.calls = {{"now", "{}"}}};
    script(calls);
    ChatRequest request{.messages = {user("q")}, .tools = {kNow}};
    const Message first = chat(request).reply.value().message;
    request.messages.push_back(first);
    request.messages.push_back(tool_result(first.tool_calls.at(0), "noon"));
    request.messages.push_back(user("and now?"));
    script(calls);
    const Message second = chat(request).reply.value().message;
    if (second.tool_calls.at(0).id.starts_with("call_made_up_"))
        EXPECT_NE(second.tool_calls.at(0).id, first.tool_calls.at(0).id);
    EXPECT_EQ(asked().at(1).turns,
              (std::vector<std::string>{"user: q", "call now {}", "result now noon", "user: and now?"}));
}

TEST_P(Conformance, SaysWhetherToolsMayBeCalled) {
    for (const auto& [choice, word] : {std::pair{ToolChoice::automatic, "automatic"},
                                       {ToolChoice::none, "none"},
                                       {ToolChoice::required, "required"}}) {
        script({.text = {"hi"}});
        ASSERT_TRUE(chat({.messages = {user("q")}, .tools = {kSum}, .tool_choice = choice}).reply);
        EXPECT_EQ(asked().back().tool_choice, word);
    }
}

TEST_P(Conformance, GivesOutputOfAShapeAsText) {
    script({.text = {R"({"why":"so",)", R"("ok":true,"kind":"a"})"}, .output_tool = "verdict"});
    const auto heard = chat({.messages = {system("judge"), user("q")}, .output = kVerdict});
    ASSERT_TRUE(heard.reply) << heard.reply.error().error.describe();
    EXPECT_EQ(heard.reply.value().message, assistant(R"({"why":"so","ok":true,"kind":"a"})"));
    EXPECT_EQ(heard.reply.value().finish, FinishReason::stop);
    EXPECT_EQ(heard.deltas.size(), 2U);
    EXPECT_EQ(asked().at(0),
              (Asked{.model = "fake", .system = "judge", .turns = {"user: q"}, .output = "why, ok, kind"}));
}

TEST_P(Conformance, GivesOutputOfAShapeBesideTools) {
    const ChatRequest request{.messages = {user("q")}, .tools = {kSum}, .output = kVerdict};
    script({.calls = {{"sum", R"({"x":1,"y":[]})"}}});
    const auto calling = chat(request);
    ASSERT_TRUE(calling.reply) << calling.reply.error().error.describe();
    EXPECT_EQ(calling.reply.value().finish, FinishReason::tool_calls);
    script({.text = {R"({"why":"so","ok":null,"kind":"b"})"}, .output_tool = "verdict"});
    const auto answering = chat(request);
    EXPECT_EQ(answering.reply.value().message.content, R"({"why":"so","ok":null,"kind":"b"})");
    EXPECT_EQ(asked().at(0).output, "why, ok, kind");
    EXPECT_EQ(asked().at(0).tools, (std::vector<std::string>{"sum(x, y): adds numbers"}));
}

TEST_P(Conformance, SaysWhyItStopped) {
    script({.text = {"and so"}, .finish = FinishReason::length});
    EXPECT_EQ(chat({.messages = {user("q")}}).reply.value().finish, FinishReason::length);
    script({.text = {"I will not"}, .finish = FinishReason::refused});
    const auto refused = chat({.messages = {user("q")}});
    ASSERT_TRUE(refused.reply) << "a refusal is a reply";
    EXPECT_EQ(refused.reply.value().finish, FinishReason::refused);
}

TEST_P(Conformance, PassesTheOptionsOn) {
    script({.text = {"hi"}});
    ASSERT_TRUE(chat({.messages = {user("q")}, .temperature = 0.25, .max_tokens = 77, .stop = {"END", "\n\n"}}).reply);
    EXPECT_EQ(
        asked().at(0),
        (Asked{.model = "fake", .turns = {"user: q"}, .temperature = 0.25, .max_tokens = 77, .stop = {"END", "\n\n"}}));
}

TEST_P(Conformance, UsesOneConnectionForOneChatAfterTheOther) {
    llm::HttpChatModel model(provider_->protocol(server_.url("")), client_);
    for (int i = 0; i < 3; ++i) script({.text = {"hi"}});
    run_to_end([&]() -> Task<> {
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(co_await model.chat({.messages = {user("q")}}, {}));
    }());
    EXPECT_EQ(server_.connections(), 1U);
}

TEST_P(Conformance, TellsWhetherItIsThereAndTakesTheKey) {
    llm::HttpChatModel model(provider_->protocol(server_.url("")), client_);
    script(Reply::json(R"({"data":[],"models":[]})"));
    EXPECT_TRUE(run_to_end(model.probe({})));
    script(provider_->error(Fault::auth));
    EXPECT_EQ(run_to_end(model.probe({})).error().fault, Fault::auth);
    script(Reply(200).header("content-type", "text/html").body("<html>Please log in</html>"));
    EXPECT_EQ(run_to_end(model.probe({})).error().fault, Fault::malformed);
    for (const auto& request : server_.requests()) {
        EXPECT_EQ(request.method, "GET");
        EXPECT_EQ(request.target, provider_->probe_target());
    }
}

}  // namespace
}  // namespace quaestor::test
