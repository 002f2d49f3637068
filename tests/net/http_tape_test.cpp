#include "net/http_tape.hpp"

#include "calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace quaestor::net {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Gives its answers in order; a successful one goes to the sink in pieces.
class ScriptedHttp final : public Http {
public:
    struct Answer {
        Result<HttpResponse> response;
        std::vector<std::string> pieces;
    };
    std::deque<Answer> answers;

    Task<Result<HttpResponse>> stream(HttpCall, BodySink sink) override {
        Answer answer = std::move(answers.front());
        answers.pop_front();
        for (const std::string& piece : answer.pieces) {
            if (!co_await sink(piece)) break;
        }
        co_return answer.response;
    }
};

class HttpTape : public testing::Test {
protected:
    HttpTape() {
        std::string name = (std::filesystem::temp_directory_path() / "quaestor-net-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        path_ = (folder_ / "tape.jsonl").string();
    }
    ~HttpTape() override { std::filesystem::remove_all(folder_); }

    HttpOnTape recording() { return {*Tape::record(path_), &inner_}; }
    HttpOnTape replaying() const { return {*Tape::replay(path_), nullptr}; }

    [[nodiscard]] std::string text() const {
        std::ifstream file(path_);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    ScriptedHttp inner_;
    std::filesystem::path folder_;
    std::string path_;
};

TEST_F(HttpTape, ReplaysAnAnswerWithoutANetwork) {
    inner_.answers.push_back({HttpResponse{201, {{"X-One", "1"}}, "made"}, {}});
    auto recorder = recording();
    EXPECT_EQ(summary(run(recorder, post("http://host/things", "a thing"))), "201 made");
    EXPECT_EQ(text(), R"({"kind":"http","request":{"method":"POST","url":"http://host/things","body":"a thing"},)"
                      R"("answer":{"status":201,"headers":[{"name":"X-One","value":"1"}],"pieces":[],"body":"made"}})"
                      "\n");

    auto player = replaying();
    const auto response = run(player, post("http://host/things", "a thing"));
    EXPECT_EQ(summary(response), "201 made");
    EXPECT_EQ(response->header("x-one"), "1");
    EXPECT_THAT(summary(run(player, post("http://host/things", "a thing"))), StartsWith("not_found: "));
    EXPECT_THAT(summary(run(player, post("http://host/things", "another"))), StartsWith("not_found: "));
}

TEST_F(HttpTape, KeepsSecretsOff) {
    inner_.answers.push_back({HttpResponse{200, {{"Set-Cookie", "session=secret"}, {"X-One", "1"}}, "ok"}, {}});
    HttpCall call = get("https://user:secret@host/v1?key=secret&alt=sse");
    call.request.headers = {{"Authorization", "Bearer secret"}, {"X-Api-Key", "secret"}};
    auto recorder = recording();
    EXPECT_TRUE(run(recorder, std::move(call)));
    EXPECT_THAT(text(),
                AllOf(Not(HasSubstr("secret")), Not(HasSubstr("user")), HasSubstr("alt=sse"), HasSubstr("X-One")));

    auto player = replaying();
    EXPECT_EQ(summary(run(player, get("https://host/v1?key=another&alt=sse"))), "200 ok");
}

TEST_F(HttpTape, KeepsNothingOfACallWhoseUrlIsNone) {
    auto recorder = recording();
    EXPECT_THAT(summary(run(recorder, get("secret"))),
                AllOf(StartsWith("invalid_argument: "), Not(HasSubstr("secret"))));
    EXPECT_EQ(text(), "");
}

TEST_F(HttpTape, ReplaysPiecesAsTheyCame) {
    const std::vector<std::string> pieces{"data: k\xC5", "\xAF\xC5\x88\n", std::string("\0\xFF", 2), "end"};
    inner_.answers.push_back({HttpResponse{200, {}, ""}, pieces});
    std::vector<std::string> seen;
    auto recorder = recording();
    EXPECT_TRUE(run(recorder, get("http://host/"), into(seen)));
    EXPECT_EQ(seen, pieces);

    std::vector<std::string> again;
    auto player = replaying();
    EXPECT_EQ(summary(run(player, get("http://host/"), into(again))), "200 ");
    EXPECT_EQ(again, pieces);
}

TEST_F(HttpTape, ReplaysAsFarAsTheSinkWants) {
    inner_.answers.push_back({HttpResponse{200, {}, ""}, {"one", "two", "three"}});
    auto recorder = recording();
    std::vector<std::string> seen;
    const BodySink two = [&](std::string_view piece) -> Task<bool> {
        seen.emplace_back(piece);
        co_return seen.size() < 2;
    };
    EXPECT_TRUE(run(recorder, get("http://host/"), two));
    seen.clear();
    auto player = replaying();
    EXPECT_EQ(summary(run(player, get("http://host/"), two)), "200 ");
    EXPECT_THAT(seen, ElementsAre("one", "two"));
    EXPECT_THAT(text(), Not(HasSubstr("three")));
}

TEST_F(HttpTape, ReplaysErrorsAndWhatCameBeforeThem) {
    inner_.answers.push_back({fail(Code::unavailable, "the connection was lost", "try again"), {"begun"}});
    std::vector<std::string> pieces;
    auto recorder = recording();
    EXPECT_EQ(summary(run(recorder, get("http://host/"), into(pieces))), "unavailable: the connection was lost");

    pieces.clear();
    auto player = replaying();
    const auto response = run(player, get("http://host/"), into(pieces));
    EXPECT_EQ(summary(response), "unavailable: the connection was lost");
    EXPECT_EQ(response.error().hint, "try again");
    EXPECT_THAT(pieces, ElementsAre("begun"));
}

TEST_F(HttpTape, GivesACollectedBodyToASinkThatIsThereNow) {
    inner_.answers.push_back({HttpResponse{200, {}, "all"}, {}});
    auto recorder = recording();
    EXPECT_TRUE(run(recorder, get("http://host/")));
    std::vector<std::string> pieces;
    auto player = replaying();
    EXPECT_EQ(summary(run(player, get("http://host/"), into(pieces))), "200 ");
    EXPECT_THAT(pieces, ElementsAre("all"));
}

TEST_F(HttpTape, SaysThatAnAnswerMakesNoSense) {
    std::ofstream(path_) << R"({"kind":"http","request":{"method":"GET","url":"http://host/","body":""},"answer":)"
                         << R"({"status":200,"body":{"base64":"?"}}})" << "\n";
    auto player = replaying();
    EXPECT_THAT(summary(run(player, get("http://host/"))), StartsWith("corrupt: an answer on the tape makes no sense"));
}

}  // namespace
}  // namespace quaestor::net
