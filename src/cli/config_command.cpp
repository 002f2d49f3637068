#include "cli/commands.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

const json::value& at_path(const json::value& settings, std::string_view name) {
    const auto dot = name.find('.');
    const auto& part = settings.as_object().at(name.substr(0, dot));
    return dot == std::string_view::npos ? part : at_path(part, name.substr(dot + 1));
}

}  // namespace

/// The settings in force as a YAML file that would give them, each with its sentence.
CommandResult config_show(const Invocation& invocation) {
    const auto settings = encode(invocation.settings());
    if (invocation.json) {
        print_json(settings);
        return ExitCode::done;
    }
    fmt::print("# {}\n", invocation.loaded.file.empty() ? "No configuration file; these are the defaults."
                                                        : "From " + invocation.loaded.file + " and the defaults.");
    std::string_view section;
    for (const auto& doc : setting_docs()) {
        const auto dot = doc.name.find('.');
        const bool is_nested = dot != std::string_view::npos;
        if (is_nested && doc.name.substr(0, dot) != section) {
            section = doc.name.substr(0, dot);
            fmt::print("\n{}:\n", section);
        }
        const auto indent = is_nested ? "  " : "";
        fmt::print("{}{}\n", styled(fmt::format("{}# ", indent), Style::dim), styled(doc.sentence, Style::dim));
        fmt::print("{}{}: {}\n", indent, is_nested ? doc.name.substr(dot + 1) : doc.name,
                   to_text(at_path(settings, doc.name)));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
