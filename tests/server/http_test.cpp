#include "base/bell.hpp"
#include "base/ids.hpp"
#include "kit/self_signed.hpp"
#include "net/http_client.hpp"
#include "server/http_server.hpp"
#include "server/raw_client.hpp"
#include "server/replies.hpp"
#include "server/test_endpoints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

namespace quaestor::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto kShort = 40ms;  ///< a time-out that a test waits for
constexpr std::string_view kGet = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

/// A started server on a free port.
class TestServer {
public:
    explicit TestServer(HttpServerSettings settings, Endpoint handler = answer_test)
        : server_(with_free_port(std::move(settings)), std::move(handler)) {
        const auto started = server_.start();
        if (!started) throw std::runtime_error(started.error().describe());
    }
    HttpServer* operator->() { return &server_; }
    [[nodiscard]] std::string url() const { return server_.url(); }

private:
    static HttpServerSettings with_free_port(HttpServerSettings settings) {
        settings.port = 0;
        settings.threads = 2;
        return settings;
    }
    HttpServer server_;
};

std::string summary_of(const std::string& bytes) {
    std::string text;
    for (const ReceivedReply& reply : read_replies(bytes)) text += (text.empty() ? "" : " | ") + reply.summary();
    return text;
}

TEST(HttpServerTimeouts, AClientThatNeverEndsItsHeadersIsTold) {
    TestServer server({.header_timeout = kShort});
    RawClient client(server.url());
    client.send("GET /a HTTP/1.1\r\nHost: x\r\nX-A: ");
    // A byte now and then does not help.
    while (!client.has_something(5)) client.send("a");
    EXPECT_EQ(summary_of(client.read_all()), "408 timeout: the request took too long to arrive");
    EXPECT_EQ(server->counts().malformed, 1U);
}

TEST(HttpServerTimeouts, AClientThatNeverEndsItsBodyIsTold) {
    TestServer server({.body_timeout = kShort});
    RawClient client(server.url());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
    EXPECT_EQ(summary_of(client.read_all()), "408 timeout: the request took too long to arrive");
}

TEST(HttpServerTimeouts, AConnectionThatSaysNothingIsClosedWithoutAWord) {
    TestServer server({.idle_timeout = kShort});
    RawClient fresh(server.url());
    RawClient kept(server.url());
    kept.send(kGet);
    EXPECT_EQ(fresh.read_all(), "");
    EXPECT_EQ(summary_of(kept.read_all()), "200 GET /a");
}

TEST(HttpServerTimeouts, TheTimeOfAnEndpointIsItsOwn) {
    TestServer server({.header_timeout = kShort, .body_timeout = kShort, .idle_timeout = kShort},
                      [](Request) -> Task<Reply> {
                          co_await system_clock().sleep_for(2 * kShort);
                          co_return Response{.headers = {}, .body = "late"};
                      });
    RawClient client(server.url());
    client.send(kGet);
    EXPECT_EQ(summary_of(client.read_all()), "200 late");
}

