// Names of tables, and a catalogue's annotations.
#include "data/annotations.hpp"
#include "data/catalog.hpp"
#include "data/kinds.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using testing::HasSubstr;

Mention mention(std::string name, std::string schema = {}, std::string database = {}) {
    return {.database = std::move(database), .schema = std::move(schema), .name = std::move(name), .at = {}};
}

TEST(TableNames, AreFoundAsTheEngineWouldFindThem) {
    TableNames names("main", "shop");
    names.add("main", "Orders");
    names.add("hr", "people");
    EXPECT_EQ(names.find(mention("ORDERS")), "main.Orders");
    EXPECT_EQ(names.find(mention("orders", "MAIN")), "main.Orders");
    EXPECT_EQ(names.find(mention("orders", "main", "Shop")), "main.Orders");
    EXPECT_EQ(names.find(mention("orders", "shop")), "main.Orders");
    EXPECT_EQ(names.find(mention("orders", "main", "other")), std::nullopt);
    EXPECT_EQ(names.find(mention("orders", "hr")), std::nullopt);
    EXPECT_EQ(names.find(mention("people")), "hr.people");
    EXPECT_EQ(names.find(mention("")), std::nullopt);
}

TEST(TableNames, OfTheDefaultSchemaComeFirst) {
    TableNames names("public");
    names.add("archive", "orders");
    names.add("public", "orders");
    EXPECT_EQ(names.find(mention("orders")), "public.orders");
}

TEST(TableNames, WithoutASchemaMayBeWrittenWithTheUsualOne) {
    const auto names = TableNames::parse(" orders , sales.items,,");
    EXPECT_EQ(names.size(), 2U);
    EXPECT_EQ(names.find(mention("orders", "main")), "orders");
    EXPECT_EQ(names.find(mention("orders", "public")), "orders");
    EXPECT_EQ(names.find(mention("orders", "sales")), std::nullopt);
    EXPECT_EQ(names.find(mention("items", "sales")), "sales.items");
}

TEST(TableNames, SuggestTheNearest) {
    auto names = TableNames::parse("orders,sales.items");
    EXPECT_EQ(names.nearest(mention("oders")), "orders");
    EXPECT_EQ(names.nearest(mention("itmes", "sales")), "sales.items");
    EXPECT_EQ(names.nearest(mention("items", "sale")), "sales.items");
    EXPECT_EQ(names.nearest(mention("telescope")), std::nullopt);
}

Catalog small_catalog() {
    Catalog catalog{.default_schema = "main"};
    catalog.tables.push_back({.schema = "main", .name = "orders", .columns = {{.name = "id"}, {.name = "Amount"}}});
    catalog.tables.push_back({.schema = "hr", .name = "people.old", .columns = {{.name = "id"}}});
    return catalog;
}

TEST(CatalogNames, FindATableWithOrWithoutItsSchema) {
    const Catalog catalog = small_catalog();
    EXPECT_EQ(catalog.find_table("ORDERS"), &catalog.tables[0]);
    EXPECT_EQ(catalog.find_table("main.orders"), &catalog.tables[0]);
    EXPECT_EQ(catalog.find_table("hr.people.old"), &catalog.tables[1]);
    EXPECT_EQ(catalog.find_table("people.old"), nullptr);
    EXPECT_EQ(catalog.tables[0].find_column("amount"), &catalog.tables[0].columns[1]);
    EXPECT_EQ(catalog.tables[0].find_column("amounts"), nullptr);
}

TEST(Annotations, DescribeTablesColumnsAndWords) {
    Catalog catalog = small_catalog();
    const auto annotated = annotate(catalog, R"(
tables:
  Orders:
    description: One line per order
    columns: {amount: "Gross, in euros"}
  hr.people.old: {columns: {id: Number}}
glossary: {revenue: sum of orders.amount}
)");
    ASSERT_TRUE(annotated.has_value()) << annotated.error().describe();
    EXPECT_EQ(catalog.tables[0].description, "One line per order");
    EXPECT_EQ(catalog.tables[0].columns[1].description, "Gross, in euros");
    EXPECT_EQ(catalog.tables[1].columns[0].description, "Number");
    EXPECT_EQ(catalog.glossary.at("revenue"), "sum of orders.amount");
}

TEST(Annotations, MayBeEmpty) {
    Catalog catalog = small_catalog();
    EXPECT_TRUE(annotate(catalog, "").has_value());
    EXPECT_TRUE(annotate(catalog, "# nothing yet\n").has_value());
}

TEST(Annotations, OfWhatIsNotThereAreRefusedWithTheNearest) {
    Catalog catalog = small_catalog();
    const auto table = annotate(catalog, "tables: {oders: {description: x}}");
    ASSERT_FALSE(table.has_value());
    EXPECT_EQ(table.error().code, Code::not_found);
    EXPECT_THAT(table.error().hint, HasSubstr("orders"));
    const auto column = annotate(catalog, "tables: {orders: {columns: {amout: x}}}");
    ASSERT_FALSE(column.has_value());
    EXPECT_THAT(column.error().describe(), HasSubstr("orders"));
    EXPECT_THAT(column.error().hint, HasSubstr("Amount"));
}

TEST(Annotations, ThatMakeNoSenseAreRefused) {
    for (const char* yaml : {"tables: [", "tables: 3", "- a\n- b", "table: {}", "tables: {orders: {columns: [a]}}"}) {
        Catalog catalog = small_catalog();
        EXPECT_FALSE(annotate(catalog, yaml).has_value()) << yaml;
    }
}

TEST(Annotations, InAFileThatIsNotThereAreAnError) {
    Catalog catalog = small_catalog();
    EXPECT_EQ(annotate_from_file(catalog, "/nowhere/notes.yaml").error().code, Code::not_found);
}

TEST(Kinds, AreToldByTheNameOfTheType) {
    EXPECT_EQ(kind_of_type("DECIMAL(18,2)"), ValueKind::decimal);
    EXPECT_EQ(kind_of_type("character varying(20)"), ValueKind::text);
    EXPECT_EQ(kind_of_type("INTEGER[]"), ValueKind::list);
    EXPECT_EQ(kind_of_type("INTERVAL"), ValueKind::interval);
    EXPECT_EQ(kind_of_type("timestamp with time zone"), ValueKind::timestamp);
    EXPECT_EQ(kind_of_type("STRUCT(a INTEGER[])"), ValueKind::structure);
    EXPECT_EQ(kind_of_type("jsonb"), ValueKind::structure);
    EXPECT_EQ(kind_of_type("uuid"), ValueKind::other);
    EXPECT_EQ(kind_of_type(""), ValueKind::other);
}

}  // namespace

}  // namespace quaestor::data
