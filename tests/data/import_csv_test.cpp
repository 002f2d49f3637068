#include "data/case_file.hpp"
#include "data/import_kit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <random>
#include <zlib.h>

namespace quaestor::data {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// ---- behaviour as text

std::string unescaped(const std::string& text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            bytes += text[at];
            continue;
        }
        switch (text[++at]) {
            case 't':
                bytes += '\t';
                break;
            case 'r':
                bytes += '\r';
                break;
            case 'n':
                bytes += '\n';
                break;
            case 'x':
                bytes += static_cast<char>(std::strtol(text.substr(at + 1, 2).c_str(), nullptr, 16));
                at += 2;
                break;
            default:
                bytes += text[at];
        }
    }
    return bytes;
}

void expect_table(const SqlCase& expected, const ImportedTable& table, const std::vector<std::string>& rows) {
    EXPECT_EQ(fmt::format("{}", fmt::join(rows, " / ")), unescaped(expected.fact("rows")));
    EXPECT_EQ(table.rows, std::ssize(rows));
    if (const auto skipped = expected.fact("skipped"); !skipped.empty()) {
        EXPECT_EQ(std::to_string(table.skipped_rows), skipped);
    }
    if (const auto note = expected.fact("note"); !note.empty()) EXPECT_THAT(table.notes, Contains(HasSubstr(note)));
    if (!expected.fact("no_notes").empty()) EXPECT_THAT(table.notes, IsEmpty());
}

class CsvCases : public ImportTest {};

// All at once, for a database is opened in a tenth of a second and there are dozens of them.
TEST_F(CsvCases, MakeTheirTables) {
    std::vector<SqlCase> cases = read_cases("csv_import.cases");
    std::erase_if(cases, [](const SqlCase& expected) { return !expected.fact("error").empty(); });
    std::vector<std::string> csvs;
    for (const SqlCase& expected : cases) {
        csvs.push_back(write(test_name_of(expected) + ".csv", unescaped(expected.sql)));
    }
    const auto tables = import(csvs);
    ASSERT_EQ(tables.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        SCOPED_TRACE(cases[i].place + " " + cases[i].name);
        EXPECT_EQ(tables[i].from, csvs[i]);
        EXPECT_EQ(columns(tables[i].name), cases[i].fact("columns"));
        expect_table(cases[i], tables[i], ask("SELECT * FROM " + tables[i].name));
    }
}

TEST_F(CsvCases, AreRefusedWithTheirReason) {
    for (const SqlCase& expected : read_cases("csv_import.cases")) {
        if (expected.fact("error").empty()) continue;
        SCOPED_TRACE(expected.place + " " + expected.name);
        EXPECT_THAT(import_error({write("data.csv", unescaped(expected.sql))}).message,
                    HasSubstr(expected.fact("error")));
    }
}

// ---- what text cannot say

class CsvFile : public ImportTest {};

/// `ascii` in UTF-16.
std::string utf16(std::string_view ascii, bool big_endian) {
    std::string bytes;
    for (const char byte : ascii) {
        bytes += big_endian ? '\0' : byte;
        bytes += big_endian ? byte : '\0';
    }
    return bytes;
}

TEST_F(CsvFile, IsReadInUtf16WithAndWithoutAMark) {
    const std::string_view text = "id,name\n1,Ann\n2,Bob\n";
    const auto tables =
        import({write("le.csv", "\xff\xfe" + utf16(text, false)), write("be.csv", "\xfe\xff" + utf16(text, true)),
                write("bare.csv", utf16(text, false))});
    for (const auto& table : tables) {
        EXPECT_EQ(columns(table.name), "id BIGINT, name VARCHAR");
        EXPECT_THAT(ask("SELECT * FROM " + table.name), ElementsAre("1|Ann", "2|Bob"));
        EXPECT_THAT(table.notes, Contains(HasSubstr("read as UTF-16")));
    }
}

