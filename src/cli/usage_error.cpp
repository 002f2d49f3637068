#include "cli/usage_error.hpp"

#include "base/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::cli {

namespace {

/// The command that was reached before the parser gave up.
const CLI::App& command_reached(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : command_reached(*chosen.front());
}

/// "quaestor graph show"
std::string full_name(const CLI::App& command) {
    const auto* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<std::string> command_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* sub : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

/// Those of the command and of the ones above it.
std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* level = &command; level != nullptr; level = level->get_parent()) {
        for (const auto* option : level->get_options()) {
            for (const auto& name : option->get_lnames()) names.push_back("--" + name);
        }
    }
    return names;
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = command_reached(app);
    const auto unexpected = app.remaining(/*recurse=*/true);
    const auto option = std::ranges::find_if(unexpected, [](const auto& word) { return word.starts_with('-'); });
    const auto commands = command_names(command);
    std::string message = error.what();
    std::optional<std::string> meant;
    if (!commands.empty() && !unexpected.empty() && option != unexpected.begin()) {
        message = fmt::format("there is no command \"{}\"", unexpected.front());
        meant = text::nearest(unexpected.front(), commands);
    } else if (option != unexpected.end()) {
        message = fmt::format("there is no option \"{}\"", *option);
        meant = text::nearest(*option, option_names(command));
    } else if (!unexpected.empty()) {
        message = fmt::format("\"{}\" was not expected", unexpected.front());
    } else if (!commands.empty() && error.get_name() == "RequiredError") {
        message = fmt::format("a command is missing; there are: {}", fmt::join(commands, ", "));
    }
    return {
        Code::invalid_argument, std::move(message),
        fmt::format("{}see {} --help", meant ? fmt::format("did you mean \"{}\"? ", *meant) : "", full_name(command))};
}

}  // namespace quaestor::cli
