#include "native/reading/reader.hpp"

#include "data/scripted_engine.hpp"
#include "native/reading/reading_kit.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace quaestor::native {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFlightsSql =
    "CREATE TABLE airport (code TEXT PRIMARY KEY, city TEXT);"
    "INSERT INTO airport VALUES ('CDG', 'Paris'), ('TXL', 'Berlin');"
    "CREATE TABLE flight (id INTEGER PRIMARY KEY, source TEXT REFERENCES airport(code),"
    " destination TEXT REFERENCES airport(code));"
    "INSERT INTO flight VALUES (1, 'CDG', 'TXL'), (2, 'CDG', 'TXL'), (3, 'TXL', 'CDG');";

/// A source over an engine that does what a test says, with a table of one text column.
struct ScriptedSource {
    ScriptedSource() {
        script->schema = [] {
            data::Catalog catalog{.default_schema = "main", .tables = {{.schema = "main", .name = "orders"}}};
            catalog.tables[0].columns.push_back({.name = "status", .type = "VARCHAR", .kind = data::ValueKind::text});
            return catalog;
        };
        source = run_to_end(data::open_source("scripted", std::make_unique<data::ScriptedEngine>(script), {})).value();
        knowledge = run_to_end(learn(*source)).value();
    }
    [[nodiscard]] Result<Understanding> read(const std::string& question, std::shared_ptr<const QuestionParser> parser,
                                             CancelToken cancel = {}) {
        QuestionReader reader(*source, knowledge,
                              {.model = nullptr, .choice = choice_with(0.6, 0.2), .parsers = {std::move(parser)}});
        return run_to_end(reader.read(question, {}, std::move(cancel)));
    }

    std::shared_ptr<data::ScriptedEngine::Script> script = std::make_shared<data::ScriptedEngine::Script>();
    std::unique_ptr<data::Source> source;
    std::shared_ptr<const Knowledge> knowledge;
};

std::shared_ptr<const QuestionParser> two_readings() {
    return std::make_shared<ScriptedParser>(
        std::vector<ScriptedParser::Line>{{"SELECT status FROM orders", -0.1}, {"SELECT count(*) FROM orders", -1.0}});
}

}  // namespace

TEST(Reader, AnswersWithTheReadingItIsSureOf) {
    AskedDatabase database(kSingersSql);
    const auto understood = database.read(
        "How many singers are from France?",
        {{"SELECT count(*) FROM singer WHERE country = 'France'", -0.1}, {"SELECT count(*) FROM singer", -5.0}});
    ASSERT_TRUE(understood) << understood.error().describe();
    EXPECT_EQ(understood->decision, Decision::answer);
    ASSERT_THAT(understood->readings, SizeIs(2));
    const Reading& best = understood->readings[0];
    EXPECT_THAT(best.sql, HasSubstr("'France'"));
    EXPECT_EQ(best.parser, "scripted");
    EXPECT_GT(best.probability, 0.9);
    ASSERT_TRUE(best.result);
    EXPECT_EQ(best.result->columns[0].text(0), "2");
    ASSERT_THAT(best.values, SizeIs(1));
    EXPECT_EQ(best.values[0].said, "France");
    EXPECT_EQ(best.values[0].written.certainty, Spelling::Certainty::exact);
    EXPECT_THAT(best.assumptions, IsEmpty());
    EXPECT_THAT(understood->not_understood, IsEmpty());
    EXPECT_FALSE(best.explanation.empty());
    EXPECT_FALSE(best.logical_form.empty());
}

TEST(Reader, KeepsEachStatementOnce) {
    AskedDatabase database(kSingersSql);
    const auto understood =
        database.read("singers", {{"SELECT name FROM singer", -0.1}, {"SELECT name FROM singer", -0.2}});
    ASSERT_TRUE(understood);
    EXPECT_THAT(understood->readings, SizeIs(1));
}

TEST(Reader, RunsNoMoreCandidatesThanItMay) {
    AskedDatabase database(kSingersSql);
    std::vector<ScriptedParser::Line> lines;
    for (int limit = 1; limit <= 20; ++limit) {
        lines.push_back({"SELECT name FROM singer LIMIT " + std::to_string(limit), -0.1 * limit});
    }
    const auto understood = database.read("singers", lines);
    ASSERT_TRUE(understood);
    EXPECT_THAT(understood->readings, SizeIs(kCandidatesMax));
}

