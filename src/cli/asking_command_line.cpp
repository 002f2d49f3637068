#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace quaestor::cli {

namespace {

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

}  // namespace

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

}  // namespace quaestor::cli
