// A server of ours with the endpoints of the peers' programs, to be measured beside them.
// usage: sse_server PORT
#include "base/json.hpp"
#include "bench_kit.hpp"
#include "server/http_server.hpp"
#include "server/router.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>

using namespace quaestor;
using namespace quaestor::server;

namespace {

constexpr int kEvents = 50;
constexpr std::chrono::seconds kIdleTime{60};

struct Token {
    int i = 0;
    std::string token;
};
BOOST_DESCRIBE_STRUCT(Token, (), (i, token))

/// A described event as JSON, as the events of a run are; its parts live on the stack.
std::string event(int i) {
    std::array<unsigned char, 512> space;
    json::monotonic_resource memory(space.data(), space.size());
    std::string text = "data: ";
    text += to_text(encode(Token{.i = i, .token = "token-" + std::to_string(i)}, &memory));
    return text += "\n\n";
}

StreamResponse events(std::function<Task<>(StreamWriter&)> body) {
    return {.headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}}, .body = std::move(body)};
}

/// All events are ready: they go out together, as those of a run that is ahead of its reader do.
Task<> write_ready(StreamWriter& out) {
    std::string ready;
    for (int i = 0; i < kEvents; ++i) ready += event(i);
    (void)co_await out.write(ready);
}

/// One turn of the loop between the events: each is written on its own.
Task<> write_each(StreamWriter& out) {
    const auto executor = co_await asio::this_coro::executor;
    for (int i = 0; i < kEvents; ++i) {
        if (!co_await out.write(event(i))) co_return;
        co_await asio::post(executor, asio::deferred);
    }
}

/// One event, then silence.
Task<> write_one(StreamWriter& out) {
    (void)co_await out.write(event(0));
    asio::steady_timer silence(co_await asio::this_coro::executor, kIdleTime);
    const auto woken = out.gone().on_cancel([&] { silence.cancel(); });
    boost::system::error_code ignored;
    co_await silence.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

Router make_router() {
    const auto stream = [](Task<> (*body)(StreamWriter&)) {
        return [body](Request) -> Task<Reply> { co_return events(body); };
    };
    Router router;
    router.add({.method = "GET", .pattern = "/health", .endpoint = [](Request) -> Task<Reply> {
                    co_return json_response(200, {{"status", "ok"}});
                }});
    router.add({.method = "GET", .pattern = "/stream", .endpoint = stream(write_ready)});
    router.add({.method = "GET", .pattern = "/stream_flush", .endpoint = stream(write_each)});
    router.add({.method = "GET", .pattern = "/idle", .endpoint = stream(write_one)});
    return router;
}

}  // namespace

int main(int count, char** arguments) {
    std::uint16_t port = 0;
    const std::string_view text = count == 2 ? arguments[1] : "";
    if (std::from_chars(text.data(), text.data() + text.size(), port).ptr != text.data() + text.size() ||
        text.empty()) {
        fmt::print(stderr, "usage: sse_server PORT\n");
        return 2;
    }
    // Before any thread is made, so that only this one takes them.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    const Router router = make_router();
    const Endpoint dispatch = [&router](Request request) -> Task<Reply> {
        auto match = router.find(request.method, request.path);
        if (!match) co_return error_response(status_of(match.error().code), match.error(), request.request_id);
        request.parts = std::move(match->parts);
        co_return co_await match->route->endpoint(std::move(request));
    };
    HttpServer server({.port = port, .connections_per_address = 20'000}, dispatch);
    bench::checked(server.start());
    int signal = 0;
    sigwait(&ends, &signal);
}
