#include "cli/agents.hpp"
#include "cli/commands.hpp"
#include "cli/interrupts.hpp"
#include "cli/usage_error.hpp"
#include "cli/version.hpp"
#include "retrieval/search.hpp"
#include "workflows/demo/demo.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>

namespace quaestor::cli {

namespace {

constexpr const char* kFooter = R"(
Begin with:
  quaestor ask "Which team won most games?" ask the demo league, a database that comes along
  quaestor ask --source FILE "How many …"   ask a database of your own
  quaestor ask --corpus FOLDER "What …"     ask documents of your own; the answer cites them
  quaestor chat                             ask one question after another
  quaestor serve                            ask in a browser, or over HTTP
  quaestor demo                             make a league of teams, players and games to ask
  quaestor demo graph                       run a graph that needs nothing
  quaestor graph show demo --format mermaid see its picture
  quaestor runs show last                   see what the run did, step by step
  quaestor catalog show FILE                see what is in a database
  quaestor sql run --source FILE "SELECT …" ask it in SQL
  quaestor parse --source FILE "How many …" see how a question is read
  quaestor search --corpus FOLDER "words"   search a folder of documents
  quaestor doctor                           see what works here, and what to do about the rest

Exit codes: 0 done, 1 could not be answered, 2 wrong usage or configuration, 3 a dependency failed, 130 interrupted.)";

constexpr std::size_t kRunsListedMax = 10'000;
constexpr double kQuerySecondsMin = 0.001;
constexpr double kQuerySecondsMax = 86'400;
constexpr const char* kSourceHelp = "DuckDB or SQLite file, folder of CSV, Parquet or JSON files, or postgres:// URL";

using Action = std::function<CommandResult(const Invocation&)>;

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
    Action action;
};

void add_graph_commands(CLI::App& app, CommandLine& line) {
    auto* graph = app.add_subcommand("graph", "Look at the compiled graphs")->require_subcommand(1);
    graph->add_subcommand("list", "List the graphs")->callback([&line] { line.action = graph_list; });
    auto* show = graph->add_subcommand("show", "Show a graph's nodes and the ways between them");
    show->add_option("graph", line.graph_show.name, "Name of a graph, or of an agent")->required();
    show->add_option("--format", line.graph_show.format, "mermaid for documents, json for programs, text for reading")
        ->check(CLI::IsMember({"mermaid", "json", "text"}))
        ->capture_default_str();
    show->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return graph_show(invocation, line.graph_show); };
    });
}

void add_runs_inspection(CLI::App& runs, CommandLine& line) {
    auto* list = runs.add_subcommand("list", "List runs, the latest first");
    list->add_option("--graph", line.runs_list.graph, "Only runs of this graph");
    list->add_option("--status", line.runs_list.status, "Only runs that are so")
        ->check(CLI::IsMember({"running", "finished", "interrupted", "failed", "cancelled"}));
    list->add_option("--limit", line.runs_list.limit, "How many at most")
        ->check(CLI::Range(std::size_t{1}, kRunsListedMax))
        ->capture_default_str();
    list->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_list(invocation, line.runs_list); };
    });
    auto* show = runs.add_subcommand("show", "Show a run: its steps, its checkpoints, how it ended");
    show->add_option("run", line.runs_show, "Id of the run, or last")->required();
    show->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_show(invocation, line.runs_show); };
    });
}

void add_runs_commands(CLI::App& app, CommandLine& line) {
    auto* runs = app.add_subcommand("runs", "Look at runs, go on with them, go back in them")->require_subcommand(1);
    add_runs_inspection(*runs, line);
    auto* resume = runs->add_subcommand("resume", "Go on after a question, a failure or a crash");
    resume->add_option("run", line.runs_resume.run, "Id of the run, or last")->required();
    resume->add_option("--answer", line.runs_resume.answers, "The answer, or ID=ANSWER where several are open")
        ->allow_extra_args(false);  // one word each; more would also take a list in an answer apart
    resume->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_resume(invocation, line.runs_resume); };
    });
    auto* fork = runs->add_subcommand("fork", "Go back to a checkpoint and run on from there");
    fork->add_option("run", line.runs_fork.run, "Id of the run, or last")->required();
    fork->add_option("--at", line.runs_fork.checkpoint, "Id of the checkpoint; runs show lists them")->required();
    fork->add_option("--set", line.runs_fork.change, "State fields to change, as a JSON object")->capture_default_str();
    fork->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return runs_fork(invocation, line.runs_fork); };
    });
}

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

