// HTTP as a client sees it: a request, a response, and the port through which they travel. HttpClient speaks it over
// the network (http_client.hpp); a tape replays it (http_tape.hpp). Whoever makes a port owns it. Threads: send() and
// stream() may be called from any executor; none blocks it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

#include <boost/describe/class.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::net {

struct HttpHeader {
    std::string name;
    std::string value;
};
BOOST_DESCRIBE_STRUCT(HttpHeader, (), (name, value))

struct HttpRequest {
    std::string method = "GET";
    std::string url;  ///< http:// or https://, with path and query
    std::vector<HttpHeader> headers;
    std::string body;
};
BOOST_DESCRIBE_STRUCT(HttpRequest, (), (method, url, headers, body))

struct HttpResponse {
    int status = 0;
    std::vector<HttpHeader> headers;
    std::string body;

    [[nodiscard]] bool is_success() const { return status >= 200 && status < 300; }
    /// The first header of that name, whatever its case.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};
BOOST_DESCRIBE_STRUCT(HttpResponse, (), (status, headers, body))

/// What one exchange may take. A deadline comes on top, and is the caller's.
struct HttpLimits {
    std::chrono::milliseconds connect{10'000};  ///< name lookup, connection and TLS together
    std::chrono::milliseconds silence{60'000};  ///< longest time without a byte from the other side
    std::size_t header_bytes = std::size_t{64} << 10;
    std::size_t body_bytes = std::size_t{16} << 20;
};

struct HttpCall {
    HttpRequest request;
    HttpLimits limits{};
    Deadline deadline{};
    CancelToken cancel{};
};

/// Takes a piece of a body as it arrives. False: enough, the connection is closed and the exchange ends well. What it
/// throws closes the connection too, and comes out of the call.
using BodySink = std::function<Task<bool>(std::string_view piece)>;

class Http {
public:
    virtual ~Http() = default;

    /// The whole response, whatever its status. Errors: Code::unavailable (no connection, reset, no such host),
    /// Code::permission_denied (the certificate does not hold), Code::timeout, Code::limit_exceeded (too large),
    /// Code::corrupt (no HTTP), the token's error() when cancelled, Code::invalid_argument (the URL). A cancelled or
    /// timed-out exchange closes its connection.
    Task<Result<HttpResponse>> send(HttpCall call) { return stream(std::move(call), nullptr); }

    /// The same, but the body of a successful response goes to `sink` piece by piece (and is counted against
    /// limits.body_bytes), and is left empty in the response. Without a sink it is collected.
    virtual Task<Result<HttpResponse>> stream(HttpCall call, BodySink sink) = 0;
};

}  // namespace quaestor::net
