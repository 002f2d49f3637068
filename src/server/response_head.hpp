// Private to server/: the status line and the headers of a response as text.
// Plain values.
// Threads: pure functions.
#pragma once

#include "net/http.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace quaestor::server {

/// How the body of a response ends.
struct BodyLength {
    std::uint64_t bytes = 0;
};
struct BodyInChunks {};
struct BodyUntilClose {};
struct NoBody {};  ///< 204 and 304: not even a length
using BodyEnd = std::variant<BodyLength, BodyInChunks, BodyUntilClose, NoBody>;

struct ResponseHead {
    int status = 200;
    std::span<const net::HttpHeader> headers;  ///< those that this layer writes itself are left out, malformed ones too
    std::string_view request_id;
    std::string_view date;
    BodyEnd end;
    bool is_old = false;  ///< for a client of HTTP/1.0
    bool keeps_alive = true;
};

[[nodiscard]] std::string text_of(const ResponseHead& head);

/// "Sun, 06 Nov 1994 08:49:37 GMT"
[[nodiscard]] std::string http_date(std::int64_t seconds);

}  // namespace quaestor::server
