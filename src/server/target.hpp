// Private to server/: the target of a request line as a path and a query.
// Plain values; the text is a stranger's.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <string_view>

namespace quaestor::server {

struct Target {
    std::string path;  ///< decoded, without "." and "..", without a slash at the end: "/api/threads/7"
    std::map<std::string, std::string> query;  ///< decoded; the last one of a name counts
};

/// Takes "/path?query", the same behind "http://host", and "*". Code::invalid_argument for what leads above the root,
/// for an escape that is none, and for bytes that are not UTF-8 or not printable.
[[nodiscard]] Result<Target> parse_target(std::string_view text);

}  // namespace quaestor::server
