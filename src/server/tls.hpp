// Private to server/: the certificate of the server, and TLS over a socket that does not block.
// A TlsContext is made once and outlives its sessions.
// Threads: the context is immutable; a session belongs to one connection.
#pragma once

#include "base/error.hpp"

#include <memory>
#include <openssl/ssl.h>
#include <string>

namespace quaestor::server {

struct FreeTls {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* session) const { SSL_free(session); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeTls>;
using TlsSession = std::unique_ptr<SSL, FreeTls>;

/// TLS 1.2 and later with this certificate (and those that vouch for it) and key, both PEM.
[[nodiscard]] Result<TlsContext> make_tls_context(const std::string& certificate, const std::string& private_key);

/// The server's side of TLS on that socket; nothing when memory is short.
[[nodiscard]] TlsSession make_tls_session(SSL_CTX* context, int socket);

}  // namespace quaestor::server
