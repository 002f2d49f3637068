#include "cli/settings.hpp"

#include "base/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace quaestor::cli {

namespace {

constexpr std::array kDocs{
    SettingDoc{"data_dir", "Folder for everything Quaestor keeps itself; made when it is not there."},
    SettingDoc{"sources", "Databases by a name of your own, each with a path or a url."},
    SettingDoc{"corpora", "Folders of documents by a name of your own, each with a path; kept up to date."},
    SettingDoc{
        "agents",
        "Who answers questions: agents by name, each with a source or a corpus; empty: one for each, or the demo's."},
    SettingDoc{"store.backend", "Where runs, conversations and traces live: memory, sqlite or postgres."},
    SettingDoc{"store.path", "SQLite: the file; without it store.sqlite in the data folder."},
    SettingDoc{"store.url", "PostgreSQL: postgres://user:password@host:port/database."},
    SettingDoc{"store.fsync",
               "SQLite: wait until a commit has reached the disk; false is faster and may lose the last "
               "commits when the power fails."},
    SettingDoc{"data.row_limit", "Rows of a result unless a command asks for more or fewer."},
    SettingDoc{"data.timeout_ms", "Time a query may take unless a command says otherwise, in milliseconds."},
    SettingDoc{"data.memory_limit_mb",
               "Memory a database may use for its queries, and a result may take, in megabytes."},
    SettingDoc{"llm.models", "Language models by a name of your own; docs/models.md says what each may have."},
    SettingDoc{"llm.frontier", "Models for the hard questions: the first is asked, the others stand in for it."},
    SettingDoc{"llm.lightweight", "Models for the small questions; empty: those of llm.frontier."},
    SettingDoc{"llm.prompts", "Prompts that go to another tier than their own: KEY: frontier or lightweight."},
    SettingDoc{"llm.rate.per_minute", "Calls a minute, all providers together."},
    SettingDoc{"llm.rate.burst", "Calls that may go at once after a quiet time."},
    SettingDoc{"llm.rate.backoff_initial",
               "Pause after the first \"too many requests\", in milliseconds; then doubled."},
    SettingDoc{"llm.rate.backoff_cap", "Longest such pause, in milliseconds."},
    SettingDoc{"llm.budget.calls", "Calls of models that one question may take; 0 for no limit."},
    SettingDoc{"llm.budget.tokens", "Tokens that one question may take, in and out together; 0 for no limit."},
    SettingDoc{"llm.budget.cost_usd", "US dollars that one question may cost; 0 for no limit."},
    SettingDoc{"llm.cache.on", "Give the kept answer when nearly the same is asked again."},
    SettingDoc{"llm.cache.similarity", "Least likeness (cosine) of two questions that count as the same."},
    SettingDoc{"llm.cache.lifetime", "How long an answer is kept, in milliseconds."},
    SettingDoc{"llm.cache.capacity", "Answers that are kept at most."},
    SettingDoc{"llm.debug", "Keep prompts and replies in the trace of a run, for finding mistakes."},
    SettingDoc{"llm.embeddings.model", "bundled, the path of a GGUF file, or an endpoint's name for its model."},
    SettingDoc{"llm.embeddings.base_url",
               "Endpoint that embeds, such as http://127.0.0.1:11434/v1; empty: in process."},
    SettingDoc{"llm.embeddings.key", "Key for that endpoint; better as ${NAME}, from the environment."},
    SettingDoc{"llm.embeddings.threads", "Threads that embed, in process."},
    SettingDoc{"run.durability", "When a step is saved: sync before the next step, async beside it, exit at the end."},
    SettingDoc{"run.step_limit", "Steps after which a run is stopped as going round in circles."},
    SettingDoc{"run.parallel_limit", "Tasks of one fan-out that run at the same time."},
    SettingDoc{"run.deadline_ms", "Time a run may take, in milliseconds; 0 for no limit."},
    SettingDoc{"server.host", "Address to listen on; one that others reach needs server.auth."},
    SettingDoc{"server.port", "Port to listen on; 0 for any free one."},
    SettingDoc{"server.auth", "Ask for an API key with every request; keys are made with quaestor keys create."},
    SettingDoc{"server.cors_origins", "Origins of other web pages that may ask, besides those of development servers."},
    SettingDoc{"server.hosts", "Names that the server is reached by besides localhost; only where no key is needed."},
    SettingDoc{"server.certificate", "File with the TLS certificate chain, PEM; empty: no TLS."},
    SettingDoc{"server.private_key", "File with its private key, PEM."},
    SettingDoc{"server.threads", "Threads that serve; 0 for one on each core."},
    SettingDoc{"server.body_bytes", "Bytes that the body of a request may have."},
    SettingDoc{"server.question_bytes", "Bytes that a question may have."},
    SettingDoc{"server.connections", "Connections that may be open."},
    SettingDoc{"server.connections_per_address", "Connections that one address may have open."},
    SettingDoc{"server.requests_per_session", "Requests a minute of one session; 0 for no limit."},
    SettingDoc{"server.requests_per_key", "Requests a minute with one API key; 0 for no limit."},
    SettingDoc{"server.concurrent_runs", "Questions that may be answered at the same time."},
    SettingDoc{"server.header_timeout_ms", "Time in which the head of a request has to arrive, in milliseconds."},
    SettingDoc{"server.body_timeout_ms", "Time in which its body has to arrive, in milliseconds."},
    SettingDoc{"server.idle_timeout_ms", "Time a connection is kept between two requests, in milliseconds."},
    SettingDoc{"server.run_time_ms", "Time an answer may take, in milliseconds."},
    SettingDoc{"server.keep_alive_ms", "Silence after which a stream is kept alive by a comment, in milliseconds."},
    SettingDoc{"server.abandoned_ms",
               "Time after which an answer that nobody follows any more is stopped, in milliseconds."},
    SettingDoc{"server.drain_ms", "Time that answers get to finish when the server is told to stop, in milliseconds."},
    SettingDoc{"log.level", "Least severe lines that are written: debug, info, warning, error or off."},
    SettingDoc{"log.file", "File that log lines are appended to; without it they go to standard error."},
};

constexpr std::string_view kDefaultFile = "quaestor.yaml";
constexpr std::size_t kMemoryLimitMinMb = 64;
constexpr std::size_t kMemoryLimitMaxMb = 1024 * 1024;

std::optional<std::string> variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<std::string> read_file(const std::string& path) {
    std::ifstream file(path);
    std::string text(kYamlBytesMax + 1, '\0');  // one more than parse_yaml() takes, so that it refuses what is cut off
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
        return fail(Code::invalid_argument, fmt::format("cannot read the configuration {}", path),
                    "check the path given with --config");
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

Result<> expand_all(json::value& value) {
    if (auto* text = value.if_string()) {
        auto expanded = expand_variables(*text);
        if (!expanded) return fail(expanded.error());
        value = *expanded;
    } else if (auto* object = value.if_object()) {
        for (auto& field : *object) {
            if (auto done = expand_all(field.value()); !done) return done;
        }
    } else if (auto* array = value.if_array()) {
        for (auto& item : *array) {
            if (auto done = expand_all(item); !done) return done;
        }
    }
    return {};
}

/// $XDG_DATA_HOME/quaestor, as other programs do it.
std::string default_data_dir() {
    if (auto data_home = variable("XDG_DATA_HOME"); data_home && !data_home->empty()) return *data_home + "/quaestor";
    return variable("HOME").value_or("/tmp") + "/.local/share/quaestor";
}

Result<> check_values(const Settings& settings) {
    const auto refuse = [](std::string_view name, std::string_view problem) {
        const auto* doc = std::ranges::find(kDocs, name, &SettingDoc::name);
        return fail(Code::invalid_argument, fmt::format("{} {}", name, problem), std::string(doc->sentence));
    };
    const DataConfig& data = settings.data;
    if (data.row_limit < 1 || data.row_limit > kRowLimitMax) {
        return refuse("data.row_limit", fmt::format("must be from 1 to {}", kRowLimitMax));
    }
    if (data.timeout_ms.count() < 1) return refuse("data.timeout_ms", "must be at least 1");
    if (data.memory_limit_mb < kMemoryLimitMinMb || data.memory_limit_mb > kMemoryLimitMaxMb) {
        return refuse("data.memory_limit_mb",
                      fmt::format("must be from {} to {}", kMemoryLimitMinMb, kMemoryLimitMaxMb));
    }
    if (auto checked = check(settings.sources, settings.agents, settings.corpora); !checked) return checked;
    if (const auto problems = llm::problems_of(settings.llm); !problems.empty()) return fail(problems.front());
    if (settings.run.step_limit < 1) return refuse("run.step_limit", "must be at least 1");
    if (settings.run.parallel_limit < 1) return refuse("run.parallel_limit", "must be at least 1");
    if (settings.run.deadline_ms.count() < 0) return refuse("run.deadline_ms", "must not be negative");
    if (auto checked = check(settings.server); !checked) return checked;
    if (settings.store.backend == store::Backend::postgres && settings.store.url.empty()) {
        return refuse("store.url", "is needed when store.backend is postgres");
    }
    return {};
}

Result<Settings> decode_settings(std::string_view text) {
    auto document = parse_yaml(text);
    if (!document) return fail(document.error());
    if (document->is_null()) return Settings{};
    if (auto expanded = expand_all(*document); !expanded) return fail(expanded.error());
    auto settings = decode<Settings>(*document, UnknownFields::refuse);
    if (!settings) return settings;
    if (auto checked = check_values(*settings); !checked) return fail(checked.error());
    return settings;
}

}  // namespace

std::span<const SettingDoc> setting_docs() {
    return kDocs;
}

Result<std::string> expand_variables(std::string_view text) {
    std::string expanded;
    while (!text.empty()) {
        const auto begin = text.find("${");
        const auto end = begin == std::string_view::npos ? begin : text.find('}', begin);
        if (end == std::string_view::npos) return expanded.append(text);
        const std::string name(text.substr(begin + 2, end - begin - 2));
        const auto value = variable(name);
        if (!value) {
            return fail(Code::invalid_argument, fmt::format("the environment variable {} is not set", name),
                        fmt::format("set it, or write the value in place of ${{{}}}", name));
        }
        expanded.append(text.substr(0, begin)).append(*value);
        text.remove_prefix(end + 1);
    }
    return expanded;
}

Result<LoadedSettings> load_settings(const SettingsSource& source) {
    LoadedSettings loaded;
    std::error_code ignored;
    if (source.config_file) {
        loaded.file = *source.config_file;
    } else if (std::filesystem::exists(kDefaultFile, ignored)) {
        loaded.file = kDefaultFile;
    }
    if (!loaded.file.empty()) {
        auto text = read_file(loaded.file);
        if (!text) return fail(text.error());
        auto settings = decode_settings(*text);
        if (!settings) {
            return fail(Error{Code::invalid_argument, fmt::format("{} is not right", loaded.file),
                              std::string(settings.error().advice())}
                            .because(settings.error()));
        }
        loaded.settings = std::move(*settings);
    }
    Settings& settings = loaded.settings;
    if (source.data_dir) settings.data_dir = *source.data_dir;
    if (settings.data_dir.empty()) settings.data_dir = default_data_dir();
    if (settings.store.path.empty()) settings.store.path = settings.data_dir + "/store.sqlite";
    return loaded;
}

store::StoreSettings store_settings(const Settings& settings) {
    store::StoreSettings store;
    store.backend = settings.store.backend;
    store.path = settings.store.path;
    store.url = settings.store.url;
    store.fsync = settings.store.fsync;
    return store;
}

std::size_t memory_limit_bytes(const DataConfig& data) {
    return data.memory_limit_mb << 20;
}

}  // namespace quaestor::cli
