// Server-sent events, read from pieces of bytes however they were cut.
// A reader belongs to one stream. Threads: one at a time.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace quaestor::net {

struct SseEvent {
    std::string name;  ///< "message" when the stream does not say
    std::string data;  ///< lines joined by \n
    std::string id;    ///< the last that was given
};

class SseReader {
public:
    /// `event_bytes_max` bounds one event, so that a stream without an end of line cannot fill the memory.
    explicit SseReader(std::size_t event_bytes_max = std::size_t{4} << 20) : event_bytes_max_(event_bytes_max) {}

    /// Reads a piece and calls `take` for each event that it completes. Lines end with \n, \r\n or \r; a BOM in front
    /// and comments are skipped; events without data are not told. Code::limit_exceeded for an event that is too large.
    [[nodiscard]] Result<> feed(std::string_view piece, const std::function<void(SseEvent)>& take);

    /// The stream has ended. Some servers forget the empty line behind their last event; it is given all the same.
    void finish(const std::function<void(SseEvent)>& take);

private:
    void end_line(const std::function<void(SseEvent)>& take);
    void end_event(const std::function<void(SseEvent)>& take);

    std::size_t event_bytes_max_;
    std::string line_;
    SseEvent event_;
    bool has_data_ = false;
    bool after_return_ = false;
    bool is_first_line_ = true;
};

}  // namespace quaestor::net
