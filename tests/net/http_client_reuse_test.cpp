#include "calls.hpp"
#include "kit/http_server.hpp"
#include "net/http_client.hpp"

#include <boost/asio/strand.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace quaestor::net {
namespace {

using namespace std::chrono_literals;
using test::HttpServer;
using test::ReceivedRequest;
using test::Reply;
using test::Signal;
using testing::StartsWith;

/// Calls one after the other on one event loop; the last answer counts.
Task<Result<HttpResponse>> in_turn(Http& http, std::vector<HttpCall> calls) {
    Result<HttpResponse> response;
    for (HttpCall& call : calls) response = co_await http.send(std::move(call));
    co_return response;
}

std::vector<HttpCall> twice(const HttpServer& server) {
    return {get(server.url("/1")), get(server.url("/2"))};
}

/// Answers the first request with `first`, later ones with their number.
HttpServer::Handler first_then_number(Reply first) {
    return [first, count = 0](const ReceivedRequest&) mutable {
        return ++count == 1 ? first : Reply().body(std::to_string(count));
    };
}

/// How many connections two requests take, when this is the answer to the first.
std::size_t connections_after(const Reply& first, HttpClientSettings settings = {}) {
    const HttpServer server(first_then_number(first));
    HttpClient client(std::move(settings));
    EXPECT_EQ(summary(run_to_end(in_turn(client, twice(server)))), "200 2");
    return server.connections();
}

TEST(HttpClientReuse, UsesAConnectionAgain) {
    EXPECT_EQ(connections_after(Reply().body("x")), 1U);
    EXPECT_EQ(connections_after(Reply().pieces("in chunks", 2)), 1U);
    EXPECT_EQ(connections_after(Reply(204)), 1U);
    EXPECT_EQ(connections_after(Reply(500).body("even after an error")), 1U);
    EXPECT_EQ(connections_after(Reply().http_1_0().header("Connection", "keep-alive").body("x")), 1U);
}

TEST(HttpClientReuse, MakesANewConnectionWhereTheOldOneCannotBeTrusted) {
    EXPECT_EQ(connections_after(Reply().header("Connection", "close").body("x")), 2U);
    EXPECT_EQ(connections_after(Reply().http_1_0().body("x")), 2U);
    EXPECT_EQ(connections_after(Reply().until_close().body("x")), 2U);
    EXPECT_EQ(connections_after(Reply().body_with_length(1, "x and more than promised")), 2U);
    EXPECT_EQ(connections_after(Reply().body("x").close()), 2U);
    EXPECT_EQ(connections_after(Reply().body("x").reset()), 2U);
}

TEST(HttpClientReuse, KeepsNoneWhenToldSo) {
    EXPECT_EQ(connections_after(Reply().body("x"), {.idle_connections = 0}), 2U);
}

TEST(HttpClientReuse, KeepsConnectionsToDifferentServersApart) {
    const HttpServer one([](const ReceivedRequest&) { return Reply().body("one"); });
    const HttpServer two([](const ReceivedRequest&) { return Reply().body("two"); });
    HttpClient client;
    EXPECT_EQ(summary(run_to_end(in_turn(client, {get(one.url()), get(two.url())}))), "200 two");
    EXPECT_EQ(summary(run_to_end(in_turn(client, {get(two.url()), get(one.url())}))), "200 one");
}

TEST(HttpClientReuse, SendsAnewWhenAKeptConnectionTurnsOutToBeClosed) {
    // The server reads the second request and only then drops the connection, so the client cannot know before.
    for (const Reply& drop : {Reply().reset(), Reply().close()}) {
        const HttpServer server([&, count = 0](const ReceivedRequest& request) mutable {
            return ++count == 2 ? drop : Reply().body(request.method + request.body);
        });
        HttpClient client;
        const auto response = run_to_end(in_turn(client, {get(server.url()), post(server.url(), "again")}));
        EXPECT_EQ(summary(response), "200 POSTagain");
        EXPECT_EQ(server.connections(), 2U);
        EXPECT_EQ(server.requests().size(), 3U);
    }
}

TEST(HttpClientReuse, DoesNotSendAnewOnAFreshConnection) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().reset(); });
    HttpClient client;
    EXPECT_THAT(summary(run(client, get(server.url()))), StartsWith("unavailable: "));
    EXPECT_EQ(server.requests().size(), 1U);
}

