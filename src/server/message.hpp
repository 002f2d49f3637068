// A request as the endpoints see it, and what they reply: a response, a file, or a stream that goes on.
// Plain values; nothing here knows Beast. Threads: values.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "net/http.hpp"
#include "resilience/cancellation.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace quaestor::server {

struct Request {
    std::string method;                        ///< "GET"; HEAD arrives as GET, its body is left out on the way back
    std::string path;                          ///< decoded and normalised, never with ".."; "/api/threads/7"
    std::map<std::string, std::string> query;  ///< decoded; the last one of a name counts
    std::vector<net::HttpHeader> headers;
    std::string body;
    std::string peer;                ///< address without port, for limits and logs
    std::string request_id;          ///< given to every request; in the log, in errors, in X-Request-Id
    std::vector<std::string> parts;  ///< what the route's {placeholders} stand for, in order

    /// The first header of that name, whatever its case.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

struct Response {
    int status = 200;
    std::vector<net::HttpHeader> headers;
    std::string body;
};
/// A file that is sent without being read into memory; the headers say what it is.
struct FileResponse {
    int status = 200;
    std::vector<net::HttpHeader> headers;
    std::filesystem::path file;
};

/// Where a stream's endpoint writes. The connection is the peer's alone until the endpoint returns.
class StreamWriter {
public:
    virtual ~StreamWriter() = default;
    /// Sends the bytes as one chunk and waits until the socket took them; so a slow reader slows the writer.
    /// Code::unavailable when the peer is gone, Code::timeout when it takes nothing for the write time-out.
    virtual Task<Result<>> write(std::string_view bytes) = 0;
    /// Cancelled when the peer leaves (client_gone) or the server drains (shutdown).
    [[nodiscard]] virtual const CancelToken& gone() const = 0;
};
/// 200 with `headers`, then whatever `body` writes, in chunks, until it returns. No request memory is held meanwhile.
struct StreamResponse {
    std::vector<net::HttpHeader> headers;
    std::function<Task<>(StreamWriter&)> body;
};

using Reply = std::variant<Response, FileResponse, StreamResponse>;
using Endpoint = std::function<Task<Reply>(Request)>;

/// JSON with its content type.
[[nodiscard]] Response json_response(int status, const json::value& body);
/// The error form of the contract: {"error": {code, message, hint, request_id}, "detail": message}.
[[nodiscard]] Response error_response(int status, const Error& error, std::string_view request_id);
/// The status that fits an error's code: invalid_argument 422, not_found 404, conflict 409, timeout 504, …
[[nodiscard]] int status_of(Code code);

}  // namespace quaestor::server
