// Questions said in full: a follow-up ("How about the Warriors?", "and in 2022?", "what is his salary?") with what was
// asked before, and "stats" with what they are. What comes out stands alone, and is read like any other question.
// Threads: pure functions over immutable knowledge.
#pragma once

#include "native/reading/linking.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// The question that the new one goes on from.
struct EarlierTurn {
    std::string_view question;              ///< one that stands alone
    std::span<const std::string> subjects;  ///< names that its answer gave, in their order
};

/// Whether rows of some table are called by a column of that name: "full_name", where players have one.
[[nodiscard]] bool names_rows(const Knowledge& knowledge, std::string_view column);

/// Whether it speaks of somebody or something without a name: "how tall is he", "what is their record".
[[nodiscard]] bool points_back(const LinkedQuestion& question);

/// The question with each of the names in the place of "they" or "she"; none when it has no such word. "It" may be
/// anything, and stays.
[[nodiscard]] std::vector<std::string> with_each_name(const LinkedQuestion& question,
                                                      std::span<const std::string> names);

/// The follow-up in full. Nothing when it cannot be said by putting its words into the earlier question: another order,
/// "the other way round", words that nothing is linked to.
[[nodiscard]] std::optional<std::string> restated(const LinkedQuestion& follow_up, const EarlierTurn& earlier,
                                                  const Knowledge& knowledge, std::string_view today);

/// The question with the measures in place of "offensive stats", "numbers" and the like, where it says no measure
/// itself: those that the glossary lists, or the first of the table that is about what is named; and with "who" for
/// "list the top scorers". Nothing when there is nothing of the kind.
[[nodiscard]] std::optional<std::string> spelled_out(const LinkedQuestion& question, const Knowledge& knowledge);

}  // namespace quaestor::native
