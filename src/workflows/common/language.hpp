// In which language a question is written, as far as that can be told from its letters and small words: enough to say
// politely that it is not read. Pure functions, bounded by the text.
// Threads: safe everywhere.
#pragma once

#include <optional>
#include <string_view>

namespace quaestor::workflows {

/// The name of the language, or of its letters, of a text that is surely not English; nothing when it may be.
[[nodiscard]] std::optional<std::string_view> foreign_language(std::string_view text);

}  // namespace quaestor::workflows
