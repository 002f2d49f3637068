#include "cli/serve_support.hpp"

#include "base/ids.hpp"
#include "cli/run_support.hpp"
#include "server/static_files.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX has no header for it

namespace quaestor::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHostNameMax = 256;

std::string host_name() {
    std::array<char, kHostNameMax> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return name.data();
}

/// "server HOST PID START", the same for the whole life of the process.
const std::string& runner_name() {
    static const std::string name = fmt::format("server {} {} {}", host_name(), getpid(), make_id());
    return name;
}

bool is_alive(pid_t process) {
    return kill(process, 0) == 0 || errno == EPERM;
}

fs::path web_folder() {
    std::vector<fs::path> folders;
    if (const char* chosen = std::getenv("QUAESTOR_WEB"); chosen != nullptr && *chosen != '\0') {
        folders.emplace_back(chosen);
    }
    std::error_code unknown;
    const auto program = fs::read_symlink("/proc/self/exe", unknown);
    folders.push_back(program.parent_path().parent_path() / "share" / "quaestor" / "web");
    folders.emplace_back(QUAESTOR_BUILT_WEB);
    for (const auto& folder : folders) {
        if (fs::is_regular_file(folder / "index.html", unknown)) return folder;
    }
    return {};
}

}  // namespace

server::HttpServerSettings http_settings(const ServerConfig& config) {
    server::HttpServerSettings settings;
    settings.host = config.host;
    settings.port = static_cast<std::uint16_t>(config.port);
    settings.threads = config.threads;
    settings.certificate = config.certificate;
    settings.private_key = config.private_key;
    settings.body_bytes = config.body_bytes;
    settings.header_timeout = config.header_timeout_ms;
    settings.body_timeout = config.body_timeout_ms;
    settings.idle_timeout = config.idle_timeout_ms;
    settings.connections = config.connections;
    settings.connections_per_address = config.connections_per_address;
    return settings;
}

server::ServiceSettings service_settings(const Invocation& invocation, const ServerConfig& config) {
    server::ServiceSettings settings;
    settings.needs_key = config.auth;
    settings.cors_origins = server::development_origins();
    settings.cors_origins.insert(settings.cors_origins.end(), config.cors_origins.begin(), config.cors_origins.end());
    settings.hosts = config.hosts;
    settings.session_rate.requests = config.requests_per_session;
    settings.key_rate.requests = config.requests_per_key;
    settings.question_bytes = config.question_bytes;
    settings.run_time = config.run_time_ms;
    settings.keep_alive = config.keep_alive_ms;
    settings.hub.runs = config.concurrent_runs;
    settings.hub.abandoned_time = config.abandoned_ms;
    settings.run = run_options(invocation);
    settings.run.cancel = {};
    settings.run.deadline = {};
    settings.runner = runner_name();
    return settings;
}

fs::path keys_file(const Settings& settings) {
    return fs::path(settings.data_dir) / "keys.json";
}

Result<> check_safe_to_serve(const Settings& settings, const ServerConfig& config) {
    if (!config.auth) {
        if (is_loopback(config.host)) return {};
        return fail(Code::permission_denied,
                    fmt::format("{} can be reached by others, and nobody would need a key", config.host),
                    "set server.auth to true and make a key with quaestor keys create, or serve on 127.0.0.1");
    }
    server::KeyRing ring(keys_file(settings));
    const auto keys = ring.list();
    if (!keys) return fail(keys.error());
    if (!keys->empty()) return {};
    return fail(Code::permission_denied, "a key is needed to ask, and there is none",
                "make one with quaestor keys create NAME");
}

FileLock::~FileLock() {
    if (file >= 0) ::close(file);
}

Result<std::unique_ptr<FileLock>> lock_store(const Settings& settings) {
    if (settings.store.backend != store::Backend::sqlite) return std::make_unique<FileLock>(-1);
    constexpr int kOwnerOnly = 0600;
    const std::string path = settings.store.path + ".serving";
    auto lock = std::make_unique<FileLock>(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
    if (lock->file >= 0 && ::flock(lock->file, LOCK_EX | LOCK_NB) == 0) return lock;
    return fail(Code::unavailable, fmt::format("another server uses the store {}", settings.store.path),
                "stop it, or give this one another --data-dir");
}

bool is_dead(std::string_view runner, store::Backend backend) {
    if (!runner.starts_with("server ")) return false;
    if (backend != store::Backend::postgres) return true;
    runner.remove_prefix(std::string_view("server ").size());
    const std::string_view host = runner.substr(0, runner.find(' '));
    runner.remove_prefix(std::min(runner.size(), host.size() + 1));
    pid_t process = 0;
    const auto [end, problem] = std::from_chars(runner.data(), runner.data() + runner.size(), process);
    if (host != host_name() || problem != std::errc() || process <= 0) return false;
    return process == getpid() || !is_alive(process);
}

std::vector<server::Gauge> connection_gauges(const server::HttpCounts& counts) {
    const auto gauge = [](std::string name, std::string help, std::uint64_t value, bool is_counter) {
        return server::Gauge{std::move(name), std::move(help), "", static_cast<double>(value), is_counter};
    };
    return {
        gauge("quaestor_connections_open", "Connections that are open.", counts.open, false),
        gauge("quaestor_connections_total", "Connections that were accepted.", counts.accepted, true),
        gauge("quaestor_connections_refused_total", "Connections beyond a limit.", counts.refused, true),
        gauge("quaestor_malformed_total", "Requests that were no HTTP, too large or too slow.", counts.malformed, true),
        gauge("quaestor_sent_bytes_total", "Bytes that were sent.", counts.bytes_sent, true)};
}

server::Endpoint web_files() {
    const fs::path folder = web_folder();
    if (folder.empty()) return {};
    return server::serve_static(folder);
}

void open_in_browser(const std::string& url) {
    std::string program = "xdg-open";
    std::string address = url;
    std::array<char*, 3> arguments{program.data(), address.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) {
        say("No browser could be opened; open the address yourself.");
    }
}

}  // namespace quaestor::cli
