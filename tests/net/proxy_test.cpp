#include "net/proxy.hpp"

#include "calls.hpp"
#include "kit/http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace quaestor::net {
namespace {

using namespace std::chrono_literals;
using test::HttpServer;
using test::ReceivedRequest;
using test::Reply;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// ---- Which proxy

/// The fields of a line that | separates, without blanks at their ends.
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(" | ", begin), line.size());
        fields.push_back(line.substr(begin, end - begin));
        begin = end + 3;
    }
    return fields;
}

TEST(Proxy, IsLeftOutWhereNoProxySaysSo) {
    std::ifstream file(QUAESTOR_TEST_DIR "/cases/no_proxy.txt");
    std::size_t cases = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const auto fields = fields_of(line);
        ASSERT_EQ(fields.size(), 3U) << line;
        const auto url = parse_url(fields[1]);
        ASSERT_TRUE(url) << line;
        const auto proxy =
            proxy_for(*url, {.http_proxy = "http://p:1", .https_proxy = "http://p:2", .no_proxy = fields[0]});
        ASSERT_TRUE(proxy) << line;
        EXPECT_EQ(*proxy ? "proxy" : "straight", fields[2]) << line;
        ++cases;
    }
    EXPECT_GT(cases, 30U);
}

TEST(Proxy, DependsOnTheScheme) {
    const HttpClientSettings settings{.http_proxy = "http://one:1", .https_proxy = "two:2"};
    EXPECT_EQ(proxy_for(*parse_url("http://h/"), settings)->value().url.place(), "one:1");
    EXPECT_EQ(proxy_for(*parse_url("https://h/"), settings)->value().url.place(), "two:2");
    EXPECT_FALSE(proxy_for(*parse_url("https://h/"), {.http_proxy = "http://one:1"})->has_value());
}

