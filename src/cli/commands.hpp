// The commands, each a function from its options to an exit code. main() parses, these do.
// A command opens what it needs and closes it before it returns.
// Threads: called once, from main()'s thread; Ctrl-C arrives through the token.
#pragma once

#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "graph/any_graph.hpp"
#include "resilience/cancellation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::cli {

/// What every command gets.
struct Invocation {
    LoadedSettings loaded;
    graph::GraphRegistry graphs;
    CancelToken cancel;
    bool json = false;
    bool quiet = false;

    [[nodiscard]] const Settings& settings() const { return loaded.settings; }
};

using CommandResult = Result<ExitCode>;

struct GraphShowOptions {
    std::string name;
    std::string format = "text";
};
[[nodiscard]] CommandResult graph_list(const Invocation& invocation);
[[nodiscard]] CommandResult graph_show(const Invocation& invocation, const GraphShowOptions& options);

struct RunsListOptions {
    std::optional<std::string> graph;
    std::optional<std::string> status;
    std::size_t limit = 20;
};
/// `answers` are "value" for the one open question, or "id=value".
struct RunsResumeOptions {
    std::string run;
    std::vector<std::string> answers;
};
struct RunsForkOptions {
    std::string run;
    std::string checkpoint;
    std::string change = "{}";
};
[[nodiscard]] CommandResult runs_list(const Invocation& invocation, const RunsListOptions& options);
[[nodiscard]] CommandResult runs_show(const Invocation& invocation, const std::string& run);
[[nodiscard]] CommandResult runs_resume(const Invocation& invocation, const RunsResumeOptions& options);
[[nodiscard]] CommandResult runs_fork(const Invocation& invocation, const RunsForkOptions& options);

struct DemoOptions {
    double tolerance = 0.005;
    int workers = 4;
    bool review = false;
};
[[nodiscard]] CommandResult demo(const Invocation& invocation, const DemoOptions& options);

/// `sql` is the statement, or "-" for the one on standard input.
struct SqlCheckOptions {
    std::string sql;
    std::optional<std::string> source;
    std::string dialect = "duckdb";
    std::optional<std::string> tables;  ///< "a.b,c"; without these and a source, every name is taken for a table
};
struct SqlRunOptions {
    std::string sql;
    std::string source;
    std::optional<std::size_t> limit;
    std::optional<double> timeout;  ///< in seconds
    std::string format = "table";
};
[[nodiscard]] CommandResult sql_check(const Invocation& invocation, const SqlCheckOptions& options);
[[nodiscard]] CommandResult sql_run(const Invocation& invocation, const SqlRunOptions& options);

struct CatalogShowOptions {
    std::string source;
    std::optional<std::string> table;
    std::optional<std::string> annotations;
    bool quick = false;
};
[[nodiscard]] CommandResult catalog_show(const Invocation& invocation, const CatalogShowOptions& options);

struct ImportDataOptions {
    std::string kind;  ///< csv, parquet, json or sqlite
    std::vector<std::string> files;
    std::string into;
    bool replace = false;
};
[[nodiscard]] CommandResult import_data(const Invocation& invocation, const ImportDataOptions& options);

/// Calls to models and embedders are kept in a file, or come from one.
struct TapeOptions {
    std::optional<std::string> record;
    std::optional<std::string> replay;
};

struct ModelsOptions {
    bool offline = false;  ///< do not ask whether they are there
};
[[nodiscard]] CommandResult models(const Invocation& invocation, const ModelsOptions& options);

struct EmbedOptions {
    std::vector<std::string> texts;
    TapeOptions tape;
};
[[nodiscard]] CommandResult embed(const Invocation& invocation, const EmbedOptions& options);

/// Without a key the prompts are listed.
struct PromptOptions {
    std::optional<std::string> key;
    std::string input = "{}";
    bool show_request = false;  ///< only show what would be sent
    TapeOptions tape;
};
[[nodiscard]] CommandResult prompt(const Invocation& invocation, const PromptOptions& options);

[[nodiscard]] CommandResult doctor(const Invocation& invocation);
[[nodiscard]] CommandResult config_show(const Invocation& invocation);

}  // namespace quaestor::cli
