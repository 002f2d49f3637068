// Private to server/: names of headers are the same whatever their case.
// Plain values; no locale is asked, for that would cost more than the rest of a request.
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace quaestor::server {

[[nodiscard]] constexpr char lower_ascii(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr bool same_name(std::string_view left, std::string_view right) {
    return left.size() == right.size() && std::ranges::equal(left, right, {}, lower_ascii, lower_ascii);
}

}  // namespace quaestor::server
