// The words by which a text is found: folded, without the most common ones, reduced to their stems.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

/// Longer words are cut: nobody searches for them.
inline constexpr std::size_t kTermBytesMax = 64;

/// The terms of `text` in order, with repetitions: "The rates rose" → "rate", "rose".
[[nodiscard]] std::vector<std::string> terms_of(std::string_view text);

}  // namespace quaestor::retrieval
