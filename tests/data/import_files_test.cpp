#include "data/case_file.hpp"
#include "data/import_kit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;

// ---- JSON

class JsonCases : public ImportTest {};

TEST_F(JsonCases, MakeTheirTables) {
    std::vector<SqlCase> cases = read_cases("json_import.cases");
    std::erase_if(cases, [](const SqlCase& expected) { return !expected.fact("error").empty(); });
    std::vector<std::string> jsons;
    for (const SqlCase& expected : cases) jsons.push_back(write(test_name_of(expected) + ".json", expected.sql));
    const auto tables = import(jsons);
    ASSERT_EQ(tables.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(cases[i].place + " " + cases[i].name);
        EXPECT_EQ(columns(tables[i].name), cases[i].fact("columns"));
        const auto rows = ask("SELECT * FROM " + tables[i].name);
        EXPECT_EQ(fmt::format("{}", fmt::join(rows, " / ")), cases[i].fact("rows"));
        EXPECT_EQ(tables[i].rows, std::ssize(rows));
        if (const auto note = cases[i].fact("note"); !note.empty()) {
            EXPECT_THAT(tables[i].notes, Contains(HasSubstr(note)));
        }
    }
}

TEST_F(JsonCases, AreRefusedWithTheirReason) {
    for (const SqlCase& expected : read_cases("json_import.cases")) {
        if (expected.fact("error").empty()) continue;
        SCOPED_TRACE(expected.place + " " + expected.name);
        const Error told = import_error({write("data.json", expected.sql)});
        EXPECT_EQ(told.code, Code::invalid_argument);
        EXPECT_THAT(told.message, AllOf(HasSubstr(expected.fact("error")), HasSubstr("data.json")));
    }
}

class JsonFile : public ImportTest {};

TEST_F(JsonFile, IsReadWithAMarkInUtf16AndInLatin1) {
    std::string utf16 = "\xff\xfe";
    for (const char byte : std::string_view("[{\"a\": \"wide\"}]")) utf16 += {byte, '\0'};
    const auto tables = import({write("mark.json", "\xef\xbb\xbf[{\"a\": \"marked\"}]"), write("wide.json", utf16),
                                write("latin.jsonl", "{\"a\": \"M\xfcller\"}\n{\"a\": \"x\"}\n")});
    EXPECT_THAT(ask("SELECT a FROM mark UNION ALL SELECT a FROM wide UNION ALL SELECT a FROM latin"),
                ElementsAre("marked", "wide", "Müller", "x"));
    EXPECT_THAT(tables[1].notes, ElementsAre("read as UTF-16LE"));
    EXPECT_THAT(tables[2].notes, ElementsAre("read as Windows-1252 (Latin-1)"));
}

TEST_F(JsonFile, IsReadWhenPackedWithGzip) {
    const std::string file = path("packed.jsonl.gz");
    gzFile packed = gzopen(file.c_str(), "wb");
    gzputs(packed, "{\"a\": 1}\n{\"a\": 2}\n");
    gzclose(packed);
    import({file, write("disguised.json", read_whole(file))});
    EXPECT_THAT(ask("SELECT sum(a) FROM packed"), ElementsAre("3"));
    EXPECT_THAT(ask("SELECT sum(a) FROM disguised"), ElementsAre("3"));
}

