// ASCII letters and digits, as the engines see them in names and numbers.
// Private to data/.
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace quaestor::data {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// As the engines compare names: only the letters A to Z have two cases.
[[nodiscard]] inline std::string lower_ascii(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

}  // namespace quaestor::data
