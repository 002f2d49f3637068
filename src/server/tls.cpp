#include "server/tls.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <openssl/err.h>
#include <string_view>

namespace quaestor::server {

namespace {

std::string newest_problem() {
    const unsigned long problem = ERR_peek_last_error();
    ERR_clear_error();
    const char* const reason = ERR_reason_error_string(problem);
    return reason == nullptr ? "it cannot be read" : reason;
}

std::unexpected<Error> cannot_use(std::string_view what, const std::string& file) {
    return fail(Code::invalid_argument, fmt::format("the {} {} cannot be used: {}", what, file, newest_problem()),
                "name PEM files that this program may read");
}

/// Clients may offer HTTP/2 as well; what is spoken here is HTTP/1.1.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                    unsigned int offered_size, void*) {
    static constexpr std::array<unsigned char, 9> kSpoken{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* found = nullptr;
    if (SSL_select_next_proto(&found, size, kSpoken.data(), kSpoken.size(), offered, offered_size) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_NOACK;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<TlsContext> make_tls_context(const std::string& certificate, const std::string& private_key) {
    ERR_clear_error();
    TlsContext context(SSL_CTX_new(TLS_server_method()));
    if (!context) return fail(Code::unavailable, "TLS cannot be used: " + newest_problem());
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // Buffers are given back while a session is idle: a waiting stream then costs a third.
    SSL_CTX_set_mode(context.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
    if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1)
        return cannot_use("certificate", certificate);
    if (SSL_CTX_use_PrivateKey_file(context.get(), private_key.c_str(), SSL_FILETYPE_PEM) != 1)
        return cannot_use("private key", private_key);
    if (SSL_CTX_check_private_key(context.get()) != 1) return cannot_use("private key", private_key);
    return context;
}

TlsSession make_tls_session(SSL_CTX* context, int socket) {
    TlsSession session(SSL_new(context));
    if (!session || SSL_set_fd(session.get(), socket) != 1) return nullptr;
    SSL_set_accept_state(session.get());
    return session;
}

}  // namespace quaestor::server
