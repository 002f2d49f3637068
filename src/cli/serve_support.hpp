// The parts of `quaestor serve`: settings for HTTP and service, who may reach it, whose runs are dead, the web client.
// Private to cli/.
// Threads: pure functions, but for what each says.
#pragma once

#include "cli/commands.hpp"
#include "server/api/service.hpp"
#include "server/http_server.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::cli {

[[nodiscard]] server::HttpServerSettings http_settings(const ServerConfig& config);
[[nodiscard]] server::ServiceSettings service_settings(const Invocation& invocation, const ServerConfig& config);

/// Where API keys are kept.
[[nodiscard]] std::filesystem::path keys_file(const Settings& settings);

/// Code::permission_denied when others could reach the server and need no key, or when no key exists.
[[nodiscard]] Result<> check_safe_to_serve(const Settings& settings, const ServerConfig& config);

/// Held while a server uses an SQLite store, so that there is one at a time; nothing to hold for other stores.
struct FileLock {
    explicit FileLock(int descriptor) : file(descriptor) {}
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    const int file;
};
[[nodiscard]] Result<std::unique_ptr<FileLock>> lock_store(const Settings& settings);

/// Whether the server that `runner` names is gone. Who holds an SQLite store is alone with it; of a PostgreSQL store
/// only processes of this machine can be judged.
[[nodiscard]] bool is_dead(std::string_view runner, store::Backend backend);

[[nodiscard]] std::vector<server::Gauge> connection_gauges(const server::HttpCounts& counts);

/// The web client's files; none where they are not built.
[[nodiscard]] server::Endpoint web_files();

/// Without a browser nothing happens.
void open_in_browser(const std::string& url);

}  // namespace quaestor::cli