void add_document_commands(CLI::App& app, CommandLine& line) {
    auto* ingest_command = app.add_subcommand("ingest", "Add documents to a corpus, or bring it up to date");
    ingest_command->add_option(
        "paths", line.ingest.paths,
        "Text, Markdown, HTML and PDF files, or folders of them; without any, those of last time");
    ingest_command->add_option("--corpus", line.ingest.corpus, "Name of the corpus; made when it is not there")
        ->required();
    ingest_command->add_flag("--rebuild", line.ingest.rebuild, "Begin anew, whatever is there");
    ingest_command->add_flag("--watch", line.ingest.watch, "Stay, and take in what changes");
    ingest_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return ingest(invocation, line.ingest); }; });
    auto* search_command = app.add_subcommand("search", "Show what a corpus says about something");
    search_command->add_option("query", line.search.query, "The question, or some words")->required();
    search_command->add_option("--corpus", line.search.corpus, "Name of a corpus, or a folder of documents")
        ->required();
    search_command->add_option("--from", line.search.from, "Only documents of this day or later: 2023-01-01");
    search_command->add_option("--to", line.search.to, "Only documents of this day or earlier");
    search_command->add_option("--type", line.search.type, "Only documents of this type: minutes");
    search_command->add_option("--top", line.search.top, "How many at most")
        ->check(CLI::Range(std::size_t{1}, retrieval::kTopMax))
        ->capture_default_str();
    search_command->add_option("--neighbours", line.search.neighbours, "Chunks before and after that are shown as well")
        ->check(CLI::Range(std::size_t{0}, retrieval::kNeighboursMax))
        ->capture_default_str();
    search_command->add_flag("--explain", line.search.explain, "Also show how it was found");
    search_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return search(invocation, line.search); }; });
}

void add_eval_commands(CLI::App& app, CommandLine& line) {
    auto* eval =
        app.add_subcommand("eval", "Measure answers, and learn from labelled questions")->require_subcommand(1);
    auto* calibrate = eval->add_subcommand("calibrate", "Fit the scores of a corpus to questions with known documents");
    calibrate->add_option("--corpus", line.eval_calibrate.corpus, "Name of the corpus")->required();
    calibrate
        ->add_option("--questions", line.eval_calibrate.questions,
                     "YAML file: a list of {question, documents: [file names]}; none for a question without an answer")
        ->required();
    calibrate->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return eval_calibrate(invocation, line.eval_calibrate); };
    });
}

void add_tape_options(CLI::App& command, TapeOptions& tape) {
    auto* record =
        command.add_option("--record", tape.record, "Keep every outside call and its answer in this new file");
    command.add_option("--replay", tape.replay, "Take the answers from such a file instead of asking")
        ->excludes(record);
}

/// What asking once and asking again and again have in common.
template <class Options>
void add_asking_options(CLI::App& command, Options& options) {
    command.add_option("--agent", options.agent, "Who is asked; without it whoever's data fits the question");
    auto* source = command.add_option("--source", options.source, fmt::format("What is asked: {}", kSourceHelp));
    command.add_option("--corpus", options.corpus, "Documents that are asked: an ingested corpus, or a folder")
        ->excludes(source);
    command.add_option("--thread", options.thread, "Id of the conversation to go on with");
    add_tape_options(command, options.tape);
}

