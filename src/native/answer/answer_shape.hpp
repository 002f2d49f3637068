// What a result looks like to somebody who has to speak of it: which column names the rows, which are measured, which
// tell the time, and how the rows are ordered. Private to native/.
// Borrows the input of an answer. Threads: immutable once made.
#pragma once

#include "native/answer/answer_writer.hpp"
#include "native/answer/saying.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

struct AnswerColumn {
    enum class Role { label, measure, time, identity, other } role = Role::other;
    const data::ResultColumn* cells = nullptr;
    const Expression* meaning = nullptr;  ///< the selected expression, where the form is known
    NumberStyle style{};
    const data::ResultColumn* last_names = nullptr;  ///< where `cells` are first names: both halves are one label

    [[nodiscard]] std::string say(std::size_t row) const;
    /// "April" or "Monday" where the numbers are those of months or weekdays; nothing elsewhere.
    [[nodiscard]] std::optional<std::string> calendar_name(std::size_t row) const;
};

/// What a question wants by its first words.
enum class Wish { facts, existence, truth, count };
[[nodiscard]] Wish wish_of(std::string_view question);
/// "players" of "How many players …".
[[nodiscard]] std::optional<std::string> counted_noun(std::string_view question);

struct AnswerShape {
    explicit AnswerShape(const AnswerInput& input);

    const data::ResultSet& result;
    const Query* form = nullptr;  ///< only with its schema and words
    std::vector<AnswerColumn> columns{};
    const AnswerColumn* label = nullptr;  ///< the first that names rows
    const AnswerColumn* time = nullptr;
    std::vector<const AnswerColumn*> measures{};
    /// The measure by which the rows are ordered, and whether the greatest comes first.
    const AnswerColumn* ordered = nullptr;
    bool descending = true;

private:
    void join_names();
    void find_order();
};

}  // namespace quaestor::native
