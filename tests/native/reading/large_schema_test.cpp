// What is done before and after the network for databases that people have: many tables, and keys beside names.
#include "native/reading/named_rows.hpp"
#include "native/reading/schema_part.hpp"
#include "native/sql_writer.hpp"
#include "reading_kit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using testing::ElementsAre;

/// Teams and players that many tables of measurements hang on.
data::Catalog wide_catalog() {
    const auto column = [](std::string name, data::ValueKind kind) {
        data::CatalogColumn made;
        made.name = std::move(name);
        made.kind = kind;
        return made;
    };
    const auto text = data::ValueKind::text;
    const auto number = data::ValueKind::integer;
    data::Catalog catalog;
    catalog.default_schema = "main";
    data::CatalogTable teams{.schema = "main", .name = "teams"};
    teams.columns = {column("team_id", number), column("name", text), column("city", text)};
    teams.primary_key = {"team_id"};
    data::CatalogTable players{.schema = "main", .name = "players"};
    players.columns = {column("player_id", number), column("full_name", text), column("first_name", text),
                       column("last_name", text),   column("team_id", number), column("country", text)};
    players.primary_key = {"player_id"};
    players.foreign_keys = {{.columns = {"team_id"}, .table = "teams", .target_columns = {"team_id"}}};
    catalog.tables = {players, teams};
    for (int at = 0; at < 12; ++at) {
        data::CatalogTable more{.schema = "main", .name = fmt::format("survey_{}", at)};
        for (int each = 0; each < 8; ++each) more.columns.push_back(column(fmt::format("figure_{}", each), number));
        catalog.tables.push_back(std::move(more));
    }
    return catalog;
}

std::shared_ptr<const Knowledge> wide_knowledge() {
    return std::make_shared<const Knowledge>(std::make_shared<const data::Catalog>(wide_catalog()), ValueIndex(),
                                             std::vector<ColumnId>());
}

std::vector<std::string> names_of(const SchemaPart& part) {
    std::vector<std::string> names;
    for (const SchemaTable& table : part.schema.tables()) names.push_back(table.name);
    return names;
}

TEST(SchemaPart, HasTheTablesThatTheQuestionSpeaksOf) {
    const auto knowledge = wide_knowledge();
    const auto question = link("Which players are in each team?", *knowledge, "2026-01-01");
    const auto part = part_about(question, knowledge->schema());
    EXPECT_THAT(names_of(part), ElementsAre("players", "teams"));
    EXPECT_EQ(part.schema.keys().size(), 1U);
    EXPECT_LE(part.schema.columns().size(), kPartColumnsMax);
}

TEST(SchemaPart, TakesFewColumnsOfManyTablesRatherThanManyOfFew) {
    auto catalog = wide_catalog();
    for (int at = 0; at < 40; ++at) {
        data::CatalogColumn more;
        more.name = fmt::format("player_note_{}", at);
        more.kind = data::ValueKind::text;
        catalog.tables[0].columns.push_back(std::move(more));
    }
    const Knowledge knowledge(std::make_shared<const data::Catalog>(catalog), ValueIndex());
    const auto part = part_about(link("city of each player's team", knowledge, "2026-01-01"), knowledge.schema());
    EXPECT_THAT(names_of(part), ElementsAre("players", "teams"));
    EXPECT_EQ(part.schema.keys().size(), 1U);
    EXPECT_LE(part.schema.columns().size(), kPartColumnsMax + 2);
}

TEST(SchemaPart, PointsBackIntoTheWhole) {
    const auto knowledge = wide_knowledge();
    const auto question = link("city of every team", *knowledge, "2026-01-01");
    const auto part = part_about(question, knowledge->schema());
    for (std::size_t at = 1; at < part.columns.size(); ++at) {
        const auto whole = part.in_whole({{FormToken::Kind::column, static_cast<int>(at)}});
        EXPECT_EQ(knowledge->schema().columns()[static_cast<std::size_t>(whole[0].value)].name,
                  part.schema.columns()[at].name);
    }
    const ValueHit inside{.first = 0, .last = 0, .column = part.columns.back(), .value = "x", .is_sure = true};
    const ValueHit outside{.first = 0,
                           .last = 0,
                           .column = static_cast<ColumnId>(knowledge->schema().columns().size() - 1),
                           .value = "y",
                           .is_sure = true};
    const auto hits = part.hits({inside, outside});
    ASSERT_EQ(hits.size(), 1U);
    EXPECT_EQ(part.schema.columns()[static_cast<std::size_t>(hits[0].column)].name,
              knowledge->schema().columns()[static_cast<std::size_t>(inside.column)].name);
}

TEST(SchemaPart, IsTheWholeWhenNothingIsLinked) {
    const auto knowledge = wide_knowledge();
    const auto question = link("xyzzy", *knowledge, "2026-01-01");
    EXPECT_EQ(part_about(question, knowledge->schema()).columns.size(), knowledge->schema().columns().size());
}

std::string named(const std::string& sql, std::string_view asked) {
    const auto knowledge = wide_knowledge();
    const auto question = link(asked, *knowledge, "2026-01-01");
    const auto form =
        with_names_shown(read_sql(sql, knowledge->schema()).value(), question, rules::SchemaView(*knowledge));
    const Spoken spoken{question.text, question.words};
    return write_sql(form, knowledge->schema(), data::Dialect::sqlite, spoken).value().sql;
}

TEST(NamedRows, AreShownWhereKeysWouldBe) {
    EXPECT_EQ(named("SELECT player_id FROM players WHERE country = 'Japan'", "Which players come from Japan?"),
              R"(SELECT T1."full_name" FROM "players" AS T1 WHERE T1."country" = 'Japan')");
}

TEST(NamedRows, AreThoseOfTheTableThatAKeyPointsTo) {
    const auto sql = named("SELECT team_id, COUNT(*) FROM players GROUP BY team_id", "How many players per team?");
    EXPECT_THAT(sql, testing::HasSubstr(R"("name")"));
    EXPECT_THAT(sql, testing::HasSubstr(R"(GROUP BY)"));
}

TEST(NamedRows, GoByTheWholeNameWhereThereIsOne) {
    EXPECT_EQ(named("SELECT first_name, last_name FROM players WHERE country = 'Japan'", "Who comes from Japan?"),
              R"(SELECT T1."full_name" FROM "players" AS T1 WHERE T1."country" = 'Japan')");
    EXPECT_EQ(named("SELECT first_name, last_name FROM players", "first name and last name of each player"),
              R"(SELECT T1."first_name", T1."last_name" FROM "players" AS T1)");
}

TEST(NamedRows, AreLeftToThoseWhoAskForKeys) {
    EXPECT_EQ(named("SELECT player_id FROM players", "ids of all players"),
              R"(SELECT T1."player_id" FROM "players" AS T1)");
}

}  // namespace

}  // namespace quaestor::native
