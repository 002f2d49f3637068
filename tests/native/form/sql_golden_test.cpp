#include "native/form/golden_forms.hpp"
#include "native/form/made_database.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>

namespace quaestor::native {

namespace {

/// Without the names of results, which the reference does not give.
std::string bare(const std::string& sql) {
    static const std::regex kNames(R"( AS ("([^"]|"")*"|ranked))");
    return std::regex_replace(sql, kNames, "");
}

TEST(SqlWriter, WritesTheSqliteOfTheReference) {
    for (const GoldenForm& form : golden().forms) {
        const auto written = form.write(Dialect::sqlite);
        ASSERT_TRUE(written) << form.question << "\n" << written.error().describe();
        EXPECT_EQ(bare(written->sql), bare(form.sql)) << form.question;
    }
}

TEST(SqlWriter, WritesWhatPassesTheGuardAndMeansTheSameInDuckdbAndSqlite) {
    std::map<std::string, std::unique_ptr<MadeDatabase>> made;
    for (const GoldenForm& form : golden().forms) {
        auto& database = made[form.database->name];
        if (!database) database = std::make_unique<MadeDatabase>(*form.database);
        const std::string duckdb_sql = form.write(Dialect::duckdb).value().sql;
        auto duckdb_rows = rows_of(database->run(duckdb_sql, Dialect::duckdb));
        auto sqlite_rows = rows_of(database->run(form.write(Dialect::sqlite).value().sql, Dialect::sqlite));
        if (form.form().limit) {  // which of equal rows comes first is up to the engine
            EXPECT_EQ(duckdb_rows.size(), sqlite_rows.size()) << duckdb_sql;
            continue;
        }
        std::ranges::sort(duckdb_rows);
        std::ranges::sort(sqlite_rows);
        EXPECT_EQ(duckdb_rows, sqlite_rows) << form.question << "\n" << duckdb_sql;
    }
}

TEST(SqlWriter, WritesPostgresqlThatTheGuardReadsAndLetsPass) {
    for (const GoldenForm& form : golden().forms) {
        data::TableNames names("public");
        for (const SchemaTable& table : form.database->schema.tables()) names.add("public", table.name);
        const std::string sql = form.write(Dialect::postgres).value().sql;
        const data::Verdict verdict = data::Guard(Dialect::postgres, names).check(sql);
        EXPECT_TRUE(verdict.ok) << sql << "\n" << (verdict.errors.empty() ? "" : verdict.errors.front().message);
    }
}

TEST(SqlReader, ReadsEveryWrittenStatementBackToOneThatIsWrittenAlike) {
    std::size_t read = 0;
    for (const GoldenForm& form : golden().forms) {
        for (const Dialect dialect : {Dialect::sqlite, Dialect::duckdb, Dialect::postgres}) {
            const std::string sql = form.write(dialect).value().sql;
            const auto query = read_sql(sql, form.database->schema);
            ASSERT_TRUE(query) << sql << "\n" << query.error().describe();
            const std::vector<WordSpan> no_words;
            const auto again =
                write_sql(*query, form.database->schema, dialect, {"", no_words, &form.database->values});
            ASSERT_TRUE(again) << sql << "\n" << again.error().describe();
            EXPECT_EQ(again->sql, sql);
            ++read;
        }
    }
    EXPECT_GE(read, 450U);
}

/// The tokens without those of values.
std::string shape_of(const std::vector<FormToken>& tokens) {
    std::vector<FormToken> shape;
    for (const FormToken& token : tokens) {
        const bool is_constant = token.kind == FormToken::Kind::keyword &&
                                 form_keywords()[static_cast<std::size_t>(token.value)].starts_with("V:");
        if (token.kind != FormToken::Kind::word && !is_constant) shape.push_back(token);
    }
    return line_of(shape);
}

TEST(SqlReader, GivesTheFormThatWasWritten) {
    std::size_t same = 0;
    for (const GoldenForm& form : golden().forms) {
        const std::string sql = form.write(Dialect::sqlite).value().sql;
        const auto query = read_sql(sql, form.database->schema);
        ASSERT_TRUE(query) << sql;
        if (shape_of(tokens_of(*query, form.database->schema).value()) == shape_of(form.tokens)) ++same;
        const std::vector<WordSpan> no_words;
        const auto again = write_sql(*query, form.database->schema, Dialect::sqlite, {"", no_words, nullptr}).value();
        EXPECT_EQ(read_sql(again.sql, form.database->schema).value(), *query) << sql;
    }
    // "After 2021" comes back as "from 2022-01-01 on", and "between 2021 and 2021" as "in 2021".
    EXPECT_GE(same, golden().forms.size() * 9 / 10);
}

TEST(SqlReader, RefusesEveryStatementThatIsCutOffOrReadsItWhole) {
    for (std::size_t at = 0; at < golden().forms.size(); at += 12) {
        const GoldenForm& form = golden().forms[at];
        for (std::size_t length = 0; length < form.sql.size(); ++length) {
            const auto query = read_sql(std::string_view(form.sql).substr(0, length), form.database->schema);
            if (!query) EXPECT_EQ(query.error().code, Code::unsupported);
        }
    }
}

/// Forms without sense, as an untrained parser writes them: their SQL is still one query.
TEST(SqlWriter, WritesRandomFormsAsStatementsThatPassTheGuardOrRefusesThem) {
    const GoldenDatabase& database = *golden().databases.front();
    data::TableNames names("main");
    for (const SchemaTable& table : database.schema.tables()) names.add("main", table.name);
    std::string question;
    for (int word = 0; word < 40; ++word) question += word % 3 == 0 ? "2021 " : word % 3 == 1 ? "May " : "it's; ";
    const std::vector<WordSpan> words = split_words(question);
    std::size_t passed = 0;
    for (const GoldenWalk& walk : golden().walks) {
        if (walk.again.empty()) continue;
        for (const Dialect dialect : {Dialect::duckdb, Dialect::postgres, Dialect::sqlite}) {
            const auto written =
                write_sql(form_of(walk.tokens).value(), database.schema, dialect, {question, words, &database.values});
            if (!written) {
                EXPECT_EQ(written.error().code, Code::unsupported);
                continue;
            }
            const data::Verdict verdict = data::Guard(dialect, names).check(written->sql);
            EXPECT_TRUE(verdict.ok) << written->sql << "\n"
                                    << (verdict.errors.empty() ? "" : verdict.errors.front().message);
            ++passed;
        }
    }
    EXPECT_GE(passed, 100U);
}

}  // namespace

}  // namespace quaestor::native
