// Every reply of cases/extract.cases, and what a table cannot show: size, depth and time.
#include "llm/structured.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace quaestor::llm {
namespace {

using testing::HasSubstr;

struct ExtractCase {
    std::string name;
    std::string reply;
    std::string wanted;
};

std::vector<ExtractCase> read_cases() {
    std::ifstream file(QUAESTOR_TEST_DIR "/cases/extract.cases");
    std::vector<ExtractCase> cases;
    bool is_wanted = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("--- ")) {
            cases.push_back({line.substr(4), "", ""});
            is_wanted = false;
        } else if (line == "=>") {
            is_wanted = true;
        } else if (!cases.empty() && is_wanted) {
            cases.back().wanted += line;
        } else if (!cases.empty()) {
            cases.back().reply += (cases.back().reply.empty() ? "" : "\n") + line;
        }
    }
    return cases;
}

TEST(ExtractJsonTest, FindsWhatTheCasesSay) {
    const auto cases = read_cases();
    ASSERT_GE(cases.size(), 60U);
    for (const ExtractCase& one : cases) {
        SCOPED_TRACE(one.name);
        const auto found = extract_json(one.reply);
        if (one.wanted.starts_with("error: ")) {
            ASSERT_FALSE(found) << to_text(*found);
            EXPECT_EQ(found.error().code, Code::invalid_argument);
            EXPECT_THAT(found.error().message, HasSubstr(one.wanted.substr(7)));
        } else {
            ASSERT_TRUE(found) << found.error().message;
            const auto wanted = parse_json(one.wanted);
            ASSERT_TRUE(wanted) << wanted.error().message;
            EXPECT_EQ(to_text(*found), to_text(*wanted));
        }
    }
}

TEST(ExtractJsonTest, ReadsBytesThatAreNoUtf8) {
    const auto found = extract_json("So: {\"a\": \"x\xFFy\"}");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->at("a").as_string(), "x\uFFFDy");
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(ExtractJsonTest, GoesNoDeeperThanJsonIsRead) {
    for (const char* piece : {"{\"a\":", "{\"a\":[", "[", "{a:[{b:"}) {
        SCOPED_TRACE(piece);
        const auto found = extract_json("x " + repeated(piece, 10'000));
        if (found) {
            EXPECT_TRUE(parse_json(to_text(*found)));
        }
    }
}

/// Each would take hours if every brace were read to the end of the text again.
TEST(ExtractJsonTest, TakesTimeInProportionToTheReply) {
    for (const char* piece : {"{", "{\"", "{'a", "{\"a\": ", "{\"a\": \"", "{\"a\": [1, ", "{'a': '", "{a", "{/*",
                              "</think>{'a':1,", "```{\"a\":1", "{\"a\":1,} ", "\\\"{", "\u201C{"}) {
        SCOPED_TRACE(piece);
        (void)extract_json(repeated(piece, 20'000));
    }
}

TEST(ExtractJsonTest, RefusesAReplyThatIsTooLarge) {
    const auto found = extract_json(std::string(17U << 20, ' '));
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("bytes"));
}

}  // namespace
}  // namespace quaestor::llm
