#include "native/reading/amending.hpp"

#include "native/reading/correct_shares.hpp"
#include "native/reading/named_rates.hpp"
#include "native/rules/questioned_database.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace quaestor::native {

namespace {

QuestionedDatabase& stall() {
    static QuestionedDatabase made(file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/schemas/stall.sql"));
    return made;
}

ColumnId column(std::string_view name) {
    const auto& columns = stall().knowledge().schema().columns();
    const auto found = std::ranges::find(columns, name, &SchemaColumn::name);
    EXPECT_NE(found, columns.end()) << name;
    return static_cast<ColumnId>(found - columns.begin());
}

Expression shown(std::string_view name) {
    return {ColumnRef{column(name), 0}};
}

/// The readings that the question makes of a form, as SQL.
std::vector<std::string> amended_sql(const std::string& question, Query form) {
    const LinkedQuestion linked = stall().linked(question);
    const std::vector<Proposal> trained{{.form = std::move(form), .score = -0.5, .parser = kTrainedParser, .rule = {}}};
    std::vector<std::string> out;
    for (const Proposal& one : amended(trained, linked, stall().knowledge())) {
        EXPECT_EQ(one.parser, kAmendedParser);
        EXPECT_EQ(one.score, -0.5);
        out.push_back(stall().sql(one, linked, Dialect::sqlite));
    }
    return out;
}

/// A form of the trained parser after its shares were looked at, as SQL.
std::string corrected_sql(const std::string& question, Query form) {
    const LinkedQuestion linked = stall().linked(question);
    std::vector<Proposal> trained{{.form = std::move(form), .score = -0.5, .parser = kTrainedParser, .rule = {}}};
    correct_shares(trained, linked, stall().knowledge());
    return stall().sql(trained.front(), linked, Dialect::sqlite);
}

Expression count_of_rows(std::optional<Box<Condition>> filter = {}) {
    return {AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, std::move(filter)}};
}

/// The word of the question, compared with a column.
Condition says(const std::string& question, std::string_view name, std::string_view word) {
    const LinkedQuestion linked = stall().linked(question);
    std::size_t at = 0;
    while (at + 1 < linked.words.size() && linked.word(at) != word) ++at;
    EXPECT_EQ(linked.word(at), word);
    return {Compare{shown(name), Comparison::equal, Words{at, at}}};
}

using Sql = std::vector<std::string>;

TEST(Amending, AddsAValueThatWasSaidAndLeftOut) {
    EXPECT_EQ(
        amended_sql("average quantity on hand of Fish",
                    {.select = {{AggregateOf{Aggregate::avg, false, shown("qty_on_hand"), {}}}}}),
        Sql{R"(SELECT AVG(T1."qty_on_hand") AS "average quantity on hand" FROM "product" AS T1 WHERE T1."kind" = 'Fish')"});
}

TEST(Amending, AddsAFlagThatGoesByItsNameAndShowsNamesInItsPlace) {
    EXPECT_EQ(amended_sql("show fresh products", {.select = {shown("is_fresh")}}),
              Sql{R"(SELECT T1."product_name" FROM "product" AS T1 WHERE T1."is_fresh" = 1)"});
    EXPECT_EQ(amended_sql("products that are not fresh", {.select = {shown("product_name")}}),
              Sql{R"(SELECT T1."product_name" FROM "product" AS T1 WHERE T1."is_fresh" = 0)"});
}

TEST(Amending, SaysOfTheAverageWhatIsSaidBehindIt) {
    Query average{.select = {{AggregateOf{Aggregate::avg, false, shown("unit_price"), {}}}}};
    Query form{.select = {shown("product_name")}};
    form.where = Condition{Compare{shown("unit_price"), Comparison::greater, Expression{Subquery{std::move(average)}}}};
    EXPECT_EQ(
        amended_sql("fish dearer than the average fish", std::move(form)),
        Sql{R"(SELECT T1."product_name" FROM "product" AS T1 WHERE (T1."unit_price" > (SELECT AVG(T2."unit_price") FROM "product" AS T2 WHERE T2."kind" = 'Fish') AND T1."kind" = 'Fish'))"});
}

TEST(Amending, AddsATimeThatWasLeftOut) {
    const Query without{.select = {shown("forename"), shown("surname")}};
    EXPECT_EQ(amended_sql("which sellers were hired in 2020?", without),
              (Sql{R"(SELECT T1."forename", T1."surname" FROM "seller" AS T1 WHERE (T1."hired_on" >= '2020-01-01' AND )"
                   R"(T1."hired_on" < '2021-01-01'))"}));
}

TEST(CorrectShares, PutsTheShareInPlaceOfTheCount) {
    const std::string question = "Which kind has the highest percentage of products that are Salmon?";
    const Query count{.select = {shown("kind")},
                      .where = says(question, "product_name", "Salmon"),
                      .group = {shown("kind")},
                      .order = {{count_of_rows(), true}},
                      .limit = Limit{Limit::Kind::first, Constant{"1"}}};
    EXPECT_EQ(corrected_sql(question, count),
              R"(SELECT T1."kind" FROM "product" AS T1 GROUP BY T1."kind" ORDER BY (100.0 * COUNT(*) FILTER )"
              R"((WHERE T1."product_name" = 'Salmon') / COUNT(*)) DESC LIMIT 1)");
}

TEST(CorrectShares, LetsTheTimeBeSaidOfTheWhole) {
    const auto share_of = [](const std::string& question) {
        const Condition time = says(question, "hired_on", "2020");
        return Query{
            .select = {{Calculation{Arithmetic::percent, count_of_rows(Box<Condition>(time)), count_of_rows()}}},
            .where = says(question, "surname", "Holm")};
    };
    const std::string of_whole = "percentage of sellers called Holm in 2020";
    EXPECT_EQ(corrected_sql(of_whole, share_of(of_whole)),
              R"(SELECT (100.0 * COUNT(*) FILTER (WHERE T1."surname" = 'Holm') / COUNT(*)) AS )"
              R"("count as percent of count" FROM "seller" AS T1 WHERE (T1."hired_on" >= '2020-01-01' AND )"
              R"(T1."hired_on" < '2021-01-01'))");
    const std::string of_part = "what percentage of sellers called Holm came in 2020";
    EXPECT_EQ(corrected_sql(of_part, share_of(of_part)),
              R"(SELECT (100.0 * COUNT(*) FILTER (WHERE (T1."hired_on" >= '2020-01-01' AND T1."hired_on" < )"
              R"('2021-01-01')) / COUNT(*)) AS "count as percent of count" FROM "seller" AS T1 WHERE )"
              R"(T1."surname" = 'Holm')");
}

TEST(NamedRates, AreSharesOfWhatHappened) {
    QuestionedDatabase orders(
        "CREATE TABLE parcels (id INTEGER PRIMARY KEY, state TEXT, success_rate REAL);"
        "INSERT INTO parcels VALUES (1, 'returned', 1), (2, 'cancelled', 0), (3, 'delivered', 1), (4, 'delivered', "
        "0);");
    const auto named = [&](const std::string& question) {
        return with_named_rates(orders.linked(question), orders.knowledge()).value_or("");
    };
    EXPECT_EQ(named("What is the return rate?"), "What is the percentage of returned parcels?");
    EXPECT_EQ(named("cancellation rate by month"), "percentage of cancelled parcels by month");
    EXPECT_EQ(named("average success rate"), "");
    EXPECT_EQ(named("exchange rate"), "");
}

TEST(Amending, CompletesAPersonsName) {
    EXPECT_EQ(amended_sql("which sellers were hired?", {.select = {shown("surname")}}),
              Sql{R"(SELECT T1."forename", T1."surname" FROM "seller" AS T1)"});
    EXPECT_EQ(amended_sql("surname of the sellers", {.select = {shown("surname")}}), Sql{});
}

TEST(Amending, LeavesAWholeReadingAlone) {
    Query form{.select = {shown("product_name")}};
    form.where = Condition{Compare{shown("kind"), Comparison::equal, Constant{"Fish"}}};
    EXPECT_EQ(amended_sql("names of Fish", std::move(form)), Sql{});
    EXPECT_EQ(amended_sql("names of the products", {.select = {shown("product_name")}}), Sql{});
}

TEST(ValueAliases, SayWhatADatabaseWritesOtherwise) {
    const auto value_of = [](const std::string& question) {
        for (const Link& link : stall().linked(question).links) {
            if (link.kind == LinkKind::value) return link.text;
        }
        return std::string();
    };
    EXPECT_EQ(value_of("how many women are there"), "F");
    EXPECT_EQ(value_of("the cheapest flower"), "Flowers");
    EXPECT_EQ(value_of("how many goalies are there"), "");
    const Spelling written = stall().knowledge().values().spelling(column("sex"), "men");
    EXPECT_EQ(written.text, "M");
    EXPECT_EQ(written.certainty, Spelling::Certainty::likely);
}

}  // namespace

}  // namespace quaestor::native
