// A throw-away PostgreSQL cluster for tests, in a temporary folder, reached through a Unix socket in that folder.
// Whoever makes it owns it: the destructor stops the server and removes the folder; if the test dies, the server dies
// too. Threads: one at a time. The server lives no longer than the thread that called start().
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace quaestor::test {

class PostgresServer {
public:
    struct Options {
        bool fsync = false;     ///< true: commits wait for the disk, as in real life; false is quicker
        bool loopback = false;  ///< also listen on a free port of 127.0.0.1
    };
    enum class Stop {
        fast,       ///< clients are told and disconnected
        immediate,  ///< as a crash: nobody is told, the next start recovers from the log
    };

    /// Makes the cluster and starts it. Code::not_found when PostgreSQL is not installed.
    [[nodiscard]] static Result<std::unique_ptr<PostgresServer>> create(Options options);
    ~PostgresServer();
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    /// Returns when the server accepts connections; starting a running one is no error. The error tells the end of its
    /// log.
    [[nodiscard]] Result<> start();
    /// Returns when the server is gone; stopping a stopped one is no error.
    [[nodiscard]] Result<> stop(Stop how = Stop::fast);

    /// Ends all sessions, drops everything that tests made in the database `postgres`, and returns its URL. That is
    /// much quicker than a database for each test.
    [[nodiscard]] Result<std::string> empty_database();
    /// The URL of a database; the user is the superuser `postgres`, without password.
    [[nodiscard]] std::string url(std::string_view database = "postgres") const;
    /// Runs statements there, as the superuser.
    [[nodiscard]] Result<> execute(const std::string& sql) const;

    /// The port of 127.0.0.1. There, every user needs a password.
    [[nodiscard]] int port() const { return port_; }

private:
    struct Process;

    explicit PostgresServer(Options options);
    Result<> make_folder();
    Result<> make_cluster();
    [[nodiscard]] Result<Process> spawn(const std::vector<std::string>& command) const;
    [[nodiscard]] Error failure(std::string message) const;

    Options options_;
    std::filesystem::path programs_;
    std::filesystem::path folder_;
    int port_ = 5432;
    std::unique_ptr<Process> server_;
};

/// The server that all tests of this program share; started at its first use, stopped when the program ends.
[[nodiscard]] Result<PostgresServer*> shared_postgres();

}  // namespace quaestor::test
