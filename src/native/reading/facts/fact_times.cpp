#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

namespace quaestor::native::facts {

/// The column of the table, or of a table it belongs to, that says when its rows took place.
std::optional<ColumnRef> FactQuery::time_column() const {
    const bool needs_days = said_.time && !said_.time->is_latest && !said_.time->is_years();
    std::optional<ColumnRef> best;
    double best_rank = 100;
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        const auto steps = view_.steps_to_one(root_, static_cast<TableId>(table));
        if (!steps || *steps > kFactStepsMax) continue;
        for (const ColumnId column : view_.schema().columns_of(static_cast<TableId>(table))) {
            const bool is_year = view_.is_year(column);
            const bool is_date = view_.is_date(column);
            if ((!is_year || needs_days) && !is_date) continue;
            const auto ref = reached(column);
            if (!ref) continue;
            // "founded 1990" is said of a thing, not of what happened; a word of the column makes it the one.
            const bool is_of_thing = *steps > 0 && !view_.is_key(column) && !is_date;
            const bool is_named = names_.said(column, taken_).score >= 0.5;
            const double rank = 2.0 * *steps + (is_year ? 0 : 1) + (is_of_thing ? 3 : 0) - (is_named ? 1.5 : 0) +
                                (view_.column(column).is_primary ? -0.5 : 0);
            if (rank >= best_rank) continue;
            best_rank = rank;
            best = ref;
        }
    }
    return best;
}

bool FactQuery::add_time() {
    time_ = time_column();
    if (!said_.time) return true;
    if (!time_) return false;
    auto condition = time_condition(*time_, *said_.time);
    if (!condition) return false;
    const TableId there = view_.table_of(time_->column);
    cost_ += kFactStep * *view_.steps_to_one(root_, there);
    if (!said_.other_time) where_.push_back(std::move(*condition));
    const TimeMention& time = *said_.time;
    is_time_fixed_ = time.is_latest || (time.comparison == Comparison::equal &&
                                        (view_.is_year(time_->column) ? time.first_year() == time.last_year() : true));
    return true;
}

std::optional<Condition> FactQuery::time_condition(const ColumnRef& column, const TimeMention& time) const {
    const Expression left{column};
    if (time.is_latest) {
        if (!view_.is_year(column.column)) return std::nullopt;
        Query newest{.select = {{AggregateOf{Aggregate::max, false, Expression{ColumnRef{column.column, 0}}, {}}}}};
        return Condition{Compare{left, Comparison::equal, Expression{Subquery{std::move(newest)}}}};
    }
    if (view_.is_year(column.column)) {
        const std::string first = time.first_year();
        const std::string last = time.last_year();
        switch (time.comparison) {
            case Comparison::greater:
            case Comparison::less_equal:
                return Condition{Compare{left, time.comparison, Constant{last}}};
            case Comparison::greater_equal:
            case Comparison::less:
                return Condition{Compare{left, time.comparison, Constant{first}}};
            default:
                if (first == last) return Condition{Compare{left, Comparison::equal, Constant{first}}};
                return Condition{Between{left, false, Constant{first}, Constant{last}}};
        }
    }
    switch (time.comparison) {
        case Comparison::greater:
        case Comparison::less_equal:
            return Condition{Compare{left, time.comparison, Constant{rules::day_before(time.after)}}};
        case Comparison::greater_equal:
        case Comparison::less:
            return Condition{Compare{left, time.comparison, Constant{time.from}}};
        default:
            if (rules::day_before(time.after) == time.from) {
                return Condition{Compare{left, Comparison::equal, Constant{time.from}}};
            }
            return Condition{Between{left, false, Constant{time.from}, Constant{rules::day_before(time.after)}}};
    }
}

}  // namespace quaestor::native::facts
