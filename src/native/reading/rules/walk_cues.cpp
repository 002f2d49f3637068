#include "native/reading/rules/walk.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native::rules {

using Kind = Token::Kind;

namespace {

std::optional<DatePart> part_of(std::string_view detail) {
    constexpr auto kParts = std::to_array<std::string_view>({"year", "quarter", "month", "day", "weekday"});
    const auto* const found = std::ranges::find(kParts, detail);
    if (found == kParts.end()) return std::nullopt;
    return static_cast<DatePart>(found - kParts.begin());
}

std::optional<Aggregate> aggregate_of(Cue cue) {
    switch (cue) {
        case Cue::count:
            return Aggregate::count;
        case Cue::sum:
            return Aggregate::sum;
        case Cue::average:
            return Aggregate::avg;
        case Cue::maximum:
            return Aggregate::max;
        case Cue::minimum:
            return Aggregate::min;
        default:
            return std::nullopt;
    }
}

bool is_comparison(Cue cue) {
    constexpr auto kComparisons = std::to_array<Cue>({Cue::more_than, Cue::at_least, Cue::less_than, Cue::at_most,
                                                      Cue::exactly, Cue::since, Cue::after, Cue::before, Cue::until});
    return std::ranges::find(kComparisons, cue) != kComparisons.end();
}

std::optional<Order> order_of(const Token& token) {
    switch (token.cue) {
        case Cue::most:
        case Cue::least:
            return Order{.descending = token.cue == Cue::most, .adds_up = true};
        case Cue::highest:
        case Cue::lowest:
            return Order{.descending = token.cue == Cue::highest};
        case Cue::about:
            return Order{.about = token.detail};
        case Cue::top:
        case Cue::bottom:
            return Order{.descending = token.cue == Cue::top, .waits_for_by = true};
        case Cue::sort:
            return Order{.descending = false, .adds_up = true, .is_list = true};
        case Cue::ascending:
        case Cue::descending:
            return Order{.descending = token.cue == Cue::descending, .is_list = true};
        case Cue::rank:
            return Order{.is_list = true, .waits_for_by = true};
        default:
            return std::nullopt;
    }
}

}  // namespace

bool Walk::take_cue(const Token& token) {
    if (is_comparison(token.cue)) return compare(token.cue, about_column(token.detail), 1);
    switch (token.cue) {
        case Cue::between:
            if (frame_.special == Special::difference || frame_.window || !range(0, 1)) break;
            return true;
        case Cue::from:
            if (frame_.special != Special::none || frame_.window || !range(0, 1)) break;
            return true;
        case Cue::group:
        case Cue::by:
            begin_group(token.cue);
            break;
        case Cue::time_unit:
        case Cue::time_adverb:
            return take_time_unit(token);
        case Cue::negation:
        case Cue::never:
            return take_negation(token);
        case Cue::latest:
            add({.kind = Test::Kind::latest, .low = token, .at = at_});
            break;
        default:
            return take_joining_cue(token) || take_target_cue(token) || take_order_cue(token) ||
                   take_special_cue(token);
    }
    ++at_;
    return true;
}

bool Walk::take_joining_cue(const Token& token) {
    switch (token.cue) {
        case Cue::ask:
            frame_.is_asked = true;
            break;
        case Cue::who:
            frame_.asks_who |= at_ == 0;
            break;
        case Cue::verb:
            frame_.verbs.push_back(at_);
            break;
        case Cue::conjunction:
        case Cue::disjunction:
        case Cue::comma:
        case Cue::than:
        case Cue::versus:
            frame_.breaks.push_back(at_);
            is_joined_ = token.cue != Cue::than;
            if (token.cue == Cue::versus && frame_.special == Special::none) frame_.special = Special::compare;
            break;
        case Cue::to:
            frame_.breaks.push_back(at_);
            break;
        case Cue::ties:
            frame_.keeps_ties = true;
            break;
        case Cue::in_total:
            frame_.is_total = true;
            break;
        case Cue::single:
            frame_.is_single_row = true;
            if (is_next(1, Kind::table) && (frame_.order || !frame_.tests.empty() || !frame_.nevers.empty())) ++at_;
            break;
        default:
            return false;
    }
    ++at_;
    return true;
}

/// "by" also leads what things are ordered by, and who did something.
void Walk::begin_group(Cue cue) {
    if (cue == Cue::by && superlative_) {
        superlative_->waits_for_by = false;
        superlative_->adds_up = true;
        return;
    }
    if (cue == Cue::by && is_next(1, Kind::value)) return;
    is_grouping_ = true;
    is_per_ = cue == Cue::group;
}

