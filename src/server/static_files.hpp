// The built web client as an endpoint: its files, with caching, compression and the headers that keep a page safe.
// Reads the folder at every request, so that a new build is seen; nothing outside of it is ever served.
// Threads: the endpoint may be called from any thread.
#pragma once

#include "server/message.hpp"

#include <filesystem>

namespace quaestor::server {

/// What is a file is served as it is, or its .gz beside it to who takes that; the names that carry a hash may be kept
/// for ever. Where a page is asked for and there is no file, as at /chat/7, the answer is index.html. Otherwise 404.
[[nodiscard]] Endpoint serve_static(const std::filesystem::path& folder);

}  // namespace quaestor::server
