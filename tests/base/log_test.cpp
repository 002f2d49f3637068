#include "base/log.hpp"

#include "base/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Collects log lines while it lives.
class CapturedLog {
public:
    CapturedLog() {
        redirect_log([this](std::string_view line) { lines_.emplace_back(line); });
    }
    ~CapturedLog() { redirect_log({}); }

    [[nodiscard]] std::size_t size() const { return lines_.size(); }
    [[nodiscard]] const std::string& text(std::size_t line = 0) const { return lines_.at(line); }
    [[nodiscard]] json::object object(std::size_t line = 0) const { return parse_json(text(line)).value().as_object(); }

private:
    std::vector<std::string> lines_;
};

struct TestFile {
    TestFile() { std::filesystem::remove_all(path); }
    ~TestFile() {
        EXPECT_TRUE(configure_log({}));
        std::filesystem::remove_all(path);
    }

    [[nodiscard]] std::vector<std::string> lines() const {
        std::ifstream file(path);
        std::vector<std::string> found;
        for (std::string line; std::getline(file, line);) found.push_back(line);
        return found;
    }

    const std::string path = testing::TempDir() + "quaestor_log_test.log";
};

TEST(Log, WritesOneJsonObjectALine) {
    const CapturedLog log;
    log::info("node finished", {{"latency_ms", 12.5}, {"rows", 3}}, {.trace_id = "run-1", .node = "generate_sql"});
    ASSERT_EQ(log.size(), 1u);
    json::object line = log.object();
    EXPECT_TRUE(from_iso8601(line.at("time").as_string())) << log.text();
    line.erase("time");
    EXPECT_EQ(line, parse_json(R"({"level":"info","message":"node finished","trace_id":"run-1","node":"generate_sql",
                                   "latency_ms":12.5,"rows":3})")
                        ->as_object());
}

TEST(Log, StartsEveryLineWithTimeLevelAndMessage) {
    const CapturedLog log;
    log::warning("careful");
    EXPECT_THAT(log.text(), testing::MatchesRegex(R"(\{"time":"[-0-9T:.]+Z","level":"warning","message":"careful"\})"));
}

TEST(Log, NamesItsLevels) {
    const CapturedLog log;
    log::debug("a");
    log::info("b");
    log::warning("c");
    log::error("d");
    ASSERT_EQ(log.size(), 4u);
    EXPECT_EQ(log.object(0).at("level"), "debug");
    EXPECT_EQ(log.object(1).at("level"), "info");
    EXPECT_EQ(log.object(2).at("level"), "warning");
    EXPECT_EQ(log.object(3).at("level"), "error");
}

TEST(Log, KeepsALineOnOneLine) {
    const CapturedLog log;
    log::info("two\nlines {} %s", {{"text", "a\nb"}});
    EXPECT_THAT(log.text(), Not(HasSubstr("\n")));
    EXPECT_EQ(log.object().at("message"), "two\nlines {} %s");
}

TEST(Log, KeepsFieldsThatHaveTheNameOfItsOwn) {
    const CapturedLog log;
    log::info("mine", {{"message", "yours"}, {"message_", "theirs"}});
    EXPECT_EQ(log.object().at("message"), "mine");
    EXPECT_EQ(log.object().at("message_"), "yours");
    EXPECT_EQ(log.object().at("message__"), "theirs");
}

TEST(Log, WritesValidJsonForMalformedUtf8) {
    const CapturedLog log;
    log::info("\xFF", {{"\xC3", "\x80"}});
    EXPECT_EQ(log.object().at("message"), "\uFFFD");
}

