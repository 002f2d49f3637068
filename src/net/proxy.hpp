// Private to net/: which proxy a request goes through, if any.
// Plain values.
// Threads: pure functions.
#pragma once

#include "net/http_client.hpp"
#include "net/url.hpp"

#include <optional>
#include <string>

namespace quaestor::net {

struct Proxy {
    Url url;
    std::string authorization;  ///< the value of Proxy-Authorization; empty when it wants none
};

/// Nothing: straight to the host. Code::invalid_argument when the proxy of the settings is none that can be used.
[[nodiscard]] Result<std::optional<Proxy>> proxy_for(const Url& url, const HttpClientSettings& settings);

}  // namespace quaestor::net
