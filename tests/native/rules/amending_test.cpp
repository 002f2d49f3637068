#include "native/reading/amending.hpp"

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
