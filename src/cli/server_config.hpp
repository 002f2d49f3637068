// What a person may set for `quaestor serve`, and how it reaches the server's parts.
// Private to cli/. Plain values.
// Threads: immutable after loading.
#pragma once

#include "base/error.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace quaestor::cli {

struct ServerConfig {
    std::string host = "127.0.0.1";
    int port = 8080;
    bool auth = false;
    std::vector<std::string> cors_origins;
    std::vector<std::string> hosts;
    std::string certificate;
    std::string private_key;
    std::size_t threads = 0;
    std::size_t body_bytes = std::size_t{1} << 20;
    std::size_t question_bytes = 8'000;
    std::size_t connections = 20'000;
    std::size_t connections_per_address = 1'000;
    std::size_t requests_per_session = 300;
    std::size_t requests_per_key = 1'200;
    std::size_t concurrent_runs = 1'024;
    std::chrono::milliseconds header_timeout_ms{10'000};
    std::chrono::milliseconds body_timeout_ms{30'000};
    std::chrono::milliseconds idle_timeout_ms{60'000};
    std::chrono::milliseconds run_time_ms{120'000};
    std::chrono::milliseconds keep_alive_ms{15'000};
    std::chrono::milliseconds abandoned_ms{60'000};
    std::chrono::milliseconds drain_ms{30'000};
};
BOOST_DESCRIBE_STRUCT(ServerConfig, (),
                      (host, port, auth, cors_origins, hosts, certificate, private_key, threads, body_bytes,
                       question_bytes, connections, connections_per_address, requests_per_session, requests_per_key,
                       concurrent_runs, header_timeout_ms, body_timeout_ms, idle_timeout_ms, run_time_ms, keep_alive_ms,
                       abandoned_ms, drain_ms))

/// Code::invalid_argument names the setting: "server.port must be from 0 to 65535".
[[nodiscard]] Result<> check(const ServerConfig& server);

/// Whether only this machine reaches a host of that name.
[[nodiscard]] bool is_loopback(const std::string& host);

}  // namespace quaestor::cli
