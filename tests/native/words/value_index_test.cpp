#include "native/value_index.hpp"

#include "native/words/golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

namespace quaestor::native {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Certainty = Spelling::Certainty;

using Hit = std::tuple<std::size_t, std::size_t, ColumnId, std::string, int>;

std::vector<Hit> hits_of(const ValueIndex& index, const std::string& question) {
    std::vector<Hit> out;
    for (const auto& hit : index.hits(question, split_words(question)))
        out.emplace_back(hit.first, hit.last, hit.column, hit.value, hit.is_sure ? 1 : 0);
    return out;
}

ValueIndex index_of(const std::vector<std::pair<ColumnId, std::string>>& values) {
    ValueIndex index;
    for (const auto& [column, value] : values) index.add(column, value);
    return index;
}

TEST(ValueIndexTest, FindsTheValuesThatTrainingFinds) {
    for (const auto& row : golden_rows("values.jsonl")) {
        const auto index = index_of(field<std::vector<std::pair<ColumnId, std::string>>>(row, "values"));
        for (const auto& [question, hits] :
             field<std::vector<std::pair<std::string, std::vector<Hit>>>>(row, "questions"))
            EXPECT_EQ(hits_of(index, question), hits) << testing::PrintToString(question);
        using Asked = std::tuple<ColumnId, std::string, std::string>;
        for (const auto& [column, text, spelling] : field<std::vector<Asked>>(row, "spellings"))
            EXPECT_EQ(index.spelling(column, text).text, spelling) << testing::PrintToString(text);
    }
}

TEST(ValueIndexTest, FindsTheSameInWhateverOrderColumnsCome) {
    const auto rising = index_of({{1, "Paris"}, {2, "Paris"}, {5, "PARIS"}, {9, "paris"}, {9, "Port Paris"}});
    const auto mixed = index_of({{9, "paris"}, {2, "Paris"}, {9, "Port Paris"}, {5, "PARIS"}, {1, "Paris"}});
    EXPECT_EQ(hits_of(rising, "in Paris"), hits_of(mixed, "in Paris"));
    EXPECT_THAT(hits_of(mixed, "in Paris"), ElementsAre(Hit(1, 1, 1, "Paris", 1), Hit(1, 1, 2, "Paris", 1),
                                                        Hit(1, 1, 5, "PARIS", 1), Hit(1, 1, 9, "paris", 1)));
}

TEST(ValueIndexTest, KeepsTheFirstSpellingOfAKey) {
    const auto index = index_of({{1, "São Paulo"}, {1, "SAO PAULO"}, {2, "SAO PAULO"}});
    ASSERT_EQ(index.values_of(1).size(), 1U);
    EXPECT_EQ(index.values_of(1)[0].key, "sao paulo");
    EXPECT_EQ(index.values_of(1)[0].spelling, "São Paulo");
    EXPECT_EQ(index.values_of(2)[0].spelling, "SAO PAULO");
    EXPECT_THAT(index.values_of(3), IsEmpty());
}

TEST(ValueIndexTest, SaysNothingForAWordThatSeveralValuesHave) {
    const auto index = index_of({{1, "John Smith"}, {1, "John Doe"}, {2, "John Paul Jones"}});
    EXPECT_THAT(hits_of(index, "John"), ElementsAre(Hit(0, 0, 2, "John Paul Jones", 0)));
    EXPECT_THAT(hits_of(index, "smith"), ElementsAre(Hit(0, 0, 1, "John Smith", 0)));
}

TEST(ValueIndexTest, TakesAWordThatAValueRepeatsForOne) {
    EXPECT_THAT(hits_of(index_of({{1, "Baden Baden"}}), "baden"), ElementsAre(Hit(0, 0, 1, "Baden Baden", 0)));
}

TEST(ValueIndexTest, LeavesOutWhatIsBeyondItsBounds) {
    ValueIndex index;
    index.add(1, std::string(kValueCharactersMax + 1, 'x'));
    index.add(1, "?!");
    EXPECT_THAT(index.values_of(1), IsEmpty());
    std::string wide;
    for (std::size_t at = 0; at < kValueCharactersMax; ++at) wide += "ж";
    index.add(1, wide);
    EXPECT_EQ(index.values_of(1).size(), 1U) << "characters count, not bytes";
    for (std::size_t at = 0; at < kValuesPerColumnMax + 7; ++at) index.add(2, fmt::format("value {}", at));
    EXPECT_EQ(index.values_of(2).size(), kValuesPerColumnMax);
}

TEST(ValueIndexTest, GoesOnWhenMoved) {
    auto index = index_of({{1, "North Harbor"}});
    ValueIndex moved = std::move(index);
    moved.add(1, "South Harbor");
    EXPECT_EQ(moved.spelling(1, "north harbor").text, "North Harbor");
    EXPECT_EQ(moved.spelling(1, "south").text, "South Harbor");
}

TEST(ValueIndexTest, OfNothingHasNoHits) {
    EXPECT_THAT(hits_of({}, "anything at all"), IsEmpty());
    EXPECT_THAT(hits_of(index_of({{1, "x"}}), ""), IsEmpty());
}

TEST(SpellingTest, IsExactForTheSameWordsAndLikelyForOneNearValue) {
    const auto index = index_of({{1, "Zürich"}, {1, "Company"}, {1, "Los Angeles"}, {1, "Manchester"}});
    const auto certainty = [&index](std::string_view text) { return index.spelling(1, text).certainty; };
    EXPECT_EQ(certainty("ZURICH"), Certainty::exact);
    EXPECT_EQ(certainty("companies"), Certainty::likely) << "a plural";
    EXPECT_EQ(certainty("angeles"), Certainty::likely) << "one of its words";
    EXPECT_EQ(certainty("Manchster"), Certainty::likely) << "a slip";
    EXPECT_EQ(index.spelling(1, "Manchster").text, "Manchester");
    EXPECT_EQ(certainty("Madrid"), Certainty::unknown);
    EXPECT_EQ(index.spelling(1, "Madrid").text, "Madrid");
    EXPECT_EQ(index.spelling(2, "Zurich").certainty, Certainty::unknown) << "another column";
}

TEST(SpellingTest, OffersWhatMayHaveBeenMeantWhenNothingIsSure) {
    const auto index = index_of({{1, "Marion"}, {1, "John Smith"}, {1, "Marian"}, {1, "John Doe"}, {1, "Mariana"}});
    const auto near = index.spelling(1, "Marien");
    EXPECT_EQ(near.certainty, Certainty::unknown);
    EXPECT_THAT(near.nearest, ElementsAre("Marion", "Marian", "Mariana"));
    EXPECT_THAT(index.spelling(1, "John").nearest, ElementsAre("John Smith", "John Doe"));
    EXPECT_THAT(index.spelling(1, "").nearest, IsEmpty());
    EXPECT_THAT(index.spelling(1, "xyz").nearest, IsEmpty());
}

TEST(SpellingTest, DoesNotTakeOneNumberForAnother) {
    EXPECT_EQ(index_of({{1, "Airbus A320"}}).spelling(1, "Airbus A321").certainty, Certainty::unknown);
}

TEST(SpellingTest, CountsEditsInCharacters) {
    const auto index = index_of({{1, "Новосибирск"}});
    EXPECT_EQ(index.spelling(1, "Новасибирск").text, "Новосибирск");
    EXPECT_EQ(index.spelling(1, "Навасебирск").certainty, Certainty::unknown) << "three letters are wrong";
}

}  // namespace
}  // namespace quaestor::native
