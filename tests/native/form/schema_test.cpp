#include "native/schema.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using data::ValueKind;
using testing::ElementsAre;
using testing::IsEmpty;

using Pair = std::pair<ColumnId, ColumnId>;

std::vector<Pair> pairs_of(const std::vector<ForeignKey>& keys) {
    std::vector<Pair> pairs;
    for (const ForeignKey& key : keys) pairs.emplace_back(key.from, key.to);
    return pairs;
}

data::CatalogColumn catalog_column(std::string name, std::string type, ValueKind kind,
                                   std::vector<std::string> samples = {}) {
    return {.name = std::move(name), .type = std::move(type), .kind = kind, .samples = std::move(samples)};
}

data::Catalog shop() {
    data::Catalog catalog{.default_schema = "main"};
    catalog.tables = {
        {.schema = "crm",
         .name = "CustomerContact",
         .columns = {catalog_column("id", "INTEGER", ValueKind::integer),
                     catalog_column("Name", "VARCHAR", ValueKind::text)},
         .primary_key = {"ID"}},
        {.schema = "main",
         .name = "orders",
         .columns = {catalog_column("order_no", "INTEGER", ValueKind::integer),
                     catalog_column("customer", "INTEGER", ValueKind::integer),
                     catalog_column("ordered", "VARCHAR", ValueKind::text, {"2023-05-01", "2023-05-02 10:00"}),
                     catalog_column("paid", "DATE", ValueKind::date),
                     catalog_column("open", "BOOLEAN", ValueKind::boolean),
                     catalog_column("note", "VARCHAR", ValueKind::text, {"2023-05-01", "later"}),
                     catalog_column("season", "YEAR", ValueKind::other),
                     catalog_column("extra", "JSON", ValueKind::structure),
                     catalog_column("key", "UUID", ValueKind::other),
                     catalog_column("total", "DECIMAL(9,2)", ValueKind::decimal)},
         .primary_key = {"order_no"}},
        {.schema = "main",
         .name = "refunds",
         .kind = data::CatalogTable::Kind::view,
         .columns = {catalog_column("ORDER_NO", "INTEGER", ValueKind::integer),
                     catalog_column("at", "TIME", ValueKind::time)}}};
    catalog.tables[1].foreign_keys = {
        {.columns = {"CUSTOMER"},
         .schema = "crm",
         .table = "customercontact",
         .target_columns = {"id"},
         .origin = data::Origin::inferred},
        {.columns = {"nothing"}, .schema = "crm", .table = "gone", .target_columns = {"id"}}};
    return catalog;
}

TEST(Schema, TakesTablesColumnsAndKeysFromACatalogue) {
    const Schema schema(shop());
    ASSERT_EQ(schema.tables().size(), 3U);
    EXPECT_EQ(schema.tables()[0].schema, "crm");
    EXPECT_EQ(schema.tables()[0].words, "customer contact");
    EXPECT_EQ(schema.tables()[1].schema, "");
    EXPECT_EQ(schema.columns()[0].name, "*");
    EXPECT_EQ(schema.table_of(0), -1);
    EXPECT_TRUE(schema.columns()[1].is_primary);
    EXPECT_FALSE(schema.columns()[2].is_primary);
    EXPECT_THAT(schema.columns_of(2), ElementsAre(13, 14));
    EXPECT_THAT(pairs_of(schema.keys()), ElementsAre(Pair(4, 1), Pair(13, 3)));
}

TEST(Schema, KnowsTheKindsOfColumns) {
    const Schema schema(shop());
    std::vector<ColumnKind> kinds;
    std::vector<ColumnId> dates;
    for (const ColumnId id : schema.columns_of(1)) {
        kinds.push_back(schema.columns()[static_cast<std::size_t>(id)].kind);
        if (schema.columns()[static_cast<std::size_t>(id)].is_iso_date) dates.push_back(id);
    }
    using enum ColumnKind;
    EXPECT_THAT(kinds, ElementsAre(number, number, text, time, boolean, text, time, other, text, number));
    EXPECT_THAT(dates, ElementsAre(5, 6));
}

TEST(Schema, NamesOneNeighbourForEachPairOfTables) {
    std::vector<SchemaColumn> columns{{.name = "*"},
                                      {.table = 0, .name = "id", .is_primary = true},
                                      {.table = 1, .name = "from_id"},
                                      {.table = 1, .name = "to_id"},
                                      {.table = 0, .name = "parent"}};
    const Schema schema({{"", "a", "a"}, {"", "b", "b"}}, std::move(columns), {{2, 1}, {3, 1}, {4, 1}});
    ASSERT_EQ(schema.neighbours(0).size(), 1U);
    EXPECT_EQ(schema.neighbours(0)[0].table, 1);
    EXPECT_EQ(schema.neighbours(0)[0].own, 1);
    EXPECT_EQ(schema.neighbours(0)[0].other, 2);
    ASSERT_EQ(schema.neighbours(1).size(), 1U);
    EXPECT_EQ(schema.neighbours(1)[0].own, 2);
}

TEST(Schema, ImpliesNoKeyFromVagueNamesOrKeysOfSeveralColumns) {
    std::vector<SchemaColumn> columns{{.name = "*"},
                                      {.table = 0, .name = "id", .is_primary = true},
                                      {.table = 1, .name = "id"},
                                      {.table = 1, .name = "line", .is_primary = true},
                                      {.table = 1, .name = "part", .is_primary = true},
                                      {.table = 0, .name = "line"}};
    const Schema schema({{"", "a", "a"}, {"", "b", "b"}}, std::move(columns), {});
    EXPECT_THAT(schema.keys(), IsEmpty());
}

TEST(Schema, ImpliesNoKeyBetweenTablesThatAreJoinedAlready) {
    std::vector<SchemaColumn> columns{{.name = "*"},
                                      {.table = 0, .name = "code", .is_primary = true},
                                      {.table = 1, .name = "code"},
                                      {.table = 1, .name = "owner"}};
    const Schema joined({{"", "a", "a"}, {"", "b", "b"}}, columns, {{3, 1}});
    EXPECT_THAT(pairs_of(joined.keys()), ElementsAre(Pair(3, 1)));
    const Schema open({{"", "a", "a"}, {"", "b", "b"}}, columns, {});
    EXPECT_THAT(pairs_of(open.keys()), ElementsAre(Pair(2, 1)));
}

}  // namespace

}  // namespace quaestor::native
