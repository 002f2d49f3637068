#include "cli/catalog_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

using data::Catalog;
using data::CatalogTable;
using data::Dialect;
using data::Origin;
using data::ValueKind;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kCatalogWidth = 120;

Catalog library() {
    Catalog catalog{.source = "library.db", .dialect = Dialect::postgres, .default_schema = "public"};
    catalog.is_complete = true;
    catalog.tables = {{.schema = "archive",
                       .name = "Old Loans",
                       .rows = 1'200'000,
                       .rows_are_exact = false,
                       .columns = {{.name = "book", .type = "integer", .kind = ValueKind::integer}},
                       .foreign_keys = {{.columns = {"book"},
                                         .schema = "public",
                                         .table = "books",
                                         .target_columns = {"id"},
                                         .origin = Origin::inferred}}},
                      {.schema = "public",
                       .name = "books",
                       .description = "One line per copy",
                       .rows = 3,
                       .columns = {{.name = "id",
                                    .type = "integer",
                                    .kind = ValueKind::integer,
                                    .nullable = false,
                                    .min = "1",
                                    .max = "3",
                                    .distinct = 3,
                                    .nulls = 0,
                                    .samples = {"1", "2", "3"}},
                                   {.name = "order",
                                    .type = "text",
                                    .kind = ValueKind::text,
                                    .description = "Shelf mark",
                                    .distinct = 2,
                                    .nulls = 1,
                                    .samples = {"QA 76", "a\x1b[2Jb"}}},
                       .primary_key = {"id"},
                       .primary_key_origin = Origin::inferred},
                      {.schema = "public", .name = "recent", .kind = CatalogTable::Kind::view}};
    return catalog;
}

TEST(WrittenName, IsQuotedWhereAQueryNeedsIt) {
    EXPECT_EQ(written_name(Dialect::duckdb, "orders_2024"), "orders_2024");
    EXPECT_EQ(written_name(Dialect::duckdb, "Order details"), "\"Order details\"");
    EXPECT_EQ(written_name(Dialect::duckdb, "2024"), "\"2024\"");
    EXPECT_EQ(written_name(Dialect::duckdb, "a\"b"), "\"a\"\"b\"");
    EXPECT_EQ(written_name(Dialect::duckdb, "订单"), "\"订单\"");
    EXPECT_EQ(written_name(Dialect::duckdb, ""), "\"\"");
    EXPECT_EQ(written_name(Dialect::sqlite, "Group"), "\"Group\"");
}

TEST(WrittenName, KeepsCapitalsOnlyWhereTheEngineWould) {
    EXPECT_EQ(written_name(Dialect::duckdb, "Orders"), "Orders");
    EXPECT_EQ(written_name(Dialect::postgres, "Orders"), "\"Orders\"");
}

TEST(DrawCatalog, ShowsTablesAndHowTheyHangTogether) {
    EXPECT_EQ(draw(library(), kCatalogWidth),
              "library.db — PostgreSQL, 2 tables, 1 view, 1,200,003 rows\n"
              "\n"
              "table                       rows  columns  key            description\n"
              "───────────────────  ───────────  ───────  ─────────────  ─────────────────\n"
              "archive.\"Old Loans\"  ≈ 1,200,000        1\n"
              "books                          3        2  id (inferred)  One line per copy\n"
              "recent (view)                           0\n"
              "\n"
              "How tables hang together (inferred: not declared, but names and values say so)\n"
              "  archive.\"Old Loans\".book → books.id (inferred)\n");
}

TEST(DrawCatalog, OfAnEmptyDatabaseSaysSo) {
    const Catalog catalog{.source = "new.duckdb"};
    EXPECT_EQ(draw(catalog, kCatalogWidth), "new.duckdb — DuckDB, no tables\n");
}

TEST(DrawCatalog, ShowsTheGlossary) {
    auto catalog = library();
    catalog.glossary = {{"loan", "a row of archive.\"Old Loans\""}};
    EXPECT_THAT(draw(catalog, kCatalogWidth),
                HasSubstr("What words mean here\n  loan: a row of archive.\"Old Loans\"\n"));
}

TEST(DrawCatalog, SaysNothingOfRowsThatWereNotCounted) {
    auto catalog = library();
    catalog.is_complete = false;
    EXPECT_THAT(draw(catalog, kCatalogWidth), HasSubstr("2 tables, 1 view\n"));
}

TEST(DrawTable, ShowsEachColumnAndItsValues) {
    const auto catalog = library();
    EXPECT_EQ(draw(catalog, catalog.tables[1], kCatalogWidth),
              "books — 3 rows\n"
              "One line per copy\n"
              "\n"
              "column   type     is              range  distinct  nulls  examples       description\n"
              "───────  ───────  ──────────────  ─────  ────────  ─────  ─────────────  ───────────\n"
              "id       integer  key (inferred)  1 … 3         3      0\n"
              "\"order\"  text                                   2      1  QA 76, a␛[2Jb  Shelf mark\n"
              "\n"
              "How tables hang together (inferred: not declared, but names and values say so)\n"
              "  archive.\"Old Loans\".book → books.id (inferred)\n");
}

TEST(DrawTable, LeavesOutWhatNothingIsKnownOf) {
    const auto catalog = library();
    const auto drawn = draw(catalog, catalog.tables[0], kCatalogWidth);
    EXPECT_THAT(drawn, HasSubstr("archive.\"Old Loans\" — about 1,200,000 rows\n"));
    EXPECT_THAT(drawn, HasSubstr("book    integer  → books.id (inferred)\n"));
    EXPECT_THAT(drawn, Not(HasSubstr("nulls")));
}

TEST(DrawTable, ShowsAllColumnsOfALinkThatHasSeveral) {
    Catalog catalog{.default_schema = "main"};
    catalog.tables = {
        {.schema = "main",
         .name = "parts",
         .columns = {{.name = "a", .type = "INT"}, {.name = "b", .type = "INT"}},
         .foreign_keys = {{.columns = {"a", "b"}, .schema = "main", .table = "wholes", .target_columns = {"x", "y"}}}}};
    const auto drawn = draw(catalog, catalog.tables[0], kCatalogWidth);
    EXPECT_THAT(drawn, HasSubstr("parts.(a, b) → wholes.(x, y)\n"));
    EXPECT_THAT(drawn, HasSubstr("b       INT   → wholes.y\n"));
}

}  // namespace

}  // namespace quaestor::cli
