// How questions are read before anything is searched: times, kinds of answers, follow-ups; and how sentences are
// ranked.
#include "base/text.hpp"
#include "native/answer/extract.hpp"
#include "native/answer/subjects.hpp"
#include "retrieval/sentences.hpp"
#include "retrieval/terms.hpp"
#include "workflows/cited/dates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::workflows::cited {

namespace {

using native::AnswerKind;
using native::AnswerOrder;
using native::Direction;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string>& case_days() {
    static const std::vector<std::string> kDays{"2020-01-29", "2020-03-03", "2020-03-15", "2020-12-16", "2021-01-27",
                                                "2021-06-16", "2021-12-15", "2022-01-26", "2022-03-16", "2022-05-04",
                                                "2022-06-15", "2022-07-27", "2022-12-14", "2023-02-01", "2023-03-22",
                                                "2023-05-03", "2023-06-14", "2023-07-26"};
    return kDays;
}

std::string days_text(const DateReading& reading) {
    if (!reading.dates.empty()) return fmt::format("{}", fmt::join(reading.dates, " "));
    return reading.periods.empty() && reading.uncovered.empty() ? "none" : "nothing";
}

TEST(Dates, AreReadAsTheCasesSay) {
    std::ifstream file(std::string(QUAESTOR_TEST_DIR) + "/cases/dates.txt");
    ASSERT_TRUE(file.is_open());
    int cases = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const auto arrow = line.find(" => ");
        ASSERT_NE(arrow, std::string::npos) << line;
        std::string question = line.substr(0, arrow);
        DateGround ground{case_days(), "2023-08-15", {}};
        if (const auto after = question.find(" [after: "); after != std::string::npos) {
            ground.earlier = {question.substr(after + 9, 10)};
            question.resize(after);
        }
        const std::string expected = line.substr(arrow + 4);
        const auto bar = expected.find(" | ");
        const auto reading = read_dates(question, ground);
        EXPECT_EQ(days_text(reading), expected.substr(0, bar)) << question;
        if (bar != std::string::npos) EXPECT_EQ(reading.topic, expected.substr(bar + 3)) << question;
        ++cases;
    }
    EXPECT_GT(cases, 50);
}

TEST(Dates, AreWordsLikeOthersWhereNoDocumentHasOne) {
    const auto reading = read_dates("Which rules hold in March 2020?", {{}, "2023-08-15", {}});
    EXPECT_TRUE(reading.periods.empty());
    EXPECT_TRUE(reading.uncovered.empty());
    EXPECT_EQ(reading.topic, "Which rules hold in March 2020?");
}

TEST(Dates, OddTextsAreReadWithoutHarm) {
    const DateGround ground{case_days(), "2023-08-15", {}};
    for (const char* text : {"", "?", "the", "between", "between 2022 and", "since", "from to", "the last", "Q9 2022",
                             "February 31, 2022", "99999999999999999999", "in 0000", "the meeting after", "2022-13-45",
                             "\xff\xfe March \xff 2020", "March March March 2022 2022"}) {
        EXPECT_NO_THROW((void)read_dates(text, ground)) << text;
    }
}

native::Extractor& extractor() {
    static native::Extractor kExtractor(retrieval::terms_of);
    return kExtractor;
}

TEST(Asked, TheKindOfAnswerIsToldByTheQuestion) {
    const std::vector<std::pair<const char*, AnswerKind>> cases{
        {"What was the target range?", AnswerKind::number},
        {"How many members voted against?", AnswerKind::number},
        {"How long does the battery last?", AnswerKind::number},
        {"Who voted against the decision?", AnswerKind::person},
        {"When did rates rise?", AnswerKind::date},
        {"At which meeting was it announced?", AnswerKind::date},
        {"Why was the rate cut?", AnswerKind::reason},
        {"Did they raise rates?", AnswerKind::whether},
        {"How was inflation described?", AnswerKind::statement},
        {"What would they need to see before cutting?", AnswerKind::condition},
        {"Under which conditions may I return a machine?", AnswerKind::condition},
        {"What rate did they have before the cut?", AnswerKind::number},
        {"What was the ten-year yield?", AnswerKind::number},
        {"Tell me about the labor market", AnswerKind::statement}};
    for (const auto& [question, kind] : cases) EXPECT_EQ(extractor().read(question).kind, kind) << question;
}