TEST(Reader, SaysThatAMisspeltValueWasTakenForAnother) {
    AskedDatabase database(kSingersSql);
    const auto understood =
        database.read("singers from Netherlnds", {{"SELECT name FROM singer WHERE country = 'Netherlnds'", -0.1}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::answer);
    EXPECT_THAT(understood->readings[0].sql, HasSubstr("'Netherlands'"));
    EXPECT_THAT(understood->readings[0].assumptions,
                ElementsAre("\"Netherlnds\" is taken to mean the country \"Netherlands\""));
}

TEST(Reader, AsksAboutAValueThatIsNotThereWhenOthersAreNear) {
    AskedDatabase database("CREATE TABLE t (city TEXT); INSERT INTO t VALUES ('Berlin'), ('Bern');");
    const auto understood = database.read("things in Berl", {{"SELECT count(*) FROM t WHERE city = 'Berl'", -0.1}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::ask);
    EXPECT_THAT(understood->near_values, Contains("Bern"));
    EXPECT_THAT(understood->not_understood, ElementsAre("Berl"));
    EXPECT_THAT(understood->ask, HasSubstr("There is no city \"Berl\""));
    EXPECT_EQ(understood->options.size(), understood->near_values.size());
    EXPECT_THAT(understood->options, Contains(HasSubstr("Bern")));
}

TEST(Reader, SaysThatAValueIsNotThereWhenNothingIsNear) {
    AskedDatabase database(kSingersSql);
    const auto understood = database.read(
        "How many singers are from Atlantis?",
        {{"SELECT count(*) FROM singer WHERE country = 'Atlantis'", -0.1}, {"SELECT count(*) FROM singer", -5.0}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::answer);
    EXPECT_THAT(understood->not_understood, Contains("Atlantis"));
    EXPECT_THAT(understood->readings.front().assumptions, Contains("there is no country \"Atlantis\""));
}

TEST(Reader, DoesNotLookForANameAsAPartOfValuesThatNoneHas) {
    AskedDatabase database(kSingersSql);
    const auto understood =
        database.read("singers from Italy", {{"SELECT count(*) FROM singer WHERE country LIKE '%Italy%'", -0.1}});
    ASSERT_TRUE(understood);
    EXPECT_THAT(understood->not_understood, Contains("Italy"));
    EXPECT_THAT(understood->readings.front().assumptions, Contains("there is no country \"Italy\""));
    const auto part =
        database.read("singers from United", {{"SELECT count(*) FROM singer WHERE country LIKE '%United%'", -0.1}});
    ASSERT_TRUE(part);
    EXPECT_EQ(part->decision, Decision::answer);
}

TEST(Reader, PrefersTheReadingThatFindsTheValueInAnotherColumn) {
    AskedDatabase database(kSingersSql);
    const auto understood = database.read("singers of France",
                                          {{"SELECT name FROM singer WHERE name = 'France'", -0.7},
                                           {"SELECT name FROM singer WHERE country = 'France'", -0.8}},
                                          0.4);
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::answer);
    EXPECT_THAT(understood->readings[0].sql, HasSubstr("\"country\" = 'France'"));
    EXPECT_THAT(understood->not_understood, IsEmpty());
}

TEST(Reader, SaysThatAVeryLongQuestionWasNotReadToItsEnd) {
    AskedDatabase database(kSingersSql);
    std::string question = "singers";
    for (std::size_t count = 0; count < kWordsMax; ++count) question += " please";
    const auto understood = database.read(question, {{"SELECT name FROM singer", -0.1}});
    ASSERT_TRUE(understood);
    EXPECT_THAT(understood->readings[0].assumptions, ElementsAre("only the first 60 words were read"));
}

TEST(Reader, LooksAValueUpInAColumnThatIsTooLargeToBeKnown) {
    AskedDatabase database("CREATE TABLE visit AS SELECT 'Visitor ' || i AS who FROM range(6000) t(i)",
                           AskedDatabase::Engine::duckdb);
    const auto there =
        database.read("visits of Visitor 17", {{"SELECT count(*) FROM visit WHERE who = 'Visitor 17'", -0.1}});
    ASSERT_TRUE(there);
    EXPECT_EQ(there->decision, Decision::answer);
    const auto other_case =
        database.read("visits of visitor 17", {{"SELECT count(*) FROM visit WHERE who = 'visitor 17'", -0.1}});
    ASSERT_TRUE(other_case);
    EXPECT_EQ(other_case->decision, Decision::ask);
    EXPECT_THAT(other_case->near_values, ElementsAre("Visitor 17"));
    const auto nobody =
        database.read("visits of Visitor x", {{"SELECT count(*) FROM visit WHERE who = 'Visitor x'", -0.1}});
    ASSERT_TRUE(nobody);
    EXPECT_EQ(nobody->decision, Decision::decline);
}

TEST(Reader, DeclinesAWordWhereANumberIsWanted) {
    AskedDatabase database(kSingersSql);
    const auto understood =
        database.read("singers older than grandma", {{"SELECT name FROM singer WHERE age > 'grandma'", -0.1}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::decline);
    EXPECT_THAT(understood->not_understood, Contains("grandma"));
}

TEST(Reader, LeavesOutProductsThatNobodyMeans) {
    AskedDatabase database(
        "CREATE TABLE item (item_id INTEGER PRIMARY KEY, name TEXT, price REAL);"
        "INSERT INTO item VALUES (1, 'lamp', 20), (2, 'desk', 200);"
        "CREATE TABLE line (line_id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item(item_id), quantity INTEGER,"
        " discount REAL);"
        "INSERT INTO line VALUES (1, 1, 3, 0.1), (2, 2, 1, 0);");
    const std::string joined = " FROM line JOIN item ON line.item_id = item.item_id";
    const ScriptedParser::Line by_price{"SELECT SUM(line.quantity * item.price)" + joined, -2};
    const ScriptedParser::Line by_discount{"SELECT SUM(quantity * discount) FROM line", -0.1};
    const auto sums_of = [](const Understanding& understood) {
        std::vector<std::string> sql;
        for (const Reading& reading : understood.readings) sql.push_back(reading.sql);
        return sql;
    };
    const auto revenue = database.read("revenue", {by_discount, by_price});
    ASSERT_TRUE(revenue);
    EXPECT_THAT(sums_of(*revenue), ElementsAre(HasSubstr("price")));
    const auto without_price = database.read("revenue", {by_discount});
    ASSERT_TRUE(without_price);
    EXPECT_THAT(sums_of(*without_price), ElementsAre(HasSubstr("discount")));
    const auto of_key = database.read("discounts", {{"SELECT SUM(line_id * discount) FROM line", -0.1}, by_discount});
    ASSERT_TRUE(of_key);
    EXPECT_THAT(sums_of(*of_key), ElementsAre(HasSubstr("quantity")));
}

TEST(Reader, DoesNotAnswerAReadingThatLeavesOutATime) {
    AskedDatabase database(
        "CREATE TABLE invoice (id INTEGER PRIMARY KEY, issued DATE, paid INTEGER);"
        "INSERT INTO invoice VALUES (1, '2024-03-01', 5), (2, '2025-04-01', 7);");
    const auto left_out = database.read("invoices in 2024", {{"SELECT count(*) FROM invoice", -0.1}});
    ASSERT_TRUE(left_out);
    EXPECT_EQ(left_out->decision, Decision::decline);
    EXPECT_THAT(left_out->not_understood, ElementsAre("2024"));
    const auto kept = database.read("invoices in 2024", {{"SELECT count(*) FROM invoice WHERE issued = '2024'", -0.1}});
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->decision, Decision::answer);
}

TEST(Reader, DoesNotAnswerAReadingThatLeavesOutGrowthOrEach) {
    AskedDatabase database(kSingersSql);
    const auto growth = database.read("growth of singers", {{"SELECT count(*) FROM singer", -0.1}});
    ASSERT_TRUE(growth);
    EXPECT_EQ(growth->decision, Decision::decline);
    const std::string top = "SELECT name FROM singer ORDER BY name DESC LIMIT 1";
    const auto each = database.read("the last name in each country", {{top, -0.1}});
    ASSERT_TRUE(each);
    EXPECT_EQ(each->decision, Decision::decline);
    const auto of_all = database.read("the last name", {{top, -0.1}});
    ASSERT_TRUE(of_all);
    EXPECT_EQ(of_all->decision, Decision::answer);
}

TEST(Reader, TakesTheReadingThatUsesANameBeforeTheSameWithoutIt) {
    AskedDatabase database(
        "CREATE TABLE buyer (id INTEGER PRIMARY KEY, company TEXT, paid INTEGER);"
        "INSERT INTO buyer VALUES (1, 'Acme GmbH', 5), (2, 'Bolt Ltd', 7), (3, 'Cone SA', 2);");
    const auto understood = database.read(
        "What has Acme paid?",
        {{"SELECT sum(paid) FROM buyer", -0.1}, {"SELECT sum(paid) FROM buyer WHERE company = 'Acme GmbH'", -1}});
    ASSERT_TRUE(understood);
    EXPECT_THAT(understood->readings.front().sql, HasSubstr("Acme GmbH"));
    EXPECT_EQ(understood->decision, Decision::answer);
}

TEST(Reader, DoesNotAskWhetherNamesOrKeysOfTheSameRowsAreMeant) {
    AskedDatabase database(kSingersSql);
    const std::string from_france = " FROM singer WHERE country = 'France'";
    const auto understood =
        database.read("singers from France", {{"SELECT name" + from_france, -0.7}, {"SELECT *" + from_france, -0.8}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::answer);
    const auto asked_for =
        database.read("name or country of singers from France",
                      {{"SELECT name" + from_france, -0.7}, {"SELECT country" + from_france, -0.75}});
    ASSERT_TRUE(asked_for);
    EXPECT_EQ(asked_for->decision, Decision::ask);
}

TEST(Reader, AsksWhenTwoReadingsAreClose) {
    AskedDatabase database(kSingersSql);
    const auto understood = database.read("the best singer",
                                          {{"SELECT name FROM singer ORDER BY age DESC LIMIT 1", -0.70},
                                           {"SELECT name FROM singer ORDER BY age LIMIT 1", -0.71}},
                                          0.3);
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::ask);
    EXPECT_THAT(understood->options, SizeIs(2));
    EXPECT_FALSE(understood->ask.empty());
}

TEST(Reader, AsksByWhatTheBestIsMeantUnlessItIsSaid) {
    AskedDatabase database(kSingersSql);
    const std::vector<ScriptedParser::Line> lines{{"SELECT name FROM singer ORDER BY age DESC LIMIT 1", -0.1},
                                                  {"SELECT name FROM singer ORDER BY country LIMIT 1", -5.0}};
    for (const std::string question :
         {"who is the best singer", "which singer is the best?", "which is the biggest one"}) {
        const auto vague = database.read(question, lines);
        ASSERT_TRUE(vague);
        EXPECT_EQ(vague->decision, Decision::ask) << question;
        EXPECT_THAT(vague->options, SizeIs(2));
    }
    for (const std::string question : {"who is the best singer by age", "the best paid singer", "the oldest singer"}) {
        const auto clear = database.read(question, lines);
        ASSERT_TRUE(clear);
        EXPECT_EQ(clear->decision, Decision::answer) << question;
    }
}

TEST(Reader, DoesNotAskBetweenReadingsWithTheSameRows) {
    AskedDatabase database(kSingersSql);
    const auto understood =
        database.read("oldest singer", {{"SELECT name FROM singer ORDER BY age DESC LIMIT 1", -0.70},
                                        {"SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)", -0.71}});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::answer);
}

TEST(Reader, AsksBelowOneThresholdAndDeclinesBelowTheOther) {
    AskedDatabase database(kSingersSql);
    const std::vector<ScriptedParser::Line> lines{{"SELECT name FROM singer", -0.7}, {"SELECT age FROM singer", -1.5}};
    const auto asked = database.read("singers", lines, 0.9, 0.2);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->decision, Decision::ask);
    EXPECT_THAT(asked->options, SizeIs(2));
    const auto declined = database.read("singers", lines, 0.95, 0.9);
    ASSERT_TRUE(declined);
    EXPECT_EQ(declined->decision, Decision::decline);
}

