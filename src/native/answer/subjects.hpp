// What committees that set rates are asked most: what was done to the rate, who voted how, and what would be done next
// under which conditions. Tells such questions by their words, and sentences that answer them by their shape, so that
// no likeness of words is needed. Pure functions. Threads: safe everywhere.
#pragma once

#include "native/answer/extract.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// "decided to raise the target range … to 5-1/4 to 5-1/2 percent": what was set, and where it was before.
struct RangeDecision {
    double low = 0;
    double high = 0;
    std::optional<double> low_before;  ///< where the sentence says it
    Direction direction = Direction::none;
};
/// Done, and not only preferred, expected or quoted as somebody's wish.
[[nodiscard]] std::optional<RangeDecision> range_decision_in(std::string_view sentence);

/// Says by how much: "by 25 basis points", "1/2 percentage point".
[[nodiscard]] bool names_step(std::string_view sentence);
/// The basis points of "By 75 basis points:".
[[nodiscard]] std::optional<int> basis_points_in(std::string_view sentence);

/// Two capitalised words in a row that are no body's.
[[nodiscard]] bool names_person(std::string_view sentence);

enum class VoteReport { none, in_favour, against, nobody_against };
/// How a sentence reports a vote on policy; votes on minutes, officers and the like are none.
[[nodiscard]] VoteReport vote_report_in(std::string_view sentence);

/// What would be done next, and on what it depends: "until inflation has risen", "in determining future adjustments".
[[nodiscard]] bool is_guidance(std::string_view sentence);

/// What a question is about, and whether it is about nothing else.
struct AskedSubject {
    Subject subject = Subject::none;
    bool is_pure = false;
};
[[nodiscard]] AskedSubject subject_of(std::string_view question);
/// Whether a sentence has the shape of an answer to questions about a subject.
[[nodiscard]] bool is_about(Subject subject, std::string_view sentence);
/// What to search for so that such sentences are found; empty for none.
[[nodiscard]] std::string_view search_words_for(Subject subject);

/// "By how much", "how big was the cut".
[[nodiscard]] bool asks_for_step(std::string_view question);
/// "How many times", "how often", "how many hikes".
[[nodiscard]] bool asks_for_count(std::string_view question);
/// The size of a change that a question names, in basis points: "three-quarter-point hikes", "50 basis point cut".
[[nodiscard]] std::optional<int> step_named_in(std::string_view question);
/// "Did they ease", "push rates up": in words that only a rate makes plain.
[[nodiscard]] Direction rate_direction_in(std::string_view question);
/// "How high did rates go", "the lowest rate".
[[nodiscard]] Extreme extreme_of(std::string_view question);

}  // namespace quaestor::native
