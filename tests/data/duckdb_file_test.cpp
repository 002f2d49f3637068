// DuckDB files in bad shape, in use, or out of the ordinary.
#include "data/duckdb/handle.hpp"
#include "data/duckdb_shop.hpp"
#include "data/shop.hpp"

#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class DuckdbFile : public testing::Test {
protected:
    ~DuckdbFile() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name = "shop.duckdb") const { return (folder_ / name).string(); }

    std::string write(const std::string& name, const std::string& bytes) {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    [[nodiscard]] static Error error_of_opening(const std::string& file) {
        const auto engine = open_duckdb(file);
        EXPECT_FALSE(engine.has_value()) << file;
        return engine ? Error{} : engine.error();
    }

    [[nodiscard]] static std::string bytes_of(const std::string& file) {
        std::string bytes(std::filesystem::file_size(file), '\0');
        std::ifstream(file, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return bytes;
    }

    const fs::path folder_ = make_folder();
};

TEST_F(DuckdbFile, ThatIsNotThereIsNotMade) {
    EXPECT_EQ(error_of_opening(path()).code, Code::not_found);
    EXPECT_FALSE(fs::exists(path()));
}

TEST_F(DuckdbFile, ThatIsNoDatabaseIsToldSo) {
    EXPECT_EQ(
        error_of_opening(write("notes.duckdb", "Dear diary, today I was no database. " + std::string(9000, '.'))).code,
        Code::corrupt);
    EXPECT_EQ(error_of_opening(folder_.string()).code, Code::invalid_argument);
}

TEST_F(DuckdbFile, ThatIsEmptyIsToldSo) {
    const Error error = error_of_opening(write("empty.duckdb", ""));
    EXPECT_THAT(error.describe(), HasSubstr("empty.duckdb"));
    EXPECT_EQ(bytes_of(path("empty.duckdb")), "");
}

TEST_F(DuckdbFile, ThatIsCutOffNeverCrashes) {
    make_duckdb(path(), kShopSql);
    const std::string whole = bytes_of(path());
    for (const std::size_t size :
         {whole.size() / 2, whole.size() - 4096, std::size_t{12288}, std::size_t{4096}, std::size_t{100}}) {
        const auto engine = open_duckdb(write("cut.duckdb", whole.substr(0, size)));
        if (!engine) continue;
        const auto catalog = (*engine)->read_schema({});
        const auto result = (*engine)->run("SELECT * FROM orders", {}, {});
        EXPECT_TRUE(!catalog || !result || result->row_count == 40U) << size;
    }
}

TEST_F(DuckdbFile, WithABitTurnedOverNeverCrashes) {
    make_duckdb(path(), kShopSql);
    const std::string whole = bytes_of(path());
    for (std::size_t at = 0; at < whole.size(); at += whole.size() / 40) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        const auto engine = open_duckdb(write("bad.duckdb", bytes));
        if (!engine) continue;
        for (const char* table : {"orders", "customers", "events"}) {
            const auto result = (*engine)->run(std::string("SELECT * FROM ") + table, {}, {});
            if (!result) EXPECT_THAT(result.error().message, Not(IsEmpty()));
        }
    }
}

TEST_F(DuckdbFile, WithoutTablesHasAnEmptyCatalogue) {
    make_duckdb(path(), "SELECT 1");
    const auto engine = open_duckdb(path()).value();
    EXPECT_THAT(engine->read_schema({}).value().tables, IsEmpty());
    EXPECT_EQ(engine->run("SELECT 1", {}, {}).value().row_count, 1U);
}

