// The command line: every command with its options, and what was said once it is parsed.
// Owned by main(); the CLI::App that it is built into refers to it.
// Threads: for main()'s thread.
#pragma once

#include "cli/commands.hpp"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace quaestor::cli {

/// How a source is named, in the help of every command that takes one.
inline constexpr const char* kSourceHelp =
    "DuckDB or SQLite file, folder of CSV, Parquet or JSON files, or postgres:// URL";

/// What the command line says, once parsed.
struct CommandLine {
    SettingsSource source;
    bool json = false;
    bool quiet = false;
    GraphShowOptions graph_show;
    RunsListOptions runs_list;
    std::string runs_show;
    RunsResumeOptions runs_resume;
    RunsForkOptions runs_fork;
    DemoDataOptions demo_data;
    DemoGraphOptions demo_graph;
    SqlCheckOptions sql_check;
    SqlRunOptions sql_run;
    CatalogShowOptions catalog_show;
    AskCommandOptions ask;
    ChatOptions chat;
    ParseOptions parse;
    ImportDataOptions import_data;
    IngestCommandOptions ingest;
    SearchCommandOptions search;
    ServeOptions serve;
    KeysCreateOptions keys_create;
    std::string keys_revoke;
    ModelsOptions models;
    EmbedOptions embed;
    PromptOptions prompt;
    EvalCalibrateOptions eval_calibrate;
    std::function<CommandResult(const Invocation&)> action;
};

/// Gives `app` all commands; parsing it then fills `line`, which outlives it.
void build(CLI::App& app, CommandLine& line);

void add_asking_commands(CLI::App& app, CommandLine& line);    ///< ask, chat
void add_language_commands(CLI::App& app, CommandLine& line);  ///< models, embed, prompt
void add_graph_commands(CLI::App& app, CommandLine& line);     ///< graph
void add_runs_commands(CLI::App& app, CommandLine& line);      ///< runs
void add_data_commands(CLI::App& app, CommandLine& line);      ///< sql, catalog, parse, import
void add_document_commands(CLI::App& app, CommandLine& line);  ///< ingest, search, eval

}  // namespace quaestor::cli
