#include "native/spoken_values.hpp"

#include "native/words/golden.hpp"

#include <gtest/gtest.h>

namespace quaestor::native {
namespace {

std::optional<Period> golden_period(const json::value& row, std::string_view name) {
    if (row.at(name).is_null()) return std::nullopt;
    const auto days = field<std::vector<std::string>>(row, name);
    return Period{.first = days.at(0), .after = days.at(1)};
}

std::string shown(const std::optional<Period>& period) {
    return period ? period->first + " up to " + period->after : "none";
}

template <typename T>
std::optional<T> golden_optional(const json::value& row, std::string_view name) {
    if (row.at(name).is_null()) return std::nullopt;
    return field<T>(row, name);
}

TEST(SpokenValuesTest, AreThoseThatTheParserWasTrainedWith) {
    using enum DatePart;
    for (const auto& row : golden_rows("spoken_values.jsonl")) {
        const auto text = field<std::string>(row, "text");
        SCOPED_TRACE(testing::PrintToString(text));
        EXPECT_EQ(number_of(text), golden_optional<std::string>(row, "number"));
        EXPECT_EQ(shown(period_of(text)), shown(golden_period(row, "period")));
        EXPECT_EQ(shown(period_of(text, 2021)), shown(golden_period(row, "in2021")));
        EXPECT_EQ(year_in(text), golden_optional<int>(row, "year"));
        std::vector<std::string> parts;
        for (const DatePart part : {year, quarter, month, day, weekday}) parts.push_back(part_value(part, text));
        EXPECT_EQ(parts, field<std::vector<std::string>>(row, "parts"));
        EXPECT_EQ(truth_of(text), golden_optional<bool>(row, "truth"));
        EXPECT_EQ(static_cast<int>(look_of(text)), field<int>(row, "look"));
    }
}

TEST(NumberTest, IsReadAsPeopleSayIt) {
    EXPECT_EQ(number_of("3 million"), "3000000");
    EXPECT_EQ(number_of("two dozen"), "24");
    EXPECT_EQ(number_of("twenty-five"), "25");
    EXPECT_EQ(number_of("$1,200.50"), "1200.50");
    EXPECT_EQ(number_of("two million five hundred"), "2000500");
    EXPECT_EQ(number_of("a"), std::nullopt);
    EXPECT_EQ(number_of("two cats"), std::nullopt);
}

TEST(NumberTest, BeyondWhatAnyNumberHoldsIsNone) {
    EXPECT_EQ(number_of(std::string(400, '9') + "k"), std::nullopt);
    EXPECT_EQ(number_of(std::string(400, '9')), std::string(400, '9')) << "digits stay what they are";
}

TEST(PeriodTest, EndsBeforeTheDayAfter) {
    EXPECT_EQ(shown(period_of("29 February 2020")), "2020-02-29 up to 2020-03-01");
    EXPECT_EQ(shown(period_of("Q4 2021")), "2021-10-01 up to 2022-01-01");
    EXPECT_EQ(shown(period_of("the 1990s")), "1990-01-01 up to 2000-01-01");
    EXPECT_EQ(shown(period_of("May")), "none") << "of which year?";
    EXPECT_EQ(shown(period_of("May", 2023)), "2023-05-01 up to 2023-06-01");
    EXPECT_EQ(shown(period_of("31 December", 9999)), "none") << "there is no day after";
    EXPECT_EQ(shown(period_of("1 May", 123456)), "none");
}

TEST(PeriodTest, IsNotReadOutOfAnyNumbers) {
    EXPECT_EQ(shown(period_of("30 February 2020")), "none");
    EXPECT_EQ(shown(period_of("2022 2023")), "none");
    EXPECT_EQ(shown(period_of("99999999999999999999 May")), "none");
    EXPECT_EQ(shown(period_of("flight 2023")), "none");
}

TEST(LookTest, OfAWordWithoutLettersIsPlain) {
    EXPECT_EQ(look_of("\u0301"), WordLook::plain);
    EXPECT_EQ(look_of(""), WordLook::plain);
    EXPECT_EQ(look_of("Sundays"), WordLook::date);
    EXPECT_EQ(look_of("twelve"), WordLook::number);
}

}  // namespace
}  // namespace quaestor::native
