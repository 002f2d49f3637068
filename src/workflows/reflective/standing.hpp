// Questions as they are put to the reader: each in full, with what the conversation or an earlier part of the question
// has said. Private to the workflow.
// Threads: as the reasoner that asks.
#pragma once

#include "workflows/common/chart_wish.hpp"
#include "workflows/reflective/analyst.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

struct Standing {
    std::string question;  ///< in full
    std::string
        leans_on;  ///< the SQL that it changes, where it cannot be said in full; then `question` is as it was asked
    Analyst::Understood read;

    [[nodiscard]] bool is_clear() const { return read->decision == native::Decision::answer; }
};

/// The wish for a chart in a question, unless the words that would say so name something in the data.
[[nodiscard]] std::optional<ChartWish> wish_in(const Analyst& analyst, std::string_view question);

/// What the data is asked: the question without its wish for a chart; the one before, where that wish is all.
[[nodiscard]] std::string asked_of_data(const Analyst& analyst, std::string question, const std::vector<Turn>& history);

/// The way to say it that the reader is surest of.
Task<Result<Standing>> stand(Analyst& analyst, std::string question, std::vector<Turn> history, CancelToken cancel);

/// The parts of a question that asks for several things, each with what the earlier ones named and found. Empty when it
/// asks for one thing, or when a part is not clear.
Task<Result<std::vector<Standing>>> stand_in_parts(Analyst& analyst, std::string question, CancelToken cancel);

/// What was taken for granted when a question was said in full, for the person; empty when nothing was.
[[nodiscard]] std::string assumed_in(std::string_view full, std::string_view asked);

/// Names that an answer gave: of each row, where it has no more than kSubjectsKept. None for a result that names
/// nothing.
inline constexpr std::size_t kSubjectsKept = 5;
[[nodiscard]] std::vector<std::string> subjects_of(const native::Knowledge& knowledge, const ResultTable& result);

}  // namespace quaestor::workflows::reflective
