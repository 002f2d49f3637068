#include "server/api/route_kit.hpp"
#include "server/api/routes.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::server {

namespace {

Task<Reply> health(Desk&, Request) {
    co_return json_response(200, {{"status", "ok"}});
}

Task<Reply> ready(Desk& desk, Request) {
    const auto store = co_await desk.store.health();
    std::size_t available = 0;
    json::array problems;
    const auto listed = desk.agents()->list();
    for (const auto& agent : listed) {
        if (agent.available) ++available;
        if (!agent.available) problems.push_back({{"what", "agent " + agent.info.name}, {"problem", agent.reason}});
    }
    if (!store) problems.push_back({{"what", "store"}, {"problem", store.error().describe()}});
    const bool is_ready = store && available > 0 && !desk.hub.is_draining();
    json::object reply{{"status", is_ready ? "ready" : "not ready"},
                       {"detail", is_ready ? "" : "the server cannot answer now"},
                       {"store", store ? json::value(store->backend) : json::value()},
                       {"agents", {{"available", available}, {"all", listed.size()}}},
                       {"draining", desk.hub.is_draining()},
                       {"problems", std::move(problems)}};
    Response response = json_response(is_ready ? 200 : 503, reply);
    if (!is_ready) response.headers.push_back({"Retry-After", "5"});
    co_return response;
}

void add_cache_gauges(const AgentDirectory& agents, std::vector<Gauge>& gauges) {
    const auto caches = agents.caches();
    const auto add = [&](std::string_view name, std::string_view help, auto value_of) {
        for (const auto& [cache, stats] : caches) {
            gauges.push_back({std::string(name), std::string(help), fmt::format("cache=\"{}\"", label_value(cache)),
                              static_cast<double>(value_of(stats)), !name.ends_with("entries")});
        }
    };
    add("quaestor_cache_hits_total", "Values that were there.", [](const CacheStats& stats) { return stats.hits; });
    add("quaestor_cache_misses_total", "Values that were not.", [](const CacheStats& stats) { return stats.misses; });
    add("quaestor_cache_entries", "Values that are kept.", [](const CacheStats& stats) { return stats.size; });
}

void add_breaker_gauges(const std::map<std::string, std::string>& breakers, std::vector<Gauge>& gauges) {
    constexpr std::array<std::string_view, 3> kStates{"closed", "half_open", "open"};
    for (const auto& [what, state] : breakers) {
        for (const auto named : kStates) {
            gauges.push_back({"quaestor_breaker_state", "1 for the state that a circuit breaker is in.",
                              fmt::format("guards=\"{}\",state=\"{}\"", label_value(what), named),
                              state == named ? 1.0 : 0.0, false});
        }
    }
}

Task<Reply> metrics(Desk& desk, Request) {
    std::vector<Gauge> gauges;
    gauges.push_back({"quaestor_runs_running", "Questions that are being answered.", "",
                      static_cast<double>(desk.hub.running()), false});
    gauges.push_back({"quaestor_run_logs_kept", "Ended runs whose events can still be followed.", "",
                      static_cast<double>(desk.hub.kept()), false});
    gauges.push_back({"quaestor_rate_names", "Sessions that are counted for the rate limit.", "",
                      static_cast<double>(desk.session_rate.names()), false});
    const auto agents = desk.agents();
    add_cache_gauges(*agents, gauges);
    add_breaker_gauges(co_await agents->breakers(), gauges);
    if (desk.parts.gauges) {
        for (auto& gauge : desk.parts.gauges()) gauges.push_back(std::move(gauge));
    }
    co_return Response{.status = 200,
                       .headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
                       .body = desk.metrics.text(gauges)};
}

Task<Reply> list_agents(Desk& desk, Request) {
    json::array shown;
    for (const auto& agent : desk.agents()->list()) {
        json::object line = encode(agent.info).as_object();
        line["synthetic"] = agent.synthetic;
        if (!agent.coverage.empty()) line["coverage"] = agent.coverage;
        line["available"] = agent.available;
        if (!agent.reason.empty()) line["reason"] = agent.reason;
        shown.push_back(std::move(line));
    }
    co_return json_response(200, shown);
}

Task<Reply> list_models(Desk& desk, Request) {
    const auto agents = desk.agents();
    co_return json_response(200, co_await agents->models());
}

Task<Reply> read_document(Desk& desk, Request request) {
    if (desk.parts.documents == nullptr) {
        co_return refusal({Code::not_found, "no corpora are configured", "add documents with quaestor ingest", {}},
                          request);
    }
    auto document = co_await desk.parts.documents->read(request.parts.at(0), request.parts.at(1));
    if (!document) co_return refusal(document.error(), request);
    co_return json_response(200, *document);
}

Task<Reply> caches(Desk& desk, Request) {
    json::object shown;
    for (const auto& [name, stats] : desk.agents()->caches()) {
        json::object line = encode(stats).as_object();
        const auto asked = stats.hits + stats.misses;
        line["hit_rate"] = asked == 0 ? 0.0 : static_cast<double>(stats.hits) / static_cast<double>(asked);
        shown[name] = std::move(line);
    }
    co_return json_response(200, shown);
}

Task<Reply> pool(Desk& desk, Request) {
    json::object shown{{"runs_running", desk.hub.running()}, {"run_logs_kept", desk.hub.kept()}};
    if (desk.parts.gauges) {
        for (const auto& gauge : desk.parts.gauges()) shown[gauge.name] = gauge.value;
    }
    co_return json_response(200, shown);
}

void add_open(Router& router, std::string pattern, Endpoint endpoint, std::string summary) {
    router.add({"GET",
                std::move(pattern),
                Access::open,
                std::move(endpoint),
                {.summary = std::move(summary),
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "So it is"}},
                 .reply_schema = typed("object")}});
}

}  // namespace

