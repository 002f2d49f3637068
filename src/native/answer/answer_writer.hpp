// An answer in one or two sentences from a result table: correct plurals, rounding, units and ranks, and nothing that
// is not in the table. Deterministic. Threads: pure functions.
#pragma once

#include "data/result_set.hpp"
#include "native/logical_form.hpp"
#include "native/reading/wording.hpp"
#include "native/schema.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

struct AnswerInput {
    std::string_view question;
    const Query* form = nullptr;  ///< none: the SQL was a model's; the table alone speaks
    const Schema* schema = nullptr;
    const Spoken* spoken = nullptr;
    const data::ResultSet* result = nullptr;
};

/// Rows that a sentence lists; more of them are a table.
inline constexpr std::size_t kListedRowsMax = 5;
/// Rows of a Markdown table in an answer; the rest is counted.
inline constexpr std::size_t kTableRowsMax = 20;

/// Markdown: one or two sentences, then a table where the result wants one.
[[nodiscard]] std::string write_answer(const AnswerInput& input);

/// A cell for a person: "1,234", "45.7 %", "2.35 million", "May 3, 2023", "nothing recorded".
[[nodiscard]] std::string say_cell(const data::ResultColumn& column, std::size_t row);
/// A Markdown table of the first rows, numbers aligned right, marks of Markdown and HTML escaped.
[[nodiscard]] std::string markdown_table(const data::ResultSet& result, std::size_t rows = kTableRowsMax);

}  // namespace quaestor::native