TEST(Asked, TheOrderAndTheDirectionAreToldToo) {
    EXPECT_EQ(extractor().read("When did they first raise rates?").order, AnswerOrder::first);
    EXPECT_EQ(extractor().read("When was the last time that they cut?").order, AnswerOrder::last);
    EXPECT_EQ(extractor().read("How did the range change?").order, AnswerOrder::series);
    EXPECT_EQ(extractor().read("What was the range?").order, AnswerOrder::best);
    EXPECT_EQ(extractor().read("Did the outlook get better between the two meetings?").order, AnswerOrder::series);
    EXPECT_EQ(extractor().read("Did the outlook get better?").order, AnswerOrder::best);
    EXPECT_EQ(extractor().read("Did the Fed ease?").direction, Direction::down);
    EXPECT_EQ(extractor().read("Why did they push rates up?").direction, Direction::up);
    EXPECT_EQ(extractor().read("Why did they cut rates?").direction, Direction::down);
    EXPECT_EQ(extractor().read("Did they hike?").direction, Direction::up);
    EXPECT_EQ(extractor().read("Why were rates kept unchanged?").direction, Direction::same);
    EXPECT_EQ(extractor().read("What was the range?").direction, Direction::none);
}

TEST(Asked, NumbersAreWantedInTheUnitOfTheQuestion) {
    using native::Unit;
    EXPECT_EQ(extractor().read("How long is the warranty?").unit, Unit::time);
    EXPECT_EQ(extractor().read("How much does the machine cost?").unit, Unit::money);
    EXPECT_EQ(extractor().read("How heavy is the outdoor unit?").unit, Unit::weight);
    EXPECT_EQ(extractor().read("How many members voted?").unit, Unit::any);
    EXPECT_EQ(extractor().read("How widespread was that view?").unit, Unit::people);
    EXPECT_EQ(extractor().read("How many participants saw risks?").unit, Unit::people);
    EXPECT_EQ(extractor().read("What rate did officials project?").unit, Unit::any);
    EXPECT_TRUE(native::has_unit(Unit::people, "Several participants saw risks."));
    EXPECT_FALSE(native::has_unit(Unit::people, "Risks were seen to growth of 2.1 percent."));
    EXPECT_FALSE(native::has_unit(extractor().read("How many trillion dollars do they hold?").unit,
                                  "The caps would double to $60 billion."));
    EXPECT_TRUE(native::has_unit(Unit::money, "Adults pay €12."));
    EXPECT_TRUE(native::has_unit(Unit::time, "The warranty lasts for two years."));
    EXPECT_FALSE(native::has_unit(Unit::money, "The machine takes 2200 watts."));
}

TEST(Asked, CountsOfEventsAreTold) {
    EXPECT_TRUE(extractor().read("How often has she dissented?").wants_count);
    EXPECT_TRUE(extractor().read("How many times did they cut?").wants_count);
    EXPECT_TRUE(extractor().read("How many half-point hikes were there?").wants_count);
    EXPECT_FALSE(extractor().read("How many members voted?").wants_count);
    EXPECT_EQ(native::step_named_in("How many three-quarter-point hikes were there?"), 75);
    EXPECT_EQ(native::step_named_in("Who wanted a quarter-point cut?"), 25);
    EXPECT_EQ(native::step_named_in("Why was the 50-basis-point cut made?"), 50);
    EXPECT_EQ(native::step_named_in("What was the growth in the third quarter?"), std::nullopt);
}

TEST(Asked, SubjectsAreToldByTheirWords) {
    using native::Subject;
    struct Case {
        const char* question;
        Subject subject;
        bool is_pure;
    };
    for (const auto& [question, subject, is_pure] :
         {Case{"What was the target range?", Subject::rate, true},
          Case{"How high did borrowing costs go before they stopped hiking?", Subject::rate, true},
          Case{"How many times did they cut?", Subject::rate, true},
          Case{"Which bank stocks should I buy when rates fall?", Subject::rate, false},
          Case{"Did they still raise rates despite the failures of banks?", Subject::rate, true},
          Case{"Where did they leave the benchmark rate when they met?", Subject::rate, true},
          Case{"Which official broke ranks, and what would she have done?", Subject::vote, true},
          Case{"What was the unemployment rate?", Subject::none, false},
          Case{"How do I reduce noise?", Subject::none, false},
          Case{"Who voted against the decision?", Subject::vote, true},
          Case{"Which policymaker thought 75 was too much?", Subject::vote, true},
          Case{"How large a hike did they deliver?", Subject::rate, true},
          Case{"What was the tax rate?", Subject::none, false},
          Case{"How did gold react to the rate cut?", Subject::rate, false},
          Case{"Under what condition would they cut rates?", Subject::guidance, true},
          Case{"What would the Fed need to see before it starts cutting?", Subject::guidance, true},
          Case{"What conditions does the lease have?", Subject::none, false},
          Case{"Why were borrowing costs slashed outside the normal calendar?", Subject::rate, true},
          Case{"How was inflation described?", Subject::none, false}}) {
        const auto asked = native::subject_of(question);
        EXPECT_EQ(asked.subject, subject) << question;
        EXPECT_EQ(asked.is_pure, is_pure) << question;
    }
    EXPECT_TRUE(extractor().read("By how much did they raise the rate?").wants_step);
    EXPECT_EQ(extractor().read("What was the lowest rate?").extreme, native::Extreme::lowest);
}

