#include "kit/postgres_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libpq-fe.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <optional>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace quaestor::test {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kCommandTimeout{60'000};
constexpr milliseconds kProbeInterval{10};
constexpr std::size_t kLogTail = 2'000;
constexpr int kExecFailed = 127;
constexpr const char* kOwner = "postgres";

constexpr const char* kEmptyDatabase = R"sql(
SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid();
DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
        EXECUTE format('DROP SCHEMA %I CASCADE', name);
    END LOOP;
END $$;
CREATE SCHEMA public;
)sql";

/// Whom PostgreSQL, which refuses to run as root, runs as.
struct User {
    uid_t uid = getuid();
    gid_t gid = getgid();
};

Result<User> server_user() {
    if (getuid() != 0) return User{};
    const passwd* entry = getpwnam(kOwner);
    if (entry == nullptr) {
        return fail(Code::not_found, "there is no system user postgres to run the test server as",
                    "install postgresql");
    }
    return User{.uid = entry->pw_uid, .gid = entry->pw_gid};
}

Result<fs::path> find_programs() {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("pg_config --bindir 2>/dev/null", "r"), pclose);
    std::array<char, 4096> line{};
    if (pipe && std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr) {
        const fs::path reported(std::string_view(line.data()).substr(0, std::strcspn(line.data(), "\n")));
        if (fs::exists(reported / "initdb")) return reported;
    }
    const fs::path debian("/usr/lib/postgresql/15/bin");
    if (fs::exists(debian / "initdb")) return debian;
    return fail(Code::not_found, "PostgreSQL's server programs are not installed", "install postgresql");
}

Result<int> free_port() {
    const int socket_fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    const bool bound = bind(socket_fd, generic, size) == 0 && getsockname(socket_fd, generic, &size) == 0;
    close(socket_fd);
    if (!bound) return fail(Code::unavailable, "no free port on 127.0.0.1");
    return ntohs(address.sin_port);
}

/// Runs in the child between fork and exec: only calls that are safe there.
[[noreturn]] void become(User user, pid_t parent, const char* folder, int log, char* const* arguments) {
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    const bool ready =
        (getuid() != 0 || (setgroups(0, nullptr) == 0 && setgid(user.gid) == 0 && setuid(user.uid) == 0)) &&
        chdir(folder) == 0 && prctl(PR_SET_PDEATHSIG, SIGQUIT) == 0;  // after setuid, which clears it
    if (ready && getppid() == parent) execv(arguments[0], arguments);
    _exit(kExecFailed);
}

}  // namespace

struct PostgresServer::Process {
    pid_t pid;
    int handle;  ///< becomes readable when the process ends

    Process(pid_t child, int child_handle) : pid(child), handle(child_handle) {}
    Process(Process&& other) noexcept : pid(std::exchange(other.pid, -1)), handle(std::exchange(other.handle, -1)) {}
    ~Process() {
        if (pid < 0) return;
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
        close(handle);
    }

    /// The exit status, or nothing when it still runs after `timeout`.
    std::optional<int> wait(milliseconds timeout) {
        pollfd ended{.fd = handle, .events = POLLIN, .revents = 0};
        if (poll(&ended, 1, static_cast<int>(timeout.count())) != 1) return std::nullopt;
        int status = 0;
        waitpid(pid, &status, 0);
        close(handle);
        pid = -1;
        return status;
    }
};

PostgresServer::PostgresServer(Options options) : options_(options) {}

