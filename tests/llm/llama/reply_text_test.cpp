#include "llm/llama/reply_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace quaestor::llm::llama {

namespace {

using Texts = std::vector<std::string>;

/// What is told for each piece, and at the end.
Texts told(const Texts& stops, const Texts& pieces) {
    ReplyText text(stops);
    Texts told;
    for (const auto& piece : pieces) {
        told.push_back(text.add(piece));
        if (text.is_stopped()) return told;
    }
    told.push_back(text.rest());
    return told;
}

TEST(ReplyText, TellsEachPieceAtOnce) {
    EXPECT_EQ(told({}, {"Hel", "lo", " you"}), (Texts{"Hel", "lo", " you", ""}));
}

TEST(ReplyText, WaitsForTheBytesOfACharacter) {
    EXPECT_EQ(told({}, {"\xF0", "\x9F\x98", "\x80!", "\xC3", "\xA9"}), (Texts{"", "", "😀!", "", "é", ""}));
}

TEST(ReplyText, ReplacesBytesThatAreNoCharacter) {
    EXPECT_EQ(told({}, {"a\xFF", "b", "\xC3(", "\xE2\x82"}), (Texts{"a\uFFFD", "b", "\uFFFD(", "", "\uFFFD"}));
}

TEST(ReplyText, ReplacesOverlongFormsAndSurrogates) {
    EXPECT_EQ(told({}, {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"}),
              (Texts{"\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD\uFFFD", ""}));
}

TEST(ReplyText, EndsBeforeAStopString) {
    EXPECT_EQ(told({"END"}, {"one EN", "D two"}), (Texts{"one ", ""}));
    EXPECT_EQ(told({"END"}, {"one END two"}), (Texts{"one "}));
}

TEST(ReplyText, TellsWhatOnlyLookedLikeAStopString) {
    EXPECT_EQ(told({"END"}, {"one EN", "ough"}), (Texts{"one ", "ENough", ""}));
    EXPECT_EQ(told({"END"}, {"one E"}), (Texts{"one ", "E"}));
}

TEST(ReplyText, ABeginningWithinABeginningIsSeen) {
    EXPECT_EQ(told({"aab"}, {"xa", "a", "a", "b"}), (Texts{"x", "", "a", ""}));
}

TEST(ReplyText, TheFirstOfSeveralStopStringsCounts) {
    EXPECT_EQ(told({"two", "one"}, {"zero one two"}), (Texts{"zero "}));
}

TEST(ReplyText, AStopStringMayBeOfAnyCharacters) {
    EXPECT_EQ(told({"。"}, {"你好\xE3", "\x80", "\x82再"}), (Texts{"你好", "", ""}));
}

TEST(ReplyText, AnEmptyStopStringCountsForNothing) {
    EXPECT_EQ(told({""}, {"text"}), (Texts{"text", ""}));
}

TEST(ReplyText, BeginsWithTheFirstWord) {
    EXPECT_EQ(told({}, {" ", "\n", " Hello", " you"}), (Texts{"", "", "Hello", " you", ""}));
}

}  // namespace

}  // namespace quaestor::llm::llama
