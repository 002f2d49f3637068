#include "data/import_kit.hpp"
#include "data/shop.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <stdexcept>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SqliteImportTest : public ImportTest {
protected:
    /// Makes a SQLite file with these statements.
    std::string make(const std::string& sql, const std::string& name = "source.db") const {
        sqlite3* handle = nullptr;
        sqlite3_open(path(name).c_str(), &handle);
        char* error = nullptr;
        const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
        const std::string message = error == nullptr ? "" : error;
        sqlite3_free(error);
        sqlite3_close(handle);
        if (code != SQLITE_OK) throw std::runtime_error(message);
        return path(name);
    }
    std::vector<ImportedTable> import_db(const std::string& file, const ImportOptions& options = {}) const {
        close();
        const std::string before = read_whole(file);
        auto tables = import_sqlite(file, target(), options);
        if (!tables) throw std::runtime_error(tables.error().describe());
        EXPECT_EQ(read_whole(file), before) << "the source is never written to";
        return *tables;
    }
    ImportedTable import_table(const std::string& sql) const { return import_db(make(sql)).front(); }
    [[nodiscard]] std::vector<std::string> constraints(const std::string& kind) const {
        return ask(fmt::format(
            "SELECT table_name || ': ' || array_to_string(constraint_column_names, ',') || "
            "coalesce(' -> ' || referenced_table || ' ' || array_to_string(referenced_column_names, ','), '') "
            "FROM duckdb_constraints() WHERE constraint_type = '{}' ORDER BY 1",
            kind));
    }
};

TEST_F(SqliteImportTest, MapsDeclaredTypes) {
    const auto table = import_table(
        "CREATE TABLE t(i INTEGER, b BIGINT, r REAL, d DOUBLE PRECISION, m DECIMAL(10,2), n NUMERIC, s TEXT, v "
        "VARCHAR(20), "
        "x BLOB, day DATE, at DATETIME, zoned TIMESTAMP, clock TIME, yes BOOLEAN, anything);"
        "INSERT INTO t VALUES (1, 9223372036854775807, 1.5, 2.5, 12.50, 3, 'a', 'b', x'00FF', '2024-01-31', "
        "'2024-01-31 12:30:00', '2024-01-31T12:30:00Z', '12:30:00', 1, 7),"
        "(NULL, NULL, NULL, NULL, 7, 4.5, '', NULL, NULL, NULL, '2024-02-01', NULL, NULL, 0, NULL)");
    EXPECT_EQ(
        columns("t"),
        "i BIGINT, b BIGINT, r DOUBLE, d DOUBLE, m DECIMAL(10,2), n DOUBLE, s VARCHAR, v VARCHAR, x BLOB, day DATE, "
        "at TIMESTAMP, zoned TIMESTAMP WITH TIME ZONE, clock TIME, yes BOOLEAN, anything BIGINT");
    EXPECT_THAT(ask("SELECT * FROM t"),
                ElementsAre("1|9223372036854775807|1.5|2.5|12.50|3.0|a|b|\\x00\\xFF|2024-01-31|2024-01-31 12:30:00|"
                            "2024-01-31 12:30:00+00|12:30:00|true|7",
                            "NULL|NULL|NULL|NULL|7.00|4.5||NULL|NULL|NULL|2024-02-01 00:00:00|NULL|NULL|false|NULL"));
    EXPECT_EQ(table.rows, 2);
    EXPECT_EQ(table.from, "t");
}

