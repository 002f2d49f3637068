// Documents of quite another kind than meetings: rules of a company and manuals of products, most without a date. What
// works there shows that answers are not tuned to one subject.
#include "base/text.hpp"
#include "cited_kit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace quaestor::workflows::cited {

namespace {

const Files& office_files() {
    static const Files kFiles{
        {"travel_policy.md",
         "# Travel policy\n\n## Booking\n\nAll trips are booked through the travel desk. Flights of less than six "
         "hours "
         "are booked in economy class; on longer flights premium economy is allowed with the approval of the head of "
         "department.\n\n## Lodging\n\nA hotel may cost up to 140 euros a night, and up to 190 euros in London, Paris "
         "and Zurich. Breakfast counts as part of the room.\n\n## Meals\n\nThe daily allowance for meals is 42 euros. "
         "On days of departure and return it is half of that. Alcohol is not reimbursed.\n\n## Claims\n\nClaims are "
         "handed in within 30 days of the return, with a receipt for every item above 15 euros. Ms. Petra Lindqvist of "
         "the finance team approves them.\n"},
        {"leave_policy.md",
         "# Leave\n\n## Annual leave\n\nEvery employee has 27 days of annual leave. Up to five days can be carried "
         "over "
         "until the end of March.\n\n## Sick leave\n\nTell your manager before nine in the morning of the first day. "
         "A doctor's certificate is needed from the fourth day on.\n\n## Parental leave\n\nParental leave lasts up to "
         "18 "
         "months for each child. It must be announced seven weeks in advance.\n"},
        {"security_rules.md",
         "# Information security\n\n## Passwords\n\nA password has at least 14 characters and is changed only when "
         "there "
         "is a reason to believe that somebody else knows it. The same password must not be used for two services.\n\n"
         "## Lost devices\n\nA lost laptop or phone is reported to the service desk within two hours. The service desk "
         "erases it from afar.\n\n## Visitors\n\nVisitors wear a badge and are never left alone in the server room.\n"},
        {"remote_work.md",
         "# Working from home\n\nAfter the first three months everybody may work from home two days a week. Tuesday is "
         "a "
         "day in the office for all. The company pays for a chair and a screen, up to 350 euros in all, once every "
         "four "
         "years.\n"},
        {"expenses_faq.txt",
         "Questions about expenses\n\nTaxis are paid for between 10 pm and 6 am, or when no bus or train goes.\n\n"
         "The mileage rate for one's own car is 0.38 euros per kilometre.\n\nParking at the airport is reimbursed for "
         "at "
         "most five days.\n"},
        {"kettle_manual.txt",
         "AquaSwift K20 kettle\n\nTECHNICAL DATA\n\nThe kettle holds 1.7 litres and takes 2200 watts at 230 volts. It "
         "weighs 1.1 kilograms without its base.\n\nDESCALING\n\nDescale the kettle once a month. Fill it with half a "
         "litre of vinegar and half a litre of water, let it stand for one hour without heating, and rinse it three "
         "times.\n\nSAFETY\n\nNever fill it above the mark MAX, for boiling water may spill. The kettle switches "
         "itself "
         "off when it is empty.\n\nWARRANTY\n\nThe warranty lasts for 24 months from the day of purchase. It does not "
         "cover "
         "damage by lime scale.\n"},
        {"vacuum_manual.txt",
         "DustHawk R7 robot vacuum cleaner\n\nCHARGING\n\nA full charge takes four hours and lasts for about 110 "
         "minutes of "
         "cleaning. A blinking red light means that the battery is nearly empty.\n\nBRUSHES\n\nReplace the side "
         "brushes "
         "every three to six months, and the filter every two months. Hair is removed from the main brush with the "
         "tool "
         "in the lid.\n\nERRORS\n\nError E4 means that a wheel is stuck. Error E7 means that the dust bin is missing "
         "or "
         "not closed.\n\nRESET\n\nTo reset the cleaner, hold the home button for ten seconds until it beeps twice.\n"},
        {"heater_manual.txt",
         "WarmNook 900 heater\n\nPLACING\n\nKeep at least 60 centimetres between the heater and curtains or furniture. "
         "Do "
         "not use it in a bathroom.\n\nCONTROLS\n\nThe frost guard switches the heater on when the room is colder than "
         "5 "
         "degrees. The child lock is set by pressing both arrows for three seconds.\n"},
        {"library_rules.md",
         "# Rules of the town library\n\nBooks are lent for four weeks and films for one week. A loan can be renewed "
         "twice "
         "unless somebody else waits for it. Each day of delay costs 20 cents per item, at most 10 euros. The reading "
         "room is open from Tuesday to Saturday.\n"},
        {"garden_club.html",
         "<html><head><title>Garden club</title><script>document.title = 'Membership costs 9999 euros'</script></head>"
         "<body><h1>Garden club</h1><p>Membership costs 25 euros a year; pupils pay nothing.</p><p>The tool shed may "
         "be "
         "used by members on any day. The key hangs in the porch of the chair, Hannah Okafor.</p></body></html>"},
        {"pool_hours.txt",
         "Town pool\n\nThe pool opens at seven on weekdays and at nine at weekends. The water is kept at 26 degrees. "
         "Children under eight swim only together with an adult.\n"},
        {"recycling.txt",
         "Waste and recycling\n\nPaper is collected every second Monday. Glass goes into the containers beside the "
         "station. "
         "Old batteries are taken back by every shop that sells them.\n"}};
    return kFiles;
}

struct OfficeQuestion {
    const char* question;
    const char* document;  ///< empty: none of them says
    const char* contains;
};

constexpr std::array kOfficeQuestions{
    OfficeQuestion{"How much may a hotel in London cost?", "travel_policy.md", "190"},
    OfficeQuestion{"What is the daily meal allowance?", "travel_policy.md", "42"},
    OfficeQuestion{"Is alcohol reimbursed?", "travel_policy.md", "not reimbursed"},
    OfficeQuestion{"Who approves travel claims?", "travel_policy.md", "Lindqvist"},
    OfficeQuestion{"How many days of annual leave do I have?", "leave_policy.md", "27"},
    OfficeQuestion{"When do I need a doctor's certificate?", "leave_policy.md", "fourth day"},
    OfficeQuestion{"How long must a password be?", "security_rules.md", "14"},
    OfficeQuestion{"What should I do when I lose my laptop?", "security_rules.md", "service desk"},
    OfficeQuestion{"How many days a week can I work from home?", "remote_work.md", "two days"},
    OfficeQuestion{"What is the mileage rate for my own car?", "expenses_faq.txt", "0.38"},
    OfficeQuestion{"How do I descale the kettle?", "kettle_manual.txt", "vinegar"},
    OfficeQuestion{"How much water does the kettle hold?", "kettle_manual.txt", "1.7"},
    OfficeQuestion{"What does error E4 mean?", "vacuum_manual.txt", "wheel"},
    OfficeQuestion{"How often should the filter of the robot vacuum be replaced?", "vacuum_manual.txt", "two months"},
    OfficeQuestion{"How far must the heater stand from curtains?", "heater_manual.txt", "60"},
    OfficeQuestion{"How many times can a loan be renewed?", "library_rules.md", "twice"},
    OfficeQuestion{"What does membership of the garden club cost?", "garden_club.html", "25"},
    OfficeQuestion{"How warm is the water in the pool?", "pool_hours.txt", "26"},
    OfficeQuestion{"Where can I bring old batteries?", "recycling.txt", "shop"},
    OfficeQuestion{"How many vacation days do I get?", "leave_policy.md", "27"},
    OfficeQuestion{"When do I have to bring a note from a physician?", "leave_policy.md", "fourth day"},
    OfficeQuestion{"My phone was stolen, whom do I tell?", "security_rules.md", "service desk"},
    OfficeQuestion{"Which wattage has the kettle?", "kettle_manual.txt", "2200"},
    OfficeQuestion{"For how long can I borrow a movie?", "library_rules.md", "one week"},
    OfficeQuestion{"What is the notice period when I resign?", "", ""},
    OfficeQuestion{"How much does the DustHawk R7 cost?", "", ""},
    OfficeQuestion{"Who is the head of the marketing department?", "", ""},
    OfficeQuestion{"What is the salary of Petra Lindqvist?", "", ""},
    OfficeQuestion{"Which football team won the cup?", "", ""},
    OfficeQuestion{"Is there a swimming course for adults at the pool?", "", ""},
    OfficeQuestion{"What does error E9 mean?", "", ""}};
/// Questions that may go wrong, of those with an answer and of those without.
constexpr int kWrongMost = 2;
constexpr int kNotRefusedMost = 2;

TEST(CitedOverManualsAndRules, FindsWhatIsThereAndRefusesWhatIsNot) {
    CitedKit kit(office_files());
    int wrong = 0;
    int not_refused = 0;
    for (const auto& asked : kOfficeQuestions) {
        const Answer answer = kit.ask(asked.question);
        const bool has_answer = *asked.document != '\0';
        const bool is_answered = answer.status == AnswerStatus::answered;
        bool is_right = is_answered == has_answer;
        if (is_right && has_answer) {
            is_right = !answer.citations.empty() && answer.citations.front().document == asked.document &&
                       text::fold(answer.answer).contains(text::fold(asked.contains));
        }
        if (is_right) continue;
        ++(has_answer ? wrong : not_refused);
        fmt::print("{} ({:.2f})\n    {}\n", asked.question, answer.confidence ? answer.confidence->score : 0,
                   answer.answer);
    }
    fmt::print("wrong {}, not refused {} of {}\n", wrong, not_refused, kOfficeQuestions.size());
    EXPECT_LE(wrong, kWrongMost);
    EXPECT_LE(not_refused, kNotRefusedMost);
}

TEST(CitedOverManualsAndRules, ATimeThatNoDocumentIsOfIsSomethingTheySpeakAbout) {
    CitedKit kit(Files{{"market.txt", "Market\n\nIn the summer of 2024 the market took place in Castle Square.\n"},
                       {"pool.txt", "Pool\n\nThe pool opens at seven.\n"},
                       {"council_2024-03-12.txt", "Council\n\nThe library is renovated for 2.4 million pounds.\n"}});
    const Answer answer = kit.ask("Where did the market take place in the summer of 2024?");
    EXPECT_EQ(answer.status, AnswerStatus::answered);
    EXPECT_TRUE(answer.answer.contains("Castle Square")) << answer.answer;
}

TEST(CitedOverManualsAndRules, DocumentsWithoutADateAreComparedByName) {
    CitedKit kit(Files{{"report_a.txt", "Report of the first year\n\nThe dividend was 0.40 euros a share.\n"},
                       {"report_b.txt", "Report of the second year\n\nThe dividend was 0.55 euros a share.\n"}});
    const Answer answer = kit.ask("How did the dividend change?");
    EXPECT_TRUE(answer.answer.contains("report\\_a.txt: ")) << answer.answer;
    EXPECT_EQ(answer.citations.size(), 2U);
}

}  // namespace

}  // namespace quaestor::workflows::cited
