#include "llm/providers/provider_error.hpp"

#include "base/text.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace quaestor::llm {
namespace {

using namespace std::chrono_literals;

const std::string kKey = "k3y-that-is-secret";

std::unique_ptr<Protocol> protocol_of(const std::string& provider) {
    Endpoint endpoint{.name = provider + "/m", .model = "m", .key = kKey};
    if (provider == "anthropic") return anthropic_protocol(endpoint);
    if (provider == "google") return google_protocol(endpoint);
    return openai_protocol(endpoint);
}

TEST(ProviderErrors, MeanWhatTheTableSays) {
    std::ifstream table(QUAESTOR_TEST_DIR "/cases/errors.txt");
    ASSERT_TRUE(table);
    int lines = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        SCOPED_TRACE(line);
        ++lines;
        std::istringstream in(line);
        std::string provider, fault, body;
        int status = 0;
        in >> provider >> status >> fault >> std::ws;
        std::getline(in, body);

        const ModelError error = protocol_of(provider)->error_of({.status = status, .body = body});
        const bool is_money = fault == "money";
        EXPECT_EQ(boost::describe::enum_to_string(error.fault, "?"), is_money ? "auth" : fault);
        EXPECT_EQ(error.error.hint.contains("billing"), is_money) << error.error.hint;
        EXPECT_TRUE(error.error.message.starts_with(provider + "/m: ")) << error.error.message;
        EXPECT_TRUE(error.error.message.contains("(HTTP " + std::to_string(status) + ")")) << error.error.message;
        EXPECT_FALSE(error.error.message.contains("<html>")) << error.error.message;
        EXPECT_FALSE(error.error.hint.empty());
    }
    EXPECT_GT(lines, 40);
}

TEST(ProviderErrors, TheMessageTellsWhatHappenedAndWhatTheProviderSaid) {
    const auto error = protocol_of("openai")->error_of(
        {.status = 429, .body = R"({"error":{"message":"Limit 3, Used 3.","code":"rate_limit_exceeded"}})"});
    EXPECT_EQ(error.error.message, "openai/m: too many requests for now (HTTP 429): Limit 3, Used 3.");
    EXPECT_EQ(error.error.code, Code::rate_limited);
}

TEST(ProviderErrors, KeysNeverReachTheMessage) {
    for (const std::string& said : {"bad key " + kKey, "bad key '" + kKey + "'.", std::string("k3y-that***"),
                                    "x" + kKey + "y", std::string("sk-proj-abcdefgh*****wxyz"),
                                    std::string("AIzaSyA-1234567890"), std::string(295, 'x') + " " + kKey}) {
        const std::string shown = shown_words(said, kKey);
        EXPECT_FALSE(shown.contains("k3y")) << shown;
        EXPECT_FALSE(shown.contains("sk-")) << shown;
        EXPECT_FALSE(shown.contains("AIza")) << shown;
    }
    EXPECT_EQ(shown_words("Incorrect API key provided: sk-abc***xyz1. See the docs.", kKey),
              "Incorrect API key provided: *** See the docs.");
}

TEST(ProviderErrors, ShortKeysAndNoneDoNotMaskTheText) {
    EXPECT_EQ(shown_words("no model named e here", "e"), "no model named e here");
    EXPECT_EQ(shown_words("plain words", ""), "plain words");
}

TEST(ProviderErrors, WordsAreBoundedAndCleaned) {
    EXPECT_EQ(shown_words("a\nb\x1b[31mc\x7f\t\xff", ""), "a b [31mc  \uFFFD");
    EXPECT_EQ(text::display_width(shown_words(std::string(10'000, 'x'), "")), kProviderWordsMax);
}

struct Wait {
    std::vector<net::HttpHeader> headers;
    std::optional<Duration> expected;
};

TEST(ProviderErrors, TheTimeToWaitComesInManyForms) {
    const std::vector<Wait> waits{
        {{}, std::nullopt},
        {{{"Retry-After", "7"}}, 7s},
        {{{"retry-after", " 1.5 "}}, 1500ms},
        {{{"retry-after-ms", "250"}, {"retry-after", "9"}}, 250ms},
        {{{"retry-after-ms", "120000"}}, 2min},
        {{{"retry-after-ms", "soon"}, {"retry-after", "9"}}, 9s},
        {{{"retry-after", "Fri, 31 Dec 1999 23:59:59 GMT"}, {"date", "Fri, 31 Dec 1999 23:59:29 GMT"}}, 30s},
        {{{"retry-after", "Fri, 31 Dec 1999 23:59:59 GMT"}}, 0s},
        {{{"retry-after", "soon"}}, std::nullopt},
        {{{"retry-after", "-1"}}, std::nullopt},
        {{{"retry-after", "nan"}}, std::nullopt},
        {{{"retry-after", "1e300"}}, kRetryAfterMax},
    };
    for (const Wait& wait : waits) {
        SCOPED_TRACE(wait.headers.empty() ? "no header" : wait.headers.front().value);
        EXPECT_EQ(retry_after_of({.status = 429, .headers = wait.headers}), wait.expected);
        EXPECT_EQ(protocol_of("anthropic")->error_of({.status = 529, .headers = wait.headers}).retry_after,
                  wait.expected);
    }
}

TEST(ProviderErrors, GooglesTimeToWaitStandsInTheBody) {
    const auto error = protocol_of("google")->error_of({.status = 429, .body = R"({"error":{"code":429,
        "status":"RESOURCE_EXHAUSTED","details":[7,{"@type":"type.googleapis.com/google.rpc.QuotaFailure"},
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}})"});
    EXPECT_EQ(error.retry_after, 34500ms);
}

}  // namespace
}  // namespace quaestor::llm