bool Walk::take_target_cue(const Token& token) {
    const std::optional<Aggregate> aggregate = aggregate_of(token.cue);
    if (token.cue == Cue::how_many || token.cue == Cue::how_many_more) {
        open_ = Aggregate::count;
        if (token.cue == Cue::how_many_more) frame_.special = Special::difference;
    } else if (token.cue == Cue::how_much) {
        open_ = Aggregate::sum;
    } else if (token.cue == Cue::exists) {
        frame_.asks_existence = !open_ && !frame_.aggregate;
        if (frame_.asks_existence) open_ = Aggregate::count;
    } else if (token.cue == Cue::distinct) {
        frame_.is_distinct = true;
    } else if (aggregate) {
        const bool is_mean = open_ == Aggregate::avg || frame_.aggregate == Aggregate::avg;
        frame_.is_mean_of_groups |= is_mean && (aggregate == Aggregate::count || aggregate == Aggregate::sum);
        frame_.is_mean_of_groups |= aggregate == Aggregate::avg && frame_.aggregate == Aggregate::count;
        if (frame_.aggregate != Aggregate::count || aggregate != Aggregate::avg) open_ = aggregate;
    } else {
        return false;
    }
    ++at_;
    return true;
}

bool Walk::take_order_cue(const Token& token) {
    if (token.cue == Cue::nth) {
        frame_.nth = token.detail;
        ++at_;
        return true;
    }
    const std::optional<Order> order = order_of(token);
    if (!order) return false;
    const bool turns_order = (token.cue == Cue::ascending || token.cue == Cue::descending) && frame_.order;
    if (turns_order) {
        frame_.order->descending = order->descending;
        ++at_;
        return true;
    }
    if (token.cue == Cue::rank) frame_.window = WindowKind::rank;
    const bool has_count = (token.cue == Cue::top || token.cue == Cue::bottom) && is_next(1, Kind::number);
    if (has_count) frame_.limit = tokens_[++at_];
    const bool is_second = superlative_ && !superlative_->waits_for_by && !superlative_->is_list;
    if (is_second && frame_.special != Special::difference) return leave_out();
    frame_.is_difference_of_extremes |= is_second;
    superlative_ = order;
    ++at_;
    return true;
}

bool Walk::take_special_cue(const Token& token) {
    const auto begin_special = [this](Special special) {
        frame_.special = special;
        if (!open_ && !frame_.aggregate) open_ = Aggregate::count;
    };
    const auto begin_window = [this, &token](WindowKind kind) {
        if (!frame_.window || frame_.window == WindowKind::previous) frame_.window = kind;
        if (const auto part = part_of(token.detail)) add_group({.part = part});
        if (!open_ && !frame_.aggregate) open_ = Aggregate::sum;
    };
    switch (token.cue) {
        case Cue::share:
            begin_special(Special::share);
            break;
        case Cue::ratio:
            begin_special(Special::ratio);
            break;
        case Cue::difference:
            begin_special(Special::difference);
            break;
        case Cue::compare:
            frame_.special = Special::compare;
            break;
        case Cue::change:
            begin_window(WindowKind::change);
            break;
        case Cue::growth:
            begin_window(WindowKind::percent_change);
            break;
        case Cue::running:
            begin_window(WindowKind::running);
            break;
        case Cue::previous:
            begin_window(frame_.window.value_or(WindowKind::previous));
            break;
        case Cue::percent:
            frame_.in_percent = true;
            break;
        case Cue::relative:
        case Cue::both:
        case Cue::over_time:
        case Cue::addition:
        case Cue::only:
        case Cue::instead:
        case Cue::pronoun:
        case Cue::filler:
            break;
        default:
            return leave_out();
    }
    ++at_;
    return true;
}

bool Walk::take_time_unit(const Token& token) {
    const bool is_after_previous = at_ > 0 && tokens_[at_ - 1].is(Cue::previous);
    const bool is_asked = at_ > 0 && tokens_[at_ - 1].is(Cue::ask) && frame_.entity < 0 && !frame_.aggregate;
    const bool is_group = is_grouping_ || is_after_previous || is_asked || token.cue == Cue::time_adverb;
    if (!is_group) return leave_out();
    add_group({.part = part_of(token.detail), .is_asked = is_asked});
    ++at_;
    return true;
}

/// "never", "without" lead a table whose rows must not be there; "not" turns the next test round.
bool Walk::take_negation(const Token& token) {
    const std::size_t ahead = 1 + light_tokens(1);
    const Token* next = peek(ahead);
    if (next == nullptr) return leave_out();
    const bool is_test_of_other =
        next->is(Kind::cue) && !is_next(ahead, {Cue::conjunction, Cue::comma, Cue::single, Cue::between});
    if (next->is(Kind::table) || (token.cue == Cue::never && is_test_of_other)) {
        if (frame_.entity < 0 && !is_part_) return leave_out();
        frame_.nevers.push_back({next->is(Kind::table) ? next->table : -1, {}});
        is_never_ = true;
        at_ += next->is(Kind::table) ? ahead + 1 : ahead;
        return true;
    }
    if (next->is(Kind::column) && token.cue == Cue::never && !view_.is_flag(next->column)) {
        add({.kind = Test::Kind::missing, .column = next->column, .at = at_});
        at_ += ahead + 1;
        return true;
    }
    is_negated_ = true;
    ++at_;
    return true;
}

}  // namespace quaestor::native::rules
