#include "native/reading/rules/walk.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::native::rules {

using Kind = Token::Kind;

const Token* Walk::peek(std::size_t ahead) const {
    return at_ + ahead < tokens_.size() ? &tokens_[at_ + ahead] : nullptr;
}

bool Walk::is_next(std::size_t ahead, std::initializer_list<Cue> cues) const {
    const Token* token = peek(ahead);
    return token != nullptr && token->is(Kind::cue) && std::ranges::find(cues, token->cue) != cues.end();
}

bool Walk::is_next(std::size_t ahead, Kind kind) const {
    const Token* token = peek(ahead);
    return token != nullptr && token->is(kind);
}

std::size_t Walk::light_tokens(std::size_t ahead) const {
    std::size_t count = 0;
    while (is_next(ahead + count, {Cue::verb, Cue::relative, Cue::than, Cue::ask})) ++count;
    return count;
}

std::optional<Frame> Walk::frame() {
    while (at_ < tokens_.size()) {
        if (!step()) return std::nullopt;
    }
    finish_order();
    finish_target();
    const bool is_open = open_ && frame_.special == Special::none;
    if (superlative_ || is_negated_ || is_grouping_ || is_open) return std::nullopt;
    return frame_;
}

/// "ordered the most" is about what was mentioned last; an order of all rows is by what is measured.
void Walk::finish_order() {
    if (!superlative_) return;
    if (superlative_->waits_for_by || !superlative_->about.empty() || (is_part_ && !superlative_->is_list)) {
        set_order(*superlative_);
    } else if (superlative_->is_list) {
        if (frame_.aggregate) frame_.order = superlative_;
        superlative_.reset();
    } else if (superlative_->adds_up && !frame_.mentioned.empty()) {
        superlative_->counted = frame_.mentioned.back();
        frame_.mentioned.pop_back();
        set_order(*superlative_);
    }
}

/// What is to be counted or measured, where it did not come behind its cue.
void Walk::finish_target() {
    if (!open_) return;
    const bool tells_table = *open_ == Aggregate::count && frame_.entity < 0 && !frame_.tests.empty();
    if (tells_table && frame_.tests.front().kind == Test::Kind::number && frame_.tests.front().column != 0) {
        frame_.entity = view_.table_of(frame_.tests.front().column);
    }
    if (*open_ == Aggregate::count && frame_.entity >= 0) {
        frame_.counted = frame_.entity;
        frame_.aggregate = std::exchange(open_, std::nullopt);
    } else if (frame_.shown.size() == 1 && view_.is_measure(frame_.shown.front()) && !frame_.aggregate) {
        fill(frame_.shown.front());
        frame_.shown.clear();
    } else if (is_part_ && !frame_.aggregate) {
        frame_.aggregate = std::exchange(open_, std::nullopt);
    }
}

bool Walk::leave_out() {
    if (!tokens_[at_].is(Kind::unknown)) return false;
    frame_.left_out.push_back(tokens_[at_++]);
    return frame_.left_out.size() <= kLeftOutMax;
}

bool Walk::step() {
    const Token& token = tokens_[at_];
    switch (token.kind) {
        case Kind::cue:
            return take_cue(token);
        case Kind::table:
            return take_table(token);
        case Kind::column:
            return take_column(token);
        case Kind::value:
            return take_value(token);
        case Kind::number:
            return take_number(token);
        case Kind::period:
            return take_period(token);
        case Kind::unknown:
            return leave_out();
    }
    std::unreachable();
}

void Walk::add(Test test) {
    test.negated = test.negated != std::exchange(is_negated_, false);
    test.joins_last = std::exchange(is_joined_, false);
    if (!frame_.roles.empty()) test.role = frame_.roles.back();
    if (test.at > 0 && tokens_[test.at - 1].is(Cue::from)) test.direction = Cue::from;
    if (test.at > 0 && tokens_[test.at - 1].is(Cue::to)) test.direction = Cue::to;
    (is_never_ ? frame_.nevers.back().tests : frame_.tests).push_back(std::move(test));
}

void Walk::add_group(Grouping group) {
    group.is_per = is_per_;
    const bool is_known = std::ranges::any_of(frame_.groups, [&group](const Grouping& other) {
        return other.table == group.table && other.column == group.column && other.part == group.part;
    });
    if (!is_known) frame_.groups.push_back(group);
    const bool goes_on = is_grouping_ && is_next(1, {Cue::conjunction, Cue::comma}) &&
                         (is_next(2, Kind::table) || is_next(2, Kind::column) || is_next(2, {Cue::time_unit}));
    is_grouping_ = goes_on;
}

void Walk::set_order(Order order) {
    frame_.order = std::move(order);
    frame_.order_at = at_;
    superlative_.reset();
}

}  // namespace quaestor::native::rules
