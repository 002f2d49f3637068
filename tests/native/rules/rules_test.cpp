#include "data/guard.hpp"
#include "native/form_tokens.hpp"
#include "native/rules/questioned_database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

namespace quaestor::native {

namespace {

/// One case: `? question` or `+ follow-up`, then `= SQL`, `~ assumption` and `> row` lines, or `!` for nothing.
struct Case {
    std::string database;
    std::string question;
    bool is_follow_up = false;
    bool is_refused = false;
    std::string sql;
    std::vector<std::string> assumptions;
    std::vector<std::string> rows;
};

std::vector<Case> cases_in(const std::string& file) {
    std::vector<Case> cases;
    std::istringstream lines(file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/" + file));
    std::string database;
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::string text = line.size() > 2 ? line.substr(2) : "";
        switch (line.front()) {
            case '@':
                database = text;
                break;
            case '?':
            case '+':
                cases.push_back({.database = database, .question = text, .is_follow_up = line.front() == '+'});
                break;
            case '!':
                cases.back().is_refused = true;
                break;
            case '=':
                cases.back().sql = text;
                break;
            case '~':
                cases.back().assumptions.push_back(text);
                break;
            case '>':
                cases.back().rows.push_back(text);
                break;
            default:
                ADD_FAILURE() << file << ": " << line;
        }
    }
    return cases;
}

QuestionedDatabase& database(const std::string& name) {
    static std::map<std::string, std::unique_ptr<QuestionedDatabase>> made;
    auto& found = made[name];
    if (!found) {
        found = std::make_unique<QuestionedDatabase>(
            file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/schemas/" + name + ".sql"));
    }
    return *found;
}

std::vector<Proposal> proposed(const QuestionedDatabase& about, const LinkedQuestion& question,
                               const QuestionParser& parser = *rule_parser()) {
    auto proposals = parser.propose(question, about.knowledge(), {});
    EXPECT_TRUE(proposals) << question.text;
    return proposals ? std::move(*proposals) : std::vector<Proposal>();
}

std::vector<std::string> sorted(std::vector<std::string> lines) {
    std::ranges::sort(lines);
    return lines;
}

void expect_runs_alike(QuestionedDatabase& about, const Proposal& best, const LinkedQuestion& question,
                       const Case& expected) {
    const std::string sqlite = about.sql(best, question, Dialect::sqlite);
    EXPECT_EQ(sqlite, expected.sql) << expected.question;
    EXPECT_EQ(about.rows(sqlite, Dialect::sqlite), expected.rows) << expected.question << "\n" << sqlite;
    const std::string duckdb = about.sql(best, question, Dialect::duckdb);
    const bool is_cut = best.form.limit.has_value();  // which of equal rows comes first is up to the engine
    if (is_cut) {
        EXPECT_EQ(about.rows(duckdb, Dialect::duckdb).size(), expected.rows.size()) << duckdb;
    } else {
        EXPECT_EQ(sorted(about.rows(duckdb, Dialect::duckdb)), sorted(expected.rows)) << duckdb;
    }
    data::TableNames names("public");
    for (const SchemaTable& table : about.knowledge().schema().tables()) names.add("public", table.name);
    const data::Verdict verdict =
        data::Guard(Dialect::postgres, names).check(about.sql(best, question, Dialect::postgres));
    EXPECT_TRUE(verdict.ok) << expected.question << (verdict.errors.empty() ? "" : verdict.errors.front().message);
}

/// Runs the cases of a file; how many there were.
std::size_t run_cases(const std::string& file, const QuestionParser& parser = *rule_parser()) {
    std::optional<EarlierQuestion> earlier;
    const std::vector<Case> cases = cases_in(file);
    for (const Case& one : cases) {
        QuestionedDatabase& about = database(one.database);
        const LinkedQuestion question = about.linked(one.question);
        const std::vector<Proposal> proposals =
            one.is_follow_up ? follow_up(question, *earlier, about.knowledge()) : proposed(about, question, parser);
        EXPECT_EQ(leans_on_earlier(question) || !one.is_follow_up, true) << one.question;
        EXPECT_EQ(proposals.empty(), one.is_refused) << one.question;
        if (proposals.empty()) continue;
        EXPECT_EQ(proposals.front().assumptions, one.assumptions) << one.question;
        expect_runs_alike(about, proposals.front(), question, one);
        earlier = EarlierQuestion{one.question, without_words(proposals.front().form, question)};
    }
    return cases.size();
}

TEST(RuleParser, ReadsQuestionsAsTheyAreMeant) {
    EXPECT_GE(run_cases("questions.cases"), 120U);
}

TEST(FactParser, ReadsQuestionsByWhatTheyMention) {
    EXPECT_GE(run_cases("facts.cases", *fact_parser()), 76U);
}

TEST(FactParser, WritesSqlThatAFollowUpCanBeReadFrom) {
    for (const Case& one : cases_in("facts.cases")) {
        const auto form = read_sql(one.sql, database(one.database).knowledge().schema());
        EXPECT_TRUE(form) << one.question << "\n" << one.sql << "\n" << (form ? "" : form.error().message);
    }
}

TEST(RuleParser, ProposesNothingForWhatItDoesNotUnderstand) {
    EXPECT_GE(run_cases("refused.cases"), 12U);
}

TEST(FollowUp, ChangesTheEarlierQuestionWhereItSaysSomethingElse) {
    EXPECT_GE(run_cases("follow_ups.cases"), 30U);
}

TEST(RuleParser, ProposesTheBestFirstAndNotMoreThanEight) {
    for (const Case& one : cases_in("questions.cases")) {
        const QuestionedDatabase& about = database(one.database);
        const auto proposals = proposed(about, about.linked(one.question));
        EXPECT_LE(proposals.size(), 8U) << one.question;
        EXPECT_TRUE(std::ranges::is_sorted(proposals, std::greater(), &Proposal::score)) << one.question;
        for (const Proposal& proposal : proposals) {
            EXPECT_LE(proposal.score, 0) << one.question;
            EXPECT_EQ(proposal.parser, "rules");
            EXPECT_FALSE(proposal.rule.empty());
        }
    }
}

TEST(RuleParser, ProposesEachDateThatAPeriodMayBeAbout) {
    QuestionedDatabase& flights = database("flights");
    const LinkedQuestion question = flights.linked("How many flights were there in 2023?");
    const auto proposals = proposed(flights, question);
    ASSERT_EQ(proposals.size(), 2U);
    EXPECT_THAT(flights.sql(proposals[0], question, Dialect::sqlite), testing::HasSubstr("departure_date"));
    EXPECT_THAT(flights.sql(proposals[1], question, Dialect::sqlite), testing::HasSubstr("arrival_date"));
}

TEST(RuleParser, TakesPerAsARateOrAsGroups) {
    QuestionedDatabase& league = database("league");
    const LinkedQuestion question = league.linked("average salary per team");
    std::vector<std::string> rules;
    for (const Proposal& one : proposed(league, question)) rules.push_back(one.rule);
    EXPECT_EQ(rules, (std::vector<std::string>{"a number for each group", "a number"}));
}

TEST(RuleParser, StopsWhenItIsCancelled) {
    CancelSource source;
    source.cancel(CancelReason::user_request);
    QuestionedDatabase& league = database("league");
    const auto proposals =
        rule_parser()->propose(league.linked("How many players are there?"), league.knowledge(), source.token());
    ASSERT_FALSE(proposals);
    EXPECT_EQ(proposals.error().code, Code::cancelled);
}

TEST(RuleParser, BoundsWhatItTriesForHostileQuestions) {
    QuestionedDatabase& league = database("league");
    std::string names;
    for (int at = 0; at < 60; ++at) names += "name ";
    for (const std::string& text :
         {std::string(), std::string("?"), names, std::string(3'000, 'x'),
          std::string("more than than than between and and or not not no never per by each")}) {
        const LinkedQuestion question = league.linked(text);
        for (const Proposal& one : proposed(league, question)) {
            EXPECT_FALSE(league.sql(one, question, Dialect::duckdb).empty());
        }
    }
}

TEST(LeansOnEarlier, TellsFollowUpsFromQuestionsOfTheirOwn) {
    QuestionedDatabase& league = database("league");
    for (const char* text : {"How about the Warriors?", "and in 2022?", "only guards", "sort that by assists",
                             "what about rebounds?", "the other way round", "top 10 instead", "by month",
                             "and the average?", "which of them are from Spain?", "in 2022", "the Lakers?"}) {
        EXPECT_TRUE(leans_on_earlier(league.linked(text))) << text;
    }
    for (const char* text :
         {"How many players are from Spain?", "average salary by position", "Which team has the most players?",
          "players of the Lakers", "Who scored the most points?", "hello", "", "What is the weather?"}) {
        EXPECT_FALSE(leans_on_earlier(league.linked(text))) << text;
    }
}

TEST(FollowUp, SaysNothingAboutAQuestionOfItsOwn) {
    QuestionedDatabase& league = database("league");
    const LinkedQuestion first = league.linked("How many players are from Spain?");
    const EarlierQuestion earlier{first.text, without_words(proposed(league, first).front().form, first)};
    EXPECT_TRUE(follow_up(league.linked("Which team has the most players?"), earlier, league.knowledge()).empty());
    EXPECT_TRUE(follow_up(league.linked("and on the moon?"), earlier, league.knowledge()).empty());
}

TEST(WithoutWords, WritesTheSameStatementWithoutTheQuestion) {
    for (const Case& one : cases_in("questions.cases")) {
        QuestionedDatabase& about = database(one.database);
        const LinkedQuestion question = about.linked(one.question);
        const Proposal best = proposed(about, question).front();
        Proposal bare = best;
        bare.form = without_words(best.form, question);
        EXPECT_EQ(about.sql(bare, about.linked(""), Dialect::sqlite), one.sql) << one.question;
    }
}

TEST(Windows, AreReadBackFromTheirSqlAndRefusedAsTokens) {
    std::size_t windows = 0;
    for (const Case& one : cases_in("questions.cases")) {
        if (!one.sql.contains(" OVER (") || one.sql.contains("AS place")) continue;
        QuestionedDatabase& about = database(one.database);
        const LinkedQuestion question = about.linked(one.question);
        const Proposal best = proposed(about, question).front();
        EXPECT_EQ(tokens_of(best.form, about.knowledge().schema()).error().code, Code::unsupported) << one.question;
        for (const Dialect dialect : {Dialect::sqlite, Dialect::duckdb, Dialect::postgres}) {
            const std::string sql = about.sql(best, question, dialect);
            const auto read = read_sql(sql, about.knowledge().schema());
            ASSERT_TRUE(read) << sql << "\n" << read.error().describe();
            EXPECT_EQ(read->select.back(), best.form.select.back()) << sql;
        }
        const auto read = read_sql(one.sql, about.knowledge().schema());
        ASSERT_TRUE(read) << one.sql;
        Proposal again = best;
        again.form = *read;
        EXPECT_EQ(about.rows(about.sql(again, question, Dialect::sqlite), Dialect::sqlite), one.rows) << one.sql;
        ++windows;
    }
    EXPECT_GE(windows, 8U);
}

TEST(Windows, NeedSomethingThatSaysWhatComesBefore) {
    const QuestionedDatabase& league = database("league");
    Query query{.select = {{Window{WindowKind::running, Expression{ColumnRef{1, 0}}, {}, {}}}}};
    const std::vector<WordSpan> no_words;
    const auto written = write_sql(query, league.knowledge().schema(), Dialect::sqlite, {"", no_words, nullptr});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Code::unsupported);
}

}  // namespace

}  // namespace quaestor::native
