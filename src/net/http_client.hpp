// HTTP/1.1 over TCP and TLS: certificates and host names are verified, connections kept and used again, proxies taken
// from the environment, and everything bounded.
// Owns its idle connections; outlives its calls. Threads: as Http; each call runs on its caller's executor, and an idle
// connection is used again only by calls on the executor that made it.
#pragma once

#include "net/http.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace quaestor::net {

struct HttpClientSettings {
    std::string user_agent = "quaestor";
    std::string ca_file;                     ///< PEM; empty: those of the machine. SSL_CERT_FILE is respected.
    std::string http_proxy;                  ///< http://host:port, with user:password@ before the host if it wants one
    std::string https_proxy;                 ///< reached by CONNECT
    std::string no_proxy;                    ///< host names, .domains and addresses, separated by commas; * for all
    std::size_t idle_connections = 8;        ///< kept for each host
    std::chrono::milliseconds idle{30'000};  ///< how long one is kept without use; older ones go with the next call
};

/// The settings with the proxies of http_proxy, https_proxy, all_proxy and no_proxy (either case; HTTP_PROXY in
/// capitals is not believed where REQUEST_METHOD is set, for then a remote client may have set it).
[[nodiscard]] HttpClientSettings settings_from(const std::map<std::string, std::string>& environment);
[[nodiscard]] HttpClientSettings settings_from_environment();

class HttpClient final : public Http {
public:
    explicit HttpClient(HttpClientSettings settings = {}, Clock& clock = system_clock());
    ~HttpClient() override;

    /// A request is sent anew on a fresh connection when a kept one turns out to be closed before a byte of the
    /// response came, which is safe: the other side has closed it while it was idle. Nothing else is tried again here.
    Task<Result<HttpResponse>> stream(HttpCall call, BodySink sink) override;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::net
