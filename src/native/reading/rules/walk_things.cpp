#include "native/reading/rules/walk.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::native::rules {

using Kind = Token::Kind;

namespace {

/// Names with less than this are not said but touched upon.
constexpr double kSaidScoreMin = 0.65;

std::optional<Comparison> comparison_of(Cue cue) {
    switch (cue) {
        case Cue::more_than:
        case Cue::after:
            return Comparison::greater;
        case Cue::at_least:
        case Cue::since:
        case Cue::or_more:
            return Comparison::greater_equal;
        case Cue::less_than:
        case Cue::before:
            return Comparison::less;
        case Cue::at_most:
        case Cue::until:
        case Cue::or_less:
            return Comparison::less_equal;
        case Cue::exactly:
            return Comparison::equal;
        default:
            return std::nullopt;
    }
}

bool says_when(Cue cue) {
    return cue == Cue::since || cue == Cue::after || cue == Cue::before || cue == Cue::until;
}

}  // namespace

bool Walk::take_table(const Token& token) {
    if (is_grouping_) {
        add_group({.table = token.table});
    } else if (superlative_ && !superlative_->waits_for_by && superlative_->about.empty()) {
        superlative_->counted = token.table;
        if (open_ == Aggregate::count) open_.reset();
        set_order(*superlative_);
    } else if (open_ == Aggregate::count || (open_ && frame_.window == WindowKind::running)) {
        frame_.aggregate = Aggregate::count;
        frame_.counted = token.table;
        open_.reset();
    } else if (frame_.entity >= 0 && frame_.entity != token.table) {
        frame_.mentioned.push_back(token.table);
    }
    const bool is_subject = frame_.groups.empty() || frame_.groups.back().table != token.table;
    if (frame_.entity < 0 && is_subject && (!frame_.order || frame_.order->counted != token.table)) {
        frame_.entity = token.table;
        frame_.entity_at = at_;
    }
    ++at_;
    return true;
}

bool Walk::take_column(const Token& token) {
    const ColumnId id = token.column;
    const bool is_time_before = at_ > 0 && tokens_[at_ - 1].is(Cue::previous) && view_.says_when(id);
    if (is_grouping_ || is_time_before) {
        const auto target = view_.target_of(id);
        add_group(target ? Grouping{.table = *target, .role = id} : Grouping{.column = id});
    } else if (test_of_column(token)) {
        return true;
    } else if (view_.is_flag(id) && !superlative_) {
        add({.kind = Test::Kind::truth, .column = id, .at = at_});
    } else if (superlative_ && !(superlative_->waits_for_by && view_.column(id).kind == ColumnKind::text)) {
        superlative_->column = id;
        superlative_->aggregate = std::exchange(open_, std::nullopt);
        if (superlative_->waits_for_by) frame_.shown.push_back(id);
        set_order(*superlative_);
    } else if (frame_.special == Special::ratio && frame_.measure != 0 && at_ > 0 && tokens_[at_ - 1].is(Cue::to)) {
        frame_.divisor = id;
    } else if (open_ && may_be_measured(id, *open_)) {
        fill(id);
    } else if (view_.target_of(id)) {
        frame_.roles.push_back(id);
    } else if (token.first == token.last && view_.has_word(id, "name") && view_.column(id).kind == ColumnKind::text) {
        frame_.shows_names = true;
        if (frame_.entity < 0) frame_.named = view_.table_of(id);
    } else if (view_.says_when(id) && token.score < kSaidScoreMin) {
        // "departed" only tells which date is meant; conditions look at the words for that.
    } else {
        frame_.shown.push_back(id);
    }
    ++at_;
    return true;
}

