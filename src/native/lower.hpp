// Names of tables and columns compare without regard to the case of ASCII letters, as in SQL.
// Private to native/.
// Threads: pure function.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace quaestor::native {

[[nodiscard]] inline std::string lower(std::string_view name) {
    std::string result(name);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

}  // namespace quaestor::native
