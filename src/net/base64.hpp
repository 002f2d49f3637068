// Private to net/: bytes as text and back.
// Plain values.
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::net {

[[nodiscard]] std::string base64(std::string_view bytes);

/// Nothing when it is not what base64() writes.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace quaestor::net
