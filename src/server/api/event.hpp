// What the server tells a client while a run works: a name and one line of JSON, framed as server-sent events.
// Values; whoever makes one owns it.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"

#include <string>
#include <string_view>

namespace quaestor::server {

struct ServerEvent {
    std::string name;  ///< "node_start"
    json::object data;
};

/// "id: …", "event: …", "data: …" and an empty line, added to `out`. JSON never holds a line break, so one data line is
/// enough.
void append_frame(std::string& out, std::string_view id, const ServerEvent& event);

/// What is sent when there is nothing to say, so that nobody on the way takes the connection for dead.
inline constexpr std::string_view kKeepAlive = ": still here\n\n";

}  // namespace quaestor::server