ColumnId Walk::about_column(std::string_view words) const {
    while (!words.empty() && frame_.entity >= 0) {
        const std::size_t end = std::min(words.find(' '), words.size());
        for (const ColumnId id : view_.schema().columns_of(frame_.entity)) {
            if (view_.is_measure(id) && view_.has_word(id, words.substr(0, end))) return id;
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return 0;
}

bool Walk::may_be_measured(ColumnId column, Aggregate aggregate) const {
    if (aggregate == Aggregate::count) return !view_.is_key(column) || view_.target_of(column).has_value();
    if (aggregate == Aggregate::min || aggregate == Aggregate::max) return !view_.is_key(column);
    return view_.is_measure(column);
}

void Walk::fill(ColumnId column) {
    const Aggregate asked = *std::exchange(open_, std::nullopt);
    if (asked == Aggregate::count && !view_.is_measure(column)) {
        frame_.aggregate = Aggregate::count;
        if (const auto target = view_.target_of(column)) {
            frame_.counted = *target;
            return;
        }
        frame_.is_distinct = true;
    } else {
        frame_.aggregate = asked == Aggregate::count ? Aggregate::sum : asked;
    }
    frame_.measure = column;
}

/// "age above 30", "season 2022", "position PG".
bool Walk::test_of_column(const Token& token) {
    const ColumnId id = token.column;
    const std::size_t ahead = 1 + light_tokens(1);
    const Token* next = peek(ahead);
    if (next == nullptr) return false;
    const bool parts_two = frame_.special == Special::difference || frame_.window;
    if (next->is(Cue::between)) return !parts_two && range(id, ahead + 1);
    if (next->is(Kind::cue) && comparison_of(next->cue)) {
        const bool is_after_number = next->cue == Cue::or_more || next->cue == Cue::or_less;
        const bool is_told_when = says_when(next->cue) && !view_.is_date(id) && !view_.is_year(id);
        return !is_after_number && !is_told_when && compare(next->cue, id, ahead + 1);
    }
    const bool fits_period = next->is(Kind::period) && (view_.is_date(id) || view_.is_year(id));
    const bool fits_number = next->is(Kind::number) && view_.column(id).kind == ColumnKind::number;
    const bool fits_value = next->is(Kind::value) && next->column == id;
    if (!fits_period && !fits_number && !fits_value) return false;
    const auto kind = fits_period ? Test::Kind::period : fits_number ? Test::Kind::number : Test::Kind::value;
    const std::size_t here = at_ + ahead;
    at_ = here + 1;
    add({.kind = kind, .column = id, .low = *next, .at = here});
    return true;
}

bool Walk::take_value(const Token& token) {
    is_grouping_ = false;
    add({.kind = Test::Kind::value, .column = token.column, .low = token, .at = at_});
    ++at_;
    const Token* next = peek();
    const bool is_same = next != nullptr && next->is(Kind::column) && next->column == token.column;
    if (is_same && !is_next(1, Kind::value)) ++at_;
    return true;
}

bool Walk::take_number(const Token& token) {
    if (is_next(1, {Cue::highest, Cue::lowest, Cue::most, Cue::least, Cue::about, Cue::top, Cue::bottom})) {
        frame_.limit = token;
        ++at_;
        return true;
    }
    const bool is_bounded = is_next(1, {Cue::or_more, Cue::or_less});
    const std::size_t ahead = is_bounded ? 2 : 1;
    const bool has_column =
        is_next(ahead, Kind::column) && view_.column(peek(ahead)->column).kind == ColumnKind::number;
    if (is_bounded || has_column) {
        const Cue cue = is_bounded ? peek(1)->cue : Cue::exactly;
        return compare_with_number(*comparison_of(cue), 0, 0);
    }
    const bool is_limit = is_next(1, Kind::table) && !frame_.limit && frame_.entity < 0 && !open_;
    if (!is_limit) return leave_out();
    frame_.limit = token;
    ++at_;
    return true;
}

bool Walk::take_period(const Token& token) {
    add({.kind = Test::Kind::period, .low = token, .at = at_});
    ++at_;
    return true;
}

/// `ahead`: where the value is. Takes all up to it.
bool Walk::compare(Cue cue, ColumnId column, std::size_t ahead) {
    ahead += light_tokens(ahead);
    const Token* next = peek(ahead);
    if (next == nullptr) return false;
    const Comparison comparison = *comparison_of(cue);
    if (next->is(Kind::number) && (!says_when(cue) || column != 0)) {
        return compare_with_number(comparison, column, ahead);
    }
    if (next->is(Cue::average)) return compare_with_average(comparison, column, ahead);
    const bool may_be_period = says_when(cue) || (column != 0 && (view_.is_date(column) || view_.is_year(column)));
    if (!next->is(Kind::period) || !may_be_period) return false;
    const std::size_t here = at_ + ahead;
    Test test{.kind = Test::Kind::period, .column = column, .comparison = comparison, .low = *next, .at = here};
    at_ = here + 1;
    add(std::move(test));
    return true;
}

/// "more than 20 points", "more than three orders", "20 or more"; the number is `ahead`.
bool Walk::compare_with_number(Comparison comparison, ColumnId column, std::size_t ahead) {
    Test test{
        .kind = Test::Kind::number, .column = column, .comparison = comparison, .low = *peek(ahead), .at = at_ + ahead};
    at_ += ahead + 1;
    if (is_next(0, {Cue::or_more, Cue::or_less})) test.comparison = *comparison_of(tokens_[at_++].cue);
    if (is_next(0, {Cue::sum, Cue::in_total})) {
        frame_.is_total = true;
        ++at_;
    }
    const Token* next = peek();
    if (column == 0 && next != nullptr && next->is(Kind::column) &&
        view_.column(next->column).kind == ColumnKind::number) {
        test.column = next->column;
        ++at_;
    } else if (column == 0 && next != nullptr && next->is(Kind::table)) {
        test.kind = Test::Kind::rows;
        test.table = next->table;
        ++at_;
    } else if (column == 0 && is_next(0, {Cue::times}) && !frame_.mentioned.empty()) {
        test.kind = Test::Kind::rows;
        test.table = frame_.mentioned.back();
        frame_.mentioned.pop_back();
        ++at_;
    }
    if (is_next(0, {Cue::in_total})) {
        frame_.is_total = true;
        ++at_;
    }
    const bool is_unit = column != 0 && is_next(0, Kind::column) && peek()->column == column;
    if (is_unit) ++at_;
    add(std::move(test));
    return true;
}

bool Walk::compare_with_average(Comparison comparison, ColumnId column, std::size_t ahead) {
    const std::size_t here = at_ + ahead;
    at_ = here + 1;
    if (column == 0) {
        if (!is_next(0, Kind::column) || !view_.is_measure(peek()->column)) return false;
        column = tokens_[at_++].column;
    } else if (is_next(0, Kind::column) && peek()->column == column) {
        ++at_;
    }
    add({.kind = Test::Kind::average, .column = column, .comparison = comparison, .at = here});
    return true;
}

/// Two numbers or periods with "and" or "to" between them; `ahead`: the first of them. False leaves everything as is.
bool Walk::range(ColumnId column, std::size_t ahead) {
    const Token* low = peek(ahead);
    if (low == nullptr) return false;
    const bool is_pair = is_next(ahead + 1, {Cue::conjunction, Cue::to, Cue::until});
    const Token* high = is_pair ? peek(ahead + 2) : low;
    if (high == nullptr || high->kind != low->kind) return false;
    const bool is_period = low->is(Kind::period);
    if (!is_period && (!low->is(Kind::number) || !is_pair)) return false;
    if (is_period && column != 0 && !view_.says_when(column)) return false;
    Test test{.kind = is_period ? Test::Kind::period : Test::Kind::number,
              .column = column,
              .is_range = is_pair,
              .low = *low,
              .high = *high,
              .at = at_ + ahead};
    at_ += ahead + (is_pair ? 3 : 1);
    const Token* next = peek();
    if (column == 0 && !is_period && next != nullptr && next->is(Kind::column)) test.column = tokens_[at_++].column;
    add(std::move(test));
    return true;
}

}  // namespace quaestor::native::rules