void add_info_routes(Router& router, Desk& desk) {
    add_open(router, "/health", at(desk, health), "Whether the server is alive");
    add_open(router, "/api/health", at(desk, health), "Whether the server is alive");
    add_open(router, "/ready", at(desk, ready), "Whether it can answer questions: store and agents; 503 when not");
    router.add({"GET",
                "/openapi.json",
                Access::open,
                [&router](Request) -> Task<Reply> { co_return json_response(200, openapi_of(router)); },
                {.summary = "This description",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "OpenAPI 3.1"}},
                 .reply_schema = typed("object")}});
    router.add({"GET",
                "/metrics",
                Access::admin,
                at(desk, metrics),
                {.summary = "Figures for Prometheus",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "Text"}},
                 .reply_schema = {}}});
    router.add({"GET",
                "/api/agents",
                Access::user,
                at(desk, list_agents),
                {.summary = "Who can be asked",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "The agents"}},
                 .reply_schema = list_of(object_schema({{"name", typed("string")},
                                                        {"workflow", typed("string")},
                                                        {"about", typed("string")},
                                                        {"source", typed("string")},
                                                        {"examples", list_of(typed("string"))},
                                                        {"synthetic", typed("boolean")},
                                                        {"coverage", typed("object", "How much it knows about.")},
                                                        {"available", typed("boolean")},
                                                        {"reason", typed("string")}}))}});
    router.add({"GET",
                "/api/models",
                Access::user,
                at(desk, list_models),
                {.summary = "The language models that are configured, and how they are",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "The models"}},
                 .reply_schema = object_schema({{"models", list_of(typed("object"))}, {"native", typed("boolean")}})}});
    router.add({"GET",
                "/api/corpora/{name}/documents/{document*}",
                Access::user,
                at(desk, read_document),
                {.summary = "A document that answers cite",
                 .parameters = {{"name", "path", "The corpus.", true}, {"document", "path", "The document.", true}},
                 .request_schema = {},
                 .replies = {{200, "The document"}, {404, "No such corpus or document"}},
                 .reply_schema = typed("object")}});
    router.add({"GET",
                "/api/debug/caches",
                Access::admin,
                at(desk, caches),
                {.summary = "How often each cache had what was asked for",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "By cache"}},
                 .reply_schema = typed("object")}});
    router.add({"GET",
                "/api/debug/pool",
                Access::admin,
                at(desk, pool),
                {.summary = "Connections and runs now",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "The figures"}},
                 .reply_schema = typed("object")}});
}

}  // namespace quaestor::server
