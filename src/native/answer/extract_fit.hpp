// What kind of answer a question wants, and whether a sentence holds that kind. Private to native/answer.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "native/answer/extract.hpp"

#include <string>
#include <string_view>

namespace quaestor::native {

[[nodiscard]] AnswerKind kind_of(std::string_view question);
[[nodiscard]] AnswerOrder order_of(std::string_view question);
/// Words by which kind_of() and order_of() know, and that no answer repeats.
[[nodiscard]] bool is_order_word(const std::string& term);

/// "What did they say about …", "was it signalled": about words, not about what was done.
[[nodiscard]] bool is_about_sayings(std::string_view question);

[[nodiscard]] Phase phase_of(std::string_view question);
/// Of the beginning where the end is asked about, or the other way round.
[[nodiscard]] bool speaks_of_other_phase(Phase phase, std::string_view sentence);

/// "would", "preferred": what might be or might have been.
[[nodiscard]] bool is_supposed(std::string_view sentence);
/// A line without an end, as titles are.
[[nodiscard]] bool is_title(std::string_view sentence);

/// From 0, it cannot be the answer, to 1, it holds what is wanted.
[[nodiscard]] double fit_of(AnswerKind kind, std::string_view sentence, std::string_view context);

}  // namespace quaestor::native
