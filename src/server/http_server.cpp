#include "server/http_server.hpp"

#include "base/log.hpp"
#include "server/connection.hpp"
#include "server/gate.hpp"
#include "server/loop.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <utility>
#include <vector>

namespace quaestor::server {

namespace {

using asio::ip::tcp;
using Failure = boost::system::error_code;

/// Connections that wait to be accepted.
constexpr int kBacklog = 4'096;
/// How long accepting rests when the system has no more sockets to give.
constexpr std::chrono::milliseconds kAcceptRest{100};
/// How long streams that were told to end may take for their last words.
constexpr std::chrono::milliseconds kLastWordsTime{2'000};
/// How long stop() waits for work that cannot be cancelled.
constexpr std::chrono::milliseconds kStopTime{5'000};
/// Files beside the connections: databases, logs, libraries.
constexpr rlim_t kOtherFiles = 1'024;
constexpr Duration kTickMin = std::chrono::milliseconds(5);
constexpr Duration kTickMax = std::chrono::seconds(1);

/// Deadlines are kept to about a quarter of the shortest of them.
Duration tick_of(const HttpServerSettings& settings) {
    const auto shortest =
        std::min({settings.header_timeout, settings.body_timeout, settings.idle_timeout, settings.write_timeout});
    return std::clamp<Duration>(shortest / 4, kTickMin, kTickMax);
}

std::size_t threads_of(const HttpServerSettings& settings) {
    if (settings.threads > 0) return settings.threads;
    return std::max(1U, std::thread::hardware_concurrency());
}

/// Many systems allow a program 1,024 files unless it asks for more.
void allow_files(std::size_t connections) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    const rlim_t wanted = connections + kOtherFiles;
    if (limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < wanted) {
        log::warning("the system allows fewer open files than connections are configured",
                     {{"allowed", limit.rlim_cur}, {"wanted", wanted}});
    }
}

void prepare(tcp::socket& socket, std::chrono::milliseconds write_timeout) {
    Failure ignored;
    socket.non_blocking(true, ignored);
    socket.set_option(tcp::no_delay(true), ignored);
    // A peer that vanished without a word is noticed when bytes to it stay unconfirmed for so long.
    const auto patience = static_cast<unsigned int>(write_timeout.count());
    ::setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

asio::ip::address plain_address(const asio::ip::address& address) {
    if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
}

Result<tcp::endpoint> resolve(asio::io_context& context, const HttpServerSettings& settings) {
    Failure failure;
    tcp::resolver resolver(context);
    const auto found = resolver.resolve(settings.host, std::to_string(settings.port),
                                        tcp::resolver::passive | tcp::resolver::numeric_service, failure);
    if (failure || found.empty()) {
        return fail(Code::invalid_argument, fmt::format("{} is no address of this machine", settings.host),
                    "use 127.0.0.1 for this machine alone, or 0.0.0.0 for everybody");
    }
    // "localhost" is two addresses; people who type one mean 127.0.0.1.
    const auto is_v4 = [](const auto& entry) { return entry.endpoint().address().is_v4(); };
    const auto first_v4 = std::ranges::find_if(found, is_v4);
    return (first_v4 == found.end() ? found.begin() : first_v4)->endpoint();
}

Error cannot_listen(const tcp::endpoint& endpoint, const Failure& failure) {
    const std::string place = fmt::format("{}:{}", endpoint.address().to_string(), endpoint.port());
    if (failure == asio::error::address_in_use) {
        return {Code::unavailable, fmt::format("another program listens on {} already", place),
                fmt::format("choose another port, or see who it is with: ss -ltnp 'sport = :{}'", endpoint.port()),
                nullptr};
    }
    return {Code::unavailable, fmt::format("cannot listen on {}: {}", place, failure.message()),
            "choose an address of this machine and a port above 1023", nullptr};
}

}  // namespace

struct HttpServer::Inside {
    Inside(HttpServerSettings settings, Endpoint handler)
        : house{.settings = settings,
                .handler = std::move(handler),
                .gate = Gate({settings.connections, settings.connections_per_address}),
                .tls = nullptr} {
        for (std::size_t i = 0; i < threads_of(settings); ++i)
            loops.push_back(std::make_unique<Loop>(tick_of(settings)));
        acceptor.emplace(loops.front()->context());
    }

    Result<> listen();
    Task<> accept();
    void admit(Loop& loop, tcp::socket socket);
    Loop& quietest_loop();
    void close_door();

    House house;
    std::vector<std::unique_ptr<Loop>> loops;
    std::optional<tcp::acceptor> acceptor;
    tcp::endpoint place;
    std::atomic<std::size_t> next_loop = 0;
    bool is_running = false;
};

Result<> HttpServer::Inside::listen() {
    const auto endpoint = resolve(loops.front()->context(), house.settings);
    if (!endpoint) return fail(endpoint.error());
    Failure failure;
    acceptor->open(endpoint->protocol(), failure);
    if (!failure) acceptor->set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure && endpoint->address().is_v6()) acceptor->set_option(asio::ip::v6_only(false), failure);
    if (!failure) acceptor->bind(*endpoint, failure);
    if (!failure) acceptor->listen(kBacklog, failure);
    if (!failure) place = acceptor->local_endpoint(failure);
    if (failure) {
        Failure ignored;
        acceptor->close(ignored);
        return fail(cannot_listen(*endpoint, failure));
    }
    return {};
}

Loop& HttpServer::Inside::quietest_loop() {
    return **std::ranges::min_element(loops, {}, [](const auto& loop) { return loop->connections(); });
}

Task<> HttpServer::Inside::accept() {
    asio::steady_timer rest(loops.front()->context());
    while (acceptor->is_open()) {
        Loop& loop = quietest_loop();
        Failure failure;
        tcp::socket socket =
            co_await acceptor->async_accept(loop.context(), asio::redirect_error(asio::use_awaitable, failure));
        if (failure == asio::error::operation_aborted) co_return;
        if (failure) {
            log::warning("a connection cannot be accepted", {{"why", failure.message()}});
            rest.expires_after(kAcceptRest);
            co_await rest.async_wait(asio::redirect_error(asio::use_awaitable, failure));
            continue;
        }
        admit(loop, std::move(socket));
    }
}

void HttpServer::Inside::admit(Loop& loop, tcp::socket socket) {
    Failure failure;
    const auto peer = socket.remote_endpoint(failure);
    if (failure) return;
    const auto address = plain_address(peer.address());
    const Gate::Verdict verdict = house.gate.enter(address);
    if (verdict == Gate::Verdict::shut_out) return;
    prepare(socket, house.settings.write_timeout);
    auto connection = std::make_shared<Connection>(house, loop, std::move(socket), address);
    asio::post(loop.context(), [connection = std::move(connection), verdict] {
        if (verdict == Gate::Verdict::welcome) {
            connection->start();
        } else {
            connection->start_to_refuse();
        }
    });
}

void HttpServer::Inside::close_door() {
    house.is_draining = true;
    asio::post(loops.front()->context(), [this] {
        Failure ignored;
        acceptor->close(ignored);
    });
}

HttpServer::HttpServer(HttpServerSettings settings, Endpoint handler)
    : inside_(std::make_unique<Inside>(std::move(settings), std::move(handler))) {}

HttpServer::~HttpServer() {
    stop();
}

Result<> HttpServer::start() {
    const HttpServerSettings& settings = inside_->house.settings;
    if (settings.certificate.empty() != settings.private_key.empty()) {
        return fail(Code::invalid_argument, "TLS needs both a certificate and its private key",
                    "name both files, or none");
    }
    if (!settings.certificate.empty()) {
        auto tls = make_tls_context(settings.certificate, settings.private_key);
        if (!tls) return fail(std::move(tls.error()));
        inside_->house.tls = std::move(*tls);
    }
    if (auto ok = inside_->listen(); !ok) return ok;
    allow_files(settings.connections);
    inside_->is_running = true;
    inside_->loops.front()->spawn(inside_->accept());
    for (const auto& loop : inside_->loops) loop->start();
    return {};
}

std::string HttpServer::url() const {
    const auto& address = inside_->place.address();
    const std::string host = address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
    return fmt::format("{}://{}:{}", inside_->house.tls ? "https" : "http", host, inside_->place.port());
}

HttpCounts HttpServer::counts() const {
    HttpCounts counts{.accepted = inside_->house.gate.accepted(),
                      .open = inside_->house.gate.open(),
                      .refused = inside_->house.gate.refused()};
    for (const auto& loop : inside_->loops) {
        counts.requests += loop->counts.requests.load(std::memory_order_relaxed);
        counts.malformed += loop->counts.malformed.load(std::memory_order_relaxed);
        counts.bytes_sent += loop->counts.bytes_sent.load(std::memory_order_relaxed);
    }
    return counts;
}

void HttpServer::drain(std::chrono::milliseconds grace) {
    if (!inside_->is_running) return;
    inside_->close_door();
    for (const auto& loop : inside_->loops) loop->tell_all(&Guest::on_drain);
    const Instant end = std::chrono::steady_clock::now() + grace;
    if (inside_->house.gate.wait_until_empty(end)) return;
    for (const auto& loop : inside_->loops) loop->tell_all(&Guest::on_last_call);
    inside_->house.gate.wait_until_empty(end + kLastWordsTime);
}

void HttpServer::stop() {
    if (!std::exchange(inside_->is_running, false)) return;
    inside_->close_door();
    for (const auto& loop : inside_->loops) loop->finish();
    const Instant deadline = std::chrono::steady_clock::now() + kStopTime;
    for (const auto& loop : inside_->loops) loop->join(deadline);
}

void HttpServer::spawn(Task<> task) {
    const std::size_t turn = inside_->next_loop.fetch_add(1, std::memory_order_relaxed);
    inside_->loops[turn % inside_->loops.size()]->spawn(std::move(task));
}

}  // namespace quaestor::server
