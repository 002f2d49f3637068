// The sentences of an answer, by the shape of its result. Each shape gives several wordings, the fullest first; the
// last one says nothing but cells. Private to native/. Threads: one for each answer.
#pragma once

#include "native/answer/answer_shape.hpp"
#include "native/reading/wording_phrases.hpp"

#include <functional>
#include <string>
#include <vector>

namespace quaestor::native {

/// A wording of a form that is longer than this is no sentence for a person.
inline constexpr std::size_t kPhraseBytesMax = 220;

struct Draft {
    std::vector<std::string> texts;  ///< the fullest first; never empty
    bool wants_table = false;
};

class Sentences {
public:
    Sentences(const AnswerInput& input, const AnswerShape& shape);
    [[nodiscard]] Draft draft() const;

private:
    using Wording = std::function<std::string(Phrases&)>;
    [[nodiscard]] Draft whole() const;
    [[nodiscard]] Draft empty() const;
    [[nodiscard]] Draft single_value() const;
    [[nodiscard]] Draft single_row() const;
    [[nodiscard]] Draft list() const;
    [[nodiscard]] Draft two_groups() const;
    [[nodiscard]] Draft few() const;
    [[nodiscard]] Draft series() const;
    [[nodiscard]] Draft series_of_each() const;
    [[nodiscard]] Draft many() const;

    [[nodiscard]] std::vector<std::string> count_sentences(double count) const;
    [[nodiscard]] std::string facts_of(std::size_t row, bool with_label) const;
    [[nodiscard]] std::string how_many_rows() const;
    [[nodiscard]] std::string leader() const;
    [[nodiscard]] std::string extremes() const;
    [[nodiscard]] std::string comparison(const AnswerColumn& measure) const;
    [[nodiscard]] std::string higher_in(std::size_t leader) const;
    [[nodiscard]] std::string change(const AnswerColumn& measure, std::size_t first, std::size_t last) const;
    [[nodiscard]] std::string when(std::size_t row) const;
    [[nodiscard]] std::string difference(double left, double right, const NumberStyle& style) const;
    [[nodiscard]] std::string row_noun() const;
    /// " of the Lakers in 2023"; empty where the form does not say it so simply.
    [[nodiscard]] std::string circumstances() const;
    /// "player", for a column that rows of that table are called by; empty for another.
    [[nodiscard]] std::string named_by(const AnswerColumn& column) const;
    /// "game" for a count of different games.
    [[nodiscard]] std::string counted_key(const AnswerColumn& column) const;
    [[nodiscard]] std::string name_of(const AnswerColumn& column) const;
    [[nodiscard]] bool is_count(const AnswerColumn& column) const;
    [[nodiscard]] bool is_one_query() const { return shape_.form != nullptr && !shape_.form->combined; }
    /// With values in the database's spelling, then as they were said; none without a form.
    [[nodiscard]] std::vector<std::string> worded(const Wording& wording) const;
    [[nodiscard]] std::string phrase(const Wording& wording) const;

    const AnswerInput& input_;
    const AnswerShape& shape_;
    Wish wish_;
};

}  // namespace quaestor::native