TEST_F(CsvFile, IsReadInUtf16WhereAPieceEndsWithinACharacter) {
    // U+1F600 takes two units, and a shift by one unit splits it at the end of a piece.
    std::string bytes = "\xff\xfe" + utf16("x,n\n", false);
    for (int row = 0; row < 40'000; ++row) {
        bytes += std::string("\x3d\xd8\x00\xde", 4) + utf16(row % 7 == 0 ? ",11\n" : ",1\n", false);
    }
    import_one("smile.csv", bytes);
    EXPECT_THAT(ask("SELECT count(*), count(DISTINCT x), min(x) FROM smile"), ElementsAre("40000|1|\U0001F600"));
}

TEST_F(CsvFile, IsReadWhenPackedWithGzip) {
    std::string text = "id,name\n";
    for (int row = 0; row < 50'000; ++row) text += fmt::format("{},name {}\n", row, row % 10);
    const std::string file = path("packed.csv.gz");
    gzFile packed = gzopen(file.c_str(), "wb");
    ASSERT_EQ(gzwrite(packed, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(packed);
    EXPECT_EQ(import({file}).front().name, "packed");
    EXPECT_THAT(ask("SELECT count(*), sum(id), count(DISTINCT name) FROM packed"), ElementsAre("50000|1249975000|10"));

    const std::string whole = read_whole(file);
    const auto cut = write("cut.csv.gz", whole.substr(0, whole.size() / 2));
    const Error error = import_error({cut});
    EXPECT_THAT(error.message, HasSubstr("cut.csv.gz cannot be read"));
}

TEST_F(CsvFile, KeepsAllRowsWhenItsLastOneChangesTheType) {
    constexpr int kRows = 200'000;
    std::string text = "id,value\n";
    for (int row = 1; row < kRows; ++row) text += fmt::format("{},{}\n", row, row * 2);
    text += fmt::format("{},unknown\n", kRows);
    const auto table = import_one("late.csv", text);
    EXPECT_EQ(table.rows, kRows);
    EXPECT_EQ(table.skipped_rows, 0);
    EXPECT_THAT(table.notes,
                ElementsAre(fmt::format("column 2 (value) read as text: 'unknown' in line {}", kRows + 1)));
    EXPECT_EQ(columns("late"), "id BIGINT, value VARCHAR");
    EXPECT_THAT(ask("SELECT count(*), count(DISTINCT id), max(id) FROM late"),
                ElementsAre(fmt::format("{0}|{0}|{0}", kRows)));
}

TEST_F(CsvFile, IsReadAsLatin1WhenOnlyItsLastLineShowsIt) {
    std::string text = "id,name\n";
    for (int row = 0; row < 30'000; ++row) text += fmt::format("{},plain name\n", row);
    const auto table = import_one("late.csv", text + "30000,M\xfcller\n");
    EXPECT_THAT(table.notes, ElementsAre("read as Windows-1252 (Latin-1)"));
    EXPECT_THAT(ask("SELECT name FROM late WHERE id = 30000"), ElementsAre("Müller"));
}

TEST_F(CsvFile, MayHaveFiveThousandColumns) {
    std::string text;
    for (int column = 0; column < 5'000; ++column) text += fmt::format("{}c{}", column > 0 ? "," : "", column);
    for (int row = 0; row < 3; ++row) {
        text += '\n';
        for (int column = 0; column < 5'000; ++column) text += fmt::format("{}{}", column > 0 ? "," : "", row + column);
    }
    const auto table = import_one("wide.csv", text);
    EXPECT_EQ(table.rows, 3);
    EXPECT_THAT(ask("SELECT count(*) FROM duckdb_columns() WHERE table_name = 'wide' AND data_type = 'BIGINT'"),
                ElementsAre("5000"));
    EXPECT_THAT(ask("SELECT c0, c4999 FROM wide"), ElementsAre("0|4999", "1|5000", "2|5001"));
}

TEST_F(CsvFile, WithTooManyColumnsIsRefused) {
    EXPECT_EQ(import_error({write("wide.csv", std::string(30'000, ',') + "\n1,2\n")}).code, Code::limit_exceeded);
}

TEST_F(CsvFile, MayHoldAFieldLongerThanAPiece) {
    const std::string long_text(700'000, 'x');
    import_one("long.csv", "id,text\n1,\"" + long_text + "\n" + long_text + "\"\n2,short\n");
    EXPECT_THAT(ask("SELECT id, length(text) FROM long"), ElementsAre("1|1400001", "2|5"));
}

TEST_F(CsvFile, NeverShowsControlCharactersInNotes) {
    const auto table = import_one("evil.csv", "n\n1\n2\n3\n\x1b[31mred\x07\n");
    ASSERT_EQ(table.notes.size(), 1U);
    EXPECT_EQ(table.notes[0].find_first_of("\x1b\x07"), std::string::npos);
}

// ---- any table comes back

struct RandomTable {
    std::string csv;
    std::vector<std::string> rows;
};

/// Texts with everything that needs quotes; a text in each column sees to it that nothing is taken for a number.
RandomTable random_table(unsigned seed, char delimiter, std::string_view line_end) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned bound) { return static_cast<unsigned>(random() % bound); };
    constexpr std::string_view kPieces[] = {"a", "B", "\"", "\"\"", ",", ";", "\t", "\n", "\r\n",
                                            " ", "é", "北", "0",    "7", "'", "\\", "-"};
    const unsigned width = 2 + below(6);
    RandomTable table;
    for (unsigned column = 0; column < width; ++column) {
        table.csv += fmt::format("{}name{}", column > 0 ? std::string(1, delimiter) : "", column);
    }
    table.csv += line_end;
    for (unsigned row = 0, rows = 1 + below(60); row <= rows; ++row) {
        std::string line;
        for (unsigned column = 0; column < width; ++column) {
            std::string value = row == 0 ? "text" : "";
            for (unsigned piece = 0, pieces = below(6); piece < pieces; ++piece)
                value += kPieces[below(std::size(kPieces))];
            std::string quoted = "\"";
            for (const char byte : value) quoted += byte == '"' ? "\"\"" : std::string(1, byte);
            if (column > 0) {
                table.csv += delimiter;
                line += '|';
            }
            table.csv += quoted + '"';
            line += value.empty() ? "NULL" : value;
        }
        table.csv += line_end;
        table.rows.push_back(line);
    }
    return table;
}

TEST_F(CsvFile, OfAnyTextsComesBackEqual) {
    std::vector<RandomTable> tables;
    std::vector<std::string> files;
    for (unsigned seed = 0; seed < 40; ++seed) {
        tables.push_back(random_table(seed, ",;\t|"[seed % 4], seed % 3 == 0 ? "\r\n" : "\n"));
        files.push_back(write(fmt::format("random{}.csv", seed), tables.back().csv));
    }
    const auto imported = import(files);
    for (unsigned seed = 0; seed < 40; ++seed) {
        EXPECT_EQ(ask("SELECT * FROM " + imported[seed].name), tables[seed].rows) << "seed " << seed << "\n"
                                                                                  << tables[seed].csv;
        EXPECT_EQ(imported[seed].skipped_rows, 0);
    }
}

TEST_F(CsvFile, OfAnyNumbersComesBackEqual) {
    std::mt19937_64 random(7);
    std::string csv = "whole,real,day\n";
    std::vector<std::string> rest;
    std::vector<double> reals;
    for (int row = 0; row < 2'000; ++row) {
        const auto whole = static_cast<std::int64_t>(random());
        const int day = static_cast<int>(random() % 28) + 1;
        reals.push_back(static_cast<double>(static_cast<std::int64_t>(random())) / 65536.0 + 0.5);
        csv += fmt::format("{},{},2024-02-{:02}\n", whole, reals.back(), day);
        rest.push_back(fmt::format("{}|2024-02-{:02}", whole, day));
    }
    import_one("numbers.csv", csv);
    EXPECT_EQ(columns("numbers"), "whole BIGINT, real DOUBLE, day DATE");
    EXPECT_EQ(ask("SELECT whole, day FROM numbers"), rest);
    const auto texts = ask("SELECT real FROM numbers");
    ASSERT_EQ(texts.size(), reals.size());
    for (std::size_t row = 0; row < texts.size(); ++row)
        EXPECT_EQ(std::strtod(texts[row].c_str(), nullptr), reals[row]);
}

}  // namespace

}  // namespace quaestor::data
