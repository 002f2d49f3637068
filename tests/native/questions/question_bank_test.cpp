#include "native/questions/question_run.hpp"
#include "native/reading/reading_kit.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace quaestor::native {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Of the sampled development questions, this many per cent have to be read rightly at once. A new parser that reads
/// fewer is a step back; one that reads many more should raise it.
constexpr double kRightFloor = 45;
/// Every so many questions of a database are asked.
constexpr std::size_t kSampleStep = 6;

std::vector<BankDatabase> whole_bank() {
    auto bank = read_bank(std::string(QUAESTOR_TEST_DIR) + "/questions");
    EXPECT_TRUE(bank) << bank.error().describe();
    return bank ? std::move(*bank) : std::vector<BankDatabase>();
}

std::string refusal(std::string_view text) {
    const auto read = read_questions(text, "file");
    return read ? "read" : read.error().message;
}

}  // namespace

TEST(QuestionBank, IsLargeAndOfManyShapes) {
    const auto bank = whole_bank();
    std::map<bool, int> databases;
    std::map<bool, int> answerable;
    std::map<bool, int> unanswerable;
    for (const BankDatabase& database : bank) {
        ++databases[database.is_held_out];
        for (const BankQuestion& question : database.questions) {
            ++(question.is_answerable() ? answerable : unanswerable)[database.is_held_out];
        }
    }
    for (const bool is_held_out : {false, true}) {
        EXPECT_GE(databases[is_held_out], 4);
        EXPECT_GE(answerable[is_held_out], 180);
        EXPECT_GE(unanswerable[is_held_out], 30);
    }
}

TEST(QuestionBank, NoQuestionStandsTwice) {
    std::set<std::string> seen;
    for (const BankDatabase& database : whole_bank()) {
        for (const BankQuestion& question : database.questions) {
            EXPECT_TRUE(seen.insert(squash(question.text)).second) << question.text;
        }
    }
}

TEST(QuestionBank, EveryAnswerPassesTheGuardAndHasRows) {
    const TestFolder folder;
    for (const BankDatabase& database : whole_bank()) {
        const auto path = make_database(database, folder.file(""));
        ASSERT_TRUE(path) << path.error().describe();
        const auto source = run_to_end(data::open_source(*path));
        ASSERT_TRUE(source) << source.error().describe();
        for (const BankQuestion& question : database.questions) {
            for (const std::string& sql : question.answers) {
                const auto result = run_to_end((*source)->query(sql));
                ASSERT_TRUE(result) << database.name << ": " << sql << "\n" << result.error().describe();
                EXPECT_EQ(result->row_count == 0, question.may_be_empty) << sql;
                EXPECT_FALSE(result->truncated) << sql;
            }
        }
    }
}

TEST(QuestionBank, ChoicesStandForSeveralStatements) {
    EXPECT_THAT(expand_choices("SELECT 1"), ElementsAre("SELECT 1"));
    EXPECT_THAT(expand_choices("a {b|c} d{|e}"), ElementsAre("a b d", "a b de", "a c d", "a c de"));
    EXPECT_THAT(expand_choices("a {b"), ElementsAre("a {b"));
}

TEST(QuestionBank, SaysWhatIsWrongInAFile) {
    EXPECT_THAT(refusal("[count easy]\n? how many\n= SELECT 1\n"), HasSubstr("does not say its part"));
    EXPECT_THAT(refusal("part: other\n"), HasSubstr("file:1: a part is"));
    EXPECT_THAT(refusal("part: held out\n? how many\n"), HasSubstr("file:2: a question comes after"));
    EXPECT_THAT(refusal("part: held out\n[count]\n"), HasSubstr("a construct and a hardness"));
    EXPECT_THAT(refusal("part: held out\n[count easy]\n= SELECT 1\n"), HasSubstr("an answer without a question"));
    EXPECT_THAT(refusal("part: held out\n[count easy]\n? how many\n"), HasSubstr("only what is unanswerable"));
    EXPECT_THAT(refusal("part: held out\n[unanswerable missing]\n? x\n= SELECT 1\n"), HasSubstr("only what is"));
    EXPECT_THAT(refusal("part: held out\n[count easy]\n? x\nSELECT 1\n"), HasSubstr("neither"));
    EXPECT_EQ(refusal("# note\npart: held out\n\n[count easy]\n? x\n? y\n= SELECT 1\n= SELECT 2\n"), "read");
}

TEST(QuestionBank, OrderCountsWhereTheAnswerOrders) {
    EXPECT_TRUE(orders_rows("SELECT a FROM t ORDER BY b"));
    EXPECT_FALSE(orders_rows("SELECT sum(a) OVER (ORDER BY b) FROM t"));
    EXPECT_FALSE(orders_rows("SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)"));
    const auto column = [](std::initializer_list<int> values) {
        data::ResultSet result;
        auto& cells = result.columns.emplace_back("c", data::ValueKind::integer, "");
        for (const int value : values) cells.add_integer(value);
        result.row_count = values.size();
        return result;
    };
    EXPECT_TRUE(is_right(column({3, 2, 1}), column({1, 2, 3}), false));
    EXPECT_FALSE(is_right(column({3, 2, 1}), column({1, 2, 3}), true));
    EXPECT_TRUE(is_right(column({1, 2, 2}), column({1, 2, 2}), true));
    EXPECT_FALSE(is_right(column({1, 2}), column({1, 2, 2}), true));
    EXPECT_FALSE(is_right(column({3, 1, 2}), column({1, 3, 2}), true));
}

TEST(Questions, ASampleOfThoseForDevelopmentIsReadRightly) {
    const TestFolder folder;
    const auto path = text2sql_model_path();
    ASSERT_TRUE(path) << path.error().describe();
    const auto model = Text2SqlModel::open(*path);
    ASSERT_TRUE(model) << model.error().describe();
    const auto choice = ChoiceModel::bundled();
    ASSERT_TRUE(choice) << choice.error().describe();
    int asked = 0;
    int right = 0;
    std::string missed;
    for (const BankDatabase& database : whole_bank()) {
        if (database.is_held_out) continue;
        auto run = QuestionRun::open(make_database(database, folder.file("")).value(), *model, *choice);
        ASSERT_TRUE(run) << run.error().describe();
        for (std::size_t at = 0; at < database.questions.size(); at += kSampleStep) {
            const BankQuestion& question = database.questions[at];
            const auto judged = run->ask(question);
            ASSERT_TRUE(judged) << question.text << ": " << judged.error().describe();
            if (!question.is_answerable()) continue;
            ++asked;
            right += judged->is_first_right() ? 1 : 0;
            if (!judged->is_first_right()) missed += "\n  " + database.name + ": " + question.text;
        }
    }
    EXPECT_GE(100.0 * right, kRightFloor * asked) << right << " of " << asked << " are right; not these:" << missed;
}

}  // namespace quaestor::native
