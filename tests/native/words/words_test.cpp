#include "native/words.hpp"

#include "native/words/golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::native {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> texts_of(std::string_view text) {
    std::vector<std::string> out;
    for (const auto& [begin, end] : split_words(text)) out.emplace_back(text.substr(begin, end - begin));
    return out;
}

TEST(WordsTest, AreThoseThatTheParserWasTrainedWith) {
    for (const auto& row : golden_rows("words.jsonl")) {
        const std::string text = golden_text(row);
        SCOPED_TRACE(testing::PrintToString(text));
        std::vector<std::size_t> bounds;
        for (const auto& [begin, end] : split_words(text)) bounds.insert(bounds.end(), {begin, end});
        EXPECT_EQ(bounds, field<std::vector<std::size_t>>(row, "words"));
        EXPECT_EQ(fold(text), field<std::string>(row, "fold"));
        EXPECT_EQ(squash(text), field<std::string>(row, "key"));
        EXPECT_EQ(stems(text), field<std::vector<std::string>>(row, "stems"));
        EXPECT_EQ(stem(fold(text)), field<std::string>(row, "stem"));
        EXPECT_EQ(name_words(text), field<std::string>(row, "name"));
        EXPECT_EQ(minilm_pieces().pieces_of(text), field<std::vector<int>>(row, "pieces"));
    }
}

/// Both spellings of the key: the one for values by the million, and the one made of words.
TEST(WordsTest, MakeTheKeyOfAText) {
    for (const auto& row : golden_rows("words.jsonl")) {
        const std::string text = golden_text(row);
        EXPECT_EQ(squash(text), fmt::format("{}", fmt::join(plain_words(text), " "))) << testing::PrintToString(text);
    }
}

TEST(WordsTest, KeepNumbersWithSeparatorsTogether) {
    EXPECT_THAT(texts_of("over 1,000.50 euros"), ElementsAre("over", "1,000.50", "euros"));
    EXPECT_THAT(texts_of("12,34 or 1,0000"), ElementsAre("12", ",", "34", "or", "1", ",", "0000"));
}

TEST(WordsTest, ReadMalformedBytesAsReplacementCharacters) {
    EXPECT_THAT(texts_of("a\xFF\xFE b"), ElementsAre("a\xFF\xFE", "b"));
    EXPECT_EQ(fold("A\xFF"), "a\uFFFD");
    EXPECT_THAT(plain_words("\xC3"), ElementsAre("\uFFFD"));
}

TEST(WordsTest, OfNothingAreNone) {
    EXPECT_THAT(split_words(""), IsEmpty());
    EXPECT_THAT(split_words(" \t\u3000"), IsEmpty());
    EXPECT_EQ(squash("?!"), "");
    EXPECT_EQ(name_words(""), "");
}

TEST(NameTest, IsSplitAtCaseAndWrittenOut) {
    EXPECT_EQ(name_words("CustID"), "customer id");
    EXPECT_EQ(name_words("HTTPServerAddr"), "http server address");
    EXPECT_EQ(name_words("team2Name"), "team2 name");
    EXPECT_EQ(name_words("tbl_dob"), "date of birth");
    EXPECT_EQ(name_words("tbl"), "tbl") << "a name does not vanish";
}

TEST(FoldTest, LeavesNothingToFoldInCapitalsAndAccents) {
    EXPECT_EQ(fold("ÀÉÎÕÜ Ελλάς Ёлка Łódź Straße İzmir"), "aeiou ελλας елка lodz strasse izmir");
    EXPECT_EQ(fold("e\u0301"), "e") << "an accent of its own";
    EXPECT_EQ(fold("東京 😀"), "東京 😀");
}

TEST(WordPieceTest, GivesAWordWithoutPiecesAsUnknown) {
    const WordPiece pieces({"[UNK]", "play", "##ing", "##er", ","});
    EXPECT_THAT(pieces.pieces_of("Playing, player"), ElementsAre(1, 2, 4, 1, 3));
    EXPECT_THAT(pieces.pieces_of("played"), ElementsAre(0)) << "not its first piece alone";
    EXPECT_THAT(pieces.pieces_of("ing"), ElementsAre(0)) << "a piece that goes on begins no word";
    EXPECT_EQ(pieces.id_of("##er"), 3);
}

}  // namespace
}  // namespace quaestor::native
