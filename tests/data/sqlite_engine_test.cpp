#include "data/conformance_sqlite.hpp"
#include "data/functions.hpp"
#include "data/guard.hpp"
#include "data/statistics.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <algorithm>
#include <random>

namespace quaestor::data {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SqliteEngine : public testing::Test {
protected:
    void open(const std::string& sql) {
        engine_.reset();
        database_ = std::make_unique<SqliteDatabase>(sql);
        engine_ = database_->open();
        ASSERT_NE(engine_, nullptr);
    }
    [[nodiscard]] ResultSet run(const std::string& sql) {
        auto result = engine_->run(sql, {}, {});
        EXPECT_TRUE(result) << sql << "\n" << (result ? "" : result.error().describe());
        return result ? std::move(*result) : ResultSet{};
    }
    [[nodiscard]] Verdict judge(const std::string& sql) {
        const TableNames names = names_of(*engine_->read_schema({}));
        return Guard(Dialect::sqlite, names).judge(sql, engine_->read(sql));
    }

    std::unique_ptr<SqliteDatabase> database_;
    std::unique_ptr<Engine> engine_;
};

std::vector<std::string> names_of_relations(const Reading& reading) {
    std::vector<std::string> names;
    for (const Mention& relation : reading.relations) names.push_back(relation.name);
    return names;
}

std::vector<std::string> columns_in(const Reading& reading) {
    std::vector<std::string> names;
    for (const auto& column : reading.columns) names.push_back(column.relation + "." + column.name);
    return names;
}

std::vector<std::string> tables_in(const Catalog& catalog) {
    std::vector<std::string> names;
    for (const CatalogTable& table : catalog.tables) names.push_back(table.name);
    return names;
}

std::vector<std::string> json_rows(const ResultColumn& column) {
    std::vector<std::string> rows(column.size());
    for (std::size_t i = 0; i < rows.size(); ++i) column.write_json(i, rows[i]);
    return rows;
}

/// The only value of `sql` in SQLite as it comes.
std::string asked_plainly(const std::string& sql) {
    sqlite3* handle = nullptr;
    sqlite3_stmt* statement = nullptr;
    sqlite3_open(":memory:", &handle);
    sqlite3_prepare_v2(handle, sql.c_str(), -1, &statement, nullptr);
    std::string value = "no row";
    if (sqlite3_step(statement) == SQLITE_ROW) {
        const void* text = sqlite3_column_text(statement, 0);
        value = text == nullptr ? "" : static_cast<const char*>(text);
    }
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return value;
}

TEST_F(SqliteEngine, FindsKeysBetweenNumbersAndTextsOfThem) {
    open(
        "CREATE TABLE team (id TEXT, name TEXT); INSERT INTO team VALUES ('11', 'Gulls'), ('12', 'Foxes');"
        "CREATE TABLE player (name TEXT, team_id INTEGER, team_id_before TEXT);"
        "INSERT INTO player VALUES ('Ada', 11, 'x'), ('Bea', 12, 'y'), ('Cat', 11, 'z')");
    Catalog catalog = engine_->read_schema({}).value();
    ASSERT_TRUE(add_statistics(*engine_, catalog, {}, [](const Catalog&) {}));
    ASSERT_TRUE(infer_keys(*engine_, catalog, {}));
    const auto& keys = catalog.find_table("player")->foreign_keys;
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_THAT(keys.front().columns, ElementsAre("team_id"));
    EXPECT_EQ(keys.front().table, "team");
}

}  // namespace

// ---- values

TEST_F(SqliteEngine, KeepsEveryValueOfAColumnWithMixedTypes) {
    open(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, x INTEGER);"
        "INSERT INTO t (x) VALUES (9007199254740993), ('twelve'), ('012x'), (1.5), (NULL), (x'00ff');");
    const auto result = run("SELECT x FROM t ORDER BY id");
    EXPECT_EQ(result.columns[0].kind(), ValueKind::other);
    EXPECT_EQ(result.columns[0].type(), "INTEGER");
    EXPECT_THAT(json_rows(result.columns[0]),
                ElementsAre("\"9007199254740993\"", "\"twelve\"", "\"012x\"", "1.5", "null", R"("\\x00FF")"));
}

