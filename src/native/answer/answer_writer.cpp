#include "native/answer/answer_writer.hpp"

#include "native/answer/circumstances.hpp"
#include "native/answer/evidence_index.hpp"
#include "native/answer/sentences.hpp"
#include "native/reading/wording_nouns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native {

namespace {

/// The fullest wording of which every number and name can be traced.
std::string traced_text(const Draft& draft, const AnswerInput& input) {
    if (draft.texts.size() == 1) return draft.texts.front();
    Evidence evidence{.results = {input.result}, .passages = {}, .question = input.question};
    // Names that the query asked for hold, also where a person spelled them otherwise.
    std::optional<Circumstances> asked_for;
    if (input.form != nullptr) {
        asked_for = circumstances_of(*input.form, *input.schema, *input.spoken, input.question);
    }
    if (asked_for) evidence.passages.assign(asked_for->whose.begin(), asked_for->whose.end());
    const EvidenceIndex index(evidence);
    const auto is_traced = [&index](const std::string& text) {
        return check_grounding(text, index).untraced().empty();
    };
    const auto found = std::ranges::find_if(draft.texts, is_traced);
    return found == draft.texts.end() ? draft.texts.back() : *found;
}

}  // namespace

std::string write_answer(const AnswerInput& input) {
    if (input.result == nullptr) return "There is no result.";
    const AnswerShape shape(input);
    const Draft draft = Sentences(input, shape).draft();
    std::string answer = traced_text(draft, input);
    const std::string rows = with_thousands(std::to_string(input.result->row_count));
    if (input.result->truncated && input.result->row_count > 0) {
        answer += fmt::format(" The result was cut off after {} rows.", rows);
    }
    if (!draft.wants_table) return answer;
    answer += "\n\n" + markdown_table(*input.result);
    if (input.result->row_count > kTableRowsMax) {
        answer += fmt::format("\nThe table shows the first of {} rows.", rows);
    }
    return answer;
}

}  // namespace quaestor::native