TEST(Log, TakesLinesFromManyThreads) {
    constexpr int kThreads = 4;
    constexpr int kLines = 100;
    const CapturedLog log;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([] {
            for (int line = 0; line < kLines; ++line) log::info("line", {{"number", line}});
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(log.size(), std::size_t{kThreads * kLines});
}

TEST(Log, WritesToItsFileFromTheConfiguredLevelUp) {
    const TestFile file;
    ASSERT_TRUE(configure_log({.level = LogLevel::info, .file = file.path}));
    log::debug("too quiet");
    log::info("heard");
    log::error("loud");
    const auto lines = file.lines();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(parse_json(lines[0])->at("message"), "heard");
    EXPECT_EQ(parse_json(lines[1])->at("message"), "loud");
}

TEST(Log, AppendsToAFileThatIsThere) {
    const TestFile file;
    for (const char* message : {"first", "second"}) {
        ASSERT_TRUE(configure_log({.level = LogLevel::info, .file = file.path}));
        log::info(message);
    }
    EXPECT_EQ(file.lines().size(), 2u);
}

TEST(Log, WritesNothingWhenOff) {
    const TestFile file;
    ASSERT_TRUE(configure_log({.level = LogLevel::off, .file = file.path}));
    log::error("nobody hears this");
    EXPECT_TRUE(file.lines().empty());
}

TEST(Log, GoesBackToItsFileAfterARedirection) {
    const TestFile file;
    ASSERT_TRUE(configure_log({.level = LogLevel::info, .file = file.path}));
    {
        const CapturedLog captured;
        log::info("elsewhere");
        EXPECT_EQ(captured.size(), 1u);
    }
    log::info("here");
    ASSERT_EQ(file.lines().size(), 1u);
    EXPECT_THAT(file.lines()[0], HasSubstr("here"));
}

TEST(Log, SaysWhyAFileCannotBeOpened) {
    const auto opened = configure_log({.level = LogLevel::info, .file = testing::TempDir()});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::unavailable);
    EXPECT_THAT(opened.error().message, HasSubstr("could not open the log file " + testing::TempDir()));
    EXPECT_FALSE(opened.error().hint.empty());
}

TEST(Log, SurvivesASinkThatThrows) {
    redirect_log([](std::string_view) { throw std::runtime_error("full"); });
    EXPECT_NO_THROW(log::info("lost"));
    redirect_log({});
}

TEST(Secret, ShowsItselfOnlyWhenRevealed) {
    const Secret key("sk-live-1234");
    std::ostringstream out;
    out << key;
    EXPECT_EQ(out.str(), "***");
    EXPECT_EQ(to_text(encode(key)), R"("***")");
    EXPECT_EQ(testing::PrintToString(key), "***");
    EXPECT_EQ(key.reveal(), "sk-live-1234");
}

TEST(Secret, ShowsThatItIsEmpty) {
    EXPECT_TRUE(Secret().empty());
    EXPECT_EQ(to_text(encode(Secret())), R"("")");
}

TEST(Secret, IsReadFromAString) {
    const auto secret = decode<Secret>(json::value("read-from-settings"));
    ASSERT_TRUE(secret);
    EXPECT_EQ(secret->reveal(), "read-from-settings");
    EXPECT_EQ(mask_secrets("x read-from-settings y"), "x *** y");
    EXPECT_EQ(decode<Secret>(json::value(7)).error().message, "expected a string, got 7");
}

TEST(Secret, IsMaskedInMessagesFieldsKeysAndScope) {
    const Secret secret("hunter2hunter2");
    const CapturedLog log;
    log::error("key hunter2hunter2 refused", {{"hunter2hunter2", json::array{json::object{{"a", "hunter2hunter2!"}}}}},
               {.trace_id = "hunter2hunter2", .node = "hunter2hunter2"});
    EXPECT_THAT(log.text(), Not(HasSubstr("hunter2")));
    EXPECT_EQ(log.object().at("message"), "key *** refused");
    EXPECT_EQ(log.object().at("***").as_array()[0].at("a"), "***!");
}

TEST(Secret, IsMaskedInsideJsonTextThatALineCarries) {
    const Secret secret("quote\"back\\slash");
    EXPECT_EQ(mask_secrets(R"({"key":"quote\"back\\slash"})"), R"({"key":"***"})");
    EXPECT_EQ(mask_secrets("key=quote\"back\\slash"), "key=***");
    const CapturedLog log;
    log::info("body", {{"raw", secret.reveal()}, {"text", to_text(json::object{{"key", secret.reveal()}})}});
    EXPECT_THAT(log.text(), Not(HasSubstr("quote")));
}

TEST(Secret, LeavesTheLineValidJsonWhateverItIs) {
    const std::vector<Secret> secrets{Secret("true"), Secret("4711"), Secret("\",\""), Secret("level")};
    const CapturedLog log;
    log::info("x", {{"flag", true}, {"pin", 4711}, {"long", 1471123}, {"plain", 12}});
    EXPECT_EQ(log.object().at("flag"), true);
    EXPECT_EQ(log.object().at("pin"), "***");
    EXPECT_EQ(log.object().at("long"), "1***23");
    EXPECT_EQ(log.object().at("plain"), 12);
    EXPECT_EQ(log.object().at("level"), "info");
}

TEST(Secret, IsNotRegisteredWhenItIsTooShortToBeTold) {
    const Secret secret("abc");
    EXPECT_EQ(mask_secrets("abc abcd"), "abc abcd");
}

TEST(MaskSecrets, MasksOverlappingSecretsWhole) {
    const Secret left("overlapping");
    const Secret right("pingpong");
    EXPECT_EQ(mask_secrets("<overlappingpong>"), "<***>");
    EXPECT_EQ(mask_secrets("overlapping pingpong"), "*** ***");
}

TEST(MaskSecrets, MasksALongerSecretThatHoldsAShorterOne) {
    const Secret inner("inner-key");
    const Secret outer("pre-inner-key-post");
    EXPECT_EQ(mask_secrets("pre-inner-key-post"), "***");
    EXPECT_EQ(mask_secrets("an inner-key"), "an ***");
}

TEST(MaskSecrets, MasksThePasswordOfEveryUrl) {
    EXPECT_EQ(mask_secrets("postgres://ann:pw@db:5432/x and redis://:pw@cache"),
              "postgres://ann:***@db:5432/x and redis://:***@cache");
    EXPECT_EQ(mask_secrets("{\"url\":\"https://u:p%40ss@h/\"}"), "{\"url\":\"https://u:***@h/\"}");
    EXPECT_EQ(mask_secrets("http://u:a@b@host"), "http://u:***@host");
}

TEST(MaskSecrets, MasksPasswordsThatShouldHaveBeenEscaped) {
    EXPECT_EQ(mask_secrets("postgres://ann:p/w#1@db/x"), "postgres://ann:***@db/x");
}

TEST(MaskSecrets, LeavesUrlsWithoutAPasswordAlone) {
    for (const char* text : {"https://example.org:8080/a?mail=a@b.org", "https://ann@example.org/", "://", "a://b",
                             "http://ann:@host", "mailto:a@b.org", "http://[::1]:80/", "time 10:30 @ noon://"}) {
        EXPECT_EQ(mask_secrets(text), text);
    }
}

}  // namespace
}  // namespace quaestor
