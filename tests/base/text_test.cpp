#include "base/text.hpp"

#include <gtest/gtest.h>

namespace quaestor::text {
namespace {

using Words = std::vector<std::string>;

TEST(IsUtf8, AcceptsWellFormedText) {
    for (const char* text : {"", "plain", "é", "世界", "👩‍🚀", "\x7F"}) EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(IsUtf8, RefusesEveryKindOfMalformedBytes) {
    for (const char* text : {"\x80", "a\xFF", "\xC3", "\xE4\xB8", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80",
                             "\xF4\x90\x80\x80", "\xE0\x80\xAF"}) {
        EXPECT_FALSE(is_utf8(text));
    }
}

TEST(Clean, LeavesAsciiAlone) {
    EXPECT_EQ(clean(""), "");
    EXPECT_EQ(clean("tab\tand \"quotes\""), "tab\tand \"quotes\"");
}

TEST(Clean, ComposesCombiningMarks) {
    EXPECT_EQ(clean("Cafe\u0301"), "Caf\u00E9");
    EXPECT_EQ(clean("\u1112\u1161\u11AB"), "한");
}

TEST(Clean, ReplacesMalformedBytes) {
    EXPECT_EQ(clean("a\xFF\xFEz"), "a\uFFFD\uFFFDz");
    EXPECT_EQ(clean("\xE4\xB8"), "\uFFFD");
}

TEST(Fold, IgnoresCaseAndAccents) {
    EXPECT_EQ(fold("São Paulo"), "sao paulo");
    EXPECT_EQ(fold("SAO PAULO"), "sao paulo");
    EXPECT_EQ(fold("Ελλάς"), fold("ΕΛΛΑΣ"));
    EXPECT_EQ(fold("Żółć"), "zolc");
    EXPECT_EQ(fold("Ørsted"), "orsted");
}

TEST(Fold, KnowsSharpSAndTurkishI) {
    EXPECT_EQ(fold("Straße"), fold("STRASSE"));
    EXPECT_EQ(fold("İstanbul"), "istanbul");
    EXPECT_EQ(fold("Isparta"), fold("ısparta"));
}

TEST(Fold, UsesCompatibilityForms) {
    EXPECT_EQ(fold("ﬁne"), "fine");
    EXPECT_EQ(fold("ＦＵＬＬ"), "full");
    EXPECT_EQ(fold("x²"), "x2");
}

TEST(Fold, KeepsMarksThatAreNoAccents) {
    EXPECT_NE(fold("が"), fold("か"));
    EXPECT_EQ(fold("हिन्दी"), "हिन्दी");
    EXPECT_EQ(fold("한국"), "한국");
}

TEST(Fold, SurvivesEmptyAndMalformedText) {
    EXPECT_EQ(fold(""), "");
    EXPECT_EQ(fold("A\xFF"), "a\uFFFD");
}

TEST(Words, LeavesPunctuationAndSpacesOut) {
    EXPECT_EQ(words("What's the total, in 2024?"), (Words{"What's", "the", "total", "in", "2024"}));
    EXPECT_EQ(words(" \t… — !"), Words{});
    EXPECT_EQ(words(""), Words{});
}

TEST(Words, KeepsNumbersTogether) {
    EXPECT_EQ(words("1,234.5 units"), (Words{"1,234.5", "units"}));
}

TEST(Words, FindsWordsWithoutSpaces) {
    EXPECT_EQ(words("東京都"), (Words{"東京", "都"}));
    EXPECT_EQ(words("ภาษาไทย"), (Words{"ภาษา", "ไทย"}));
}

TEST(Words, KeepsCombiningMarksWithTheirLetters) {
    EXPECT_EQ(words("cafe\u0301 noir"), (Words{"cafe\u0301", "noir"}));
}

TEST(Trim, RemovesAnyUnicodeWhiteSpace) {
    EXPECT_EQ(trim("  a b \n"), "a b");
    EXPECT_EQ(trim("\u00A0\u3000x\u2003\u2028"), "x");
    EXPECT_EQ(trim("x"), "x");
}

TEST(Trim, LeavesNothingOfWhiteSpaceAlone) {
    EXPECT_EQ(trim(""), "");
    EXPECT_EQ(trim(" \u2003\t"), "");
}

TEST(Trim, KeepsMalformedBytesAndInvisibleLetters) {
    EXPECT_EQ(trim(" \xFF\x80 "), "\xFF\x80");
    EXPECT_EQ(trim("\xE2\x80 "), "\xE2\x80");
    EXPECT_EQ(trim("\u200Bx"), "\u200Bx");
}

TEST(DisplayWidth, CountsColumns) {
    EXPECT_EQ(display_width(""), 0u);
    EXPECT_EQ(display_width("plain"), 5u);
    EXPECT_EQ(display_width("世界"), 4u);
    EXPECT_EQ(display_width("ＡＢ"), 4u);
    EXPECT_EQ(display_width("ｱ"), 1u);
    EXPECT_EQ(display_width("한글"), 4u);
}

TEST(DisplayWidth, CountsCombiningAndInvisibleCharactersAsNothing) {
    EXPECT_EQ(display_width("e\u0301"), 1u);
    EXPECT_EQ(display_width("a\u200Bb"), 2u);
    EXPECT_EQ(display_width("\n\x07"), 0u);
}

TEST(DisplayWidth, CountsAnEmojiOnceHoweverItIsComposed) {
    EXPECT_EQ(display_width("🚀"), 2u);
    EXPECT_EQ(display_width("👨‍👩‍👧‍👦"), 2u);
    EXPECT_EQ(display_width("👍🏽"), 2u);
    EXPECT_EQ(display_width("🇩🇪🇫🇷"), 4u);
    EXPECT_EQ(display_width("❤️"), 2u);
}

TEST(DisplayWidth, CountsMalformedBytesAsReplacements) {
    EXPECT_EQ(display_width("a\xFF\xFE"), 3u);
}

TEST(Shorten, LeavesWhatFitsAlone) {
    EXPECT_EQ(shorten("", 5), "");
    EXPECT_EQ(shorten("exact", 5), "exact");
    EXPECT_EQ(shorten("世界", 4), "世界");
}

TEST(Shorten, MarksTheCut) {
    EXPECT_EQ(shorten("a longer text", 8), "a longe…");
    EXPECT_EQ(shorten("abc", 1), "…");
    EXPECT_EQ(shorten("abc", 0), "");
}

TEST(Shorten, NeverCutsThroughACharacter) {
    EXPECT_EQ(shorten("世界世界", 6), "世界…");
    EXPECT_EQ(shorten("世界世界", 7), "世界世…");
    EXPECT_EQ(shorten("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4),
              "👨‍👩‍👧‍👦…");
    EXPECT_EQ(shorten("e\u0301e\u0301e\u0301", 2), "e\u0301…");
}

TEST(Shorten, ReplacesMalformedBytes) {
    EXPECT_EQ(shorten("\xFFxy", 2), "\uFFFD…");
}

TEST(Shorten, NeverTakesMoreColumnsThanAllowed) {
    const std::string text = "a世e\u0301👍🏽 ❤️ x🇩🇪y";
    for (std::size_t columns = 0; columns <= display_width(text) + 1; ++columns) {
        EXPECT_LE(display_width(shorten(text, columns)), columns) << columns;
        EXPECT_TRUE(is_utf8(shorten(text, columns)));
    }
}

TEST(EditDistance, CountsSingleCharacterEdits) {
    EXPECT_EQ(edit_distance("", ""), 0u);
    EXPECT_EQ(edit_distance("", "abc"), 3u);
    EXPECT_EQ(edit_distance("abc", ""), 3u);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
    EXPECT_EQ(edit_distance("世界", "世間"), 1u);
}

TEST(EditDistance, CountsASwapOfNeighboursOnce) {
    EXPECT_EQ(edit_distance("revenue", "reveune"), 1u);
    EXPECT_EQ(edit_distance("ab", "ba"), 1u);
}

TEST(EditDistance, ComparesFolded) {
    EXPECT_EQ(edit_distance("Café", "CAFE"), 0u);
}

TEST(Nearest, FindsWhatWasMeant) {
    const Words tables{"customers", "orders", "order_items"};
    EXPECT_EQ(nearest("custmers", tables), "customers");
    EXPECT_EQ(nearest("ordres", tables), "orders");
    EXPECT_EQ(nearest("OrderItems", tables), "order_items");
}

TEST(Nearest, FindsNothingWhenNothingIsNear) {
    const Words tables{"customers", "orders"};
    EXPECT_EQ(nearest("invoices", tables), std::nullopt);
    EXPECT_EQ(nearest("customers", {}), std::nullopt);
}

TEST(Nearest, PrefersAnExactMatchThenTheFirst) {
    EXPECT_EQ(nearest("cat", Words{"car", "bat", "CÁT"}), "CÁT");
    EXPECT_EQ(nearest("cat", Words{"car", "bat"}), "car");
    EXPECT_EQ(nearest("house", Words{"mouse", "horse"}), "mouse");
}

TEST(Nearest, AllowsOneEditInAShortWordAndAThirdInALongOne) {
    EXPECT_EQ(nearest("id", Words{"ids"}), "ids");
    EXPECT_EQ(nearest("id", Words{"idea"}), std::nullopt);
    EXPECT_EQ(nearest("abcdef", Words{"abcdxy"}), "abcdxy");
    EXPECT_EQ(nearest("abcdef", Words{"abcxyz"}), std::nullopt);
}

}  // namespace
}  // namespace quaestor::text
