#include "cli/command_line.hpp"

#include "cli/version.hpp"

#include <CLI/CLI.hpp>

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

}  // namespace

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
    add_data_commands(app, line);
    add_document_commands(app, line);
    add_language_commands(app, line);
    add_demo_commands(app, line);
    add_other_commands(app, line);
    app.footer(kFooter);  // last, for the commands took over the footer that was there
}

}  // namespace quaestor::cli
