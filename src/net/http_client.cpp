#include "net/http_client.hpp"

#include "net/connection.hpp"
#include "net/idle_connections.hpp"
#include "net/lookup.hpp"
#include "net/proxy.hpp"
#include "net/request_text.hpp"
#include "net/response_reader.hpp"
#include "net/url.hpp"
#include "net/words.hpp"
#include "resilience/with_deadline.hpp"

#include <boost/asio/error.hpp>
#include <fmt/format.h>

#include <array>
#include <mutex>
#include <utility>

namespace quaestor::net {

namespace {

using Failure = boost::system::error_code;

constexpr std::size_t kReadBytes = std::size_t{16} << 10;
/// A body is sent in such pieces, so that a slow connection is not taken for a silent one.
constexpr std::size_t kWriteBytes = std::size_t{64} << 10;

/// Where a request goes, and how.
struct Route {
    Url url;
    std::optional<Proxy> proxy;

    [[nodiscard]] const Url& first_hop() const { return proxy ? proxy->url : url; }
    /// Requests with the same key can share a connection.
    [[nodiscard]] std::string key() const {
        const std::string end = url.is_tls ? fmt::format("https://{}", url.place()) : "http://";
        return fmt::format("{} {} {}", first_hop().place(), end, proxy ? proxy->authorization : "");
    }
};

/// A request that is ready to be sent.
struct Job {
    Route route;
    std::string text;
    bool is_head = false;
    HttpLimits limits;
    BodySink sink;
};

/// One request and its response on one connection.
class Exchange {
public:
    Exchange(const Job& job, Connection& connection, Clock& clock)
        : job_(job),
          connection_(connection),
          clock_(clock),
          place_(job.route.url.place()),
          reader_(place_, job.limits, job.is_head) {}

    Task<Result<HttpResponse>> run() {
        const auto written = co_await write(job_.text);
        if (!written && !is_closed_) co_return fail(written.error());
        // A server may refuse a large body before it has read it all, and its answer says why.
        auto response = co_await read();
        if (!response && !written && !reader_.heard()) co_return fail(written.error());
        co_return response;
    }

    /// True when the connection had ended before the other side said anything about the request.
    [[nodiscard]] bool found_it_closed() const { return is_closed_ && !reader_.heard(); }
    [[nodiscard]] bool can_go_on() const { return reader_.can_be_reused() && !is_closed_; }

private:
    Task<Result<>> write(std::string_view bytes) {
        while (!bytes.empty()) {
            const std::string_view piece = bytes.substr(0, kWriteBytes);
            const auto sent = co_await in_time(connection_.write(piece));
            if (!sent) co_return fail(sent.error());
            if (*sent) co_return fail(lost(*sent));
            bytes.remove_prefix(piece.size());
        }
        co_return Result<>();
    }

    Task<Result<HttpResponse>> read() {
        while (!reader_.has_head()) {
            if (auto ok = co_await read_more(); !ok) co_return fail(std::move(ok.error()));
        }
        HttpResponse response = reader_.head();
        const bool goes_to_sink = job_.sink && response.is_success();
        for (;;) {
            const std::string piece = reader_.take_body();
            if (!goes_to_sink) response.body += piece;
            if (goes_to_sink && !piece.empty() && !co_await job_.sink(piece)) co_return response;
            if (reader_.is_done()) co_return response;
            if (auto ok = co_await read_more(); !ok) co_return fail(std::move(ok.error()));
        }
    }

    Task<Result<>> read_more() {
        std::size_t count = 0;
        const auto got = co_await in_time(connection_.read(space_, count));
        if (!got) co_return fail(got.error());
        if (*got == asio::error::eof) {
            is_closed_ = true;
            co_return reader_.finish();
        }
        if (*got) co_return fail(lost(*got));
        co_return reader_.feed({space_.data(), count});
    }

    /// Bounds the wait for the other side by limits.silence.
    Task<Result<Failure>> in_time(Task<Failure> transfer) {
        auto result = co_await with_deadline(clock_, Deadline::after(clock_, job_.limits.silence), {}, place_,
                                             std::move(transfer));
        if (!result && result.error().code == Code::timeout) {
            co_return fail(Code::timeout,
                           fmt::format("{} has sent nothing for {} ms", place_, job_.limits.silence.count()),
                           "try again, or allow more time for it");
        }
        co_return result;
    }

    Error lost(const Failure& failure) {
        is_closed_ = true;
        return {Code::unavailable, fmt::format("the connection to {} was lost: {}", place_, in_words(failure)),
                "try again; if it stays so, look at what the server says", nullptr};
    }

    const Job& job_;
    Connection& connection_;
    Clock& clock_;
    std::string place_;
    ResponseReader reader_;
    bool is_closed_ = false;
    std::array<char, kReadBytes> space_{};
};

}  // namespace

struct HttpClient::Inside {
    Inside(HttpClientSettings wanted, Clock& time)
        : settings(std::move(wanted)),
          clock(time),
          idle(std::make_shared<IdleConnections>(settings.idle_connections, settings.idle, time)) {}
    ~Inside() { idle->close_all(); }

    Result<Job> prepare(HttpCall& call, BodySink sink) const;
    Task<Result<HttpResponse>> perform(const Job& job);
    Task<Result<HttpResponse>> perform_on(const Job& job, std::unique_ptr<Connection> connection, bool* found_closed);
    Task<Result<std::unique_ptr<Connection>>> open_in_time(const Job& job);
    Task<Result<std::unique_ptr<Connection>>> open(const Job& job);
    Task<Result<>> open_tunnel(const Job& job, Connection& connection);
    Result<asio::ssl::context>& tls_context();

