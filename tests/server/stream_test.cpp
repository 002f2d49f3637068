#include "base/bell.hpp"
#include "server/http_server.hpp"
#include "server/raw_client.hpp"
#include "server/replies.hpp"
#include "server/test_endpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace quaestor::server {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kAsk = "GET /events HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr auto kForever = 60s;  ///< what no test waits for

/// A server whose only endpoint streams what the test says.
class StreamServer {
public:
    explicit StreamServer(std::function<Task<>(StreamWriter&)> body, HttpServerSettings settings = {}) {
        settings.port = 0;
        settings.threads = 1;
        server_.emplace(settings, [body = std::move(body)](Request request) -> Task<Reply> {
            if (request.path == "/plain") co_return Response{.headers = {}, .body = "plain"};
            co_return StreamResponse{.headers = {{"Content-Type", "text/event-stream"}}, .body = body};
        });
        if (!server_->start()) throw std::runtime_error("the server does not start");
    }
    HttpServer* operator->() { return &*server_; }
    [[nodiscard]] std::string url() const { return server_->url(); }

private:
    std::optional<HttpServer> server_;
};

class AClientThatLeaves : public testing::TestWithParam<bool> {};

TEST_P(AClientThatLeaves, IsNoticedWhileNothingIsWritten) {
    std::promise<CancelReason> why;
    StreamServer server([&](StreamWriter& out) -> Task<> {
        EXPECT_TRUE(co_await out.write("data: 1\n\n"));
        const CancelReason reason = co_await end_of(out);
        const auto written = co_await out.write("data: 2\n\n");
        EXPECT_EQ(written.error().code, Code::unavailable);
        why.set_value(reason);
    });
    RawClient client(server.url());
    client.send(kAsk);
    client.read_until("data: 1");
    if (GetParam()) {
        client.break_off();
    } else {
        client.end_sending();
    }
    EXPECT_EQ(soon(why.get_future()), CancelReason::client_gone);
    server->drain(kForever);
    EXPECT_EQ(server->counts().open, 0U);
}

INSTANTIATE_TEST_SUITE_P(Abruptly, AClientThatLeaves, testing::Values(true));
INSTANTIATE_TEST_SUITE_P(InOrder, AClientThatLeaves, testing::Values(false));

