#include "cli/demo_apart.hpp"
#include "cli/idle_memory.hpp"
#include "cli/opened_agents.hpp"
#include "cli/run_support.hpp"
#include "cli/serve_support.hpp"
#include "server/api/service.hpp"
#include "server/http_server.hpp"

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace quaestor::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto kDrainLook = 20ms;
constexpr auto kLastBytes = 2s;
constexpr auto kIdleLook = 30s;

/// What `serve` runs, in the order in which it is taken down.
class Serving {
public:
    Serving(const Invocation& invocation, const ServerConfig& config, std::unique_ptr<store::Store> store,
            std::shared_ptr<const OpenedAgents> agents)
        : invocation_(invocation),
          config_(config),
          keys_(keys_file(invocation.settings())),
          http_(http_settings(config), [this](server::Request request) { return service_.handle(std::move(request)); }),
          store_(std::move(store)),
          service_(parts(std::move(agents)), service_settings(invocation, config)) {}

    [[nodiscard]] Result<> start() {
        auto adopting = service_.adopt_runs([backend = invocation_.settings().store.backend](std::string_view runner) {
            return is_dead(runner, backend);
        });
        if (auto started = http_.start(); !started) return started;
        http_.spawn(std::move(adopting));
        http_.spawn(service_.keep_house(stopping_.token()));
        http_.spawn(rest_when_idle(stopping_.token()));
        return {};
    }

    /// Returns when the program was told to end.
    void wait() {
        asio::signal_set reload(loop_, SIGHUP);
        listen_for_reload(reload);
        const auto told = invocation_.cancel.on_cancel([this] { asio::post(loop_, [this] { loop_.stop(); }); });
        const auto work = asio::make_work_guard(loop_);
        loop_.run();
    }

    /// True when every answer was finished.
    bool drain() {
        service_.drain();
        const auto end = std::chrono::steady_clock::now() + config_.drain_ms;
        while (service_.running() > 0 && std::chrono::steady_clock::now() < end) {
            asio::io_context rest;
            asio::steady_timer(rest, kDrainLook).wait();
        }
        const bool is_quiet = service_.running() == 0;
        stopping_.cancel(CancelReason::shutdown);
        http_.drain(is_quiet ? std::chrono::milliseconds(kLastBytes) : 0ms);
        if (is_quiet) http_.stop();
        return is_quiet;
    }

    [[nodiscard]] std::string url() const { return http_.url(); }
    [[nodiscard]] std::size_t running() const { return service_.running(); }

private:
    server::ServiceParts parts(std::shared_ptr<const OpenedAgents> agents) {
        return {.store = *store_,
                .agents = agents,
                .documents = agents,
                .keys = &keys_,
                .spawn = [this](Task<> task) { http_.spawn(std::move(task)); },
                .gauges = [this] { return connection_gauges(http_.counts()); },
                .files = web_files(),
                .clock = system_clock()};
    }

    /// Opening the agents touches every page of their models, and so does every question.
    Task<> rest_when_idle(CancelToken stop) {
        while (!stop.cancelled()) {
            if (service_.running() == 0) let_go_of_idle_memory();
            co_await system_clock().sleep_for(kIdleLook);
        }
    }

    void listen_for_reload(asio::signal_set& reload) {
        reload.async_wait([this, &reload](const boost::system::error_code& problem, int) {
            if (problem) return;
            reload_configuration();
            listen_for_reload(reload);
        });
    }

    /// Agents, models and limits; what cannot be read leaves everything as it was.
    void reload_configuration() {
        auto loaded = load_settings(invocation_.source);
        if (!loaded) return print_error(loaded.error());
        auto again = std::make_shared<Invocation>(invocation_);
        again->loaded = std::move(*loaded);
        auto agents = OpenedAgents::open(*again);
        if (!agents) return print_error(agents.error());
        const auto settings = service_settings(*again, again->settings().server);
        service_.change_rates(settings.session_rate, settings.key_rate);
        // The agents stand on the settings that they were opened with.
        service_.use(std::shared_ptr<const server::AgentDirectory>(
            agents->get(), [again, kept = *agents](const server::AgentDirectory*) {}));
        if (!invocation_.quiet) say("The configuration was read again.");
    }

    const Invocation& invocation_;
    const ServerConfig& config_;
    server::KeyRing keys_;
    CancelSource stopping_;
    asio::io_context loop_{1};
    server::HttpServer http_;  ///< its loops outlive the store's threads, which wake tasks on them
    std::unique_ptr<store::Store> store_;
    server::Service service_;
};

void announce(const Invocation& invocation, const std::string& url) {
    if (invocation.json) {
        fmt::print("{}\n", to_text({{"url", url}}));
    } else {
        fmt::print("Quaestor answers at {}\n", url);
        if (!invocation.quiet) say("Ctrl-C stops it.");
    }
    std::fflush(stdout);
}

}  // namespace

CommandResult serve(const Invocation& invocation, const ServeOptions& options) {
    ServerConfig config = invocation.settings().server;
    if (options.host) config.host = *options.host;
    if (options.port) config.port = *options.port;
    if (auto valid = check(config); !valid) return fail(valid.error());
    if (auto safe = check_safe_to_serve(invocation.settings(), config); !safe) return fail(safe.error());
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    const auto lock = lock_store(invocation.settings());
    if (!lock) return fail(lock.error());
    make_demo_data_apart(invocation);
    auto agents = OpenedAgents::open(invocation);
    if (!agents) return fail(agents.error());
    for (const auto& agent : (*agents)->list()) {
        if (!agent.available) say(fmt::format("{} cannot be asked: {}", agent.info.name, agent.reason));
    }
    auto serving = std::make_unique<Serving>(invocation, config, std::move(*store), std::move(*agents));
    if (auto started = serving->start(); !started) return fail(started.error());
    announce(invocation, serving->url());
    if (options.open) open_in_browser(serving->url());
    serving->wait();
    if (serving->drain()) return ExitCode::done;
    // What is not finished is checkpointed, and goes on when a server starts again; waiting for it here would only
    // mark it as stopped.
    say(fmt::format("{} go on when the server starts again.",
                    counted(static_cast<std::int64_t>(serving->running()), "answer")));
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(ExitCode::done));
}

}  // namespace quaestor::cli
