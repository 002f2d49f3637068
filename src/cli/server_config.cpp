#include "cli/server_config.hpp"

#include "workflows/common/agent.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

constexpr int kPortMax = 65'535;
constexpr std::size_t kThreadsMax = 1'024;
constexpr std::size_t kBodyBytesMin = 1'024;

std::unexpected<Error> wrong(std::string_view name, std::string_view problem) {
    return fail(Code::invalid_argument, fmt::format("server.{} {}", name, problem));
}

}  // namespace

bool is_loopback(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

Result<> check(const ServerConfig& server) {
    if (server.port < 0 || server.port > kPortMax) return wrong("port", fmt::format("must be from 0 to {}", kPortMax));
    if (server.host.empty()) return wrong("host", "must not be empty");
    if (server.certificate.empty() != server.private_key.empty()) {
        return wrong("certificate", "and server.private_key go together");
    }
    if (server.threads > kThreadsMax) return wrong("threads", fmt::format("must be at most {}", kThreadsMax));
    if (server.body_bytes < kBodyBytesMin)
        return wrong("body_bytes", fmt::format("must be at least {}", kBodyBytesMin));
    if (server.question_bytes < 1 || server.question_bytes > workflows::kQuestionBytesMax) {
        return wrong("question_bytes", fmt::format("must be from 1 to {}", workflows::kQuestionBytesMax));
    }
    for (const auto& [name, count] : {std::pair{"connections", server.connections},
                                      std::pair{"connections_per_address", server.connections_per_address},
                                      std::pair{"concurrent_runs", server.concurrent_runs}}) {
        if (count < 1) return wrong(name, "must be at least 1");
    }
    for (const auto& [name, time] :
         {std::pair{"header_timeout_ms", server.header_timeout_ms},
          std::pair{"body_timeout_ms", server.body_timeout_ms}, std::pair{"idle_timeout_ms", server.idle_timeout_ms},
          std::pair{"run_time_ms", server.run_time_ms}, std::pair{"keep_alive_ms", server.keep_alive_ms},
          std::pair{"abandoned_ms", server.abandoned_ms}}) {
        if (time.count() < 1) return wrong(name, "must be at least 1");
    }
    if (server.drain_ms.count() < 0) return wrong("drain_ms", "must not be negative");
    return {};
}

}  // namespace quaestor::cli
