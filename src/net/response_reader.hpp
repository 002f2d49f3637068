// Private to net/: makes a response from the bytes of a connection, however they were cut.
// A reader belongs to one response.
// Threads: one at a time.
#pragma once

#include "net/http.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace quaestor::net {

class ResponseReader {
public:
    /// `from` names the other side in messages. `has_no_body`: the answer to HEAD or CONNECT, whatever its length says.
    ResponseReader(std::string from, const HttpLimits& limits, bool has_no_body);
    ~ResponseReader();

    /// Code::corrupt when it is no HTTP, Code::limit_exceeded when it is too large. Bytes behind the response are left.
    [[nodiscard]] Result<> feed(std::string_view bytes);
    /// The connection has ended. Code::unavailable when more was to come.
    [[nodiscard]] Result<> finish();

    [[nodiscard]] bool heard() const { return heard_; }  ///< has any byte come?
    [[nodiscard]] bool has_head() const;
    [[nodiscard]] bool is_done() const;
    /// True when the connection can carry another request.
    [[nodiscard]] bool can_be_reused() const;

    /// Status and headers, once has_head().
    [[nodiscard]] HttpResponse head() const;
    /// What came of the body since the last call.
    [[nodiscard]] std::string take_body();

private:
    struct Parser;
    [[nodiscard]] Result<> parse();

    std::string from_;
    HttpLimits limits_;
    bool has_no_body_;
    bool heard_ = false;
    int interim_ = 0;
    std::string unread_;
    std::unique_ptr<Parser> parser_;
};

}  // namespace quaestor::net
