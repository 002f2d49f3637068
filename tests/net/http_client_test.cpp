#include "net/http_client.hpp"

#include "calls.hpp"
#include "kit/http_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <stdexcept>
#include <thread>

namespace quaestor::net {
namespace {

using test::HttpServer;
using test::ReceivedRequest;
using test::Reply;
using test::Signal;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What a client makes of one reply.
Result<HttpResponse> answer(const Reply& reply, HttpLimits limits = {}, const std::string& method = "GET") {
    const HttpServer server([&](const ReceivedRequest&) { return reply; });
    HttpClient client;
    HttpCall call = get(server.url());
    call.request.method = method;
    call.limits = limits;
    return run(client, std::move(call));
}

TEST(HttpClient, SendsMethodTargetHeadersAndBody) {
    const HttpServer server([](const ReceivedRequest&) { return Reply::json("{}", 201); });
    HttpClient client({.user_agent = "tester/1"});
    HttpCall call = post(server.url("/a/b?c=d%20e"), "the body");
    call.request.headers = {{"X-One", "1"}, {"Content-Type", "text/plain"}};

    const auto response = run(client, std::move(call));

    ASSERT_TRUE(response) << summary(response);
    EXPECT_EQ(response->status, 201);
    EXPECT_EQ(response->body, "{}");
    EXPECT_EQ(response->header("content-TYPE"), "application/json");
    EXPECT_EQ(response->header("absent"), std::nullopt);
    const ReceivedRequest request = server.requests().at(0);
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/a/b?c=d%20e");
    EXPECT_EQ(request.body, "the body");
    EXPECT_EQ(request.header("host"), "127.0.0.1:" + std::to_string(server.port()));
    EXPECT_EQ(request.header("user-agent"), "tester/1");
    EXPECT_EQ(request.header("x-one"), "1");
    EXPECT_EQ(request.header("content-length"), "8");
}

TEST(HttpClient, SendsAPathEvenWhenTheUrlHasNoneAndNeverTheFragment) {
    const HttpServer server([](const ReceivedRequest&) { return Reply(); });
    HttpClient client;
    EXPECT_TRUE(run(client, get(server.url(""))));
    EXPECT_TRUE(run(client, get(server.url("?q=1#part"))));
    EXPECT_EQ(server.requests().at(0).target, "/");
    EXPECT_EQ(server.requests().at(1).target, "/?q=1");
}

TEST(HttpClient, SendsALargeBodyWhole) {
    const HttpServer server(
        [](const ReceivedRequest& request) { return Reply().body(std::to_string(request.body.size())); });
    HttpClient client;
    EXPECT_EQ(summary(run(client, post(server.url(), std::string(5'000'000, 'x')))), "200 5000000");
}

TEST(HttpClient, TakesTheCallersUserAgent) {
    const HttpServer server([](const ReceivedRequest& request) { return Reply().body(request.header("user-agent")); });
    HttpClient client;
    HttpCall call = get(server.url());
    call.request.headers = {{"user-agent", "mine"}};
    EXPECT_EQ(summary(run(client, std::move(call))), "200 mine");
}

TEST(HttpClient, ReadsBodiesHoweverTheyAreFramed) {
    EXPECT_EQ(summary(answer(Reply().body("with a length"))), "200 with a length");
    EXPECT_EQ(summary(answer(Reply().pieces("in chunks of any size", 4))), "200 in chunks of any size");
    EXPECT_EQ(summary(answer(Reply().until_close().body("up to the end"))), "200 up to the end");
    EXPECT_EQ(summary(answer(Reply().http_1_0().until_close().body("of old"))), "200 of old");
    EXPECT_EQ(summary(answer(Reply().http_1_0().body("of old, with length"))), "200 of old, with length");
    EXPECT_EQ(summary(answer(Reply())), "200 ");
}

TEST(HttpClient, ExpectsNoBodyWhereThereIsNone) {
    EXPECT_EQ(summary(answer(Reply(204))), "204 ");
    EXPECT_EQ(summary(answer(Reply(304))), "304 ");
    EXPECT_EQ(summary(answer(Reply().body_with_length(5, ""), {}, "HEAD")), "200 ");
}

TEST(HttpClient, SkipsInterimResponses) {
    EXPECT_EQ(summary(answer(Reply::raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))),
              "200 ok");
    std::string endless;
    for (int i = 0; i < 100; ++i) endless += "HTTP/1.1 100 Continue\r\n\r\n";
    EXPECT_THAT(summary(answer(Reply::raw(endless))), StartsWith("corrupt: "));
}

TEST(HttpClient, ReturnsARedirectAsItIs) {
    const auto response = answer(Reply(302).header("Location", "http://127.0.0.1:1/elsewhere"));
    ASSERT_TRUE(response) << summary(response);
    EXPECT_EQ(response->status, 302);
    EXPECT_EQ(response->header("location"), "http://127.0.0.1:1/elsewhere");
}

TEST(HttpClient, GivesPiecesToTheSinkAsTheyArrive) {
    const auto first_seen = std::make_shared<Signal>();
    const HttpServer server(
        [&](const ReceivedRequest&) { return Reply().piece("one").wait_for(first_seen).piece("two"); });
    HttpClient client;
    std::vector<std::string> pieces;
    const auto response = run(client, get(server.url()), [&](std::string_view piece) -> Task<bool> {
        pieces.emplace_back(piece);
        first_seen->give();
        co_return true;
    });
    EXPECT_EQ(summary(response), "200 ");
    EXPECT_THAT(pieces, ElementsAre("one", "two"));
}

TEST(HttpClient, GivesPiecesCutWithinACharacterUnchanged) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().pieces("žluťoučký kůň", 1); });
    HttpClient client;
    std::vector<std::string> pieces;
    ASSERT_TRUE(run(client, get(server.url()), into(pieces)));
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    EXPECT_EQ(all, "žluťoučký kůň");
}

