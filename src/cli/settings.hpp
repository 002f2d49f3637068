// Configuration: what a person may set, in quaestor.yaml or by option, with a default and a sentence for each.
// Loaded once by main(); plain values afterwards.
// Threads: immutable after loading.
#pragma once

#include "base/error.hpp"
#include "base/log.hpp"
#include "cli/agent_config.hpp"
#include "cli/server_config.hpp"
#include "data/engine.hpp"
#include "data/guard.hpp"
#include "graph/run.hpp"
#include "llm/models.hpp"
#include "store/store.hpp"

#include <boost/describe/class.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::cli {

struct StoreConfig {
    store::Backend backend = store::Backend::sqlite;
    std::string path;
    Secret url;
    bool fsync = true;
};
BOOST_DESCRIBE_STRUCT(StoreConfig, (), (backend, path, url, fsync))

struct RunConfig {
    graph::Durability durability = graph::Durability::sync;
    int step_limit = graph::kStepLimitDefault;
    int parallel_limit = 64;
    std::chrono::milliseconds deadline_ms{0};
};
BOOST_DESCRIBE_STRUCT(RunConfig, (), (durability, step_limit, parallel_limit, deadline_ms))

struct DataConfig {
    std::size_t row_limit = data::kRowLimitDefault;
    std::chrono::milliseconds timeout_ms = data::QueryLimits{}.timeout;
    std::size_t memory_limit_mb = data::kMemoryLimitDefault >> 20;
};
BOOST_DESCRIBE_STRUCT(DataConfig, (), (row_limit, timeout_ms, memory_limit_mb))

/// Rows that a result may be allowed to have.
inline constexpr std::size_t kRowLimitMax = 1'000'000;

struct Settings {
    std::string data_dir;
    SourceConfigs sources;
    CorpusConfigs corpora;
    AgentConfigs agents;
    StoreConfig store;
    DataConfig data;
    llm::LlmConfig llm;
    RunConfig run;
    ServerConfig server;
    LogSettings log;
};
BOOST_DESCRIBE_STRUCT(Settings, (), (data_dir, sources, corpora, agents, store, data, llm, run, server, log))

/// One sentence per setting, by dotted name; a test holds this list against Settings and docs/configuration.md.
struct SettingDoc {
    std::string_view name;
    std::string_view sentence;
};
[[nodiscard]] std::span<const SettingDoc> setting_docs();

/// Where settings come from besides the defaults.
struct SettingsSource {
    std::optional<std::string> config_file;  ///< --config; without it ./quaestor.yaml, if there is one
    std::optional<std::string> data_dir;     ///< --data-dir
};

struct LoadedSettings {
    Settings settings;
    std::string file;  ///< the file that was read; empty when there was none
};

/// Reads the file, replaces ${NAME} by environment variables, fills in paths, and checks every value.
[[nodiscard]] Result<LoadedSettings> load_settings(const SettingsSource& source);

/// `text` with each ${NAME} replaced; Code::invalid_argument when a variable is not set.
[[nodiscard]] Result<std::string> expand_variables(std::string_view text);

/// What open_store() needs.
[[nodiscard]] store::StoreSettings store_settings(const Settings& settings);

[[nodiscard]] std::size_t memory_limit_bytes(const DataConfig& data);

}  // namespace quaestor::cli
