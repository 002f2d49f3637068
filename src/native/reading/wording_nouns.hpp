// Words and numbers as English writes them: lists, articles, thousands, places.
// Private to native/.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// "companies" → "company", "order items" → "order item"; a noun that is singular stays.
[[nodiscard]] std::string singular(std::string_view noun);
/// "-1234567.5" → "-1,234,567.5".
[[nodiscard]] std::string with_thousands(std::string_view digits);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& parts, std::string_view last = "and");
[[nodiscard]] std::string capitalised(std::string text);
/// "a stadium", "an hour".
[[nodiscard]] std::string with_article(std::string_view noun);
/// 2 → "2nd", 11 → "11th".
[[nodiscard]] std::string place(std::size_t number);

}  // namespace quaestor::native