TEST(HttpClient, EndsWellAndClosesWhenTheSinkHasEnough) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().endless("more "); });
    HttpClient client;
    const auto response = run(client, get(server.url()), [](std::string_view) -> Task<bool> { co_return false; });
    EXPECT_EQ(summary(response), "200 ");
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClient, CollectsTheBodyOfAFailureEvenWithASink) {
    const HttpServer server([](const ReceivedRequest&) { return Reply::json("{\"error\":1}", 400); });
    HttpClient client;
    std::vector<std::string> pieces;
    EXPECT_EQ(summary(run(client, get(server.url()), into(pieces))), "400 {\"error\":1}");
    EXPECT_THAT(pieces, ElementsAre());
}

TEST(HttpClient, ClosesAndPassesOnWhatTheSinkThrows) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().endless("more "); });
    HttpClient client;
    const BodySink broken = [](std::string_view) -> Task<bool> {
        throw std::runtime_error("broken");
        co_return true;
    };
    EXPECT_THROW(static_cast<void>(run(client, get(server.url()), broken)), std::runtime_error);
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClient, HearsAServerThatRefusesABodyBeforeItHasReadIt) {
    asio::io_context loop(1);
    asio::ip::tcp::acceptor listener(loop, {asio::ip::address_v4::loopback(), 0});
    const std::string url = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port());
    std::thread server([&] {
        auto peer = listener.accept();
        std::array<char, 64> beginning{};
        peer.receive(asio::buffer(beginning));
        const std::string_view reply = "HTTP/1.1 413 Too Large\r\nContent-Length: 8\r\n\r\ntoo much";
        peer.send(asio::buffer(reply));
    });
    HttpClient client;
    EXPECT_EQ(summary(run(client, post(url, std::string(std::size_t{64} << 20, 'x')))), "413 too much");
    server.join();
}

TEST(HttpClient, SaysWhyThereIsNoConnection) {
    HttpClient client;
    EXPECT_EQ(summary(run(client, get("http://127.0.0.1:1/secret?key=value"))),
              "unavailable: could not connect to 127.0.0.1:1: connection refused");
    EXPECT_EQ(summary(run(client, get("http://[::1]:1/"))).substr(0, 43),
              "unavailable: could not connect to [::1]:1: ");
}

TEST(HttpClient, SaysThatAHostIsNotKnown) {
    HttpClient client;
    const std::string host(70, 'x');  // a label is 63 characters at most, so that nobody is asked
    EXPECT_THAT(summary(run(client, get("http://" + host + ".invalid/?key=value"))),
                AllOf(StartsWith("unavailable: could not find the address of " + host), Not(HasSubstr("value"))));
}

TEST(HttpClient, SaysThatTheOtherSideBrokeOff) {
    EXPECT_THAT(summary(answer(Reply().close())), HasSubstr("closed the connection without a response"));
    EXPECT_THAT(summary(answer(Reply().reset())), HasSubstr("connection reset by peer"));
    const std::string in_the_middle = "closed the connection in the middle of its response";
    EXPECT_THAT(summary(answer(Reply::raw("HTTP/1.1 200 OK\r\nContent-"))), HasSubstr(in_the_middle));
    EXPECT_THAT(summary(answer(Reply().body_with_length(10, "half").close())), HasSubstr(in_the_middle));
    EXPECT_THAT(summary(answer(Reply().piece("half").close())), HasSubstr(in_the_middle));
    EXPECT_THAT(summary(answer(Reply().piece("half").reset())), StartsWith("unavailable: "));
}