void add_asking_commands(CLI::App& app, CommandLine& line) {
    auto* ask_command = app.add_subcommand("ask", "Ask a question in plain words, and see how the answer was found");
    ask_command->add_option("question", line.ask.question, "The question, or - to read it from standard input")
        ->required();
    add_asking_options(*ask_command, line.ask);
    ask_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return ask(invocation, line.ask); }; });
    auto* chat_command = app.add_subcommand("chat", "Ask one question after another; from a pipe, one on each line");
    add_asking_options(*chat_command, line.chat);
    chat_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return chat(invocation, line.chat); }; });
}

void add_key_commands(CLI::App& app, CommandLine& line) {
    auto* keys = app.add_subcommand("keys", "API keys of the server: make, list, revoke")->require_subcommand(1);
    auto* create = keys->add_subcommand("create", "Make a key; it is shown once");
    create->add_option("name", line.keys_create.name, "Whose it is, or what it is for")->required();
    create->add_option("--role", line.keys_create.role, "admin may also see figures and everybody's feedback")
        ->check(CLI::IsMember({"user", "admin"}))
        ->capture_default_str();
    create->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return keys_create(invocation, line.keys_create); };
    });
    keys->add_subcommand("list", "List the keys that are taken")->callback([&line] { line.action = keys_list; });
    auto* revoke = keys->add_subcommand("revoke", "Take a key back");
    revoke->add_option("id", line.keys_revoke, "Id of the key, as listed")->required();
    revoke->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return keys_revoke(invocation, line.keys_revoke); };
    });
}

void add_serve_commands(CLI::App& app, CommandLine& line) {
    constexpr int kPortMax = 65'535;
    auto* serve_command = app.add_subcommand("serve", "Answer questions over HTTP, with a web client");
    serve_command->add_option("--host", line.serve.host, "Address to listen on; 127.0.0.1 unless configured");
    serve_command->add_option("--port", line.serve.port, "Port to listen on, 0 for any; 8080 unless configured")
        ->check(CLI::Range(0, kPortMax));
    serve_command->add_flag("--open", line.serve.open, "Open it in a browser");
    serve_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return serve(invocation, line.serve); }; });
    add_key_commands(app, line);
}

void add_language_commands(CLI::App& app, CommandLine& line) {
    auto* models_command =
        app.add_subcommand("models", "Show the language models: which, whether they answer, their prices");
    models_command->add_flag("--offline", line.models.offline, "Do not ask whether they answer");
    models_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return models(invocation, line.models); }; });
    auto* embed_command = app.add_subcommand("embed", "Turn texts into vectors, and show how near they are in meaning");
    embed_command->add_option("texts", line.embed.texts, "One text or several")->required();
    add_tape_options(*embed_command, line.embed.tape);
    embed_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return embed(invocation, line.embed); }; });
    auto* prompt_command =
        app.add_subcommand("prompt", "Ask one typed prompt of whoever answers it; without a key, list them");
    prompt_command->add_option("key", line.prompt.key, "Key of the prompt");
    prompt_command->add_option("--input", line.prompt.input, "What it is asked about, as JSON")->capture_default_str();
    prompt_command->add_flag("--show-request", line.prompt.show_request, "Only show what would be sent");
    add_tape_options(*prompt_command, line.prompt.tape);
    prompt_command->callback(
        [&line] { line.action = [&line](const Invocation& invocation) { return prompt(invocation, line.prompt); }; });
}

void add_demo_commands(CLI::App& app, CommandLine& line) {
    auto* data = app.add_subcommand("demo", "Make the demo data again: a synthetic league to ask");
    data->add_option("--seed", line.demo_data.seed, "Another number makes another league")->capture_default_str();
    data->add_flag("--small", line.demo_data.is_small, "Two divisions and two seasons only, and no documents");
    auto* graph = data->add_subcommand("graph", "Run the demo graph: it estimates pi and needs nothing");
    graph->add_option("--tolerance", line.demo_graph.tolerance, "How exact the estimate is to be")
        ->capture_default_str();
    graph->add_option("--workers", line.demo_graph.workers, "Tasks that throw points at the same time")
        ->capture_default_str();
    graph->add_flag("--review", line.demo_graph.review, "Ask before the answer is given; answer with runs resume");
    graph->callback([&line] {
        line.action = [&line](const Invocation& invocation) { return demo_graph(invocation, line.demo_graph); };
    });
    data->callback([&line, graph] {  // called after the graph's
        if (graph->parsed()) return;
        line.action = [&line](const Invocation& invocation) { return demo_data(invocation, line.demo_data); };
    });
}