TEST_F(SqliteImportTest, ReadsColumnsAsTextWhoseValuesDoNotFit) {
    const auto table = import_table(
        "CREATE TABLE t(n INTEGER, day DATE, yes BOOLEAN, m DECIMAL(4,2), s TEXT, big REAL);"
        "INSERT INTO t VALUES (1, '2024-01-31', 1, 1.25, 'a', 1.5), ('many', 'soon', 2, 123.5, x'AB', 'x')");
    EXPECT_EQ(columns("t"), "n VARCHAR, day VARCHAR, yes BIGINT, m DOUBLE, s VARCHAR, big VARCHAR");
    EXPECT_THAT(ask("SELECT * FROM t"), ElementsAre("1|2024-01-31|1|1.25|a|1.5", "many|soon|2|123.5|\\xAB|x"));
    EXPECT_THAT(table.notes, Contains("column n declared INTEGER, read as VARCHAR: 'many' in row 2"));
    EXPECT_THAT(table.notes, Contains("column day declared DATE, read as VARCHAR: 'soon' in row 2"));
    EXPECT_THAT(table.notes, Contains("column yes declared BOOLEAN, read as BIGINT: '2' in row 2"));
    EXPECT_THAT(table.notes, Contains("column m declared DECIMAL(4,2), read as DOUBLE: '123.5' in row 2"));
    EXPECT_THAT(table.notes, Contains("column s declared TEXT, bytes read as text"));
}

TEST_F(SqliteImportTest, KeepsDecimalsExactAndOthersAsDoubles) {
    import_table(
        "CREATE TABLE t(exact NUMERIC(18,4), finer DECIMAL(10,2), negative DECIMAL(5,1));"
        "INSERT INTO t VALUES (0.1, 0.125, -0.5), (99999999.9999, 1, -9999.9)");
    EXPECT_EQ(columns("t"), "exact DECIMAL(18,4), finer DOUBLE, negative DECIMAL(5,1)");
    EXPECT_THAT(ask("SELECT * FROM t"), ElementsAre("0.1000|0.125|-0.5", "99999999.9999|1.0|-9999.9"));
}

TEST_F(SqliteImportTest, DoesNotDamageLargeIntegersBesideNumbers) {
    import_table("CREATE TABLE t(n); INSERT INTO t VALUES (9007199254740993), (1.5)");
    EXPECT_THAT(ask("SELECT n FROM t"), ElementsAre("9007199254740993", "1.5"));
}

TEST_F(SqliteImportTest, KeepsKeysThatTheDataSatisfies) {
    import_db(
        make("CREATE TABLE items(order_id INTEGER, line INTEGER, product TEXT REFERENCES products, "
             "PRIMARY KEY (order_id, line), FOREIGN KEY (order_id) REFERENCES orders(id));"
             "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT NOT NULL);"
             "CREATE TABLE products(code TEXT PRIMARY KEY);"
             "INSERT INTO products VALUES ('pen'), ('ink');"
             "INSERT INTO orders VALUES (1, 'Ann'), (2, 'Bob');"
             "INSERT INTO items VALUES (1, 1, 'pen'), (1, 2, 'ink'), (2, 1, NULL)"));
    EXPECT_THAT(constraints("PRIMARY KEY"), ElementsAre("items: order_id,line", "orders: id", "products: code"));
    EXPECT_THAT(constraints("FOREIGN KEY"),
                ElementsAre("items: order_id -> orders id", "items: product -> products code"));
    EXPECT_THAT(constraints("NOT NULL"), Contains("orders: customer"));
    EXPECT_THAT(ask("SELECT count(*) FROM items JOIN orders ON orders.id = items.order_id"), ElementsAre("3"));
}

TEST_F(SqliteImportTest, LeavesOutKeysThatTheDataViolates) {
    const auto tables = import_db(
        make("CREATE TABLE a_child(parent INTEGER REFERENCES parent(id), other INTEGER REFERENCES nowhere(id), "
             "label INTEGER REFERENCES parent(name));"
             "CREATE TABLE parent(id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES parent(id));"
             "CREATE TABLE weak(code TEXT PRIMARY KEY);"
             "INSERT INTO parent VALUES (1, 'a', 2), (2, 'b', NULL);"
             "INSERT INTO a_child VALUES (1, 1, 1), (99, 1, 1);"
             "INSERT INTO weak VALUES ('a'), (NULL), (NULL)"));
    EXPECT_THAT(constraints("FOREIGN KEY"), IsEmpty());
    EXPECT_THAT(constraints("PRIMARY KEY"), ElementsAre("parent: id"));
    EXPECT_THAT(tables[0].notes, Contains(HasSubstr("some of its values are not in the other table")));
    EXPECT_THAT(tables[0].notes, Contains(HasSubstr("there is no such table")));
    EXPECT_THAT(tables[0].notes, Contains(HasSubstr("it does not point to a primary key")));
    EXPECT_THAT(tables[1].notes, Contains(HasSubstr("it points to its own table")));
    EXPECT_THAT(tables[2].notes, Contains(HasSubstr("the primary key was left out")));
    EXPECT_THAT(ask("SELECT count(*) FROM a_child"), ElementsAre("2"));
}

