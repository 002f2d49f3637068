// SQL as text: where its words, names and literals are. Enough to cut off what stands behind a statement and to point
// at things; what a statement means is for the engines' own parsers to say.
// Threads: pure functions.
#pragma once

#include "data/dialect.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// Longest statement that is looked at.
inline constexpr std::size_t kSqlBytesMax = 100'000;

struct SqlToken {
    enum class Kind { word, quoted_name, text, number, symbol };

    Kind kind = Kind::symbol;
    std::string_view text;  ///< as written, with its quotes
    std::size_t at = 0;     ///< byte offset
};

/// The tokens of `sql`, comments and white space left out. Text that never ends reaches to the end.
[[nodiscard]] std::vector<SqlToken> tokens_of(std::string_view sql, Dialect dialect);

/// Without the semicolons, comments and white space at its end, so that more can be written behind it.
[[nodiscard]] std::string_view without_tail(std::string_view sql, Dialect dialect);

/// For messages: with spaces in place of line breaks and control characters.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace quaestor::data
