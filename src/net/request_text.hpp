// Private to net/: a request as the bytes that are sent, checked so that no part of it can pass for another.
// Plain values.
// Threads: pure functions.
#pragma once

#include "net/http.hpp"
#include "net/proxy.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::net {

/// Code::invalid_argument for a method, a header or a value that would break the lines of HTTP, and for the headers
/// that the client writes itself.
[[nodiscard]] Result<std::string> request_text(const HttpRequest& request, const Url& url,
                                               const std::optional<Proxy>& proxy, std::string_view user_agent);

/// What opens a tunnel through the proxy.
[[nodiscard]] std::string connect_text(const Url& url, const Proxy& proxy, std::string_view user_agent);

}  // namespace quaestor::net
