// Where sentences begin and end.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "retrieval/document.hpp"

#include <string_view>
#include <vector>

namespace quaestor::retrieval {

/// The sentences of `text` in order, without the space around them. Paragraphs and table rows end a sentence, a wrapped
/// line does not; abbreviations ("Mr.", "U.S.") and initials ("Jerome H. Powell") do not.
[[nodiscard]] std::vector<Span> sentences_of(std::string_view text);

}  // namespace quaestor::retrieval
