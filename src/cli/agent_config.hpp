// Sources and agents as a person configures them: which databases there are, and who answers questions about them.
// Private to cli/. Plain values.
// Threads: immutable after loading.
#pragma once

#include "base/error.hpp"
#include "base/log.hpp"

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

enum class Workflow { reflective };
BOOST_DESCRIBE_ENUM(Workflow, reflective)

struct AgentConfig {
    Workflow workflow = Workflow::reflective;
    std::string source;  ///< a name in `sources`, or kDemoSource
    std::string about;   ///< one sentence: what it can be asked
    std::vector<std::string> examples;
};
BOOST_DESCRIBE_STRUCT(AgentConfig, (), (workflow, source, about, examples))

using SourceConfigs = std::map<std::string, SourceConfig>;
using AgentConfigs = std::map<std::string, AgentConfig>;

/// The source that is always there: the demo league. One that is configured by this name takes its place.
inline constexpr std::string_view kDemoSource = "nba";

/// What is wrong, with its place: "agents.shop.source: there is no source …".
[[nodiscard]] Result<> check(const SourceConfigs& sources, const AgentConfigs& agents);

/// An agent with where its data is.
struct AgentSpec {
    std::string name;
    AgentConfig config;
    std::optional<SourceConfig> source;  ///< none: the demo league
    bool is_for_this_call = false;       ///< named on the command line, not in the configuration
};

/// Those that are configured; without any, one for each source; without those, the demo agent.
[[nodiscard]] std::vector<AgentSpec> agent_specs(const SourceConfigs& sources, const AgentConfigs& agents);

/// The agent for a source that was named on the command line: a path or a postgres:// URL.
[[nodiscard]] AgentSpec spec_for_source(const std::string& uri);

/// Where a source is, with the password that it may need.
[[nodiscard]] const std::string& uri_of(const SourceConfig& source);

}  // namespace quaestor::cli
