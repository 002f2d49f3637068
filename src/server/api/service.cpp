#include "server/api/service.hpp"

#include "base/log.hpp"
#include "server/api/routes.hpp"
#include "server/api/run_work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::server {

namespace {

using namespace std::chrono_literals;

constexpr auto kHouseKeepingInterval = 5s;
constexpr std::string_view kUnknownRoute = "none";

std::string_view host_of(std::string_view authority) {
    if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
    return authority.substr(0, authority.find(':'));
}

bool is_loopback_name(std::string_view host) {
    constexpr std::array<std::string_view, 3> kNames{"localhost", "127.0.0.1", "[::1]"};
    return std::ranges::find(kNames, host) != kNames.end();
}

int status_in(const Reply& reply) {
    if (const auto* response = std::get_if<Response>(&reply)) return response->status;
    if (const auto* file = std::get_if<FileResponse>(&reply)) return file->status;
    return 200;
}

std::vector<net::HttpHeader>& headers_in(Reply& reply) {
    return std::visit([](auto& any) -> std::vector<net::HttpHeader>& { return any.headers; }, reply);
}

Response too_many(const Request& request, Duration wait) {
    const auto seconds = static_cast<std::int64_t>(std::ceil(std::chrono::duration<double>(wait).count()));
    const Error error{Code::rate_limited, "too many requests", fmt::format("wait {} s", seconds), {}};
    Response response = error_response(429, error, request.request_id);
    response.headers.push_back({"Retry-After", std::to_string(std::max<std::int64_t>(seconds, 1))});
    return response;
}

}  // namespace

std::vector<std::string> development_origins() {
    return {"http://localhost:5173", "http://localhost:5174", "http://localhost:4173"};
}

Service::Service(ServiceParts parts, ServiceSettings settings) : desk_(std::move(parts), std::move(settings)) {
    add_chat_routes(router_, desk_);
    add_thread_routes(router_, desk_);
    add_run_routes(router_, desk_);
    add_feedback_routes(router_, desk_);
    add_info_routes(router_, desk_);
}

Service::~Service() = default;

bool Service::may_ask_from(std::string_view origin) const {
    const auto& allowed = desk_.settings.cors_origins;
    return std::ranges::find(allowed, origin) != allowed.end();
}

/// Without keys a page of another site, open in the same browser, must not ask; nor one that made its own name point
/// here.
std::optional<Response> Service::refuse_stranger(const Request& request) const {
    const std::string_view host = request.header("Host").value_or("localhost");
    const auto& hosts = desk_.settings.hosts;
    const bool is_known = is_loopback_name(host_of(host)) || std::ranges::find(hosts, host_of(host)) != hosts.end();
    if (!desk_.settings.needs_key && !is_known) {
        return error_response(403,
                              {Code::permission_denied,
                               fmt::format("this server does not answer as {}", host_of(host)),
                               "add the name to server.hosts, or use keys",
                               {}},
                              request.request_id);
    }
    const auto origin = request.header("Origin");
    const bool changes_something = request.method != "GET" && request.method != "OPTIONS";
    if (!changes_something || !origin || may_ask_from(*origin)) return std::nullopt;
    if (origin->ends_with(fmt::format("://{}", host))) return std::nullopt;
    return error_response(403,
                          {Code::permission_denied,
                           fmt::format("pages of {} may not ask here", *origin),
                           "add it to server.cors_origins",
                           {}},
                          request.request_id);
}

/// Who may call the route, and how often.
std::optional<Response> Service::gate(const Request& request, const Route& route) {
    if (route.access == Access::open) return std::nullopt;
    const auto caller = desk_.caller_of(request);
    if (!caller) {
        if (caller.error().code != Code::permission_denied)
            return error_response(400, caller.error(), request.request_id);
        Response response = error_response(401, caller.error(), request.request_id);
        response.headers.push_back({"WWW-Authenticate", "Bearer"});
        return response;
    }
    if (route.access == Access::admin && caller->role != KeyRole::admin) {
        return error_response(403, {Code::permission_denied, "this needs a key with the role admin", {}, {}},
                              request.request_id);
    }
    const std::string& who = caller->session.empty() ? request.peer : caller->owner;
    if (const auto wait = desk_.session_rate.take(who)) return too_many(request, *wait);
    if (caller->key_id.empty()) return std::nullopt;
    if (const auto wait = desk_.key_rate.take(caller->key_id)) return too_many(request, *wait);
    return std::nullopt;
}

