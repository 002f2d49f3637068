#include "base/tape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using testing::HasSubstr;

class TapeTest : public testing::Test {
protected:
    TapeTest() {
        std::string name = (std::filesystem::temp_directory_path() / "quaestor-tape-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        path_ = (folder_ / "tape.jsonl").string();
    }
    ~TapeTest() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
    [[nodiscard]] std::string read() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::filesystem::path folder_;
    std::string path_;
};

TEST_F(TapeTest, WritesALineForEachCallAtOnce) {
    const auto tape = Tape::record(path_);
    ASSERT_TRUE(tape);
    EXPECT_FALSE((*tape)->is_replay());
    EXPECT_TRUE((*tape)->keep("chat", {{"question", "why\n?"}}, "because"));
    EXPECT_EQ(read(), R"({"kind":"chat","request":{"question":"why\n?"},"answer":"because"})"
                      "\n");
    EXPECT_TRUE((*tape)->keep("embed", 1, nullptr));
    EXPECT_THAT(read(), testing::EndsWith("\n"
                                          R"({"kind":"embed","request":1,"answer":null})"
                                          "\n"));
}

TEST_F(TapeTest, GivesBothAnswersToAQuestionAskedTwiceInOrder) {
    {
        const auto tape = *Tape::record(path_);
        ASSERT_TRUE(tape->keep("chat", "how are you", "well"));
        ASSERT_TRUE(tape->keep("chat", "who are you", "me"));
        ASSERT_TRUE(tape->keep("chat", "how are you", "still well"));
        ASSERT_TRUE(tape->keep("sql", "how are you", "no such table"));
    }
    const auto tape = *Tape::replay(path_);
    EXPECT_TRUE(tape->is_replay());
    EXPECT_EQ(tape->left(), 4U);
    EXPECT_EQ(tape->take("chat", "how are you").value(), "well");
    EXPECT_EQ(tape->take("chat", "how are you").value(), "still well");
    EXPECT_EQ(tape->take("sql", "how are you").value(), "no such table");
    EXPECT_EQ(tape->left(), 1U);
    EXPECT_EQ(tape->take("chat", "how are you").error().code, Code::not_found);
    EXPECT_EQ(tape->take("chat", "what").error().code, Code::not_found);
    EXPECT_EQ(tape->take("chat", "who are you").value(), "me");
    EXPECT_EQ(tape->left(), 0U);
}

TEST_F(TapeTest, KnowsARequestHoweverItsMembersAreOrdered) {
    {
        const auto tape = *Tape::record(path_);
        ASSERT_TRUE(tape->keep("chat", {{"a", 1}, {"b", {{"c", 2}, {"d", {{{"e", 3}, {"f", 4}}}}}}}, "found"));
    }
    const auto tape = *Tape::replay(path_);
    EXPECT_FALSE(tape->take("chat", {{"a", 1}, {"b", {{"c", 2}}}}));
    EXPECT_EQ(tape->take("chat", {{"b", {{"d", {{{"f", 4}, {"e", 3}}}}, {"c", 2}}}, {"a", 1}}).value(), "found");
}

TEST_F(TapeTest, GivesBackNumbersAndTextUnchanged) {
    const json::value answer{{"third", 1.0 / 3}, {"large", 18446744073709551615U}, {"text", "kůň \"😀\"\r\n\t"}};
    {
        const auto tape = *Tape::record(path_);
        ASSERT_TRUE(tape->keep("chat", 0.1, answer));
    }
    EXPECT_EQ((*Tape::replay(path_))->take("chat", 0.1).value(), answer);
}

TEST_F(TapeTest, DoesNotWriteOverAFile) {
    write("something dear\n");
    const auto tape = Tape::record(path_);
    ASSERT_FALSE(tape);
    EXPECT_EQ(tape.error().code, Code::already_exists);
    EXPECT_EQ(read(), "something dear\n");
}

TEST_F(TapeTest, SaysThatTheFolderIsMissing) {
    const auto tape = Tape::record((folder_ / "absent" / "tape.jsonl").string());
    ASSERT_FALSE(tape);
    EXPECT_EQ(tape.error().code, Code::unavailable);
    EXPECT_THAT(tape.error().message, HasSubstr("No such file or directory"));
}

TEST_F(TapeTest, IsReadableOnlyByItsOwner) {
    ASSERT_TRUE(Tape::record(path_));
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(path_).permissions() & (perms::group_all | perms::others_all), perms::none);
}

TEST_F(TapeTest, SaysThatTheFileIsMissing) {
    EXPECT_EQ(Tape::replay(path_).error().code, Code::not_found);
}

TEST_F(TapeTest, PlaysAnEmptyFileAsARunThatAskedNothing) {
    write("");
    EXPECT_EQ((*Tape::replay(path_))->left(), 0U);
}

TEST_F(TapeTest, NamesTheLineThatIsNone) {
    const std::string good = R"({"kind":"chat","request":1,"answer":2})"
                             "\n";
    for (const std::string bad :
         {"{", "", "7", "[]", R"({"kind":"chat","request":1})", R"({"kind":1,"request":1,"answer":2})",
          R"({"request":1,"answer":2})", R"({"kind":"chat","answer":2})", R"({"kind":"chat","request":1,"ans)"}) {
        write(good + bad + "\n" + good);
        const auto tape = Tape::replay(path_);
        ASSERT_FALSE(tape) << bad;
        EXPECT_EQ(tape.error().code, Code::corrupt) << bad;
        EXPECT_THAT(tape.error().message, HasSubstr("tape.jsonl:2 is no line of a tape")) << bad;
    }
}

TEST_F(TapeTest, FailsTheCallThatCannotBeKept) {
    const auto full = Tape::record(path_);
    ASSERT_TRUE(full);
    ASSERT_TRUE((*full)->keep("chat", 1, 2));
    const auto played = *Tape::replay(path_);
    EXPECT_FALSE(played->keep("chat", 1, 2));
    EXPECT_EQ(played->left(), 1U);
}

TEST_F(TapeTest, IsWrittenAndPlayedByManyThreads) {
    constexpr int kThreads = 4;
    constexpr int kCalls = 50;
    const auto in_threads = [](const std::function<void(int)>& work) {
        std::vector<std::thread> threads;
        for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
        for (std::thread& thread : threads) thread.join();
    };
    {
        const auto tape = *Tape::record(path_);
        in_threads([&](int thread) {
            for (int i = 0; i < kCalls; ++i) EXPECT_TRUE(tape->keep("chat", thread, i));
        });
    }
    const auto tape = *Tape::replay(path_);
    in_threads([&](int thread) {
        for (int i = 0; i < kCalls; ++i) EXPECT_EQ(tape->take("chat", thread).value(), i);
    });
    EXPECT_EQ(tape->left(), 0U);
}

}  // namespace
}  // namespace quaestor
