// Sources, corpora and agents as a person configures them: what there is to ask, and who answers questions about it.
// Private to cli/. Plain values.
// Threads: immutable after loading.
#pragma once

#include "base/error.hpp"
#include "base/log.hpp"
#include "workflows/cited/thresholds.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::cli {

enum class SourceType { duckdb, sqlite, postgres, files };
BOOST_DESCRIBE_ENUM(SourceType, duckdb, sqlite, postgres, files)

struct SourceConfig {
    std::optional<SourceType> type;  ///< without it, what is found there
    std::string path;                ///< of a DuckDB or SQLite file, or a folder of CSV, Parquet or JSON files
    Secret url;                      ///< of a PostgreSQL database
    std::string annotations;         ///< YAML file with descriptions and a glossary
};
BOOST_DESCRIBE_STRUCT(SourceConfig, (), (type, path, url, annotations))

/// Documents to ask.
struct CorpusConfig {
    std::string path;  ///< a folder, kept up to date; empty: what was ingested under this name
};
BOOST_DESCRIBE_STRUCT(CorpusConfig, (), (path))

enum class Workflow { reflective, cited };
BOOST_DESCRIBE_ENUM(Workflow, reflective, cited)

struct AgentConfig {
    Workflow workflow = Workflow::reflective;
    std::string source;  ///< of reflective: a name in `sources`, or kDemoSource
    std::string corpus;  ///< of cited: a name in `corpora`, of an ingested corpus, or kDemoCorpus
    std::string about;   ///< one sentence: what it can be asked
    std::vector<std::string> examples;
    workflows::cited::Thresholds confidence;  ///< of cited: from which score an answer is given, and how sure it is
};
BOOST_DESCRIBE_STRUCT(AgentConfig, (), (workflow, source, corpus, about, examples, confidence))

using SourceConfigs = std::map<std::string, SourceConfig>;
using CorpusConfigs = std::map<std::string, CorpusConfig>;
using AgentConfigs = std::map<std::string, AgentConfig>;

/// The source that is always there: the demo league. One that is configured by this name takes its place.
inline constexpr std::string_view kDemoSource = "nba";
/// The corpus that is always there: summaries of meetings. One of this name takes its place.
inline constexpr std::string_view kDemoCorpus = "fomc";

/// What is wrong, with its place: "agents.shop.source: there is no source …".
[[nodiscard]] Result<> check(const SourceConfigs& sources, const AgentConfigs& agents,
                             const CorpusConfigs& corpora = {});

/// An agent with where its data is.
struct AgentSpec {
    std::string name;
    AgentConfig config;
    std::optional<SourceConfig> source;  ///< of reflective; none: the demo league
    std::optional<CorpusConfig> corpus;  ///< of cited; none: what was ingested under that name, or the demo documents
    bool is_for_this_call = false;       ///< named on the command line, not in the configuration
};

/// Those that are configured; without any, one for each source and corpus; without those, the demo agents.
[[nodiscard]] std::vector<AgentSpec> agent_specs(const SourceConfigs& sources, const AgentConfigs& agents,
                                                 const CorpusConfigs& corpora = {});

/// The agent for a source that was named on the command line: a path or a postgres:// URL.
[[nodiscard]] AgentSpec spec_for_source(const std::string& uri);

/// The agent for documents that were named on the command line: a corpus, or a folder.
[[nodiscard]] AgentSpec spec_for_corpus(const std::string& name_or_folder);

/// Where a source is, with the password that it may need.
[[nodiscard]] const std::string& uri_of(const SourceConfig& source);

}  // namespace quaestor::cli