TEST(HttpClient, SaysThatItIsNoHttp) {
    for (const char* nonsense :
         {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n", "\r\n\r\n\r\n\r\n",
          "HTTP/1.1 200 OK\r\nbad header\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"})
        EXPECT_THAT(summary(answer(Reply::raw(nonsense))), StartsWith("corrupt: 127.0.0.1:")) << nonsense;
}

TEST(HttpClient, BoundsHeadersAndBodies) {
    const HttpLimits limits{.header_bytes = 1000, .body_bytes = 100};
    const std::string just_enough(100, 'x');
    EXPECT_EQ(summary(answer(Reply().body(just_enough), limits)), "200 " + just_enough);

    const std::string headers = "limit_exceeded: the headers from 127.0.0.1:";
    EXPECT_THAT(summary(answer(Reply().header("X", std::string(2000, 'x')), limits)), StartsWith(headers));
    EXPECT_THAT(summary(answer(Reply::raw(std::string(5000, 'x')), limits)), StartsWith("corrupt: "));
    const std::string body = "limit_exceeded: the response from 127.0.0.1:";
    const std::string too_much = just_enough + "x";
    EXPECT_THAT(summary(answer(Reply().body(too_much), limits)), StartsWith(body));
    EXPECT_THAT(summary(answer(Reply().pieces(too_much, 7), limits)), StartsWith(body));
    EXPECT_THAT(summary(answer(Reply().until_close().body(too_much), limits)), StartsWith(body));
    EXPECT_THAT(summary(answer(Reply().endless("x"), limits)), StartsWith(body));
}

TEST(HttpClient, CountsWhatGoesToTheSinkToo) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().endless("0123456789"); });
    HttpClient client;
    HttpCall call = get(server.url());
    call.limits.body_bytes = 1000;
    std::vector<std::string> pieces;
    EXPECT_THAT(summary(run(client, std::move(call), into(pieces))), StartsWith("limit_exceeded: "));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClient, RefusesWhatWouldBreakTheLinesOfHttp) {
    const HttpServer server([](const ReceivedRequest&) { return Reply(); });
    HttpClient client;
    const auto refused = [&](HttpRequest request) {
        HttpCall call;
        call.request = std::move(request);
        return summary(run(client, std::move(call)));
    };
    const std::string url = server.url();
    for (const std::string& bad : {std::string("a\r\nX: y"), std::string("a\nb"), std::string("a\rb"),
                                   std::string("a\0b", 3), std::string("\x7f")})
        EXPECT_THAT(refused({.url = url, .headers = {{"X-Key", bad}}}), StartsWith("invalid_argument: ")) << bad;
    for (const std::string bad : {"", "A B", "A:", "A\r\nB", "Ä"}) {
        EXPECT_THAT(refused({.url = url, .headers = {{bad, "value"}}}), StartsWith("invalid_argument: ")) << bad;
        EXPECT_THAT(refused({.method = bad, .url = url}), StartsWith("invalid_argument: ")) << bad;
    }
    for (const char* own : {"Content-Length", "transfer-encoding", "HOST", "Connection", "Proxy-Authorization"})
        EXPECT_THAT(refused({.url = url, .headers = {{own, "1"}}}), StartsWith("invalid_argument: ")) << own;
    EXPECT_THAT(refused({.method = "CONNECT", .url = url}), StartsWith("invalid_argument: "));
    EXPECT_EQ(server.connections(), 0U);
}

TEST(HttpClient, RefusesUrlsThatItCannotUseAndTellsNoSecretOfThem) {
    HttpClient client;
    for (const char* url : {"",
                            "secret",
                            "/secret",
                            "ftp://host/secret",
                            "http:///secret",
                            "http://ho st/secret",
                            "http://host/secret\r\nX: y",
                            "http://host/se cret",
                            "http://host:99999/secret",
                            "http://host:0/secret",
                            "http://host:secret",
                            "http://host:80secret/",
                            "http://host:1:2/secret",
                            "http://user:secret@host/",
                            "http://secret@host/",
                            "http://host/%zz?secret",
                            "http://[::1/secret",
                            "http://a%0d%0ab/secret",
                            "http://a%2Fsecret/",
                            "http://secret%C3%A9.example/"})
        EXPECT_THAT(summary(run(client, get(url))), AllOf(StartsWith("invalid_argument: "), Not(HasSubstr("secret"))))
            << url;
}

}  // namespace
}  // namespace quaestor::net
