#include "cli/agents.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupts.hpp"
#include "cli/usage_error.hpp"
#include "workflows/demo/demo.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace quaestor::cli {

namespace {

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