    HttpClientSettings settings;
    Clock& clock;
    std::once_flag tls_made;
    std::optional<Result<asio::ssl::context>> tls;  ///< made for the first call that needs it: that reads many files
    std::shared_ptr<IdleConnections> idle;
    Lookup lookup;
};

Result<Job> HttpClient::Inside::prepare(HttpCall& call, BodySink sink) const {
    auto url = parse_url(call.request.url);
    if (!url) return fail(std::move(url.error()));
    if (!url->user.empty() || !url->password.empty()) {
        return fail(Code::invalid_argument, "the URL has a user or a password in it",
                    "send them in an Authorization header instead");
    }
    auto proxy = proxy_for(*url, settings);
    if (!proxy) return fail(std::move(proxy.error()));
    auto text = request_text(call.request, *url, *proxy, settings.user_agent);
    if (!text) return fail(std::move(text.error()));
    return Job{{std::move(*url), std::move(*proxy)},
               std::move(*text),
               call.request.method == "HEAD",
               call.limits,
               std::move(sink)};
}

Task<Result<HttpResponse>> HttpClient::Inside::perform(const Job& job) {
    if (auto kept = idle->take(co_await asio::this_coro::executor, job.route.key())) {
        bool found_closed = false;
        auto response = co_await perform_on(job, std::move(kept), &found_closed);
        if (response || !found_closed) co_return response;
    }
    auto fresh = co_await open_in_time(job);
    if (!fresh) co_return fail(std::move(fresh.error()));
    co_return co_await perform_on(job, std::move(*fresh), nullptr);
}

Task<Result<HttpResponse>> HttpClient::Inside::perform_on(const Job& job, std::unique_ptr<Connection> connection,
                                                          bool* found_closed) {
    Exchange exchange(job, *connection, clock);
    auto response = co_await exchange.run();
    if (found_closed != nullptr) *found_closed = exchange.found_it_closed();
    if (response && exchange.can_go_on())
        idle->keep(co_await asio::this_coro::executor, job.route.key(), std::move(connection));
    co_return response;
}

Task<Result<std::unique_ptr<Connection>>> HttpClient::Inside::open_in_time(const Job& job) {
    auto opened = co_await with_deadline(clock, Deadline::after(clock, job.limits.connect), {},
                                         fmt::format("connecting to {}", job.route.first_hop().place()), open(job));
    if (!opened) co_return fail(std::move(opened.error()));
    co_return std::move(*opened);
}

Task<Result<std::unique_ptr<Connection>>> HttpClient::Inside::open(const Job& job) {
    const Url& first = job.route.first_hop();
    auto endpoints = co_await lookup.find(first.host, first.port);
    if (!endpoints) co_return fail(std::move(endpoints.error()));
    auto connection = std::make_unique<Connection>(co_await asio::this_coro::executor);
    auto ok = co_await connection->connect(std::move(*endpoints), first.place());
    if (!ok) co_return fail(std::move(ok.error()));
    if (!job.route.url.is_tls) co_return connection;

    if (job.route.proxy) ok = co_await open_tunnel(job, *connection);
    if (!ok) co_return fail(std::move(ok.error()));
    auto& context = tls_context();
    if (!context) co_return fail(context.error());
    ok = co_await connection->start_tls(*context, job.route.url.host);
    if (!ok) co_return fail(std::move(ok.error()));
    co_return connection;
}

Task<Result<>> HttpClient::Inside::open_tunnel(const Job& job, Connection& connection) {
    const Proxy& proxy = *job.route.proxy;
    Job request{
        {proxy.url, std::nullopt}, connect_text(job.route.url, proxy, settings.user_agent), true, job.limits, {}};
    Exchange exchange(request, connection, clock);
    const auto response = co_await exchange.run();
    if (!response) co_return fail(response.error());
    if (response->is_success()) co_return Result<>();
    if (response->status == 407) {
        co_return fail(Code::permission_denied,
                       fmt::format("the proxy {} wants a user and a password", proxy.url.place()),
                       "write them into https_proxy: http://user:password@host:port");
    }
    co_return fail(Code::unavailable,
                   fmt::format("the proxy {} does not connect to {}: it answered with status {}", proxy.url.place(),
                               job.route.url.place(), response->status),
                   "check https_proxy and no_proxy");
}

Result<asio::ssl::context>& HttpClient::Inside::tls_context() {
    std::call_once(tls_made, [this] { tls.emplace(verifying_context(settings.ca_file)); });
    return *tls;
}

HttpClient::HttpClient(HttpClientSettings settings, Clock& clock)
    : inside_(std::make_unique<Inside>(std::move(settings), clock)) {}

HttpClient::~HttpClient() = default;

Task<Result<HttpResponse>> HttpClient::stream(HttpCall call, BodySink sink) {
    const auto job = inside_->prepare(call, std::move(sink));
    if (!job) co_return fail(job.error());
    auto result =
        co_await with_deadline(inside_->clock, call.deadline, call.cancel,
                               fmt::format("the request to {}", job->route.url.place()), inside_->perform(*job));
    if (!result) co_return fail(std::move(result.error()));
    co_return std::move(*result);
}

}  // namespace quaestor::net
