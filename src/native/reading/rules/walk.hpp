// Goes through a question's tokens once, from left to right; each construct takes the tokens that it is made of and
// adds its piece to the frame. Private to the rules. Threads: one for each reading.
#pragma once

#include "native/reading/rules/frame.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <initializer_list>
#include <optional>
#include <span>

namespace quaestor::native::rules {

/// Words that nothing was made of, beyond which a reading is given up.
inline constexpr std::size_t kLeftOutMax = 1;

class Walk {
public:
    /// `is_part`: only what changes an earlier question is said.
    Walk(std::span<const Token> tokens, const SchemaView& view, bool is_part = false)
        : tokens_(tokens), view_(view), is_part_(is_part) {}

    /// Nothing when the tokens do not fit together.
    [[nodiscard]] std::optional<Frame> frame();

private:
    [[nodiscard]] const Token* peek(std::size_t ahead = 0) const;
    [[nodiscard]] bool is_next(std::size_t ahead, std::initializer_list<Cue> cues) const;
    [[nodiscard]] bool is_next(std::size_t ahead, Token::Kind kind) const;
    /// Tokens from here on that are verbs, "that", "the" …
    [[nodiscard]] std::size_t light_tokens(std::size_t ahead) const;

    bool step();
    bool take_cue(const Token& token);
    bool take_joining_cue(const Token& token);
    bool take_target_cue(const Token& token);
    bool take_order_cue(const Token& token);
    bool take_special_cue(const Token& token);
    bool take_negation(const Token& token);
    bool leave_out();
    void begin_group(Cue cue);
    void finish_order();
    void finish_target();

    bool take_table(const Token& token);
    bool take_column(const Token& token);
    bool take_value(const Token& token);
    bool take_number(const Token& token);
    bool take_period(const Token& token);
    bool take_time_unit(const Token& token);

    bool compare(Cue cue, ColumnId column, std::size_t ahead);
    bool compare_with_number(Comparison comparison, ColumnId column, std::size_t ahead);
    bool compare_with_average(Comparison comparison, ColumnId column, std::size_t ahead);
    bool range(ColumnId column, std::size_t ahead);
    bool test_of_column(const Token& token);
    void add(Test test);
    void add_group(Grouping group);
    void fill(ColumnId column);
    void set_order(Order order);
    /// "taller than": a column of what is asked for that has one of the words.
    [[nodiscard]] ColumnId about_column(std::string_view words) const;
    [[nodiscard]] bool may_be_measured(ColumnId column, Aggregate aggregate) const;

    std::span<const Token> tokens_;
    const SchemaView& view_;
    bool is_part_;
    std::size_t at_ = 0;
    Frame frame_;
    std::optional<Aggregate> open_;  ///< a measure is still to come
    std::optional<Order> superlative_;
    bool is_grouping_ = false;
    bool is_per_ = false;
    bool is_negated_ = false;
    bool is_joined_ = false;
    bool is_never_ = false;  ///< tests are those of the last Never
};

}  // namespace quaestor::native::rules