TEST(Guidance, IsWhatWouldBeDoneNext) {
    EXPECT_TRUE(native::is_guidance("It will be appropriate to maintain this range until inflation has risen."));
    EXPECT_TRUE(
        native::is_guidance("In determining the extent of future increases, they will take lags into account."));
    EXPECT_FALSE(native::is_guidance("All participants agreed that it was appropriate to maintain the range."));
    EXPECT_FALSE(native::is_guidance("Parking is free until noon."));
}

TEST(Ranking, ADayOfTheMonthIsNotTheNumberThatIsAskedFor) {
    const std::string text =
        "The projection for the June 9-10 meeting was for unemployment to fall. "
        "The unemployment projection stood at 8.4 percent.";
    const std::size_t second = text.find("The unemployment");
    const std::vector<native::ExtractPassage> passages{{text, "", 0.5, {{0, second - 1}, {second, text.size()}}}};
    const auto ranked = extractor().rank(extractor().read("What was the projection of unemployment?"), passages, 5);
    ASSERT_EQ(ranked.size(), 2U);
    EXPECT_EQ(ranked.front().begin, second);
    EXPECT_LT(ranked.back().fit, ranked.front().fit);
}

TEST(RangeDecisions, AreReadFromWhatWasDone) {
    const auto raised = native::range_decision_in(
        "The Committee decided to raise the target range for the federal funds rate to 5-1/4 to 5-1/2 percent.");
    ASSERT_TRUE(raised);
    EXPECT_EQ(raised->low, 5.25);
    EXPECT_EQ(raised->high, 5.5);
    EXPECT_EQ(raised->direction, Direction::up);
    const auto cut = native::range_decision_in(
        "The range was reduced by 25 basis points to 1.75 to 2.00 percent; before that it had been 2.00 to 2.25 "
        "percent.");
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->low, 1.75);
    EXPECT_EQ(cut->low_before, 2.0);
    EXPECT_EQ(cut->direction, Direction::down);
    const auto kept = native::range_decision_in(
        "The Committee decided to keep the target range at 0 to 1/4 percent and expects to maintain it until then.");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->direction, Direction::same);
}

TEST(RangeDecisions, WishesDirectivesAndOtherFiguresAreNone) {
    for (const char* sentence :
         {"Voting against was Ms. George, who preferred to raise the target range to 1-1/4 to 1-1/2 percent.",
          "The Committee directs the Desk to maintain the federal funds rate in a target range of 4 to 4-1/4 percent.",
          "The median projection saw the federal funds rate at 4 to 4-1/2 percent.",
          "Prices rose by 2 to 3 percent in many regions.", "The rate was raised in 2022.", "",
          "1/4/2023 to 1/5/2023"}) {
        EXPECT_FALSE(native::range_decision_in(sentence)) << sentence;
    }
}

TEST(RangeDecisions, StepsAreReadInBasisPoints) {
    EXPECT_EQ(native::basis_points_in("By 75 basis points:"), 75);
    EXPECT_EQ(native::basis_points_in("By some basis points:"), std::nullopt);
    EXPECT_TRUE(native::names_step("by 1/2 percentage point"));
    EXPECT_FALSE(native::names_step("to 5 percent"));
}