Task<Reply> Service::answer(Request& request, std::string& route) {
    if (auto stranger = refuse_stranger(request)) co_return std::move(*stranger);
    if (request.method == "OPTIONS") co_return Response{.status = 204, .headers = {}, .body = {}};
    std::vector<std::string> allowed;
    auto match = router_.find(request.method, request.path, &allowed);
    if (!match) {
        const bool wants_file = match.error().code == Code::not_found && request.method == "GET" && desk_.parts.files &&
                                !request.path.starts_with("/api/");
        if (wants_file) co_return co_await desk_.parts.files(std::move(request));
        const int status = match.error().code == Code::unsupported ? 405 : 404;
        Response response = error_response(status, match.error(), request.request_id);
        if (status == 405) response.headers.push_back({"Allow", fmt::format("{}", fmt::join(allowed, ", "))});
        co_return response;
    }
    route = match->route->pattern;
    if (auto refused = gate(request, *match->route)) co_return std::move(*refused);
    request.parts = std::move(match->parts);
    co_return co_await match->route->endpoint(std::move(request));
}

void Service::add_cors(const Request& request, Reply& reply) const {
    auto& headers = headers_in(reply);
    headers.push_back({"Vary", "Origin"});
    const auto origin = request.header("Origin");
    if (!origin || !may_ask_from(*origin)) return;
    headers.push_back({"Access-Control-Allow-Origin", std::string(*origin)});
    headers.push_back({"Access-Control-Allow-Credentials", "true"});
    headers.push_back({"Access-Control-Expose-Headers", "X-Request-Id, X-Run-Id, Retry-After"});
    if (request.method != "OPTIONS") return;
    headers.push_back({"Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS"});
    headers.push_back(
        {"Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Key, X-Session-Id, Last-Event-ID"});
    headers.push_back({"Access-Control-Max-Age", "600"});
}

void Service::record(const Request& request, std::string_view route, int status, Instant began) {
    const double seconds = std::chrono::duration<double>(desk_.clock.now() - began).count();
    desk_.metrics.request(request.method, route, status, seconds);
    log::info("request",
              {{"method", request.method},
               {"path", request.path},
               {"route", route},
               {"status", status},
               {"ms", seconds * 1'000},
               {"peer", request.peer}},
              {.trace_id = request.request_id, .node = {}});
}

Task<Reply> Service::handle(Request request) {
    const Instant began = desk_.clock.now();
    Request kept{.method = request.method,
                 .path = request.path,
                 .query = {},
                 .headers = request.headers,
                 .body = {},
                 .peer = request.peer,
                 .request_id = request.request_id,
                 .parts = {}};
    std::string route(kUnknownRoute);
    Reply reply = co_await answer(request, route);
    add_cors(kept, reply);
    record(kept, route, status_in(reply), began);
    co_return reply;
}

Task<> Service::adopt_runs(std::function<bool(std::string_view runner)> is_dead) {
    desk_.is_adopting = true;
    return server::adopt_runs(desk_, std::move(is_dead));
}

Task<> Service::keep_house(CancelToken stop) {
    while (!stop.cancelled()) {
        co_await desk_.clock.sleep_for(kHouseKeepingInterval);
        desk_.hub.sweep();
    }
}

void Service::use(std::shared_ptr<const AgentDirectory> agents) {
    desk_.use(std::move(agents));
}

void Service::change_rates(RateSettings session, RateSettings key) {
    desk_.session_rate.change(session);
    desk_.key_rate.change(key);
}

void Service::drain() {
    desk_.hub.drain();
}

std::size_t Service::running() const {
    return desk_.hub.running();
}

}  // namespace quaestor::server
