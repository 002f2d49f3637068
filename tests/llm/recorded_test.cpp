#include "llm/recorded.hpp"

#include "scripted_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace quaestor::llm {
namespace {

using namespace std::chrono_literals;
using test::ScriptedModel;
using testing::ElementsAre;
using testing::HasSubstr;

class RecordedTest : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("tape-{}-{}", info->name(), ::getpid());
        std::filesystem::create_directories(folder_);
        path_ = (folder_ / "run.tape").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::unique_ptr<ChatModel> recording(std::unique_ptr<ChatModel> inner) {
        return on_tape(Tape::record(path_).value(), "test/model", std::move(inner));
    }
    std::unique_ptr<ChatModel> replaying() { return on_tape(Tape::replay(path_).value(), "test/model", nullptr); }

    /// The call's outcome and the pieces that were told.
    struct Heard {
        ModelResult<ChatReply> result;
        std::vector<std::string> pieces;
    };
    static Heard ask(ChatModel& model, std::string text) {
        std::vector<std::string> pieces;
        const DeltaSink listen = [&pieces](const Delta& delta) -> Task<> {
            if (const auto* piece = std::get_if<TextDelta>(&delta)) pieces.push_back(piece->text);
            if (const auto* call = std::get_if<ToolCallDelta>(&delta)) {
                pieces.push_back(fmt::format("{}:{}:{}:{}", call->index, call->id, call->name, call->arguments));
            }
            co_return;
        };
        auto result = run_to_end(model.chat({.messages = {user(std::move(text))}}, {.on_delta = listen}));
        return {std::move(result), std::move(pieces)};
    }
    [[nodiscard]] std::string tape_text() const {
        std::ifstream file(path_);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::filesystem::path folder_;
    std::string path_;
};

ChatReply long_reply() {
    ChatReply reply = test::reply_of("été \"two\"\n", {.input_tokens = 7, .output_tokens = 3, .cached_tokens = 2});
    reply.finish = FinishReason::tool_calls;
    reply.message.tool_calls = {{"id-1", "search", "{\"q\":1}"}};
    return reply;
}

TEST_F(RecordedTest, ReplaysTheSameReplyAndTheSamePieces) {
    auto model = std::make_unique<ScriptedModel>();
    model->does([](const ChatRequest&, const CallOptions& options) -> Task<ModelResult<ChatReply>> {
        co_await options.on_delta(TextDelta{"été "});
        co_await options.on_delta(TextDelta{"\"two\"\n"});
        co_await options.on_delta(ToolCallDelta{0, "id-1", "search", "{\"q\":1}"});
        co_return long_reply();
    });
    const Heard recorded = ask(*recording(std::move(model)), "hello");
    const Heard replayed = ask(*replaying(), "hello");
    ASSERT_TRUE(replayed.result);
    EXPECT_EQ(to_text(encode(*replayed.result)), to_text(encode(long_reply())));
    EXPECT_EQ(to_text(encode(*replayed.result)), to_text(encode(*recorded.result)));
    EXPECT_THAT(replayed.pieces, ElementsAre("été ", "\"two\"\n", "0:id-1:search:{\"q\":1}"));
    EXPECT_EQ(replayed.pieces, recorded.pieces);
}

TEST_F(RecordedTest, ReplaysFaultsWithTheirWords) {
    auto model = std::make_unique<ScriptedModel>();
    model->fails(Fault::rate_limited, 1500ms);
    const Heard recorded = ask(*recording(std::move(model)), "hello");
    const Heard replayed = ask(*replaying(), "hello");
    ASSERT_FALSE(replayed.result);
    EXPECT_EQ(replayed.result.error().fault, Fault::rate_limited);
    EXPECT_EQ(replayed.result.error().retry_after, Duration(1500ms));
    EXPECT_EQ(to_text(encode(replayed.result.error().error)), to_text(encode(recorded.result.error().error)));
}

TEST_F(RecordedTest, ReplaysTheSameQuestionAskedTwiceInOrder) {
    auto model = std::make_unique<ScriptedModel>();
    model->says("one").says("two");
    {
        const auto taped = recording(std::move(model));
        ask(*taped, "hello");
        ask(*taped, "hello");
    }
    const auto taped = replaying();
    EXPECT_EQ(ask(*taped, "hello").result->message.content, "one");
    EXPECT_EQ(ask(*taped, "hello").result->message.content, "two");
    EXPECT_FALSE(ask(*taped, "hello").result);
}

TEST_F(RecordedTest, SaysThatTheTapeDoesNotKnowAQuestion) {
    auto model = std::make_unique<ScriptedModel>();
    model->says("one");
    ask(*recording(std::move(model)), "hello");
    const Heard replayed = ask(*replaying(), "something else");
    ASSERT_FALSE(replayed.result);
    EXPECT_EQ(replayed.result.error().error.code, Code::not_found);
    EXPECT_THAT(replayed.result.error().error.message, HasSubstr("the tape does not know this question to test/model"));
    EXPECT_FALSE(is_worth_retrying(replayed.result.error().fault));
    EXPECT_FALSE(is_worth_another_model(replayed.result.error().fault));
}

TEST_F(RecordedTest, SaysThatAnAnswerOnTheTapeMakesNoSense) {
    auto model = std::make_unique<ScriptedModel>();
    model->says("one");
    ask(*recording(std::move(model)), "hello");
    std::string text = tape_text();
    text.replace(text.find(R"("finish":"stop")"), 15, R"("finish":"stap")");
    std::ofstream(path_) << text;
    const Heard replayed = ask(*replaying(), "hello");
    ASSERT_FALSE(replayed.result);
    EXPECT_EQ(replayed.result.error().error.code, Code::corrupt);
}

TEST_F(RecordedTest, KeepsEverythingThatDecidesTheAnswerInTheRequest) {
    auto model = std::make_unique<ScriptedModel>();
    model->says("one");
    ChatRequest request{.messages = {user("hello")}, .temperature = 0.5};
    (void)run_to_end(recording(std::move(model))->chat(request, {}));
    EXPECT_TRUE(run_to_end(replaying()->chat(request, {})));
    request.temperature = 0.6;
    EXPECT_FALSE(run_to_end(replaying()->chat(request, {})));
}

TEST_F(RecordedTest, ReplaysVectorsBitForBit) {
    const auto embedder = hashing_embedder(48);
    const auto rows = run_to_end(embedder->embed({"one text", "another"})).value();
    {
        const auto taped = on_tape(Tape::record(path_).value(), "hashing", 48, hashing_embedder(48));
        EXPECT_TRUE(run_to_end(taped->embed({"one text", "another"})));
        EXPECT_EQ(taped->dimensions(), 48U);
    }
    const auto taped = on_tape(Tape::replay(path_).value(), "hashing", 0, nullptr);
    const auto replayed = run_to_end(taped->embed({"one text", "another"})).value();
    EXPECT_EQ(taped->dimensions(), 48U);
    ASSERT_EQ(replayed.size(), 2U);
    for (std::size_t row = 0; row < 2; ++row) EXPECT_TRUE(std::ranges::equal(replayed[row], rows[row]));
    const auto unknown = run_to_end(taped->embed({"a third"}));
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, HasSubstr("the tape does not know this question to hashing"));
}

}  // namespace
}  // namespace quaestor::llm