TEST_F(SqliteImportTest, LeavesOutAKeyWhoseSidesAreEqualOnlyToSqlite) {
    const auto tables =
        import_db(make("CREATE TABLE child(p TEXT REFERENCES parent(name), n TEXT REFERENCES number(id));"
                       "CREATE TABLE number(id INTEGER PRIMARY KEY);"
                       "CREATE TABLE parent(name TEXT COLLATE NOCASE PRIMARY KEY);"
                       "INSERT INTO parent VALUES ('Ann'); INSERT INTO number VALUES (1);"
                       "INSERT INTO child VALUES ('ANN', '1')"));
    EXPECT_THAT(constraints("FOREIGN KEY"), IsEmpty());
    EXPECT_THAT(tables[0].notes, Contains(HasSubstr("the types of its two sides differ")));
}

TEST_F(SqliteImportTest, BreaksCirclesOfKeys) {
    const auto tables =
        import_db(make("CREATE TABLE a(id INTEGER PRIMARY KEY, b INTEGER REFERENCES b(id));"
                       "CREATE TABLE b(id INTEGER PRIMARY KEY, a INTEGER REFERENCES a(id));"
                       "INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1, 1)"));
    EXPECT_THAT(constraints("FOREIGN KEY"), ElementsAre("b: a -> a id"));
    EXPECT_THAT(tables[0].notes, Contains(HasSubstr("part of a circle")));
}

TEST_F(SqliteImportTest, KeepsKeysOfTextsThatWouldBeEqualAsTimestamps) {
    import_table(
        "CREATE TABLE t(at TIMESTAMP PRIMARY KEY);"
        "INSERT INTO t VALUES ('2024-01-31'), ('2024-01-31 00:00')");
    EXPECT_THAT(constraints("PRIMARY KEY"), ElementsAre("t: at"));
    EXPECT_EQ(columns("t"), "at VARCHAR");
}

TEST_F(SqliteImportTest, TakesStrangeNames) {
    import_db(
        make("CREATE TABLE \"order \"\"no\"\".1\"(\"select\" TEXT, \"a b\" INTEGER, \"\" INTEGER, \"城市\" TEXT);"
             "INSERT INTO \"order \"\"no\"\".1\" VALUES ('x', 1, 2, '北京');"
             "CREATE TABLE \"it's; DROP\"(\"x'y\" INTEGER PRIMARY KEY);"
             "CREATE TABLE \"\"(a); INSERT INTO \"\" VALUES (5)"));
    EXPECT_THAT(ask("SELECT \"select\", \"a b\", column_3, \"城市\" FROM \"order \"\"no\"\".1\""),
                ElementsAre("x|1|2|北京"));
    EXPECT_THAT(constraints("PRIMARY KEY"), ElementsAre("it's; DROP: x'y"));
    EXPECT_THAT(ask("SELECT a FROM \"table\""), ElementsAre("5"));
}

TEST_F(SqliteImportTest, PassesOverViewsAndVirtualTables) {
    const auto tables =
        import_db(make("CREATE TABLE t(a); CREATE VIEW v AS SELECT * FROM t;"
                       "CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('x')"));
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_THAT(tables[0].notes, Contains("view v was passed over"));
    EXPECT_THAT(tables[0].notes, Contains("virtual table words was passed over"));
    EXPECT_THAT(ask("SELECT table_name FROM duckdb_tables()"), ElementsAre("t"));
}

