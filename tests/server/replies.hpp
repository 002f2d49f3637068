// What a server sent, taken apart: the responses of a connection, one after the other.
// Plain values.
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::server {

struct ReceivedReply {
    int status = 0;
    std::vector<std::string> headers;  ///< "Name: value"
    std::string body;                  ///< without the chunks that it came in
    bool is_whole = false;             ///< false: the connection ended before the body did

    [[nodiscard]] bool has(std::string_view header) const;
    /// "200 hello", or "404 not_found: there is nothing at /x" where the body is an error of ours.
    [[nodiscard]] std::string summary() const;
};

/// `is_bare`: replies to HEAD, which have no body.
[[nodiscard]] std::vector<ReceivedReply> read_replies(std::string_view bytes, bool is_bare = false);

}  // namespace quaestor::server
