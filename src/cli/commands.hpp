// The commands, each a function from its options to an exit code. main() parses, these do.
// A command opens what it needs and closes it before it returns.
// Threads: called once, from main()'s thread; Ctrl-C arrives through the token.
#pragma once

#include "cli/settings.hpp"
#include "cli/terminal.hpp"
#include "demo/league.hpp"
#include "graph/any_graph.hpp"
#include "resilience/cancellation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::cli {

class Interrupts;

/// What every command gets.
struct Invocation {
    LoadedSettings loaded;
    SettingsSource source;  ///< where they came from, to read them again
    graph::GraphRegistry graphs;
    CancelToken cancel;
    Interrupts* interrupts = nullptr;  ///< for who goes on after a Ctrl-C
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

struct DemoDataOptions {
    std::uint64_t seed = demo::kLeagueSeed;
    bool is_small = false;
};
struct DemoGraphOptions {
    double tolerance = 0.005;
    int workers = 4;
    bool review = false;
};
[[nodiscard]] CommandResult demo_data(const Invocation& invocation, const DemoDataOptions& options);
[[nodiscard]] CommandResult demo_graph(const Invocation& invocation, const DemoGraphOptions& options);

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

struct ParseOptions {
    std::optional<std::string> question;
    std::string source;
    std::optional<std::string> annotations;
    bool explain = false;  ///< also what the words were linked to, and what each reading was judged by
    bool batch = false;    ///< questions come on standard input, one a line
};
[[nodiscard]] CommandResult parse(const Invocation& invocation, const ParseOptions& options);

struct ImportDataOptions {
    std::string kind;  ///< csv, parquet, json or sqlite
    std::vector<std::string> files;
    std::string into;
    bool replace = false;
};
[[nodiscard]] CommandResult import_data(const Invocation& invocation, const ImportDataOptions& options);

struct IngestCommandOptions {
    std::vector<std::string> paths;  ///< empty: those of last time
    std::string corpus;
    bool rebuild = false;
    bool watch = false;
};
[[nodiscard]] CommandResult ingest(const Invocation& invocation, const IngestCommandOptions& options);

struct SearchCommandOptions {
    std::string query;
    std::string corpus;  ///< its name, or a folder of documents
    std::string from;
    std::string to;
    std::string type;
    std::size_t top = 10;
    std::size_t neighbours = 0;
    bool explain = false;
};
[[nodiscard]] CommandResult search(const Invocation& invocation, const SearchCommandOptions& options);

/// Calls to models and embedders are kept in a file, or come from one.
struct TapeOptions {
    std::optional<std::string> record;
    std::optional<std::string> replay;
};

/// Without an agent and a source, whichever agent fits answers. `question` may be "-", for standard input.
struct AskCommandOptions {
    std::string question;
    std::optional<std::string> agent;
    std::optional<std::string> source;
    std::optional<std::string> corpus;
    std::optional<std::string> thread;  ///< to go on with, or to begin under this id
    TapeOptions tape;
};
[[nodiscard]] CommandResult ask(const Invocation& invocation, const AskCommandOptions& options);

struct ChatOptions {
    std::optional<std::string> agent;
    std::optional<std::string> source;
    std::optional<std::string> corpus;
    std::optional<std::string> thread;
    TapeOptions tape;
};
[[nodiscard]] CommandResult chat(const Invocation& invocation, const ChatOptions& options);

/// What the command line says instead of the configuration.
struct ServeOptions {
    std::optional<std::string> host;
    std::optional<int> port;
    bool open = false;  ///< in a browser
};
[[nodiscard]] CommandResult serve(const Invocation& invocation, const ServeOptions& options);

struct KeysCreateOptions {
    std::string name;
    std::string role = "user";
};
[[nodiscard]] CommandResult keys_create(const Invocation& invocation, const KeysCreateOptions& options);
[[nodiscard]] CommandResult keys_list(const Invocation& invocation);
[[nodiscard]] CommandResult keys_revoke(const Invocation& invocation, const std::string& id);

/// Fits the relevance of a corpus to questions whose documents are known.
struct EvalCalibrateOptions {
    std::string corpus;
    std::string questions;  ///< YAML file
};
[[nodiscard]] CommandResult eval_calibrate(const Invocation& invocation, const EvalCalibrateOptions& options);

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
