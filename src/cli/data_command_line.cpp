#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>

namespace quaestor::cli {

namespace {

constexpr double kQuerySecondsMin = 0.001;
constexpr double kQuerySecondsMax = 86'400;

void add_sql_check(CLI::App& sql, CommandLine& line) {
    auto* check = sql.add_subcommand("check", "Say whether a statement may run, and what it reads, without running it");
    check->add_option("sql", line.sql_check.sql, "The statement, or - to read it from standard input")->required();
    auto* source = check->add_option("--source", line.sql_check.source, kSourceHelp);
    check->add_option("--dialect", line.sql_check.dialect, "How it is written, where there is no source")
        ->check(CLI::IsMember({"duckdb", "postgres", "sqlite"}))
        ->excludes(source)
        ->capture_default_str();
    check->add_option("--tables", line.sql_check.tables, "Tables that there are, where there is no source: a.b,c")
        ->excludes(source);
    check->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return sql_check(invocation, line.sql_check); };
    });
}

void add_sql_commands(CLI::App& app, CommandLine& line) {
    auto* sql = app.add_subcommand("sql", "Ask a database in SQL; nothing that could change it runs");
    sql->require_subcommand(1);
    add_sql_check(*sql, line);
    auto* run = sql->add_subcommand("run", "Run a query and show its rows");
    run->add_option("sql", line.sql_run.sql, "The query, or - to read it from standard input")->required();
    run->add_option("--source", line.sql_run.source, kSourceHelp)->required();
    run->add_option("--limit", line.sql_run.limit, "Rows at most; without it as configured")
        ->check(CLI::Range(std::size_t{1}, kRowLimitMax));
    run->add_option("--timeout", line.sql_run.timeout, "Seconds it may take; without it as configured")
        ->check(CLI::Range(kQuerySecondsMin, kQuerySecondsMax));
    run->add_option("--format", line.sql_run.format, "table for reading, csv and json for programs")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->capture_default_str();
    run->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return sql_run(invocation, line.sql_run); }; });
}

void add_catalog_commands(CLI::App& app, CommandLine& line) {
    auto* catalog = app.add_subcommand("catalog", "Look at what is in a database")->require_subcommand(1);
    auto* show = catalog->add_subcommand("show", "Show tables, columns, keys and what their values are like");
    show->add_option("source", line.catalog_show.source, kSourceHelp)->required();
    show->add_option("--table", line.catalog_show.table, "Only this table, with all its columns");
    show->add_option("--annotations", line.catalog_show.annotations,
                     "YAML file with descriptions and a glossary; without it SOURCE.quaestor.yaml, if there is one");
    show->add_flag("--quick", line.catalog_show.quick, "Only what is known without looking at the rows");
    show->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return catalog_show(invocation, line.catalog_show); };
    });
}

void add_parse_command(CLI::App& app, CommandLine& line) {
    auto* command =
        app.add_subcommand("parse", "Show how a question in plain English is read, without a language model");
    auto* question = command->add_option("question", line.parse.question, "The question");
    command->add_option("--source", line.parse.source, kSourceHelp)->required();
    command->add_option("--annotations", line.parse.annotations,
                        "YAML file with descriptions and a glossary; without it SOURCE.quaestor.yaml, if there is one");
    command->add_flag("--explain", line.parse.explain, "Also show what the words were linked to");
    command->add_flag("--batch", line.parse.batch, "Read questions from standard input, one a line")
        ->excludes(question);
    command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return parse(invocation, line.parse); }; });
}

void add_import_commands(CLI::App& app, CommandLine& line) {
    auto* import = app.add_subcommand("import", "Read files into a DuckDB file")->require_subcommand(1);
    const auto add = [&](const char* kind, const char* sentence, bool several) {
        auto* command = import->add_subcommand(kind, sentence);
        auto* files = command->add_option(several ? "files" : "file", line.import_data.files, "What to read");
        files->required();
        if (!several) files->expected(1);
        command->add_option("--into", line.import_data.into, "DuckDB file to write; made when it is not there")
            ->required();
        command->add_flag("--replace", line.import_data.replace, "Replace tables of the same name");
        command->callback([&line, kind] {
            line.import_data.kind = kind;
            line.action = [&line](const Invocation& invocation) { return import_data(invocation, line.import_data); };
        });
    };
    add("csv", "Read CSV files, each into a table named after it", true);
    add("parquet", "Read Parquet files, each into a table named after it", true);
    add("json", "Read JSON files, each into a table named after it", true);
    add("sqlite", "Read all tables of a SQLite file, with their keys", false);
}

}  // namespace

void add_data_commands(CLI::App& app, CommandLine& line) {
    add_sql_commands(app, line);
    add_catalog_commands(app, line);
    add_parse_command(app, line);
    add_import_commands(app, line);
}

}  // namespace quaestor::cli