TEST_F(SqliteImportTest, ReadsGeneratedColumnsAndTablesWithoutRowid) {
    import_table(
        "CREATE TABLE t(a INTEGER PRIMARY KEY, twice INTEGER AS (a * 2) STORED, thrice INTEGER AS (a * 3)) WITHOUT "
        "ROWID;"
        "INSERT INTO t VALUES (1), (2)");
    EXPECT_THAT(ask("SELECT a, twice, thrice FROM t"), ElementsAre("1|2|3", "2|4|6"));
}

TEST_F(SqliteImportTest, ReplacesTextThatIsNoUtf8) {
    import_table("CREATE TABLE t(s TEXT); INSERT INTO t VALUES (CAST(x'4DFC6C' AS TEXT)), ('ok')");
    EXPECT_THAT(ask("SELECT s FROM t"), ElementsAre("M\uFFFDl", "ok"));
}

TEST_F(SqliteImportTest, ReadsTheShop) {
    const auto tables = import_db(make(kShopSql));
    EXPECT_GE(tables.size(), 5U);
    EXPECT_THAT(constraints("FOREIGN KEY"), testing::Not(IsEmpty()));
}

TEST_F(SqliteImportTest, ReadsHundredsOfTables) {
    constexpr int kTables = 300;
    std::string sql = "BEGIN;";
    for (int table = 0; table < kTables; ++table) {
        sql += fmt::format("CREATE TABLE t{0}(id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t{0} VALUES ({0}, 'x');",
                           table);
    }
    EXPECT_EQ(import_db(make(sql + "COMMIT")).size(), std::size_t{kTables});
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_tables()"), ElementsAre(std::to_string(kTables)));
    EXPECT_THAT(ask("SELECT id FROM t299"), ElementsAre("299"));
}

TEST_F(SqliteImportTest, LeavesNoFilesBesideAFileInWalMode) {
    const auto file = make("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    ASSERT_FALSE(fs::exists(file + "-wal"));
    import_db(file);
    EXPECT_THAT(files(), ElementsAre("source.db", "target.duckdb"));
}

TEST_F(SqliteImportTest, ReplacesTablesThatPointToEachOtherWhenTold) {
    const auto file = make(
        "CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE b(a INTEGER REFERENCES a(id));"
        "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)");
    import_db(file);
    EXPECT_EQ(import_sqlite(file, target(), {}).error().code, Code::already_exists);
    import_db(file, {.replace = true});
    EXPECT_THAT(ask("SELECT count(*) FROM a, b"), ElementsAre("1"));
}

TEST_F(SqliteImportTest, TellsWhatCannotBeRead) {
    EXPECT_EQ(import_sqlite(path("missing.db"), target(), {}).error().code, Code::not_found);
    EXPECT_EQ(import_sqlite(write("text.db", std::string(5'000, 't')), target(), {}).error().code, Code::corrupt);
    EXPECT_EQ(import_sqlite(write("empty.db", ""), target(), {}).error().code, Code::not_found);
    const auto whole = make(
        "CREATE TABLE t(a TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT "
        "3000) INSERT INTO t SELECT hex(randomblob(50)) FROM n");
    std::string bytes = read_whole(whole);
    std::fill(bytes.begin() + 8'192, bytes.begin() + 60'000, 'z');
    EXPECT_EQ(import_sqlite(write("broken.db", bytes), target(), {}).error().code, Code::corrupt);
    EXPECT_FALSE(fs::exists(target()));
}

TEST_F(SqliteImportTest, LeavesNoTargetWhenItIsStopped) {
    const auto file = make(
        "CREATE TABLE a(x); CREATE TABLE t(a INTEGER, b TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
        "SELECT i + 1 FROM n LIMIT 50000) INSERT INTO t SELECT i, 'text ' || i FROM n");
    CancelSource source;
    const ImportOptions options{.progress =
                                    [&](std::string_view, double done) {
                                        if (done > 0.6) source.cancel(CancelReason::user_request);
                                    },
                                .stop = source.token()};
    EXPECT_EQ(import_sqlite(file, target(), options).error().code, Code::cancelled);
    EXPECT_THAT(files(), ElementsAre("source.db"));
}

}  // namespace

}  // namespace quaestor::data
