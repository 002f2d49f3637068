#include "calls.hpp"
#include "kit/http_server.hpp"
#include "net/http_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace quaestor::net {
namespace {

using test::HttpServer;
using test::ReceivedRequest;
using test::Reply;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Reply greet(const ReceivedRequest&) {
    return Reply().body("hello");
}

TEST(HttpClientTls, AcceptsACertificateOfAnAuthorityThatItTrusts) {
    const HttpServer server(HttpServer::Tls{}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_EQ(summary(run(client, get(server.url()))), "200 hello");
    EXPECT_EQ(server.requests().at(0).server_name, "localhost");
}

TEST(HttpClientTls, RefusesASelfSignedCertificateThatNobodyVouchesFor) {
    const HttpServer server(HttpServer::Tls{}, greet);
    HttpClient client;
    EXPECT_THAT(summary(run(client, get(server.url("/?key=value")))),
                AllOf(StartsWith("permission_denied: the certificate of localhost does not hold: self"),
                      testing::Not(HasSubstr("value"))));
    EXPECT_TRUE(server.requests().empty());
}

TEST(HttpClientTls, RefusesACertificateForAnotherHost) {
    const HttpServer server(HttpServer::Tls{.host = "other.example"}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_THAT(summary(run(client, get(server.url()))),
                StartsWith("permission_denied: the certificate of localhost does not hold: hostname mismatch"));
    EXPECT_TRUE(server.requests().empty());
}

TEST(HttpClientTls, RefusesACertificateForANameWhereAnAddressIsAsked) {
    const HttpServer server(HttpServer::Tls{.host = "localhost"}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_THAT(summary(run(client, get("https://127.0.0.1:" + std::to_string(server.port())))),
                StartsWith("permission_denied: the certificate of 127.0.0.1 does not hold: IP address mismatch"));
}

TEST(HttpClientTls, AcceptsACertificateForAnAddress) {
    const HttpServer server(HttpServer::Tls{.host = "127.0.0.1"}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_EQ(summary(run(client, get("https://127.0.0.1:" + std::to_string(server.port())))), "200 hello");
    EXPECT_EQ(server.requests().at(0).server_name, "");
}

TEST(HttpClientTls, RefusesACertificateThatHasExpired) {
    const HttpServer server(HttpServer::Tls{.is_expired = true}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_THAT(summary(run(client, get(server.url()))),
                StartsWith("permission_denied: the certificate of localhost does not hold: certificate has expired"));
}

TEST(HttpClientTls, RespectsSslCertFile) {
    const HttpServer server(HttpServer::Tls{}, greet);
    ::setenv("SSL_CERT_FILE", server.ca_file().c_str(), 1);
    HttpClient client;
    EXPECT_EQ(summary(run(client, get(server.url()))), "200 hello");
    ::unsetenv("SSL_CERT_FILE");
}

TEST(HttpClientTls, SaysThatTheAuthoritiesCannotBeRead) {
    const HttpServer server(HttpServer::Tls{}, greet);
    HttpClient client({.ca_file = "/no/such/file.pem"});
    EXPECT_EQ(summary(run(client, get(server.url()))),
              "invalid_argument: the certificates in /no/such/file.pem cannot be read");
}

TEST(HttpClientTls, UsesAConnectionAgain) {
    const HttpServer server(HttpServer::Tls{}, greet);
    HttpClient client({.ca_file = server.ca_file()});
    const auto calls = [&]() -> Task<> {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(summary(co_await client.send(get(server.url()))), "200 hello");
    };
    run_to_end(calls());
    EXPECT_EQ(server.connections(), 1U);
}

TEST(HttpClientTls, StreamsManyPieces) {
    const std::string text(300'000, 'x');
    const HttpServer server(HttpServer::Tls{}, [&](const ReceivedRequest&) { return Reply().pieces(text, 999); });
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_EQ(summary(run(client, get(server.url()))), "200 " + text);
}

TEST(HttpClientTls, TellsTheEndOfABodyFromACutConnection) {
    const HttpServer server(HttpServer::Tls{}, [](const ReceivedRequest& request) {
        Reply reply = Reply().until_close().body("perhaps all");
        return request.target == "/cut" ? reply.close() : reply;
    });
    HttpClient client({.ca_file = server.ca_file()});
    EXPECT_EQ(summary(run(client, get(server.url("/whole")))), "200 perhaps all");
    EXPECT_THAT(summary(run(client, get(server.url("/cut")))), StartsWith("unavailable: the connection to localhost:"));
}

TEST(HttpClientTls, SaysThatAPlainClientSpeaksToATlsServer) {
    const HttpServer server(HttpServer::Tls{}, greet);
    HttpClient client;
    EXPECT_THAT(summary(run(client, get("http://127.0.0.1:" + std::to_string(server.port())))),
                testing::AnyOf(StartsWith("corrupt: "), StartsWith("unavailable: ")));
}

}  // namespace
}  // namespace quaestor::net
