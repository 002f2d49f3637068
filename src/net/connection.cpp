#include "net/connection.hpp"

#include "net/words.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <utility>

namespace quaestor::net {

namespace {

using Failure = boost::system::error_code;

void throw_if_aborted(const Failure& failure) {
    if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
}

bool is_address(const std::string& host) {
    Failure failure;
    asio::ip::make_address(host, failure);
    return !failure;
}

/// Whom the certificate must be for; and, for names, which one is asked for.
bool expect_host(SSL* tls, const std::string& host) {
    X509_VERIFY_PARAM* const rules = SSL_get0_param(tls);
    if (is_address(host)) return X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1;
    SSL_set_hostflags(tls, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    return SSL_set1_host(tls, host.c_str()) == 1 && SSL_set_tlsext_host_name(tls, host.c_str()) == 1;
}

Error handshake_problem(SSL* tls, const std::string& host, const Failure& failure) {
    const long verdict = SSL_get_verify_result(tls);
    if (verdict != X509_V_OK) {
        return {Code::permission_denied,
                fmt::format("the certificate of {} does not hold: {}", host, X509_verify_cert_error_string(verdict)),
                "check the address and the clock; for an authority of your own, name its certificate in ca_file or "
                "SSL_CERT_FILE",
                nullptr};
    }
    return {Code::unavailable, fmt::format("could not agree on TLS with {}: {}", host, in_words(failure)),
            "check that the port speaks https", nullptr};
}

}  // namespace

Result<asio::ssl::context> verifying_context(const std::string& ca_file) {
    asio::ssl::context context(asio::ssl::context::tls_client);
    Failure failure;
    context.set_verify_mode(asio::ssl::verify_peer, failure);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    if (ca_file.empty()) {
        context.set_default_verify_paths(failure);
    } else {
        context.load_verify_file(ca_file, failure);
    }
    if (!failure) return context;
    return fail(Code::invalid_argument,
                ca_file.empty() ? std::string("the certificates of this machine cannot be read")
                                : fmt::format("the certificates in {} cannot be read", ca_file),
                "name a PEM file with the certificates of trusted authorities");
}

Task<Result<>> Connection::connect(Endpoints endpoints, std::string place) {
    Failure failure;
    co_await asio::async_connect(socket_, endpoints, asio::redirect_error(asio::use_awaitable, failure));
    throw_if_aborted(failure);
    if (failure) {
        co_return fail(Code::unavailable, fmt::format("could not connect to {}: {}", place, in_words(failure)),
                       "check that the address is right and that the server runs");
    }
    socket_.set_option(asio::ip::tcp::no_delay(true), failure);
    socket_.set_option(asio::socket_base::keep_alive(true), failure);
    co_return Result<>();
}

Task<Result<>> Connection::start_tls(asio::ssl::context& context, std::string host) {
    tls_.emplace(socket_, context);
    if (!expect_host(tls_->native_handle(), host))
        co_return fail(Code::invalid_argument, fmt::format("no certificate can be for the host {}", host));
    Failure failure;
    co_await tls_->async_handshake(asio::ssl::stream_base::client, asio::redirect_error(asio::use_awaitable, failure));
    throw_if_aborted(failure);
    if (failure) co_return fail(handshake_problem(tls_->native_handle(), host, failure));
    co_return Result<>();
}

Task<Failure> Connection::read(std::span<char> space, std::size_t& count) {
    Failure failure;
    const auto buffer = asio::buffer(space.data(), space.size());
    auto token = asio::redirect_error(asio::use_awaitable, failure);
    count = tls_ ? co_await tls_->async_read_some(buffer, token) : co_await socket_.async_read_some(buffer, token);
    throw_if_aborted(failure);
    co_return failure;
}

Task<Failure> Connection::write(std::string_view bytes) {
    Failure failure;
    const auto buffer = asio::buffer(bytes.data(), bytes.size());
    auto token = asio::redirect_error(asio::use_awaitable, failure);
    if (tls_) {
        co_await asio::async_write(*tls_, buffer, token);
    } else {
        co_await asio::async_write(socket_, buffer, token);
    }
    throw_if_aborted(failure);
    co_return failure;
}

bool Connection::is_quiet() {
    char byte = 0;
    const ssize_t count = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace quaestor::net