TEST(VoteReports, AreThoseOfPolicy) {
    using native::VoteReport;
    EXPECT_EQ(native::vote_report_in("Voting for this action: Jerome H. Powell."), VoteReport::in_favour);
    EXPECT_EQ(native::vote_report_in("Voting against this action: None."), VoteReport::nobody_against);
    EXPECT_EQ(native::vote_report_in("Voting against this action was Esther L. George."), VoteReport::against);
    EXPECT_EQ(native::vote_report_in("The cut was carried by eight votes to two."), VoteReport::against);
    EXPECT_EQ(native::vote_report_in("The decision was taken by eleven votes to zero."), VoteReport::nobody_against);
    EXPECT_EQ(native::vote_report_in("By unanimous vote, the Committee ratified the Desk's transactions."),
              VoteReport::none);
    EXPECT_EQ(native::vote_report_in("Inflation remains elevated."), VoteReport::none);
}

std::vector<native::RankedSentence> ranked(const std::string& question, const std::string& text) {
    native::ExtractPassage passage{.text = text, .context = "", .relevance = 0.5, .sentences = {}};
    for (const auto& span : retrieval::sentences_of(text)) passage.sentences.push_back({span.begin, span.end});
    return extractor().rank(extractor().read(question), std::vector{passage}, 10);
}

TEST(Ranking, TheSentenceThatHoldsWhatIsAskedComesFirst) {
    const std::string text =
        "Inflation remains elevated. The Committee decided to raise the target range for the federal funds rate to "
        "5-1/4 to 5-1/2 percent. The target range is discussed below.";
    const auto best = ranked("What was the target range?", text);
    ASSERT_FALSE(best.empty());
    EXPECT_THAT(text.substr(best[0].begin, best[0].end - best[0].begin), HasSubstr("5-1/4"));
    EXPECT_EQ(best[0].direction, Direction::up);
    EXPECT_TRUE(best[0].is_decision);
}

TEST(Ranking, WordsThatAreNearInMeaningCountAndOthersAreGaps) {
    const std::string text = "From the fourth day a doctor's certificate is required.";
    native::ExtractPassage passage{.text = text, .context = "", .relevance = 0.5, .sentences = {{0, text.size()}}};
    auto asked = extractor().read("Which certificate of a physician is required?");
    const auto plain = extractor().rank(asked, std::vector{passage}, 1);
    const auto physician = std::ranges::find(asked.terms, "physician", &native::AskedTerm::term);
    ASSERT_NE(physician, asked.terms.end());
    physician->near.push_back({"doctor", 0.8});
    const auto near = extractor().rank(asked, std::vector{passage}, 1);
    EXPECT_GT(near.at(0).coverage, plain.at(0).coverage);
    EXPECT_DOUBLE_EQ(plain.at(0).gaps, 1);
    EXPECT_DOUBLE_EQ(near.at(0).gaps, 0);
}

TEST(Sentences, AHeadingIsNotThePartOfTheSentenceBelowIt) {
    const std::string text = "Article 1 Premises\nThe Landlord lets the second\nfloor. It is dry.";
    std::vector<std::string> sentences;
    for (const auto& span : retrieval::sentences_of(text)) sentences.emplace_back(span.of(text));
    EXPECT_THAT(sentences, ElementsAre("Article 1 Premises", "The Landlord lets the second\nfloor.", "It is dry."));
}

TEST(Ranking, AChangeOfSomethingElseIsNone) {
    const auto best =
        ranked("Why was the target range lowered?",
               "Firms reduced hours of work in several regions of the north, members who had come from far "
               "away said when the target range was discussed.");
    ASSERT_FALSE(best.empty());
    EXPECT_EQ(best[0].direction, Direction::none);
}

TEST(Fractions, AreShownAsDecimalsBesideWhatIsWritten) {
    EXPECT_EQ(native::with_decimal_ranges("to 5-1/4 to 5-1/2 percent."), "to 5-1/4 to 5-1/2 percent (5.25–5.50 %).");
    EXPECT_EQ(native::with_decimal_ranges("at 0 to 1/4 percent"), "at 0 to 1/4 percent (0.00–0.25 %)");
    EXPECT_EQ(native::with_decimal_ranges("at 5¼ to 5½ percent"), "at 5¼ to 5½ percent (5.25–5.50 %)");
    EXPECT_EQ(native::with_decimal_ranges("at 5.25 to 5.50 percent"), "at 5.25 to 5.50 percent");
    EXPECT_EQ(native::with_decimal_ranges("on 1/4/2023 to 1/5/2023"), "on 1/4/2023 to 1/5/2023");
    EXPECT_EQ(native::with_decimals("5-1/4 and ½, not 1/4/2023 nor 3-7"), "5.25 and 0.5, not 1/4/2023 nor 3-7");
}

}  // namespace

}  // namespace quaestor::workflows::cited
