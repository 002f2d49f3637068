#include "cli/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace quaestor::cli {

namespace {

const json::value& at_path(const json::value& settings, std::string_view name) {
    const auto dot = name.find('.');
    const auto& part = settings.as_object().at(name.substr(0, dot));
    return dot == std::string_view::npos ? part : at_path(part, name.substr(dot + 1));
}

/// Prints the heads of the sections that a setting stands in, where they change.
class Sections {
public:
    /// The indentation of the setting itself.
    std::string enter(std::string_view name) {
        const auto path = name.substr(0, std::min(name.rfind('.'), name.size()));
        const bool is_nested = path.size() < name.size();
        std::string indent;
        for (std::size_t begin = 0; is_nested && begin <= path.size();) {
            const auto end = std::min(path.find('.', begin), path.size());
            const auto section = path.substr(0, end);
            const bool is_open = open_ == section || open_.starts_with(std::string(section) + ".");
            if (!is_open) fmt::print("{}{}{}:\n", begin == 0 ? "\n" : "", indent, path.substr(begin, end - begin));
            if (!is_open) open_ = section;
            indent += "  ";
            begin = end + 1;
        }
        return indent;
    }

private:
    std::string open_;
};

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
    Sections sections;
    for (const auto& doc : setting_docs()) {
        const std::string indent = sections.enter(doc.name);
        fmt::print("{}{}\n", styled(indent + "# ", Style::dim), styled(doc.sentence, Style::dim));
        fmt::print("{}{}: {}\n", indent, doc.name.substr(doc.name.rfind('.') + 1),
                   to_text(at_path(settings, doc.name)));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
