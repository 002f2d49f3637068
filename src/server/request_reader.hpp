// Private to server/: makes a request from the bytes of a connection, however they were cut.
// A reader belongs to one request.
// Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "server/message.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <string_view>

namespace quaestor::server {

/// Longest target of a request line.
inline constexpr std::size_t kTargetBytesMax = 8'192;

struct RequestLimits {
    std::size_t header_bytes = 0;
    std::size_t body_bytes = 0;
};

/// Why a request is not taken; the connection ends with it.
struct Refusal {
    int status = 400;
    Error error;
};

/// A request, and what the connection has to know of it.
struct Incoming {
    Request request;
    bool is_head = false;      ///< HEAD: no body on the way back
    bool is_old = false;       ///< HTTP/1.0: no chunks on the way back
    bool keeps_alive = false;  ///< the client would send another one on this connection
};

class RequestReader {
public:
    explicit RequestReader(const RequestLimits& limits);
    ~RequestReader();

    /// How many of the bytes were used up. The others are to come again, in front of more, unless the request is done:
    /// then they belong to the next.
    [[nodiscard]] std::expected<std::size_t, Refusal> feed(std::string_view bytes);

    [[nodiscard]] bool has_head() const { return has_head_; }
    [[nodiscard]] bool is_done() const;
    /// True once when the client waits for a word before it sends the body.
    [[nodiscard]] bool take_expectation();
    /// Once is_done(). Peer and request id are the caller's to fill in.
    [[nodiscard]] Incoming take();

private:
    struct Parser;
    [[nodiscard]] std::expected<void, Refusal> read_head();

    RequestLimits limits_;
    std::unique_ptr<Parser> parser_;
    Incoming incoming_;
    bool has_head_ = false;
    bool expects_word_ = false;
};

}  // namespace quaestor::server
