#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/reading/seasons.hpp"

#include <algorithm>
#include <string>

namespace quaestor::native::facts {

namespace {

/// Days between which a season lies that is played over two years.
constexpr const char* kSeasonBegins = "-08-01";
constexpr const char* kSeasonEnds = "-07-31";

}  // namespace

/// The column of the table, or of a table it belongs to, that says when its rows took place.
std::optional<ColumnRef> FactQuery::time_column() const {
    const bool needs_days = said_.time && !said_.time->is_latest && !said_.time->is_years();
    std::optional<ColumnRef> best;
    double best_rank = 100;
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        const auto steps = view_.steps_to_one(root_, static_cast<TableId>(table));
        if (!steps || *steps > kFactStepsMax) continue;
        for (const ColumnId column : view_.schema().columns_of(static_cast<TableId>(table))) {
            const bool is_year = view_.is_year(column) || view_.is_season_code(column);
            if ((!is_year || needs_days) && !view_.is_date(column)) continue;
            const auto ref = reached(column);
            if (!ref) continue;
            const double rank = time_rank(column);
            if (rank >= best_rank) continue;
            best_rank = rank;
            best = ref;
        }
    }
    return best;
}

/// How unlikely the column is to say when the rows took place.
double FactQuery::time_rank(ColumnId column) const {
    const int steps = *view_.steps_to_one(root_, view_.table_of(column));
    const bool is_date = view_.is_date(column);
    const bool is_code = view_.is_season_code(column);
    const bool is_season_said = said_.time && said_.time->is_season;
    // "founded 1990" is said of a thing, not of what happened; a word of the column makes it the one.
    const bool is_of_thing = steps > 0 && !view_.is_key(column) && !is_date;
    const bool is_named = names_.said(column, taken_).score >= 0.5;
    double rank = 2.0 * steps + (is_of_thing ? 3 : 0) - (is_named ? 1.5 : 0);
    if (is_date) rank += is_season_said ? 2 : 1;
    if (is_code) rank += is_season_said ? 0 : 1.25;
    const bool is_by_season = std::ranges::any_of(
        said_.grouped_by, [this](std::size_t at) { return at < names_.size() && names_.stem_of(at) == "season"; });
    if (is_by_season && view_.has_word(column, "season")) rank -= 1.5;
    return rank + (view_.column(column).is_primary ? -0.5 : 0);
}

bool FactQuery::add_time() {
    time_ = time_column();
    if (!said_.time || (said_.shares_time && !shares_time())) return true;
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

/// "2022-23" where seasons go by one year, by a code that ends in it, or only by days.
std::optional<Condition> FactQuery::season_condition(const ColumnRef& column, const TimeMention& time) const {
    const Expression left{column};
    const int ends = std::stoi(time.first_year());
    const std::string year = std::to_string(time.is_season && begins_with_year(view_, column.column) ? ends - 1 : ends);
    if (view_.is_season_code(column.column)) {
        if (time.comparison != Comparison::equal || time.first_year() != time.last_year()) return std::nullopt;
        std::vector<Value> codes;
        for (const KnownValue& value : view_.knowledge().values().values_of(column.column)) {
            if (value.spelling.ends_with(year)) codes.emplace_back(Constant{std::string(value.spelling)});
        }
        if (codes.empty()) return Condition{Match{left, TextMatch::ends_with, false, Constant{year}}};
        return Condition{Among{left, false, std::move(codes)}};
    }
    if (view_.is_year(column.column)) return Condition{Compare{left, Comparison::equal, Constant{year}}};
    return Condition{Between{left, false, Constant{std::to_string(ends - 1) + kSeasonBegins},
                             Constant{std::to_string(ends) + kSeasonEnds}}};
}

std::optional<Condition> FactQuery::time_condition(const ColumnRef& column, const TimeMention& time) const {
    const Expression left{column};
    if (time.is_latest) {
        if (!view_.is_year(column.column) && !view_.is_season_code(column.column)) return std::nullopt;
        Query newest{.select = {{AggregateOf{Aggregate::max, false, Expression{ColumnRef{column.column, 0}}, {}}}}};
        return Condition{Compare{left, Comparison::equal, Expression{Subquery{std::move(newest)}}}};
    }
    if ((time.is_season && time.comparison == Comparison::equal) || view_.is_season_code(column.column)) {
        return season_condition(column, time);
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