TEST(Proxy, WantsTheUserAndPasswordOfItsUrl) {
    const auto proxy = proxy_for(*parse_url("http://h/"), {.http_proxy = "http://Aladdin:open%20sesame@p:1"});
    ASSERT_TRUE(proxy && *proxy);
    EXPECT_EQ((*proxy)->authorization, "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
}

TEST(Proxy, IsRefusedWhenItCannotBeUsedAndKeepsItsPassword) {
    for (const char* bad :
         {"https://user:secret@p:1", "socks5://user:secret@p:1", "http://user:secret@p:port", "://secret"}) {
        const auto proxy = proxy_for(*parse_url("http://h/"), {.http_proxy = bad});
        ASSERT_FALSE(proxy) << bad;
        EXPECT_EQ(proxy.error().code, Code::invalid_argument);
        EXPECT_THAT(proxy.error().describe() + proxy.error().hint, Not(HasSubstr("secret")));
    }
}

TEST(ProxySettings, ComeFromTheEnvironment) {
    const auto settings =
        settings_from({{"http_proxy", "http://a:1"}, {"HTTPS_PROXY", " http://b:2 "}, {"NO_PROXY", "c"}});
    EXPECT_EQ(settings.http_proxy, "http://a:1");
    EXPECT_EQ(settings.https_proxy, "http://b:2");
    EXPECT_EQ(settings.no_proxy, "c");
}

TEST(ProxySettings, TakeTheNameInSmallLettersFirstAndSkipEmptyOnes) {
    const auto settings = settings_from(
        {{"http_proxy", "small:1"}, {"HTTP_PROXY", "capital:1"}, {"https_proxy", ""}, {"HTTPS_PROXY", "capital:2"}});
    EXPECT_EQ(settings.http_proxy, "small:1");
    EXPECT_EQ(settings.https_proxy, "capital:2");
}

TEST(ProxySettings, FallBackToAllProxy) {
    const auto settings = settings_from({{"ALL_PROXY", "all:1"}, {"https_proxy", "https:1"}});
    EXPECT_EQ(settings.http_proxy, "all:1");
    EXPECT_EQ(settings.https_proxy, "https:1");
    EXPECT_EQ(settings_from({}).http_proxy, "");
}

TEST(ProxySettings, DoNotBelieveWhatARemoteClientMayHaveSet) {
    const auto settings =
        settings_from({{"REQUEST_METHOD", "GET"}, {"HTTP_PROXY", "evil:1"}, {"HTTPS_PROXY", "good:1"}});
    EXPECT_EQ(settings.http_proxy, "");
    EXPECT_EQ(settings.https_proxy, "good:1");
    EXPECT_EQ(settings_from({{"REQUEST_METHOD", "GET"}, {"http_proxy", "good:2"}}).http_proxy, "good:2");
}

TEST(ProxySettings, AreReadFromTheRealEnvironmentToo) {
    ::setenv("no_proxy", "only.for.this.test", 1);
    EXPECT_EQ(settings_from_environment().no_proxy, "only.for.this.test");
    ::unsetenv("no_proxy");
}

// ---- Through a proxy

std::string with_user(const HttpServer& server) {
    return "http://user:secret@127.0.0.1:" + std::to_string(server.port());
}

TEST(HttpThroughProxy, AsksForTheWholeUrl) {
    const HttpServer proxy([](const ReceivedRequest& request) { return Reply().body(request.target); });
    HttpClient client({.http_proxy = with_user(proxy)});
    EXPECT_EQ(summary(run(client, get("http://far.example/path?q=1"))), "200 http://far.example/path?q=1");
    const ReceivedRequest request = proxy.requests().at(0);
    EXPECT_EQ(request.header("host"), "far.example");
    EXPECT_EQ(request.header("proxy-authorization"), "Basic dXNlcjpzZWNyZXQ=");
}

TEST(HttpThroughProxy, SharesTheConnectionToTheProxy) {
    const HttpServer proxy([](const ReceivedRequest& request) { return Reply().body(request.target); });
    HttpClient client({.http_proxy = proxy.url()});
    const auto calls = [&]() -> Task<> {
        EXPECT_EQ(summary(co_await client.send(get("http://one.example/"))), "200 http://one.example/");
        EXPECT_EQ(summary(co_await client.send(get("http://two.example:81/"))), "200 http://two.example:81/");
    };
    run_to_end(calls());
    EXPECT_EQ(proxy.connections(), 1U);
}

TEST(HttpThroughProxy, GoesStraightToWhatIsExempt) {
    const HttpServer proxy([](const ReceivedRequest&) { return Reply(500); });
    const HttpServer server([](const ReceivedRequest& request) { return Reply().body(request.target); });
    HttpClient client({.http_proxy = proxy.url(), .no_proxy = "127.0.0.1"});
    EXPECT_EQ(summary(run(client, get(server.url("/near")))), "200 /near");
    EXPECT_EQ(proxy.connections(), 0U);
}

class HttpsThroughProxy : public testing::Test {
protected:
    HttpServer server_{HttpServer::Tls{.host = "far.example"},
                       [](const ReceivedRequest& request) { return Reply().body("far " + request.target); }};
    HttpServer proxy_{[this](const ReceivedRequest& request) {
        if (request.header("proxy-authorization") != "Basic dXNlcjpzZWNyZXQ=") return Reply(407);
        return Reply::tunnel_to(server_.port());
    }};

    HttpClientSettings settings() { return {.ca_file = server_.ca_file(), .https_proxy = with_user(proxy_)}; }
};

TEST_F(HttpsThroughProxy, OpensATunnelAndVerifiesWhoIsAtItsEnd) {
    HttpClient client(settings());
    const auto calls = [&]() -> Task<> {
        EXPECT_EQ(summary(co_await client.send(get("https://far.example/1?key=value"))), "200 far /1?key=value");
        EXPECT_EQ(summary(co_await client.send(get("https://far.example/2"))), "200 far /2");
    };
    run_to_end(calls());
    ASSERT_EQ(proxy_.requests().size(), 1U);
    EXPECT_EQ(proxy_.requests().at(0).method, "CONNECT");
    EXPECT_EQ(proxy_.requests().at(0).target, "far.example:443");
    EXPECT_EQ(server_.requests().at(0).server_name, "far.example");
    EXPECT_EQ(server_.requests().at(0).header("proxy-authorization"), "");
}

TEST_F(HttpsThroughProxy, RefusesSomebodyElseAtTheEndOfTheTunnel) {
    HttpClient client(settings());
    EXPECT_THAT(summary(run(client, get("https://other.example/"))),
                StartsWith("permission_denied: the certificate of other.example does not hold: hostname mismatch"));
}

TEST_F(HttpsThroughProxy, SaysThatTheProxyWantsAPassword) {
    HttpClient client(
        {.ca_file = server_.ca_file(), .https_proxy = "http://user:wrong@127.0.0.1:" + std::to_string(proxy_.port())});
    EXPECT_THAT(summary(run(client, get("https://far.example/"))),
                AllOf(StartsWith("permission_denied: the proxy 127.0.0.1:"), Not(HasSubstr("wrong"))));
}

TEST_F(HttpsThroughProxy, SaysThatTheProxyDoesNotConnect) {
    const HttpServer refusing([](const ReceivedRequest&) { return Reply(502).body("no route, says a long page"); });
    HttpClient client({.https_proxy = refusing.url()});
    EXPECT_THAT(summary(run(client, get("https://far.example/?key=value"))),
                AllOf(StartsWith("unavailable: the proxy 127.0.0.1:"), HasSubstr("far.example:443"), HasSubstr("502"),
                      Not(HasSubstr("value"))));
}

TEST_F(HttpsThroughProxy, GivesUpOnAProxyThatNeverAnswers) {
    const HttpServer silent([](const ReceivedRequest&) { return Reply().stall(); });
    HttpClient client({.https_proxy = silent.url()});
    HttpCall call = get("https://far.example/");
    call.limits.connect = 50ms;
    EXPECT_THAT(summary(run(client, std::move(call))), StartsWith("timeout: connecting to 127.0.0.1:"));
    EXPECT_TRUE(silent.wait_until_closed());
}

}  // namespace
}  // namespace quaestor::net