PostgresServer::~PostgresServer() {
    if (!stop(Stop::immediate)) server_.reset();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<std::unique_ptr<PostgresServer>> PostgresServer::create(Options options) {
    std::unique_ptr<PostgresServer> server(new PostgresServer(options));
    const auto programs = find_programs();
    if (!programs) return fail(programs.error());
    server->programs_ = *programs;
    if (options.loopback) {
        const auto port = free_port();
        if (!port) return fail(port.error());
        server->port_ = *port;
    }
    if (auto made = server->make_folder(); !made) return fail(made.error());
    if (auto made = server->make_cluster(); !made) return fail(made.error());
    if (auto started = server->start(); !started) return fail(started.error());
    return server;
}

Result<> PostgresServer::make_folder() {
    std::string pattern = "/tmp/quaestor-postgres-XXXXXX";  // short: a socket's path has at most 107 characters
    if (mkdtemp(pattern.data()) == nullptr) {
        return fail(Code::unavailable, fmt::format("could not make {}: {}", pattern, std::strerror(errno)));
    }
    folder_ = pattern;
    const auto user = server_user();
    if (!user) return fail(user.error());
    if (chown(folder_.c_str(), user->uid, user->gid) != 0) {
        return fail(Code::unavailable,
                    fmt::format("could not give {} to {}: {}", pattern, kOwner, std::strerror(errno)));
    }
    return {};
}

Result<> PostgresServer::make_cluster() {
    auto initdb =
        spawn({programs_ / "initdb", "--pgdata=data", fmt::format("--username={}", kOwner), "--auth-local=trust",
               "--auth-host=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync", "--wal-segsize=1"});
    if (!initdb) return fail(initdb.error());
    const auto status = initdb->wait(kCommandTimeout);
    if (status != 0) return fail(failure("initdb failed"));
    return {};
}

Result<> PostgresServer::start() {
    if (server_) return {};
    std::vector<std::string> command{programs_ / "postgres", "-D", "data", "-k", folder_, "-p", std::to_string(port_)};
    for (const auto& setting :
         {fmt::format("listen_addresses={}", options_.loopback ? "127.0.0.1" : ""),
          fmt::format("fsync={}", options_.fsync ? "on" : "off"), std::string("recovery_init_sync_method=syncfs"),
          std::string("max_wal_size=32MB"),  // a large log takes long to remove
          std::string("min_wal_size=2MB")}) {
        command.insert(command.end(), {"-c", setting});
    }
    auto server = spawn(command);
    if (!server) return fail(server.error());
    server_ = std::make_unique<Process>(std::move(*server));

    const auto give_up_at = std::chrono::steady_clock::now() + kCommandTimeout;
    while (PQping(url().c_str()) != PQPING_OK) {
        const bool ended = server_->wait(kProbeInterval).has_value();
        if (!ended && std::chrono::steady_clock::now() < give_up_at) continue;
        server_.reset();
        return fail(failure(ended ? "the PostgreSQL test server ended while starting"
                                  : "the PostgreSQL test server does not accept connections"));
    }
    return {};
}

Result<> PostgresServer::stop(Stop how) {
    if (!server_) return {};
    kill(server_->pid, how == Stop::fast ? SIGINT : SIGQUIT);
    const bool ended = server_->wait(kCommandTimeout).has_value();
    server_.reset();
    if (!ended) return fail(failure("the PostgreSQL test server did not stop and was killed"));
    return {};
}

std::string PostgresServer::url(std::string_view database) const {
    return fmt::format("postgres://{}@/{}?host={}&port={}", kOwner, database, folder_.string(), port_);
}

Result<std::string> PostgresServer::empty_database() {
    auto emptied = execute(kEmptyDatabase);
    if (!emptied) return fail(emptied.error());
    return url();
}

Result<> PostgresServer::execute(const std::string& sql) const {
    const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(url().c_str()), PQfinish);
    PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection.get(), sql.c_str()), PQclear);
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return {};
    return fail(Code::internal, fmt::format("{}: {}", sql, PQerrorMessage(connection.get())));
}

Result<PostgresServer::Process> PostgresServer::spawn(const std::vector<std::string>& command) const {
    const auto user = server_user();
    if (!user) return fail(user.error());
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    const int log = open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) become(*user, parent, folder_.c_str(), log, arguments.data());
    close(log);
    if (child < 0) return fail(Code::unavailable, fmt::format("could not fork: {}", std::strerror(errno)));
    return Process(child, static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
}

Error PostgresServer::failure(std::string message) const {
    std::ifstream file(folder_ / "log");
    std::string log{std::istreambuf_iterator<char>(file), {}};
    if (log.size() > kLogTail) log.erase(0, log.size() - kLogTail);
    return {.code = Code::unavailable,
            .message = fmt::format("{}; its log ends:\n{}", message, log),
            .hint = {},
            .cause = {}};
}

Result<PostgresServer*> shared_postgres() {
    static const auto server = PostgresServer::create({.fsync = false, .loopback = true});
    if (!server) return fail(server.error());
    return server->get();
}

}  // namespace quaestor::test