TEST(HttpServer, KeepsAConnectionForManyRequests) {
    TestServer server({});
    RawClient client(server.url());
    for (int i = 0; i < 100; ++i) {
        client.send(kGet);
        ASSERT_EQ(summary_of(client.read_until("GET /a")), "200 GET /a");
    }
    EXPECT_EQ(server->counts().accepted, 1U);
    EXPECT_EQ(server->counts().requests, 100U);
    EXPECT_GT(server->counts().bytes_sent, 10'000U);
}

TEST(HttpServer, ReadsARequestThatComesByteByByte) {
    TestServer server({});
    RawClient client(server.url());
    const std::string request =
        "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (const char c : request) client.send({&c, 1});
    EXPECT_EQ(summary_of(client.read_until("<abc>")), "200 POST /a <abc>");
}

TEST(HttpServer, LetsAClientSendItsBodyWhenItAsks) {
    TestServer server({});
    RawClient client(server.url());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("abc");
    EXPECT_EQ(summary_of(client.read_until("<abc>")), "200 POST /a <abc>");
}

TEST(HttpServer, SendsAReplyThatIsLargerThanAnyBuffer) {
    const std::string large(std::size_t{8} << 20, 'x');
    TestServer server({}, [&](Request) -> Task<Reply> { co_return Response{.headers = {}, .body = large}; });
    RawClient client(server.url(), 4'096);
    client.send(kGet);
    client.end_sending();
    EXPECT_TRUE(read_replies(client.read_all()).at(0).body == large);
}

TEST(HttpServer, SendsAFile) {
    const auto path = std::filesystem::temp_directory_path() / "quaestor-server-large-file";
    const std::string large(std::size_t{3} << 20, 'y');
    std::ofstream(path) << large;
    TestServer server({}, [&](Request) -> Task<Reply> { co_return FileResponse{.headers = {}, .file = path}; });
    RawClient client(server.url());
    client.send(std::string(kGet) + std::string(kGet));
    client.end_sending();
    const auto replies = read_replies(client.read_all());
    std::filesystem::remove(path);
    ASSERT_EQ(replies.size(), 2U);
    EXPECT_TRUE(replies[0].body == large && replies[1].body == large);
}

TEST(HttpServer, SendsNoBodyToHeadAndToWhoHasTheFile) {
    const auto path = std::filesystem::temp_directory_path() / "quaestor-server-small-file";
    std::ofstream(path) << "small";
    TestServer server({}, [&](Request request) -> Task<Reply> {
        if (request.header("If-None-Match"))
            co_return Response{.status = 304, .headers = {{"ETag", "\"1\""}}, .body = {}};
        co_return FileResponse{.headers = {{"ETag", "\"1\""}}, .file = path};
    });
    RawClient client(server.url());
    client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\nHEAD / HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"1\"\r\n\r\n");
    client.end_sending();
    const auto replies = read_replies(client.read_all(), true);
    std::filesystem::remove(path);
    ASSERT_EQ(replies.size(), 2U);
    EXPECT_TRUE(replies[0].status == 200 && replies[0].has("Content-Length: 5"));
    EXPECT_TRUE(replies[1].status == 304 && replies[1].has("ETag: \"1\"") && !replies[1].has("Content-Length"));
}

TEST(HttpServer, TellsTheEndpointWhoAsks) {
    TestServer server({}, [](Request request) -> Task<Reply> {
        co_return Response{.headers = {}, .body = request.peer + (is_valid_id(request.request_id) ? " with id" : "")};
    });
    RawClient client(server.url());
    client.send(kGet);
    client.end_sending();
    EXPECT_EQ(summary_of(client.read_all()), "200 127.0.0.1 with id");
}

TEST(HttpServerLimits, AConnectionTooManyIsToldAndClosed) {
    TestServer server({.connections = 1});
    RawClient first(server.url());
    first.send(kGet);
    EXPECT_EQ(summary_of(first.read_until("GET /a")), "200 GET /a");
    RawClient second(server.url());
    second.send(kGet);
    const auto replies = read_replies(second.read_all());
    ASSERT_EQ(replies.size(), 1U);
    EXPECT_EQ(replies[0].summary(), "503 unavailable: too many connections");
    EXPECT_TRUE(replies[0].has("Retry-After") && replies[0].has("Connection: close"));
    EXPECT_EQ(server->counts().refused, 1U);
}

TEST(HttpServerLimits, ThereIsRoomAgainWhenAConnectionEnds) {
    TestServer server({.connections_per_address = 1});
    {
        RawClient first(server.url());
        first.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        EXPECT_EQ(summary_of(first.read_all()), "200 GET /a");
    }
    // The server hears of the end a moment later.
    std::string told;
    while (told != "200 GET /a") {
        RawClient next(server.url());
        next.send(kGet);
        next.end_sending();
        told = summary_of(next.read_all());
        ASSERT_THAT(told, testing::AnyOf("200 GET /a", "503 unavailable: too many connections", ""));
    }
}

TEST(HttpServerStart, SaysThatAnotherProgramHasTheAddress) {
    TestServer first({});
    const auto port = static_cast<std::uint16_t>(std::stoi(first.url().substr(first.url().rfind(':') + 1)));
    HttpServer second({.port = port}, answer_test);
    const auto started = second.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, Code::unavailable);
    EXPECT_THAT(started.error().message,
                AllOf(HasSubstr("another program listens on 127.0.0.1:"), HasSubstr("already")));
    EXPECT_THAT(started.error().hint, HasSubstr("choose another port"));
}

TEST(HttpServerStart, SaysThatAHostIsNone) {
    HttpServer server({.host = "no such host"}, answer_test);
    const auto started = server.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, Code::invalid_argument);
}

TEST(HttpServerStart, SaysThatACertificateCannotBeUsed) {
    HttpServer missing({.port = 0, .certificate = "/no/such.pem", .private_key = "/no/such.key"}, answer_test);
    EXPECT_THAT(missing.start().error().message, StartsWith("the certificate /no/such.pem cannot be used"));
    HttpServer half({.port = 0, .certificate = "/no/such.pem"}, answer_test);
    EXPECT_EQ(half.start().error().message, "TLS needs both a certificate and its private key");
    const test::SelfSigned one("localhost", false);
    const test::SelfSigned other("localhost", false);
    HttpServer mixed({.port = 0, .certificate = one.file(), .private_key = other.key_file()}, answer_test);
    EXPECT_THAT(mixed.start().error().message, AllOf(StartsWith("the private key"), HasSubstr("mismatch")));
}