TEST_F(DuckdbFile, ThatAnotherProgramWritesToIsInUse) {
    make_duckdb(path(), kShopSql);
    std::array<int, 2> held{};
    std::array<int, 2> release{};
    ASSERT_EQ(::pipe(held.data()), 0);
    ASSERT_EQ(::pipe(release.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto database = duck::Database::open(path(), {});
        char sign = database ? 'y' : 'n';
        static_cast<void>(!::write(held[1], &sign, 1));
        static_cast<void>(!::read(release[0], &sign, 1));
        ::_exit(0);
    }
    char sign = 'n';
    ASSERT_EQ(::read(held[0], &sign, 1), 1);
    EXPECT_EQ(sign, 'y');
    const Error error = error_of_opening(path());
    EXPECT_EQ(error.code, Code::conflict);
    EXPECT_THAT(std::string(error.advice()), HasSubstr("another program"));
    ASSERT_EQ(::write(release[1], &sign, 1), 1);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(open_duckdb(path()).has_value());
    for (const int end : {held[0], held[1], release[0], release[1]}) ::close(end);
}

TEST_F(DuckdbFile, OpenedTwiceIsShared) {
    make_duckdb(path(), kShopSql);
    fs::create_symlink(path(), path("link.duckdb"));
    const auto first = open_duckdb(path()).value();
    const auto second = open_duckdb(path("link.duckdb")).value();
    EXPECT_EQ(second->run("SELECT count(*) FROM orders", {}, {}).value().columns[0].text(0), "40");
    EXPECT_EQ(first->run("SELECT count(*) FROM orders", {}, {}).value().columns[0].text(0), "40");
}

TEST_F(DuckdbFile, PutInThePlaceOfAnOpenOneIsOpenedAnew) {
    make_duckdb(path(), "CREATE TABLE t AS SELECT 1 AS a");
    const auto old_engine = open_duckdb(path()).value();
    const auto old_print = old_engine->fingerprint().value();
    make_duckdb(path("new.duckdb"), "CREATE TABLE t AS SELECT 2 AS a");
    fs::rename(path("new.duckdb"), path());
    const auto new_engine = open_duckdb(path()).value();
    EXPECT_EQ(new_engine->run("SELECT a FROM t", {}, {}).value().columns[0].text(0), "2");
    EXPECT_EQ(old_engine->run("SELECT a FROM t", {}, {}).value().columns[0].text(0), "1");
    EXPECT_NE(new_engine->fingerprint().value(), old_print);
}

TEST_F(DuckdbFile, WithStrangeNamesIsDescribedAndAsked) {
    make_duckdb(
        path("strange name.duckdb"),
        R"sql(CREATE SCHEMA "my schema"; CREATE TABLE "my schema"."or""der.items" ("select" INTEGER, "a b" INTEGER,
                "名前" VARCHAR); CREATE TABLE "客户" ("编号" INTEGER PRIMARY KEY); CREATE TABLE "table" (x INTEGER);
                INSERT INTO "my schema"."or""der.items" VALUES (1, 2, '世界'))sql");
    const auto engine = open_duckdb(path("strange name.duckdb")).value();
    const Catalog catalog = engine->read_schema({}).value();
    ASSERT_EQ(catalog.tables.size(), 3U);
    const TableNames names = names_of(catalog);
    const Guard guard(Dialect::duckdb, names);
    for (const char* sql :
         {R"(SELECT "select", "a b", "名前" FROM "my schema"."or""der.items")", R"(SELECT "编号" FROM 客户)",
          R"(SELECT x FROM "table")", R"(SELECT x FROM "strange name".main."table")"}) {
        const Verdict verdict = guard.check(sql);
        ASSERT_TRUE(verdict.ok) << sql << ": " << verdict.errors[0].message;
        EXPECT_TRUE(engine->run(verdict.sql, {}, {}).has_value()) << sql;
    }
}

TEST_F(DuckdbFile, WithManyTablesAndColumnsIsDescribed) {
    std::string sql = "CREATE TABLE wide (c0 INTEGER";
    for (int i = 1; i < 5000; ++i) sql += ", c" + std::to_string(i) + " INTEGER";
    sql += ");";
    for (int i = 0; i < 2000; ++i) sql += "CREATE TABLE t" + std::to_string(i) + " (id INTEGER);";
    make_duckdb(path(), "BEGIN;" + sql + "COMMIT;");
    const auto engine = open_duckdb(path()).value();
    const Catalog catalog = engine->read_schema({}).value();
    EXPECT_EQ(catalog.tables.size(), 2001U);
    ASSERT_NE(catalog.find_table("wide"), nullptr);
    EXPECT_EQ(catalog.find_table("wide")->columns.size(), 5000U);
    const TableNames names = names_of(catalog);
    const Verdict verdict = Guard(Dialect::duckdb, names).check("SELECT id FROM t19999");
    ASSERT_FALSE(verdict.ok);
    EXPECT_THAT(verdict.errors[0].suggestion, HasSubstr("t1999"));
}

}  // namespace

}  // namespace quaestor::data
