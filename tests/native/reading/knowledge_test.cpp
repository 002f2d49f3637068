#include "native/reading/knowledge.hpp"

#include "data/scripted_engine.hpp"
#include "native/reading/reading_kit.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using Engine = AskedDatabase::Engine;

std::vector<std::string> spellings(const Knowledge& knowledge, ColumnId column) {
    std::vector<std::string> out;
    for (const auto& value : knowledge.values().values_of(column)) out.emplace_back(value.spelling);
    std::ranges::sort(out);
    return out;
}

}  // namespace

class LearningFrom : public testing::TestWithParam<Engine> {};

TEST_P(LearningFrom, EveryTextColumnItKnowsTheValues) {
    const AskedDatabase database(kSingersSql, GetParam());
    const ColumnId country = database.column("singer.country");
    EXPECT_THAT(spellings(database.knowledge(), country),
                testing::ElementsAre("France", "Netherlands", "United States"));
    EXPECT_TRUE(database.knowledge().knows_every_value(country));
    EXPECT_TRUE(spellings(database.knowledge(), database.column("singer.age")).empty());
    EXPECT_FALSE(database.knowledge().knows_every_value(database.column("singer.age")));
}

TEST_P(LearningFrom, TextsThatAreDaysItComparesDays) {
    const AskedDatabase database(kSingersSql, GetParam());
    const auto& columns = database.knowledge().schema().columns();
    EXPECT_TRUE(columns[static_cast<std::size_t>(database.column("concert.held"))].is_iso_date);
    EXPECT_FALSE(columns[static_cast<std::size_t>(database.column("concert.theme"))].is_iso_date);
}

INSTANTIATE_TEST_SUITE_P(Engines, LearningFrom, testing::Values(Engine::sqlite, Engine::duckdb),
                         [](const auto& info) { return info.param == Engine::sqlite ? "sqlite" : "duckdb"; });

TEST(Knowledge, LeavesOutColumnsWithTooManyValues) {
    const AskedDatabase database(
        "CREATE TABLE visit AS SELECT 'visitor ' || i AS who, 'page ' || i % 7 AS page FROM range(6000) t(i)",
        Engine::duckdb);
    EXPECT_TRUE(spellings(database.knowledge(), database.column("visit.who")).empty());
    EXPECT_FALSE(database.knowledge().knows_every_value(database.column("visit.who")));
    EXPECT_EQ(spellings(database.knowledge(), database.column("visit.page")).size(), 7U);
}

TEST(Knowledge, DoesNotTakeAColumnOfLongTextsForWholeKnown) {
    const AskedDatabase database("CREATE TABLE note (body TEXT); INSERT INTO note VALUES ('short'), ('" +
                                 std::string(200, 'x') + "');");
    EXPECT_THAT(spellings(database.knowledge(), database.column("note.body")), testing::ElementsAre("short"));
    EXPECT_FALSE(database.knowledge().knows_every_value(database.column("note.body")));
}

TEST(Knowledge, FindsWhatTheCatalogueSaysOfAColumn) {
    const AskedDatabase database(kSingersSql);
    const ColumnId theme = database.column("concert.theme");
    EXPECT_EQ(database.knowledge().described(theme).name, "theme");
    EXPECT_EQ(database.knowledge().described_table(database.knowledge().schema().table_of(theme)).name, "concert");
    EXPECT_EQ(database.knowledge().dialect(), data::Dialect::sqlite);
}

TEST(Knowledge, TakesWordsFromDescriptionsWhereNamesSayLittle) {
    const AskedDatabase database("CREATE TABLE game (zp INTEGER, rating INTEGER, zq3a INTEGER);", Engine::sqlite,
                                 "tables: {game: {columns: {zp: Points scored, rating: How good it was, zq3a: "
                                 "Three point shots that were tried over the whole game}}}");
    const auto& columns = database.knowledge().schema().columns();
    EXPECT_EQ(columns[static_cast<std::size_t>(database.column("game.zp"))].words, "points scored");
    EXPECT_EQ(columns[static_cast<std::size_t>(database.column("game.rating"))].words, "rating");
    EXPECT_EQ(columns[static_cast<std::size_t>(database.column("game.zq3a"))].words, "zq3a");
}

TEST(Knowledge, WritesOutShortenedNames) {
    const AskedDatabase database(
        "CREATE TABLE PT (PT_ID INTEGER, FGA INTEGER); CREATE TABLE part (pt INTEGER, unit_nm TEXT);", Engine::sqlite,
        "tables: {}");
    const Schema& schema = database.knowledge().schema();
    const auto words = [&](const char* name) {
        return schema.columns()[static_cast<std::size_t>(database.column(name))].words;
    };
    EXPECT_EQ(schema.tables()[0].words, "patient");
    EXPECT_EQ(words("PT.PT_ID"), "patient id");
    EXPECT_EQ(words("PT.FGA"), "field goals attempted");
    EXPECT_EQ(words("part.unit_nm"), "unit name");
}

TEST(Knowledge, ReadsTheGlossaryAsTablesColumnsOrOtherWords) {
    const AskedDatabase database(kSingersSql, Engine::sqlite,
                                 "glossary: {artists: singer, nation: singer.country, "
                                 "veterans: \"singers with singer.age over 50\"}");
    std::vector<std::string> seen;
    for (const Synonym& synonym : database.knowledge().synonyms()) {
        seen.push_back(synonym.stems.front() + ":" + std::to_string(synonym.table) + ":" +
                       std::to_string(synonym.column) + ":" + synonym.stands_for);
    }
    const Schema& schema = database.knowledge().schema();
    const ColumnId country = database.column("singer.country");
    const auto table = std::to_string(schema.table_of(country));
    EXPECT_THAT(seen, testing::UnorderedElementsAre(
                          "artist:" + table + ":0:", "nation:" + table + ":" + std::to_string(country) + ":",
                          "veteran:-1:0:singers with age of singer over 50"));
}

TEST(Knowledge, GoesOnWithoutTheValuesOfATableThatCannotBeRead) {
    const auto script = std::make_shared<data::ScriptedEngine::Script>();
    script->schema = [] {
        data::Catalog catalog{.default_schema = "main", .tables = {{.schema = "main", .name = "orders"}}};
        catalog.tables[0].columns.push_back({.name = "status", .type = "VARCHAR", .kind = data::ValueKind::text});
        return catalog;
    };
    script->run = [](const CancelToken&) -> Result<data::ResultSet> { return fail(Code::invalid_argument, "no"); };
    auto source = run_to_end(data::open_source("scripted", std::make_unique<data::ScriptedEngine>(script), {})).value();
    const auto knowledge = run_to_end(learn(*source));
    ASSERT_TRUE(knowledge) << knowledge.error().describe();
    EXPECT_EQ((*knowledge)->schema().tables().size(), 1U);
    EXPECT_FALSE((*knowledge)->knows_every_value(1));
}

TEST(Knowledge, StopsWhenItIsCancelled) {
    const TestFolder folder;
    fill_sqlite(folder.file("a.sqlite"), kSingersSql);
    auto source = run_to_end(data::open_source(folder.file("a.sqlite"))).value();
    CancelSource stop;
    stop.cancel(CancelReason::user_request);
    const auto knowledge = run_to_end(learn(*source, stop.token()));
    ASSERT_FALSE(knowledge);
    EXPECT_EQ(knowledge.error().code, Code::cancelled);
}

}  // namespace quaestor::native