TEST(Reader, AsksWhenNoReadingIsSureAndTheBestFewTogetherAre) {
    AskedDatabase database(kSingersSql);
    const std::vector<ScriptedParser::Line> lines{{"SELECT name FROM singer", -1.0},
                                                  {"SELECT name FROM singer ORDER BY age", -1.3},
                                                  {"SELECT age FROM singer", -1.1},
                                                  {"SELECT avg(age) FROM singer", -1.2},
                                                  {"SELECT count(*) FROM singer", -4.0}};
    const auto asked = database.read("singers", lines, 0.95, 0.9, {}, 0.9);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->decision, Decision::ask);
    EXPECT_THAT(asked->options, SizeIs(3));
    EXPECT_THAT(asked->option_sql, SizeIs(3));
    EXPECT_FALSE(asked->ask.empty());
    const auto declined = database.read("singers", lines, 0.95, 0.9, {}, 0.999);
    ASSERT_TRUE(declined);
    EXPECT_EQ(declined->decision, Decision::decline);
    EXPECT_THAT(declined->options, IsEmpty());
}

TEST(Reader, AsksWhichKeyWasMeantWhenRowsDiffer) {
    AskedDatabase database(kFlightsSql);
    const auto understood = database.read(
        "flights of Paris", {{"SELECT count(flight.id) FROM flight JOIN airport ON flight.source = airport.code "
                              "WHERE airport.city = 'Paris'",
                              -0.1, false}});
    ASSERT_TRUE(understood) << understood.error().describe();
    EXPECT_EQ(understood->decision, Decision::ask);
    ASSERT_THAT(understood->readings, SizeIs(2));
    EXPECT_NE(understood->readings[0].result->columns[0].text(0), understood->readings[1].result->columns[0].text(0));
    EXPECT_THAT(understood->options, SizeIs(2));
}