TEST(HttpClientReuse, DoesNotSendAnewTwice) {
    const HttpServer server(
        [count = 0](const ReceivedRequest&) mutable { return ++count == 1 ? Reply().body("x") : Reply().reset(); });
    HttpClient client;
    EXPECT_THAT(summary(run_to_end(in_turn(client, twice(server)))), StartsWith("unavailable: "));
    EXPECT_EQ(server.requests().size(), 3U);
}

TEST(HttpClientReuse, DoesNotSendAnewOnceTheAnswerHasBegun) {
    const HttpServer server([count = 0](const ReceivedRequest&) mutable {
        return ++count == 1 ? Reply().body("x") : Reply().body_with_length(9, "x").close();
    });
    HttpClient client;
    EXPECT_THAT(summary(run_to_end(in_turn(client, twice(server)))), StartsWith("unavailable: "));
    EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpClientReuse, DoesNotSendAnewAfterSilence) {
    const HttpServer server(
        [count = 0](const ReceivedRequest&) mutable { return ++count == 1 ? Reply().body("x") : Reply().stall(); });
    HttpClient client;
    const auto response = run_to_end(in_turn(client, {get(server.url()), within(50ms, get(server.url()))}));
    EXPECT_THAT(summary(response), StartsWith("timeout: "));
    EXPECT_EQ(server.requests().size(), 2U);
}

TEST(HttpClientReuse, ClosesConnectionsThatWereIdleTooLong) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().body("x"); });
    ManualClock clock;
    HttpClient client({.idle = 30s}, clock);
    const auto calls = [&]() -> Task<> {
        EXPECT_TRUE(co_await client.send(get(server.url())));
        clock.advance(29s);
        EXPECT_TRUE(co_await client.send(get(server.url())));
        EXPECT_EQ(server.connections(), 1U);
        clock.advance(30s);
        EXPECT_TRUE(co_await client.send(get(server.url())));
        EXPECT_EQ(server.connections(), 2U);
    };
    run_to_end(calls());
}

TEST(HttpClientReuse, KeepsOnlySoManyForAHost) {
    const auto all_there = std::make_shared<Signal>();
    const HttpServer server([&, count = 0](const ReceivedRequest&) mutable {
        if (++count == 3) all_there->give();
        return Reply().wait_for(all_there).body("x");
    });
    HttpClient client({.idle_connections = 1});
    asio::io_context loop(1);
    for (int i = 0; i < 3; ++i) asio::co_spawn(loop, client.send(get(server.url())), asio::detached);
    loop.run();
    EXPECT_EQ(server.connections(), 3U);
    EXPECT_TRUE(server.wait_until_closed(2));
}

TEST(HttpClientReuse, StaysOnTheExecutorThatMadeTheConnection) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().body("x"); });
    HttpClient client;
    asio::io_context loop(1);
    const auto one = asio::make_strand(loop);
    const auto two = asio::make_strand(loop);
    for (const auto& strand : {one, two, one, two}) {
        asio::co_spawn(strand, client.send(get(server.url())), asio::detached);
        loop.restart();
        loop.run();
    }
    EXPECT_EQ(server.requests().size(), 4U);
    EXPECT_EQ(server.connections(), 2U);
}

TEST(HttpClientReuse, LeavesNothingOpenBehindTheClient) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().body("x"); });
    asio::io_context loop(1);
    {
        HttpClient client;
        asio::co_spawn(loop, client.send(get(server.url())), asio::detached);
        loop.run();
    }
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientReuse, LeavesNothingOpenBehindAnEventLoop) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().body("x"); });
    HttpClient client;
    EXPECT_TRUE(run(client, get(server.url())));
    EXPECT_TRUE(server.wait_until_closed());
    EXPECT_TRUE(run(client, get(server.url())));
    EXPECT_EQ(server.connections(), 2U);
}

}  // namespace
}  // namespace quaestor::net
