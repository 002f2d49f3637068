// Private to net/: the address of a request in the parts that a client needs.
// Plain values.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace quaestor::net {

struct Url {
    bool is_tls = false;
    std::string host;  ///< a name or an address, without brackets
    std::string port;  ///< the scheme's when the URL does not say
    std::string user;  ///< decoded
    std::string password;
    std::string target;  ///< path and query, at least "/"

    /// "example.com:443", "[::1]:80"; for messages and CONNECT.
    [[nodiscard]] std::string place() const;
    /// As in a Host header: the port is left out where the scheme implies it.
    [[nodiscard]] std::string authority() const;
};

/// An absolute http or https URL. The error tells neither query nor user.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

/// The URL for the eyes of others: without user and fragment, and with "***" as the value of every query parameter
/// whose name says that it is a key, a token, a password or the like. What is no URL is an error, as above.
[[nodiscard]] Result<std::string> without_secrets(std::string_view text);

}  // namespace quaestor::net
