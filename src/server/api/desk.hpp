// What all endpoints share: the store, the agents, the runs, the limits and the figures; and who is asking.
// Owned by the Service and made before any request. Private to server/.
// Threads: every member may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "graph/run.hpp"
#include "server/api/agent_directory.hpp"
#include "server/api/auth.hpp"
#include "server/api/limits.hpp"
#include "server/api/metrics.hpp"
#include "server/api/run_hub.hpp"
#include "server/message.hpp"
#include "store/store.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace quaestor::server {

struct ServiceSettings {
    bool needs_key = false;                 ///< requests have to present an API key
    std::vector<std::string> cors_origins;  ///< pages of other origins that may ask
    std::vector<std::string> hosts;         ///< names besides localhost that it is reached by; only without keys
    RateSettings session_rate{.requests = 300};
    RateSettings key_rate{.requests = 1'200};
    std::size_t question_bytes = workflows::kQuestionBytesMax;
    std::chrono::milliseconds run_time{120'000};
    std::chrono::milliseconds keep_alive{15'000};
    HubSettings hub;
    graph::RunOptions run;  ///< durability and limits of every run
    std::string runner;     ///< kept with each run, so that who finds it after a crash knows whose it was
};

/// Work that outlives a request, on some loop of one thread.
using Spawn = std::function<void(Task<>)>;

struct ServiceParts {
    store::Store& store;
    std::shared_ptr<const AgentDirectory> agents;
    std::shared_ptr<const DocumentShelf> documents;   ///< none: no corpora
    KeyRing* keys = nullptr;                          ///< needed when settings.needs_key
    Spawn spawn;                                      ///< for runs
    std::function<std::vector<Gauge>()> gauges = {};  ///< figures of whoever runs the service
    Endpoint files = {};                              ///< the web client; none: 404
    Clock& clock = system_clock();
};

/// Who asks.
struct Caller {
    std::string owner;    ///< of the threads it begins: its session, within its key; empty without a session
    std::string session;  ///< X-Session-Id
    std::string key_id;   ///< empty without a key
    KeyRole role = KeyRole::admin;
};

class Desk {
public:
    Desk(ServiceParts parts, ServiceSettings settings);

    const ServiceSettings settings;
    store::Store& store;
    Clock& clock;
    RunHub hub;
    Metrics metrics;
    SlidingWindow session_rate;
    SlidingWindow key_rate;
    const ServiceParts parts;
    std::atomic<bool> is_adopting = false;  ///< runs that a server left are not all taken up yet

    [[nodiscard]] std::shared_ptr<const AgentDirectory> agents() const;
    void use(std::shared_ptr<const AgentDirectory> agents);

    /// Code::permission_denied when a key is needed and none, or a wrong one, is presented.
    [[nodiscard]] Result<Caller> caller_of(const Request& request) const;

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const AgentDirectory> agents_;
};

/// The caller, or Code::invalid_argument (400 in document 001) when it sends no X-Session-Id.
[[nodiscard]] Result<Caller> caller_with_session(const Desk& desk, const Request& request);

/// A conversation that is the caller's, or nobody's. Code::not_found also for those of others.
Task<Result<store::ConversationInfo>> own_conversation(Desk& desk, const Caller& caller, std::string thread_id);

/// The JSON object in a body; the error is a reply. `T` is a described struct.
template <class T>
[[nodiscard]] std::expected<T, Response> read_body(const Request& request) {
    const auto value = parse_json(request.body);
    if (!value) {
        const Error malformed{Code::invalid_argument, "the body is no JSON", "send a JSON object", {}};
        return std::unexpected(error_response(400, malformed.because(value.error()), request.request_id));
    }
    auto body = decode<T>(*value);
    if (!body) return std::unexpected(error_response(422, body.error(), request.request_id));
    return std::move(*body);
}

/// An error as its reply, with Retry-After where waiting helps.
[[nodiscard]] Response refusal(const Error& error, const Request& request);

/// A number from the query; Code::invalid_argument when it is none from `least` to `most`.
[[nodiscard]] Result<std::size_t> number_in_query(const Request& request, const std::string& name,
                                                  std::size_t otherwise, std::size_t least, std::size_t most);

}  // namespace quaestor::server
