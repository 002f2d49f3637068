// Every case of cases/*.cases: a form in words and on one line, its result as an answer, and every claim of it traced.
// And what a table of cases cannot show.
#include "native/answer/league.hpp"
#include "native/form/golden_forms.hpp"
#include "native/words.hpp"

#include <gmock/gmock.h>

#include <map>

namespace quaestor::native {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string test_name(const testing::TestParamInfo<AnswerCase>& info) {
    std::string name;
    for (const char c : info.param.name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    }
    return name;
}

class AnswerTable : public testing::TestWithParam<AnswerCase> {};

TEST_P(AnswerTable, IsToldAsWritten) {
    const AnswerCase& one = GetParam();
    static const Schema kLeague = league();
    const std::vector<WordSpan> words = split_words(one.question);
    const Spoken spoken{one.question, words, nullptr};
    std::optional<Query> form;
    if (!one.sql.empty()) {
        const auto read = read_sql(one.sql, kLeague);
        ASSERT_TRUE(read) << read.error().describe();
        form = *read;
        if (!one.words.empty()) {
            EXPECT_EQ(in_words(*form, kLeague, spoken), one.words);
        }
        if (!one.line.empty()) {
            EXPECT_EQ(form_line(*form, kLeague, spoken), one.line);
        }
    }
    if (one.result.columns.empty()) return;
    const std::string answer = write_answer({one.question, form ? &*form : nullptr, &kLeague, &spoken, &one.result});
    EXPECT_EQ(answer.substr(0, answer.find_last_not_of('\n') + 1), one.answer);
    EXPECT_THAT(check_grounding(answer, {{&one.result}, {}, one.question}).untraced(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Wording, AnswerTable,
                         testing::ValuesIn(read_answer_cases(QUAESTOR_TEST_DIR "/answer/cases/wording.cases")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Answers, AnswerTable,
                         testing::ValuesIn(read_answer_cases(QUAESTOR_TEST_DIR "/answer/cases/answers.cases")),
                         test_name);

TEST(Wording, TellsDifferentFormsApart) {
    std::map<std::string, std::pair<std::string, std::string>> seen;
    for (const GoldenForm& golden : read_golden().forms) {
        const auto words = split_words(golden.question);
        const Spoken spoken{golden.question, words, &golden.database->values};
        const std::string text = in_words(golden.form(), golden.database->schema, spoken);
        EXPECT_THAT(text, Not(IsEmpty()));
        const auto [known, is_new] = seen.try_emplace(golden.database->name + ": " + text, golden.sql, golden.question);
        EXPECT_TRUE(is_new || known->second.first == golden.sql) << text << "\n"
                                                                 << golden.sql << "\n"
                                                                 << known->second.first;
    }
}

TEST(Wording, IsBoundedForAnyForm) {
    const Golden golden = read_golden();
    const Schema& schema = golden.databases.front()->schema;
    const std::string question = "one two three";
    const auto words = split_words(question);
    for (const GoldenWalk& walk : golden.walks) {
        const auto form = form_of(walk.tokens);
        if (!form) continue;
        EXPECT_THAT(in_words(*form, schema, {question, words, nullptr}), Not(IsEmpty()));
        EXPECT_THAT(form_line(*form, schema, {question, words, nullptr}), testing::StartsWith("SELECT "));
    }
    Condition deep{IsNull{{ColumnRef{1, 0}}, false}};
    for (int depth = 0; depth < 200; ++depth) deep = Condition{NotThat{deep}};
    const Query query{.select = {{ColumnRef{1, 0}}}, .where = deep};
    EXPECT_LT(in_words(query, schema, {question, words, nullptr}).size(), 2'000U);
}

TEST(Wording, SaysHowTiesAreTaken) {
    const Schema schema = league();
    const std::vector<WordSpan> none;
    Query form = read_sql("SELECT name FROM player ORDER BY height_cm DESC LIMIT 1", schema).value();
    form.limit->kind = Limit::Kind::with_ties;
    EXPECT_EQ(in_words(form, schema, {"", none, nullptr}), "the name of the player or players with the highest height");
    form.limit->count = Constant{"3"};
    EXPECT_EQ(in_words(form, schema, {"", none, nullptr}),
              "the name of the 3 players with the highest height, ties included");
    EXPECT_EQ(form_line(form, schema, {"", none, nullptr}), "SELECT player.name ORDER player.height_cm DESC TIES 3");
}

TEST(Wording, TakesValuesFromTheQuestionInTheSpellingOfTheDatabase) {
    const Schema schema = league();
    const std::string question = "players of the los angeles lakers";
    const auto words = split_words(question);
    ValueIndex values;
    values.add(2, "Los Angeles Lakers");
    Query form = read_sql("SELECT name FROM team WHERE name = 'x'", schema).value();
    std::get<Compare>(form.where->node).right = Words{3, 5};
    EXPECT_EQ(in_words(form, schema, {question, words, &values}),
              "the name of each team whose name is \"Los Angeles Lakers\"");
    EXPECT_EQ(in_words(form, schema, {question, words, nullptr}),
              "the name of each team whose name is \"los angeles lakers\"");
    std::get<Compare>(form.where->node).right = Words{3, 50};
    EXPECT_EQ(in_words(form, schema, {question, words, &values}), "the name of each team whose name is \"?\"");
}

TEST(Wording, SpeaksOfTheRowOutside) {
    const Schema schema = league();
    const Query form =
        read_sql(
            "SELECT name FROM player WHERE id IN (SELECT player_id FROM box_score WHERE points > player.height_cm)",
            schema)
            .value();
    const std::vector<WordSpan> none;
    EXPECT_EQ(in_words(form, schema, {"", none, nullptr}),
              "the name of each player with at least one box score whose points is more than the height cm of the "
              "player outside");
}

TEST(Nouns, TakeTheirPlurals) {
    const std::vector<std::pair<std::string, std::string>> pairs{{"player", "players"},
                                                                 {"city", "cities"},
                                                                 {"series", "series"},
                                                                 {"box score", "box scores"},
                                                                 {"person", "people"},
                                                                 {"match", "matches"},
                                                                 {"bus", "buses"},
                                                                 {"status", "statuses"},
                                                                 {"analysis", "analyses"},
                                                                 {"day", "days"},
                                                                 {"date of birth", "dates of birth"},
                                                                 {"class", "classes"},
                                                                 {"child", "children"},
                                                                 {"visitors", "visitors"},
                                                                 {"tax", "taxes"},
                                                                 {"hero", "heroes"}};
    for (const auto& [one, many] : pairs) EXPECT_EQ(plural(one), many);
}

TEST(Nouns, AreCounted) {
    EXPECT_EQ(counted(1, "player"), "1 player");
    EXPECT_EQ(counted(12'034, "player"), "12,034 players");
    EXPECT_EQ(counted(0, "city"), "0 cities");
    EXPECT_EQ(counted(2.5, "hour"), "2.5 hours");
}

data::ResultColumn numbers(const std::string& name, std::initializer_list<double> values) {
    data::ResultColumn column(name, data::ValueKind::number, "DOUBLE");
    for (const double value : values) column.add_number(value);
    return column;
}

TEST(SayCell, RoundsByTheSizeOfANumber) {
    const auto said = [](const std::string& name, double value) { return say_cell(numbers(name, {value}), 0); };
    EXPECT_EQ(said("points", 1234), "1,234");
    EXPECT_EQ(said("points", 112.3456), "112.3");
    EXPECT_EQ(said("points", 12.3456), "12.35");
    EXPECT_EQ(said("ratio", 0.123456), "0.1235");
    EXPECT_EQ(said("ratio", 0.0000123456), "1.23e-05");
    EXPECT_EQ(said("population", 2'349'000.4), "2.35 million");
    EXPECT_EQ(said("gdp usd", 3.1e12), "$3.1 trillion");
    EXPECT_EQ(said("price_eur", 5.2), "€5.20");
    EXPECT_EQ(said("balance usd", -12.5), "-$12.50");
    EXPECT_EQ(said("fg_pct", 0.457), "45.7 %");
    EXPECT_EQ(said("free throw %", 45.7), "45.7 %");
    EXPECT_EQ(said("won as percent of played", 0.5), "0.5 %");
    EXPECT_EQ(said("duration in minutes", 31.25), "31.25 minutes");
    EXPECT_EQ(said("year", 2023), "2023");
}

TEST(SayCell, KeepsWholeNumbersToTheLastDigit) {
    data::ResultColumn column("population", data::ValueKind::integer, "BIGINT");
    column.add_integer(2'350'000);
    column.add_integer(2'351'234);
    EXPECT_EQ(say_cell(column, 0), "2.35 million");
    EXPECT_EQ(say_cell(column, 1), "2,351,234");
}

TEST(SayCell, SaysDatesTruthAndNothing) {
    data::ResultColumn times("held", data::ValueKind::timestamp, "TIMESTAMP");
    times.add_text("2023-05-03 12:30:00");
    times.add_text("2023-05-03 00:00:00");
    times.add_text("0000-99-99");
    times.add_null();
    EXPECT_EQ(say_cell(times, 0), "May 3, 2023, 12:30");
    EXPECT_EQ(say_cell(times, 1), "May 3, 2023");
    EXPECT_EQ(say_cell(times, 2), "0000-99-99");
    EXPECT_EQ(say_cell(times, 3), "nothing recorded");
    data::ResultColumn flags("is_open", data::ValueKind::boolean, "BOOLEAN");
    flags.add_integer(0);
    EXPECT_EQ(say_cell(flags, 0), "no");
}

TEST(MarkdownTable, ShowsTextAsItIs) {
    data::ResultSet result;
    result.columns.emplace_back("a|b", data::ValueKind::text, "VARCHAR");
    result.columns.front().add_text("<img src=x onerror=y> | [link](https://evil.example) `code`\nnext **bold**");
    result.row_count = 1;
    EXPECT_EQ(markdown_table(result),
              "| a\\|b |\n| --- |\n| \\<img src=x onerror=y\\> \\| \\[link\\](https\\://evil.example) \\`code\\` next "
              "\\*\\*bold\\*\\* |\n");
}

TEST(WriteAnswer, SaysMuchOfALongTextButNotAllOfIt) {
    data::ResultSet result;
    result.columns.emplace_back("note", data::ValueKind::text, "VARCHAR");
    result.columns.front().add_text(std::string(10'000, 'x'));
    result.row_count = 1;
    const std::string answer = write_answer({.question = "note?", .result = &result});
    EXPECT_LT(answer.size(), 300U);
    EXPECT_THAT(answer, HasSubstr("…"));
}

TEST(WriteAnswer, AnswersWithoutAnyResult) {
    EXPECT_EQ(write_answer({.question = "what?"}), "There is no result.");
    const data::ResultSet nothing;
    EXPECT_EQ(write_answer({.question = "what?", .result = &nothing}), "The result has no columns.");
}

TEST(WriteAnswer, CountsTheRowsThatATableLeavesOut) {
    data::ResultSet result;
    result.columns.emplace_back("city", data::ValueKind::text, "VARCHAR");
    for (int row = 0; row < 25; ++row) result.columns.front().add_text(fmt::format("city {}", row));
    result.row_count = 25;
    const std::string answer = write_answer({.question = "cities", .result = &result});
    EXPECT_THAT(answer, testing::StartsWith("There are 25 cities.\n"));
    EXPECT_THAT(answer, testing::EndsWith("The table shows the first of 25 rows."));
    EXPECT_THAT(answer, Not(HasSubstr("city 20")));
    EXPECT_THAT(check_grounding(answer, {{&result}, {}, "cities"}).untraced(), IsEmpty());
}

}  // namespace

}  // namespace quaestor::native
