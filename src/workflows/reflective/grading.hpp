// Whether an answer may be shown: checks that need no model, the grade that comes of them and of a model's judgement,
// and what goes with an answer that stands. Private to the workflow.
// Threads: pure functions.
#pragma once

#include "graph/graph.hpp"
#include "workflows/reflective/analyst.hpp"
#include "workflows/reflective/prompts_answer.hpp"

#include <string>
#include <vector>

namespace quaestor::workflows::reflective {

/// What can be judged without a model.
struct Checks {
    GroundingSummary grounding;
    std::vector<std::string> of_answer;  ///< numbers and names that do not come from the data
    std::vector<std::string> of_query;   ///< what the question names and no query looks for; values that are not there

    [[nodiscard]] std::vector<std::string> issues() const;
};
[[nodiscard]] Checks check(const Analyst& analyst, const State& state, const std::vector<Finding>& findings);

/// The checks first; `said`, the model's judgement, can only make it worse. None: the probability of the readings.
[[nodiscard]] Grade grade_of(const std::vector<Finding>& findings, const Checks& checks,
                             const GradeResponse::Output* said);

/// Everything that comes with an answer once it stands: its warning, `gaps` to be said, chart, suggestions, the turn to
/// remember.
void finish(const Analyst& analyst, const State& state, const std::vector<Finding>& findings, const Grade& grade,
            const std::vector<std::string>& gaps, graph::Update<State>& update);

}  // namespace quaestor::workflows::reflective
