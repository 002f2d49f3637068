#include "native/form/concerts.hpp"
#include "native/form/made_database.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using testing::ElementsAre;

/// Names that would be code, or break it, if they were not quoted.
const std::vector<std::string>& hostile_names() {
    static const std::vector<std::string> kNames{
        "select", "a\"b", "x; DROP TABLE t", "名字", "order by", "it's",  "-- no", "/* x */",
        "T1",     "a.b",  "Größe",           "\"\"", "%s{0}",    "place", "C0",    "1st"};
    return kNames;
}

/// One table for each name, all called so, with a column called so.
struct Hostile {
    Schema schema;
    std::string sql;
};
Hostile hostile_schema() {
    std::vector<SchemaTable> tables;
    std::vector<SchemaColumn> columns{{.name = "*", .words = "*"}};
    std::vector<ForeignKey> keys;
    std::string sql;
    for (const std::string& name : hostile_names()) {
        const auto table = static_cast<TableId>(tables.size());
        tables.push_back({"", name, name});
        columns.push_back({table, "id", "id", ColumnKind::number, true, false});
        columns.push_back({table, name, name, ColumnKind::text, false, false});
        const std::string quoted = data::quote_name(name);
        sql += fmt::format("CREATE TABLE {0} (id INTEGER PRIMARY KEY, {0} VARCHAR); INSERT INTO {0} VALUES (1, {1});",
                           quoted, data::quote_text(name));
        if (table > 0) keys.push_back({2 * table + 1, 2 * table - 1});
    }
    return {Schema(std::move(tables), std::move(columns), std::move(keys)), sql};
}

class HostileNames : public testing::TestWithParam<Dialect> {};

TEST_P(HostileNames, StayNamesAndValues) {
    const Hostile hostile = hostile_schema();
    MadeDatabase database(hostile.sql, hostile.sql);
    for (std::size_t at = 0; at < hostile_names().size(); ++at) {
        const std::string& name = hostile_names()[at];
        const auto id = static_cast<ColumnId>(2 * at + 2);
        Query query{.select = {column(id), count_rows()}};
        query.where =
            Condition{AllOf{{compare(id, Comparison::equal, name),
                             {Match{column(id), TextMatch::contains, false, Constant{name}}},
                             {Among{column(id), false, std::vector<Value>{Constant{name}, Constant{"';--"}}}}}}};
        query.group = {column(id)};
        query.order = {{count_rows(), true}};
        for (const Limit::Kind kind : {Limit::Kind::first, Limit::Kind::with_ties}) {
            query.limit = Limit{kind, Constant{"1"}};
            const std::string sql = sql_of(query, GetParam(), hostile.schema);
            const data::ResultSet result = database.run(sql, GetParam());
            EXPECT_THAT(rows_of(result), ElementsAre(ElementsAre(name, "1.0000"))) << sql;
            ASSERT_EQ(result.columns.size(), 2U);
            EXPECT_EQ(result.columns[0].name(), name);
            EXPECT_EQ(read_sql(sql, hostile.schema).value(), query) << sql;
        }
    }
}

TEST_P(HostileNames, AreJoinedByTheirNames) {
    const Hostile hostile = hostile_schema();
    MadeDatabase database(hostile.sql, hostile.sql);
    Query query;
    for (std::size_t at = 0; at < hostile_names().size(); ++at) {
        query.select.push_back(column(static_cast<ColumnId>(2 * at + 2)));
    }
    const std::string sql = sql_of(query, GetParam(), hostile.schema);
    EXPECT_THAT(rows_of(database.run(sql, GetParam())), ElementsAre(testing::ElementsAreArray(hostile_names())));
}

INSTANTIATE_TEST_SUITE_P(Engines, HostileNames, testing::Values(Dialect::duckdb, Dialect::sqlite),
                         [](const auto& info) { return std::string(data::to_string(info.param)); });

TEST(HostileNames, PassThePostgresqlGuardAsOneQuery) {
    const Hostile hostile = hostile_schema();
    data::TableNames names("public");
    for (const std::string& name : hostile_names()) names.add("public", name);
    for (std::size_t at = 0; at < hostile_names().size(); ++at) {
        const auto id = static_cast<ColumnId>(2 * at + 2);
        Query query{.select = {column(id)}};
        query.where = compare(id, Comparison::equal, hostile_names()[at]);
        const std::string sql = sql_of(query, Dialect::postgres, hostile.schema);
        const data::Verdict verdict = data::Guard(Dialect::postgres, names).check(sql);
        EXPECT_TRUE(verdict.ok) << sql << "\n" << (verdict.errors.empty() ? "" : verdict.errors.front().message);
        EXPECT_THAT(verdict.tables, ElementsAre("public." + hostile_names()[at]));
    }
}

}  // namespace

}  // namespace quaestor::native
