// SQL text as tokens, in the way all three dialects agree on.
// Private to native/.
// Threads: pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Longer statements are not read.
inline constexpr std::size_t kReadBytesMax = 64 << 10;

struct SqlToken {
    enum class Kind { word, quoted, text, number, sign } kind = Kind::sign;
    std::string text;  ///< without quotes
    std::string key;   ///< to be compared with: words in upper case, texts in single quotes; empty for quoted names
};

/// Throws Unsupported. Semicolons at the end are left out.
[[nodiscard]] std::vector<SqlToken> sql_tokens(std::string_view sql);

}  // namespace quaestor::native
