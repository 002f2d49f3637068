#include "cli/command_line.hpp"
#include "retrieval/search.hpp"

#include <CLI/CLI.hpp>

namespace quaestor::cli {

namespace {

void add_ingest_command(CLI::App& app, CommandLine& line) {
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
}

void add_search_command(CLI::App& app, CommandLine& line) {
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

}  // namespace

void add_document_commands(CLI::App& app, CommandLine& line) {
    add_ingest_command(app, line);
    add_search_command(app, line);
    add_eval_commands(app, line);
}

}  // namespace quaestor::cli