TEST_F(JsonFile, KeepsAllRowsWhenItsLastOneChangesTheType) {
    std::string text;
    for (int row = 0; row < 50'000; ++row) text += fmt::format("{{\"a\": {}}}\n", row);
    import_one("late.jsonl", text + "{\"a\": \"x\", \"b\": 1}\n");
    EXPECT_THAT(ask("SELECT count(*), count(b) FROM late"), ElementsAre("50001|1"));
}

// ---- Parquet

class ParquetFile : public ImportTest {
protected:
    [[nodiscard]] std::string write_parquet(const std::string& name, const std::string& select) const {
        const auto database = duck::Database::open(":memory:", {}).value();
        const auto connection = database.connect().value();
        EXPECT_TRUE(connection.query(fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", select, path(name))));
        return path(name);
    }
};

TEST_F(ParquetFile, KeepsItsTypes) {
    const auto table = import({write_parquet("typed.parquet",
                                             "SELECT 1::INTEGER AS i, 12.50::DECIMAL(18,2) AS d, DATE '2024-01-31' AS "
                                             "day, [1, 2] AS l, {'x': 'y'} AS s FROM range(3)")})
                           .front();
    EXPECT_EQ(table.rows, 3);
    EXPECT_EQ(columns("typed"), "i INTEGER, d DECIMAL(18,2), day DATE, l INTEGER[], s STRUCT(x VARCHAR)");
    EXPECT_THAT(ask("SELECT DISTINCT d, l, s FROM typed"), ElementsAre("12.50|[1, 2]|{'x': y}"));
}

TEST_F(ParquetFile, ThatIsBrokenIsNamedInTheError) {
    const std::string whole = read_whole(write_parquet("whole.parquet", "SELECT range AS i FROM range(10000)"));
    for (const auto& file : {write("empty.parquet", ""), write("cut.parquet", whole.substr(0, whole.size() / 2)),
                             write("text.parquet", "id,name\n1,a\n")}) {
        const Error error = import_error({file});
        EXPECT_EQ(error.code, Code::invalid_argument) << error.describe();
        EXPECT_THAT(error.message, HasSubstr(fs::path(file).filename().string()));
        EXPECT_THAT(error.describe(), testing::Not(HasSubstr(".import-"))) << "our own files are nobody's business";
    }
}

// ---- names

class ImportFiles : public ImportTest {};

TEST_F(ImportFiles, NamesTablesAfterFiles) {
    const std::vector<std::pair<std::string, std::string>> names = {
        {"Sales 2024.csv", "sales_2024"},
        {"2024-sales (final).csv", "t_2024_sales_final"},
        {"Umsätze.CSV", "umsätze"},
        {"销售 数据.csv", "销售_数据"},
        {"a.b.c.csv", "a_b_c"},
        {"---.csv", "table"},
        {"x'; DROP TABLE y; --.csv", "x_drop_table_y"},
        {"q\"uote.tsv", "q_uote"},
        {"bytes\xff.csv", "bytes"},
        {"select.csv", "select"},
    };
    std::vector<std::string> files;
    for (const auto& [file, table] : names) files.push_back(write(file, "a,b\n1,2\n"));
    const auto tables = import(files);
    ASSERT_EQ(tables.size(), names.size());
    for (std::size_t index = 0; index < names.size(); ++index) {
        EXPECT_EQ(tables[index].name, names[index].second);
        EXPECT_EQ(tables[index].from, files[index]);
    }
}

TEST_F(ImportFiles, GivesEachTableANameOfItsOwn) {
    const auto tables = import({write("one/Data.csv", "a\n1\n"), write("two/data.csv", "a\n2\n"),
                                write("data.json", "[{\"a\": 3}]"), write("data_2.csv", "a\n4\n")});
    EXPECT_EQ(tables[0].name, "data");
    EXPECT_EQ(tables[1].name, "data_2");
    EXPECT_EQ(tables[2].name, "data_3");
    EXPECT_EQ(tables[3].name, "data_2_2");
    EXPECT_THAT(ask("SELECT a FROM data_2"), ElementsAre("2"));
}

TEST_F(ImportFiles, TakesGlobCharactersLiterally) {
    const std::string json = "[{\"right\": 1}]";
    write("a1.json", "[{\"wrong\": 1}]");
    write("b.json", "[{\"wrong\": 1}]");
    import({write("a[1].json", json), write("*.json", json), write("?.json", json), write("{a,b}.json", json),
            write("it's \\ here.json", json), write("[!x]*.csv", "right\n1\n")});
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_columns() WHERE column_name = 'right'"), ElementsAre("6"));
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_columns() WHERE column_name = 'wrong'"), ElementsAre("0"));
}

// ---- all or nothing

TEST_F(ImportFiles, LeavesTheSourcesAsTheyAre) {
    const std::vector<std::string> sources = {write("a.csv", "\xef\xbb\xbfid,x\r\n1,M\xfcller\r\n"),
                                              write("b.json", "\xef\xbb\xbf[{\"a\": 1}]")};
    std::vector<std::string> before;
    std::vector<fs::file_time_type> times;
    for (const auto& source : sources) {
        before.push_back(read_whole(source));
        times.push_back(fs::last_write_time(source));
    }
    import(sources);
    for (std::size_t index = 0; index < sources.size(); ++index) {
        EXPECT_EQ(read_whole(sources[index]), before[index]);
        EXPECT_EQ(fs::last_write_time(sources[index]), times[index]);
    }
    EXPECT_THAT(files(), ElementsAre("a.csv", "b.json", "target.duckdb")) << "and leaves nothing else behind";
}

TEST_F(ImportFiles, MakesNoTargetWhenOneFileIsBad) {
    import_error({write("good.csv", "a\n1\n"), write("bad.json", "[")});
    EXPECT_FALSE(fs::exists(target()));
}

TEST_F(ImportFiles, AddsToATargetThatIsThere) {
    import({write("a.csv", "x\n1\n")});
    import({write("b.csv", "x\n2\n"), write("c.json", "[{\"x\": 3}]")});
    EXPECT_THAT(ask("SELECT x FROM a UNION ALL SELECT x FROM b UNION ALL SELECT x FROM c"), ElementsAre("1", "2", "3"));
}

TEST_F(ImportFiles, LeavesATargetThatIsThereUntouchedWhenOneFileIsBad) {
    import({write("a.csv", "x\n1\n")});
    const ImportOptions replace{.replace = true};
    import_error({write("a.csv", "x\n2\n"), write("bad.json", "[")}, replace);
    EXPECT_THAT(ask("SELECT x FROM a"), ElementsAre("1"));
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_tables()"), ElementsAre("1"));
}

TEST_F(ImportFiles, ReplacesOnlyWhenTold) {
    const auto file = write("a.csv", "x\n1\n");
    import({file});
    write("a.csv", "y\nnew\n");
    const Error error = import_error({file});
    EXPECT_EQ(error.code, Code::already_exists);
    EXPECT_THAT(error.message, HasSubstr("table a"));
    EXPECT_THAT(ask("SELECT x FROM a"), ElementsAre("1"));
    import({file}, {.replace = true});
    EXPECT_THAT(ask("SELECT y FROM a"), ElementsAre("new"));
}

TEST_F(ImportFiles, DoesNotReplaceAViewNorWhatOtherTablesPointTo) {
    {
        const auto database = duck::Database::open(target(), {}).value();
        const auto connection = database.connect().value();
        ASSERT_TRUE(
            connection.query("CREATE TABLE a(x INTEGER PRIMARY KEY); CREATE TABLE b(x INTEGER REFERENCES a(x));"
                             "CREATE VIEW v AS SELECT 1 AS x"));
    }
    EXPECT_EQ(import_error({write("v.csv", "x\n1\n")}, {.replace = true}).code, Code::already_exists);
    EXPECT_EQ(import_error({write("a.csv", "x\n1\n")}, {.replace = true}).code, Code::conflict);
    import({write("a.csv", "x\n1\n"), write("b.csv", "x\n1\n")}, {.replace = true});
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_constraints()"), ElementsAre("0"));
}

TEST_F(ImportFiles, TellsWhatCannotBeRead) {
    EXPECT_EQ(import_error({path("missing.csv")}).code, Code::not_found);
    EXPECT_EQ(import_error({folder_.string()}).code, Code::invalid_argument);
    EXPECT_EQ(import_error({write("table.xlsx", "PK")}).code, Code::unsupported);
    EXPECT_EQ(import_error({}).code, Code::invalid_argument);
    const auto file = write("a.csv", "x\n1\n");
    EXPECT_EQ(import_files({file}, folder_.string(), {}).error().code, Code::invalid_argument);
    EXPECT_FALSE(import_files({file}, path("no/such/folder/t.duckdb"), {}));
    EXPECT_EQ(import_files({file}, "", {}).error().code, Code::invalid_argument);
}

TEST_F(ImportFiles, DoesNotTouchATargetThatIsNoDatabase) {
    const auto file = write("a.csv", "x\n1\n");
    const std::string text(20'000, 't');
    write("target.duckdb", text);
    EXPECT_EQ(import_error({file}).code, Code::corrupt);
    EXPECT_EQ(read_whole(target()), text);
}

TEST_F(ImportFiles, FindsATargetThatAnotherProcessHolds) {
    const auto file = write("b.csv", "x\n2\n");
    import({write("a.csv", "x\n1\n")});
    int ready[2];
    int done[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(done), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        ::close(done[1]);
        const auto held = duck::Database::open(target(), {{"threads", "1"}});
        char byte = held ? 'y' : 'n';
        static_cast<void>(::write(ready[1], &byte, 1));
        static_cast<void>(::read(done[0], &byte, 1));  // until the parent has tried
        _exit(0);
    }
    char held = 'n';
    ASSERT_EQ(::read(ready[0], &held, 1), 1);
    ASSERT_EQ(held, 'y');
    const auto tables = import_files({file}, target(), {});
    for (const int end : {ready[0], ready[1], done[0], done[1]}) ::close(end);
    waitpid(child, nullptr, 0);
    ASSERT_FALSE(tables);
    EXPECT_EQ(tables.error().code, Code::conflict) << tables.error().describe();
    EXPECT_THAT(std::string(tables.error().advice()), HasSubstr("another program"));
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_tables()"), ElementsAre("1"));
}

// ---- stopping and progress

std::string many_rows(int rows) {
    std::string text = "id,name\n";
    for (int row = 0; row < rows; ++row) text += fmt::format("{},name {}\n", row, row);
    return text;
}

TEST_F(ImportFiles, TellsItsProgress) {
    std::vector<double> told;
    std::vector<std::string> names;
    const ImportOptions options{.progress = [&](std::string_view what, double done) {
        told.push_back(done);
        if (names.empty() || names.back() != what) names.emplace_back(what);
    }};
    const auto big = write("big.csv", many_rows(100'000));
    const auto small = write("small.json", "[{\"a\": 1}]");
    import({big, small}, options);
    EXPECT_THAT(names, ElementsAre(big, small));
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_THAT(told, testing::Each(AllOf(Ge(0.0), Le(1.0))));
    EXPECT_EQ(told.back(), 1.0);
    EXPECT_GT(told.size(), 20U);
    EXPECT_LT(told.size(), 300U);
}

TEST_F(ImportFiles, LeavesNoTargetWhenItIsStopped) {
    constexpr int kRows = 30'000;
    const auto csv = write("big.csv", many_rows(kRows));
    std::string text;
    for (int row = 0; row < kRows; ++row) text += fmt::format("{{\"a\": {}}}\n", row);
    const auto json = write("big.jsonl", text);
    for (const double when : {0.0, 0.1, 0.3, 0.6, 0.9}) {
        CancelSource source;
        const ImportOptions options{.progress =
                                        [&](std::string_view, double done) {
                                            if (done >= when) source.cancel(CancelReason::user_request);
                                        },
                                    .stop = source.token()};
        EXPECT_EQ(import_error({csv, json}, options).code, Code::cancelled) << when;
        EXPECT_FALSE(fs::exists(target()));
    }
    CancelSource before;
    before.cancel(CancelReason::deadline);
    EXPECT_EQ(import_error({csv}, {.stop = before.token()}).code, Code::timeout);
}

TEST_F(ImportFiles, LeavesATargetThatIsThereAsItWasWhenItIsStopped) {
    import({write("a.csv", "x\n1\n")});
    CancelSource source;
    const ImportOptions options{.progress =
                                    [&](std::string_view, double done) {
                                        if (done > 0.7) source.cancel(CancelReason::user_request);
                                    },
                                .stop = source.token()};
    EXPECT_EQ(import_error({write("big.csv", many_rows(100'000))}, options).code, Code::cancelled);
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_tables()"), ElementsAre("1"));
}

}  // namespace

}  // namespace quaestor::data