void add_other_commands(CLI::App& app, CommandLine& line) {
    app.add_subcommand("doctor", "Check what works here and say what to do about the rest")->callback([&line] {
        line.action = doctor;
    });
    auto* config = app.add_subcommand("config", "Look at the configuration")->require_subcommand(1);
    config->add_subcommand("show", "Show every setting in force, with a sentence on each")->callback([&line] {
        line.action = config_show;
    });
}

void build(CLI::App& app, CommandLine& line) {
    app.name("quaestor");
    app.set_version_flag("--version", std::string("quaestor ") + kVersion);
    app.footer("\nEvery command takes --config, --data-dir, --json and --quiet: see quaestor --help.");
    app.require_subcommand(1);
    app.fallthrough();
    app.add_option("--config", line.source.config_file,
                   "Configuration file; without it ./quaestor.yaml, if there is one");
    app.add_option("--data-dir", line.source.data_dir, "Folder for Quaestor's own files");
    app.add_flag("--json", line.json, "Print one JSON document; everything else goes to standard error");
    app.add_flag("--quiet", line.quiet, "Print only the result");
    add_asking_commands(app, line);
    add_serve_commands(app, line);
    add_graph_commands(app, line);
    add_runs_commands(app, line);
    add_sql_commands(app, line);
    add_catalog_commands(app, line);
    add_parse_command(app, line);
    add_import_commands(app, line);
    add_document_commands(app, line);
    add_eval_commands(app, line);
    add_language_commands(app, line);
    add_demo_commands(app, line);
    add_other_commands(app, line);
    app.footer(kFooter);  // last, for the commands took over the footer that was there
}

CommandResult run(const CommandLine& line) {
    auto loaded = load_settings(line.source);
    if (!loaded) return fail(loaded.error());
    if (auto configured = configure_log(loaded->settings.log); !configured) return fail(configured.error());
    Interrupts interrupts;
    Invocation invocation{.loaded = std::move(*loaded),
                          .source = line.source,
                          .graphs = {},
                          .cancel = interrupts.token(),
                          .interrupts = &interrupts,
                          .json = line.json,
                          .quiet = line.quiet};
    invocation.graphs.add(
        std::make_shared<graph::CompiledGraph<workflows::demo::State>>(workflows::demo::make_graph()));
    for (auto& graph : agent_graphs()) invocation.graphs.add(std::move(graph));
    return line.action(invocation);
}

int main(int count, char** arguments) {
    CommandLine line;
    CLI::App app("Quaestor answers questions over databases, APIs and documents, and shows how it got there.");
    build(app, line);
    try {
        app.parse(count, arguments);
    } catch (const CLI::Success& help_or_version) {
        return app.exit(help_or_version);
    } catch (const CLI::ParseError& error) {
        print_error(usage_error(app, error));
        return static_cast<int>(ExitCode::wrong_usage);
    }
    auto result = run(line);
    if (result && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
        result = fail(Code::unavailable, fmt::format("could not write the output: {}", std::strerror(errno)),
                      "make room where it goes, or send it elsewhere");
    }
    if (!result) print_error(result.error());
    return static_cast<int>(result ? *result : exit_code_for(result.error()));
}

}  // namespace

}  // namespace quaestor::cli

int main(int count, char** arguments) {
    try {
        return quaestor::cli::main(count, arguments);
    } catch (const std::exception& exception) {
        quaestor::cli::print_error({quaestor::Code::internal,
                                    std::string("something went wrong inside: ") + exception.what(),
                                    "this is a mistake of ours; please report it with the command you gave"});
        return static_cast<int>(quaestor::cli::ExitCode::dependency_failed);
    }
}
