// The server's endpoints as one: every request goes through handle(), which decides who may ask, how often and what,
// keeps the figures and the access log, and hands it to its endpoint.
// Owns the runs, their logs and the limits; stands on a store and agents that outlive it.
// Threads: handle() from any loop; the others from the thread that made it.
#pragma once

#include "server/api/desk.hpp"
#include "server/router.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace quaestor::server {

/// Development origins of document 001's client, always allowed.
[[nodiscard]] std::vector<std::string> development_origins();

class Service {
public:
    Service(ServiceParts parts, ServiceSettings settings);
    ~Service();

    /// The Endpoint for an HttpServer.
    Task<Reply> handle(Request request);
    [[nodiscard]] const Router& router() const { return router_; }

    /// Goes on with the runs that processes left which are gone. Once; until it has ended, whoever wants to follow such
    /// a run is asked to come again.
    Task<> adopt_runs(std::function<bool(std::string_view runner)> is_dead);
    /// Forgets old logs and stops abandoned runs, until `stop` is cancelled.
    Task<> keep_house(CancelToken stop);

    /// Other agents from now on; runs that work keep theirs.
    void use(std::shared_ptr<const AgentDirectory> agents);
    void change_rates(RateSettings session, RateSettings key);

    /// No new runs from now on.
    void drain();
    [[nodiscard]] std::size_t running() const;

private:
    Task<Reply> answer(Request& request, std::string& route);
    [[nodiscard]] std::optional<Response> gate(const Request& request, const Route& route);
    [[nodiscard]] std::optional<Response> refuse_stranger(const Request& request) const;
    [[nodiscard]] bool may_ask_from(std::string_view origin) const;
    void add_cors(const Request& request, Reply& reply) const;
    void record(const Request& request, std::string_view route, int status, Instant began);

    Desk desk_;
    Router router_;
};

}  // namespace quaestor::server