TEST_F(SqliteEngine, DoesNotTurnTextsIntoNumbers) {
    open("CREATE TABLE t (id INTEGER PRIMARY KEY, x); INSERT INTO t (x) VALUES ('12'), (12), ('0012');");
    EXPECT_THAT(json_rows(run("SELECT x FROM t ORDER BY id").columns[0]), ElementsAre("\"12\"", "12", "\"0012\""));
}

TEST_F(SqliteEngine, CallsADateWhatLooksLikeOne) {
    open(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, good DATE, bad DATE, epoch TIMESTAMP, clock TIME, zone DATETIME);"
        "INSERT INTO t VALUES (1, '2026-01-31', '31.01.2026', 1769817600, '12:30', '2026-01-31T12:30:00.25+02:00'),"
        "(2, NULL, '2026-01-31', 1769817601, '12:30:05.5', '2026-01-31 12:30Z');");
    const auto result = run("SELECT good, bad, epoch, clock, zone FROM t");
    EXPECT_EQ(result.columns[0].kind(), ValueKind::date);
    EXPECT_EQ(result.columns[1].kind(), ValueKind::text);
    EXPECT_EQ(result.columns[2].kind(), ValueKind::integer);
    EXPECT_EQ(result.columns[3].kind(), ValueKind::time);
    EXPECT_EQ(result.columns[4].kind(), ValueKind::timestamp);
}

TEST_F(SqliteEngine, CallsABooleanOnlyWhatIsZeroOrOne) {
    open("CREATE TABLE t (yes BOOLEAN, many BOOLEAN); INSERT INTO t VALUES (1, 1), (0, 2);");
    const auto result = run("SELECT yes, many FROM t");
    EXPECT_EQ(result.columns[0].kind(), ValueKind::boolean);
    EXPECT_EQ(result.columns[1].kind(), ValueKind::integer);
    EXPECT_EQ(result.columns[1].text(1), "2");
}

TEST_F(SqliteEngine, NamesTheTypesOfComputedColumns) {
    open("CREATE TABLE t (x); INSERT INTO t VALUES (1);");
    const auto result = run("SELECT 1, 1.5, 'a', x'ff', NULL, x FROM t");
    std::vector<std::string> types;
    for (const auto& column : result.columns) types.push_back(column.type());
    EXPECT_THAT(types, ElementsAre("INTEGER", "REAL", "TEXT", "BLOB", "NULL", "INTEGER"));
}

TEST_F(SqliteEngine, KeepsInfinityAndNegativeZero) {
    open("CREATE TABLE t (x REAL);");
    const auto result = run("SELECT 9e999, -9e999");
    EXPECT_EQ(json_rows(result.columns[0])[0], "\"Infinity\"");
    EXPECT_EQ(json_rows(result.columns[1])[0], "\"-Infinity\"");
}

TEST_F(SqliteEngine, ReadsADatabaseInUtf16) {
    open("PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('\xE8\xAE\xA2\xE5\x8D\x95 a');");
    EXPECT_EQ(run("SELECT x FROM t").columns[0].text(0), "\xE8\xAE\xA2\xE5\x8D\x95 a");
    EXPECT_EQ(run("SELECT instr(x, 'a') FROM t").columns[0].text(0), "4");
}

TEST_F(SqliteEngine, KeepsTextBehindANulCharacter) {
    open("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a' || char(0) || 'b');");
    EXPECT_EQ(run("SELECT x FROM t").columns[0].text(0), std::string("a\0b", 3));
    EXPECT_EQ(json_rows(run("SELECT x FROM t").columns[0])[0], "\"a\\u0000b\"");
}

// ---- limits