TEST(HttpServerStop, ServesTasksThatOutliveARequest) {
    TestServer server({});
    std::promise<int> done;
    server->spawn([](std::promise<int>& promise) -> Task<> {
        promise.set_value(7);
        co_return;
    }(done));
    EXPECT_EQ(done.get_future().get(), 7);
}

TEST(HttpServerStop, EndsTasksAndEndpointsThatWait) {
    std::promise<void> begun;
    auto ended = std::make_shared<int>(0);
    const auto wait_forever = [&](std::shared_ptr<int> mark) -> Task<> {
        begun.set_value();
        const std::shared_ptr<int> kept(mark.get(), [mark](int* count) { ++*count; });
        co_await system_clock().sleep_for(1h);
    };
    {
        TestServer server({}, [&](Request) -> Task<Reply> {
            co_await wait_forever(ended);
            co_return Response{};
        });
        RawClient client(server.url());
        client.send(kGet);
        begun.get_future().wait();
        begun = {};
        server->spawn(wait_forever(ended));
        begun.get_future().wait();
        server->stop();
        EXPECT_EQ(*ended, 2);
        EXPECT_EQ(client.read_all(), "");
    }
}

class HttpServerTls : public testing::Test {
protected:
    [[nodiscard]] HttpServerSettings settings() const {
        return {.host = "localhost", .certificate = certificate_.file(), .private_key = certificate_.key_file()};
    }
    [[nodiscard]] std::string ask(const std::string& url, std::string body = {}) {
        net::HttpClient client({.ca_file = certificate_.file()});
        net::HttpCall call;
        call.request.method = body.empty() ? "GET" : "POST";
        call.request.url = "https://localhost" + url.substr(url.rfind(':'));
        call.request.body = std::move(body);
        const auto response = run_to_end(client.send(std::move(call)));
        return response ? response->body : response.error().describe();
    }
    const test::SelfSigned certificate_{"localhost", false};
};

TEST_F(HttpServerTls, AnswersAndStreams) {
    TestServer server(settings());
    EXPECT_THAT(server.url(), StartsWith("https://127.0.0.1:"));
    EXPECT_EQ(ask(server.url() + "/a"), "GET /a");
    EXPECT_EQ(ask(server.url() + "/stream"), "one two three");
    const std::string large(100'000, 'x');
    EXPECT_EQ(ask(server.url() + "/a", large), "POST /a <" + large + ">");
}

TEST_F(HttpServerTls, SendsLargeRepliesAndFiles) {
    const auto path = std::filesystem::temp_directory_path() / "quaestor-server-tls-file";
    const std::string large(std::size_t{2} << 20, 'z');
    std::ofstream(path) << large;
    TestServer server(settings(), [&](Request request) -> Task<Reply> {
        if (request.path == "/file") co_return FileResponse{.headers = {}, .file = path};
        co_return Response{.headers = {}, .body = large};
    });
    EXPECT_TRUE(ask(server.url() + "/file") == large);
    EXPECT_TRUE(ask(server.url() + "/text") == large);
    std::filesystem::remove(path);
}

TEST_F(HttpServerTls, NoticesAClientThatLeavesAStream) {
    std::promise<CancelReason> why;
    const auto stream = [&](StreamWriter& out) -> Task<> {
        EXPECT_TRUE(co_await out.write("begun"));
        why.set_value(co_await end_of(out));
    };
    TestServer server(settings(),
                      [&](Request) -> Task<Reply> { co_return StreamResponse{.headers = {}, .body = stream}; });
    net::HttpClient client({.ca_file = certificate_.file()});
    net::HttpCall call;
    call.request.url = "https://localhost" + server.url().substr(server.url().rfind(':')) + "/events";
    const auto leave = [](std::string_view) -> Task<bool> { co_return false; };
    EXPECT_TRUE(run_to_end(client.stream(std::move(call), leave)));
    EXPECT_EQ(soon(why.get_future()), CancelReason::client_gone);
}

TEST_F(HttpServerTls, ClosesAConnectionThatSpeaksNoTls) {
    TestServer server(settings());
    RawClient client(server.url());
    client.send(kGet);
    client.read_all();
    EXPECT_EQ(ask(server.url() + "/a"), "GET /a");
}

}  // namespace
}  // namespace quaestor::server