TEST(Reader, TakesOutWhatTheDatabaseRefuses) {
    AskedDatabase database("CREATE TABLE t (a TEXT, n INTEGER); INSERT INTO t VALUES ('x', 1);",
                           AskedDatabase::Engine::duckdb);
    const auto understood = database.read("n of t", {{"SELECT sum(a) FROM t", -0.1}, {"SELECT n FROM t", -0.2}});
    ASSERT_TRUE(understood) << understood.error().describe();
    ASSERT_THAT(understood->readings, SizeIs(1));
    EXPECT_EQ(understood->decision, Decision::answer);
}

TEST(Reader, SaysWhatItDidNotUnderstandWhenNothingIsProposed) {
    AskedDatabase database(kSingersSql);
    const auto understood = database.read("frobnicate the gizmo", {});
    ASSERT_TRUE(understood);
    EXPECT_EQ(understood->decision, Decision::decline);
    EXPECT_THAT(understood->readings, IsEmpty());
    EXPECT_THAT(understood->not_understood, ElementsAre("frobnicate", "gizmo"));
}

TEST(Reader, RefusesWhatIsNoQuestion) {
    AskedDatabase database(kSingersSql);
    for (const std::string& question : {std::string(), std::string(" \n\t "), std::string("sing\0er", 7),
                                        std::string("\xff\xfe"), std::string(kQuestionBytesMax + 1, 'a')}) {
        const auto understood = database.read(question, {{"SELECT name FROM singer", -0.1}});
        ASSERT_FALSE(understood);
        EXPECT_EQ(understood.error().code, Code::invalid_argument);
        EXPECT_FALSE(understood.error().hint.empty());
    }
}