TEST_F(SqliteEngine, GivesUpWhenItsMemoryIsUsedUp) {
    open(shop_sql());
    const auto engine = open_sqlite(database_->path().string(), std::size_t{32} << 20);
    ASSERT_TRUE(engine);
    const auto result = (*engine)->run(
        "SELECT a.id, printf('%.1000c', 'x') AS s FROM events a, events b, events c, events d ORDER BY s, a.id", {},
        {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::limit_exceeded);
    EXPECT_TRUE((*engine)->run("SELECT 1", {}, {}));
}

TEST_F(SqliteEngine, RefusesAValueThatIsTooLarge) {
    open(shop_sql());
    const auto result = engine_->run("SELECT replace(printf('%.100000c', 'x'), 'x', printf('%.1000c', 'y'))", {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::limit_exceeded);
}

// ---- reading

TEST_F(SqliteEngine, FindsTheColumnsThatAreNamed) {
    open(shop_sql());
    const auto reading = engine_->read("SELECT o.Status, count(*) FROM orders AS o WHERE o.amount > 10 GROUP BY 1");
    EXPECT_THAT(columns_in(reading), testing::IsSupersetOf({"orders.status", "orders.amount"}));
    EXPECT_THAT(names_of_relations(reading), ElementsAre("orders"));
    EXPECT_EQ(reading.relations[0].at, std::optional<std::size_t>(31));
}

TEST_F(SqliteEngine, DoesNotNameTheTablesBehindAView) {
    open(shop_sql() +
         "CREATE VIEW v AS SELECT id, upper(status) AS s FROM orders; CREATE VIEW w AS SELECT count(*) AS n FROM v;");
    for (const auto* sql : {"SELECT s FROM v", "SELECT count(*) FROM v", "SELECT 1 FROM v WHERE id > 3"}) {
        EXPECT_THAT(names_of_relations(engine_->read(sql)), ElementsAre("v")) << sql;
    }
    EXPECT_THAT(names_of_relations(engine_->read("SELECT n FROM w")), ElementsAre("w"));
    EXPECT_THAT(names_of_relations(engine_->read("SELECT count(*) FROM w JOIN customers")),
                UnorderedElementsAre("w", "customers"));
}

TEST_F(SqliteEngine, JudgesTheFunctionsOfAView) {
    open(shop_sql() + "CREATE VIEW v AS SELECT sqlite_version() AS x;");
    const auto verdict = judge("SELECT x FROM v");
    ASSERT_FALSE(verdict.ok);
    EXPECT_EQ(verdict.errors[0].code, Problem::Code::forbidden_function);
}

TEST_F(SqliteEngine, TakesACteThatIsNamedLikeATable) {
    open(shop_sql());
    const auto verdict = judge("WITH orders AS (SELECT id FROM customers) SELECT count(*) FROM orders");
    EXPECT_TRUE(verdict.ok);
    EXPECT_THAT(verdict.tables, ElementsAre("main.customers"));
}

TEST_F(SqliteEngine, TakesJsonTablesForFunctions) {
    open(shop_sql());
    const auto reading = engine_->read("SELECT j.value FROM json_each('[1]') j, json_tree");
    EXPECT_THAT(reading.relations, IsEmpty());
    EXPECT_EQ(reading.functions.size(), 2U);
    EXPECT_TRUE(judge("SELECT o.id, j.value FROM orders o, json_each('[1, 2]') j").ok);
}

TEST_F(SqliteEngine, TakesATableThatIsNamedLikeAPragma) {
    open("CREATE TABLE pragma_notes (id INTEGER); CREATE TABLE json_each (id INTEGER);");
    EXPECT_TRUE(judge("SELECT id FROM pragma_notes UNION SELECT id FROM json_each").ok);
}

TEST_F(SqliteEngine, SearchesFullTextTables) {
    open(
        "CREATE VIRTUAL TABLE docs USING fts5(title, body); INSERT INTO docs VALUES ('one', 'the cat'), ('two', 'a "
        "dog');"
        "CREATE VIRTUAL TABLE old USING fts4(body); INSERT INTO old VALUES ('a bird');");
    const auto verdict =
        judge("SELECT title, highlight(docs, 1, '<', '>') FROM docs WHERE docs MATCH 'cat' ORDER BY rank");
    ASSERT_TRUE(verdict.ok) << verdict.errors[0].message;
    EXPECT_THAT(verdict.tables, ElementsAre("main.docs"));
    EXPECT_EQ(run(verdict.sql).columns[1].text(0), "the <cat>");
    EXPECT_EQ(run(judge("SELECT title FROM docs('dog')").sql).columns[0].text(0), "two");
    EXPECT_EQ(run(judge("SELECT body FROM old WHERE body MATCH 'bird'").sql).columns[0].text(0), "a bird");
    EXPECT_THAT(tables_in(*engine_->read_schema({})), ElementsAre("docs", "old"));
}

TEST_F(SqliteEngine, SaysThatAViewIsBroken) {
    open("CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t; DROP TABLE t; CREATE TABLE good (y);");
    const auto verdict = judge("SELECT x FROM v");
    ASSERT_FALSE(verdict.ok);
    EXPECT_THAT(verdict.errors[0].message, HasSubstr("broken"));
    EXPECT_THAT(tables_in(*engine_->read_schema({})), ElementsAre("good"));
}

TEST_F(SqliteEngine, HintsAtQuotesForTexts) {
    open(shop_sql());
    const auto verdict = judge("SELECT name FROM customers WHERE country = \"FR\"");
    ASSERT_EQ(verdict.errors.size(), 1U);
    EXPECT_EQ(verdict.errors[0].code, Problem::Code::unknown_column);
    EXPECT_EQ(verdict.errors[0].at, std::optional<std::size_t>(43));
    EXPECT_THAT(verdict.errors[0].suggestion, HasSubstr("single quotes"));
}

TEST_F(SqliteEngine, SuggestsAColumnWithItsAlias) {
    open(shop_sql());
    const auto verdict = judge("SELECT o.amunt FROM orders o JOIN customers c ON c.id = o.customer_id");
    ASSERT_EQ(verdict.errors.size(), 1U);
    EXPECT_THAT(verdict.errors[0].suggestion, HasSubstr("\"o.amount\""));
    EXPECT_EQ(verdict.errors[0].at, std::optional<std::size_t>(7));
}

TEST_F(SqliteEngine, TellsALimitFromWhatIsNone) {
    open(shop_sql());
    struct Case {
        const char* sql;
        bool has_limit;
        bool takes_limit;
    };
    for (const auto& [sql, has_limit, takes_limit] :
         {Case{"SELECT id FROM orders", false, true}, Case{"SELECT id FROM orders LIMIT 5;", true, true},
          Case{"SELECT id FROM orders LIMIT 5 OFFSET 3", true, true},
          Case{"SELECT id FROM orders LIMIT 5, 3", true, true}, Case{"SELECT id FROM orders LIMIT -1", false, false},
          Case{"SELECT id FROM orders LIMIT 1 + 1", false, false},
          Case{"SELECT id FROM orders LIMIT 5, -1", false, false},
          Case{"SELECT id FROM (SELECT id FROM orders LIMIT 5)", false, true}, Case{"VALUES (1)", false, false},
          Case{"SELECT 1 UNION VALUES (2)", false, false}, Case{"SELECT 'x' AS \"limit\"", false, true}}) {
        const auto reading = engine_->read(sql);
        EXPECT_EQ(reading.has_limit, has_limit) << sql;
        EXPECT_EQ(reading.takes_limit, takes_limit) << sql;
        const auto verdict = judge(sql);
        EXPECT_TRUE(verdict.ok) << sql;
        EXPECT_GT(run(verdict.sql).row_count, 0U) << verdict.sql;
    }
}

TEST_F(SqliteEngine, RefusesANulCharacter) {
    open(shop_sql());
    const auto verdict = judge(std::string("SELECT 1\0; DROP TABLE orders", 28));
    ASSERT_FALSE(verdict.ok);
    EXPECT_EQ(verdict.errors[0].code, Problem::Code::syntax);
    EXPECT_EQ(verdict.errors[0].at, std::optional<std::size_t>(8));
}

// ---- schema

TEST_F(SqliteEngine, ReadsWhatIsSpecialInSqlite) {
    open(
        "CREATE TABLE Parents (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;"
        "CREATE TABLE children (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b, twice AS (id * 2),"
        " FOREIGN KEY (a, b) REFERENCES parents, FOREIGN KEY (id) REFERENCES gone (id));"
        "INSERT INTO children (a) VALUES (1); ANALYZE;");
    const auto catalog = engine_->read_schema({});
    ASSERT_TRUE(catalog);
    ASSERT_THAT(tables_in(*catalog), ElementsAre("Parents", "children"));
    const auto& [parents, children] = std::tie(catalog->tables[0], catalog->tables[1]);
    EXPECT_FALSE(parents.columns[0].nullable);
    EXPECT_EQ(children.columns.size(), 4U);
    EXPECT_EQ(children.columns[1].kind, ValueKind::other);
    EXPECT_FALSE(children.columns[0].nullable);
    ASSERT_EQ(children.foreign_keys.size(), 1U);
    EXPECT_EQ(children.foreign_keys[0].table, "Parents");
    EXPECT_THAT(children.foreign_keys[0].target_columns, ElementsAre("a", "b"));
}

TEST_F(SqliteEngine, ReadsATableOfTwoThousandColumns) {
    std::string sql = "CREATE TABLE wide (c0 INTEGER";
    for (int i = 1; i < 2'000; ++i)
        sql += fmt::format(", \"a column with quite a long name, the number {}\" INTEGER", i);
    open(sql + ");");
    EXPECT_EQ(engine_->read_schema({})->tables.at(0).columns.size(), 2'000U);
    EXPECT_EQ(run("SELECT * FROM wide").columns.size(), 2'000U);
}

// ---- functions

TEST_F(SqliteEngine, ListsItsFunctionsSortedAndInLowerCase) {
    const auto functions = harmless_sqlite_functions();
    EXPECT_TRUE(std::ranges::is_sorted(functions));
    EXPECT_EQ(std::ranges::adjacent_find(functions), functions.end());
    for (const auto name : functions) {
        EXPECT_TRUE(std::ranges::none_of(name, [](char c) { return c >= 'A' && c <= 'Z'; })) << name;
    }
    EXPECT_FALSE(is_harmless_function(Dialect::sqlite, "load_extension"));
}

TEST_F(SqliteEngine, ComputesTextFunctionsAsSqliteDoes) {
    open(shop_sql());
    const std::vector<std::string> pieces = {"a", "b", "ab", "aab", "\xC3\xA4", "\xE8\xAE\xA2", "\xF0\x9F\x90\xAB",
                                             " "};
    std::mt19937 random(7);  // NOLINT: the same texts every time
    const auto text = [&](std::size_t longest) {
        std::string result;
        for (std::size_t i = random() % (longest + 1); i > 0; --i) result += pieces[random() % pieces.size()];
        return quote_text(result);
    };
    for (int i = 0; i < 300; ++i) {
        const auto x = text(9);
        const auto y = text(2);
        for (const auto& sql :
             {fmt::format("SELECT instr({}, {})", x, y),
              fmt::format("SELECT instr(CAST({} AS BLOB), CAST({} AS BLOB))", x, y),
              fmt::format("SELECT replace({}, {}, {})", x, y, text(2)), fmt::format("SELECT trim({}, {})", x, y),
              fmt::format("SELECT ltrim({}, {})", x, y), fmt::format("SELECT rtrim({}, {})", x, y),
              fmt::format("SELECT '<' || trim({}) || '>'", x)}) {
            ASSERT_EQ(run(sql).columns.at(0).text(0), asked_plainly(sql)) << sql;
        }
    }
    for (const auto* sql : {"SELECT instr(NULL, 'a')", "SELECT replace('a', NULL, 'b')", "SELECT trim('a', NULL)",
                            "SELECT instr(1234, 3)", "SELECT replace(121, 1, 5)", "SELECT instr('', '')"}) {
        EXPECT_EQ(run(sql).columns.at(0).text(0), asked_plainly(sql)) << sql;
    }
}

}  // namespace quaestor::data