TEST(Streams, AClientThatTakesNothingIsGivenUp) {
    std::promise<Error> problem;
    StreamServer server(
        [&](StreamWriter& out) -> Task<> {
            const std::string piece(std::size_t{64} << 10, 'x');
            for (;;) {
                if (auto written = co_await out.write(piece); !written) {
                    EXPECT_TRUE(out.gone().cancelled());
                    problem.set_value(written.error());
                    co_return;
                }
            }
        },
        {.write_timeout = 40ms});
    RawClient client(server.url(), 4'096);
    client.send(kAsk);
    EXPECT_EQ(soon(problem.get_future()).code, Code::timeout);
}

TEST(Streams, ASlowReaderSlowsTheWriterAndLosesNothing) {
    constexpr int kPieces = 200;
    StreamServer server([&](StreamWriter& out) -> Task<> {
        for (int i = 0; i < kPieces; ++i) {
            if (!co_await out.write(std::string(50'000, static_cast<char>('a' + i % 26)))) co_return;
        }
    });
    RawClient client(server.url(), 4'096);
    client.send("GET /events HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const auto replies = read_replies(client.read_all());
    ASSERT_EQ(replies.size(), 1U);
    EXPECT_TRUE(replies[0].is_whole);
    EXPECT_EQ(replies[0].body.size(), 50'000U * kPieces);
    EXPECT_EQ(replies[0].body.back(), 'a' + (kPieces - 1) % 26);
}

TEST(Streams, ARequestSentMeanwhileIsAnsweredAfterwards) {
    std::promise<void> is_sent;
    StreamServer server([&, sent = is_sent.get_future().share()](StreamWriter& out) -> Task<> {
        EXPECT_TRUE(co_await out.write("first "));
        // The other request lies at the server by now, and must not pass for the end of the client.
        while (sent.wait_for(0s) != std::future_status::ready) co_await system_clock().sleep_for(1ms);
        co_await system_clock().sleep_for(10ms);
        EXPECT_FALSE(out.gone().cancelled());
        EXPECT_TRUE(co_await out.write("last"));
    });
    RawClient client(server.url());
    client.send(kAsk);
    client.read_until("first ");
    client.send("GET /plain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    is_sent.set_value();
    EXPECT_THAT(client.read_all(), testing::AllOf(testing::HasSubstr("last\r\n0\r\n\r\nHTTP/1.1 200"),
                                                  testing::EndsWith("\r\n\r\nplain")));
}

TEST(Draining, StreamsAreToldAndMaySayALastWord) {
    StreamServer server([&](StreamWriter& out) -> Task<> {
        EXPECT_TRUE(co_await out.write("begun "));
        EXPECT_EQ(co_await end_of(out), CancelReason::shutdown);
        EXPECT_TRUE(co_await out.write("goodbye"));
    });
    auto client = std::make_optional<RawClient>(server.url());
    client->send(kAsk);
    const std::string begin = client->read_until("begun ");
    auto drained = std::async(std::launch::async, [&] { server->drain(0ms); });
    const auto replies = read_replies(begin + client->read_all());
    client.reset();
    ASSERT_EQ(replies.size(), 1U);
    EXPECT_EQ(replies[0].summary(), "200 begun goodbye");
}

TEST(Draining, AStreamThatEndsInTimeIsNotTold) {
    std::promise<Bell*> waits;
    StreamServer server([&](StreamWriter& out) -> Task<> {
        Bell bell(co_await asio::this_coro::executor);
        EXPECT_TRUE(co_await out.write("begun "));
        waits.set_value(&bell);
        co_await bell.wait();
        EXPECT_FALSE(out.gone().cancelled());
        EXPECT_TRUE(co_await out.write("done"));
    });
    auto client = std::make_optional<RawClient>(server.url());
    client->send(kAsk);
    const std::string begin = client->read_until("begun ");
    auto drained = std::async(std::launch::async, [&] { server->drain(kForever); });
    // Nobody new comes in from some moment on; those before it were only accepted by the system.
    while (RawClient(server.url()).is_connected()) {
    }
    soon(waits.get_future())->ring();
    EXPECT_EQ(read_replies(begin + client->read_all()).at(0).summary(), "200 begun done");
    client.reset();
    soon(std::move(drained));
}

TEST(Draining, ConnectionsBetweenRequestsAreClosed) {
    StreamServer server([](StreamWriter&) -> Task<> { co_return; });
    auto fresh = std::make_optional<RawClient>(server.url());
    auto kept = std::make_optional<RawClient>(server.url());
    kept->send("GET /plain HTTP/1.1\r\nHost: x\r\n\r\n");
    kept->read_until("plain");
    auto drained = std::async(std::launch::async, [&] { server->drain(kForever); });
    EXPECT_EQ(kept->read_all(), "");
    EXPECT_EQ(fresh->read_all(), "");
    kept.reset();
    fresh.reset();
    soon(std::move(drained));
}

TEST(Stopping, EndsAStreamThatDoesNotListen) {
    std::promise<void> begun;
    StreamServer server([&](StreamWriter& out) -> Task<> {
        EXPECT_TRUE(co_await out.write("begun "));
        begun.set_value();
        co_await system_clock().sleep_for(1h);
    });
    RawClient client(server.url());
    client.send(kAsk);
    begun.get_future().wait();
    server->stop();
    EXPECT_EQ(read_replies(client.read_all()).at(0).summary(), "200 begun  (cut off)");
}

}  // namespace
}  // namespace quaestor::server