TEST(Reader, StopsWhenItIsCancelled) {
    AskedDatabase database(kSingersSql);
    CancelSource stop;
    stop.cancel(CancelReason::user_request);
    const auto understood = database.read("singers", {{"SELECT name FROM singer", -0.1}}, 0.6, 0.2, stop.token());
    ASSERT_FALSE(understood);
    EXPECT_EQ(understood.error().code, Code::cancelled);
}

TEST(Reader, StopsWhileACandidateRuns) {
    ScriptedSource scripted;
    CancelSource stop;
    scripted.script->run = [&stop](const CancelToken& running) -> Result<data::ResultSet> {
        stop.cancel(CancelReason::client_gone);
        // Two candidates run at once: where the other one cancelled first, its thread is still telling everybody.
        while (!running.cancelled()) std::this_thread::yield();
        return fail(running.error());
    };
    const auto understood = scripted.read("status of orders", two_readings(), stop.token());
    ASSERT_FALSE(understood);
    EXPECT_EQ(understood.error().code, Code::cancelled);
}

TEST(Reader, HandsOnAFaultOfTheDatabase) {
    ScriptedSource scripted;
    scripted.script->run = [runs = 0](const CancelToken&) mutable -> Result<data::ResultSet> {
        if (++runs == 1) return data::ResultSet();
        return fail(Code::unavailable, "the server went away");
    };
    const auto understood = scripted.read("status of orders", two_readings());
    ASSERT_FALSE(understood);
    EXPECT_EQ(understood.error().code, Code::unavailable);
    EXPECT_THAT(understood.error().describe(), HasSubstr("the server went away"));
}

TEST(Reader, HandsOnWhatKeptAllParsersFromProposing) {
    ScriptedSource scripted;
    const auto understood = scripted.read(
        "status of orders", std::make_shared<ScriptedParser>(Error{Code::internal, "out of order", "", nullptr}));
    ASSERT_FALSE(understood);
    EXPECT_EQ(understood.error().message, "out of order");
}

}  // namespace quaestor::native
