#include "native/reading/facts/fact_query.hpp"

#include <algorithm>

namespace quaestor::native::facts {

bool FactQuery::add_ordinals() {
    return std::ranges::all_of(said_.ordinals, [this](const OrdinalMention& ordinal) {
        const auto ref = reached(ordinal.column);
        if (!ref) return false;
        where_.push_back({Compare{Expression{*ref}, Comparison::equal, Constant{ordinal.number}}});
        tested_.push_back(ordinal.column);
        // "second round picks": rows of the table by another word of its columns.
        const std::size_t next = ordinal.last + 1;
        const bool is_of_table = next < names_.size() && !taken_[next] &&
                                 std::ranges::any_of(
                                     view_.schema().columns_of(view_.table_of(ordinal.column)),
                                     [&](ColumnId id) { return names_.is_in_name(id, next); });
        if (is_of_table) explained_[next] = true;
        return true;
    });
}

/// "won by 20 or more": so much more than the other side has.
std::optional<Condition> FactQuery::margin(const NumberMention& number) const {
    const TwoEnds::Pair* score = ends_ ? ends_->score() : nullptr;
    if (score == nullptr || !said_.outcome) return std::nullopt;
    bool is_led = false;
    for (std::size_t at = said_.outcome->at; at < number.first; ++at) is_led |= names_.folded(at) == "by";
    if (!is_led) return std::nullopt;
    const ColumnRef own{at_chosen_end(score->first), 0};
    const Expression mine = is_either_ ? ends_->of_end(*score) : Expression{own};
    const Expression other = of_opponent(own);
    const Expression more{said_.outcome->is_won ? Calculation{Arithmetic::minus, mine, other}
                                                : Calculation{Arithmetic::minus, other, mine}};
    return Condition{Compare{more, number.comparison, Constant{number.number}}};
}

/// Each number is compared with the nearest column that measures something.
bool FactQuery::add_numbers() {
    if (said_.beats_average && !add_average()) return false;
    for (const NumberMention& number : said_.numbers) {
        if (auto condition = margin(number)) {
            where_.push_back(std::move(*condition));
            continue;
        }
        const ChosenColumn* nearest = nullptr;
        std::size_t distance = SIZE_MAX;
        for (const ChosenColumn& column : columns_) {
            if (!view_.column(column.ref.column).is_amount()) continue;
            const std::size_t first = column.words.front();
            const std::size_t here = first > number.last
                                         ? first - number.last
                                         : (number.first - std::min(number.first, column.words.back())) + 1;
            if (here >= distance) continue;
            distance = here;
            nearest = &column;
        }
        if (nearest == nullptr) return false;
        where_.push_back({Compare{of_row(nearest->ref), number.comparison, Constant{number.number}}});
        tested_.push_back(nearest->ref.column);
    }
    return true;
}

/// "more than the average": of the same time, over all rows.
bool FactQuery::add_average() {
    const auto column = std::ranges::find_if(columns_, [this](const ChosenColumn& one) {
        return view_.column(one.ref.column).is_amount() && view_.table_of(one.ref.column) == root_;
    });
    if (column == columns_.end()) return false;
    Query all{.select = {{AggregateOf{Aggregate::avg, false, Expression{ColumnRef{column->ref.column, 0}}, {}}}}};
    if (said_.time && time_ && view_.table_of(time_->column) == root_) all.where = time_condition(*time_, *said_.time);
    where_.push_back({Compare{Expression{column->ref}, *said_.beats_average, Expression{Subquery{std::move(all)}}}});
    tested_.push_back(column->ref.column);
    return true;
}

}  // namespace quaestor::native::facts
