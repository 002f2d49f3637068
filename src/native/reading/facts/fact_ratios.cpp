#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

#include <algorithm>

namespace quaestor::native::facts {

namespace {

/// Guessing that a share of those who have something is meant.
constexpr double kSilentHaving = 0.25;
/// Rows are counted where no measure was said.
constexpr double kSilentRows = 0.1;

const Expression kRows{ColumnRef{}};

}  // namespace

/// "win-loss record": how often the one and how often the other.
bool FactQuery::record() {
    bool is_said = false;
    for (std::size_t at = 0; at < names_.size(); ++at) is_said |= names_.folded(at) == "record";
    const TwoEnds::Pair* score = ends_ ? ends_->score() : nullptr;
    if (!is_said || !columns_.empty()) return false;
    const auto both = std::ranges::find_if(where_, [](const Condition& condition) {
        const auto* among = std::get_if<Among>(&condition.node);
        return among != nullptr && std::holds_alternative<OfEnd>(among->left.node);
    });
    std::vector<Condition> parts;
    if (both != where_.end()) {
        const Among among = std::get<Among>(both->node);
        for (const Value& value : std::get<std::vector<Value>>(among.members)) {
            parts.push_back({Among{among.left, false, std::vector<Value>{value}}});
        }
        where_.erase(both);
    } else if (score != nullptr && is_either_ && !fixed_.empty()) {
        const Expression mine = ends_->of_end(*score);
        const Expression other = ends_->of_other_end(*score);
        parts = {{Compare{mine, Comparison::greater, other}}, {Compare{mine, Comparison::less, other}}};
    }
    for (Condition& part : parts) {
        query_.select.push_back({AggregateOf{Aggregate::count, false, kRows, Box<Condition>(std::move(part))}});
    }
    rule_ = "record";
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (names_.folded(at) == "record") explained_[at] = true;
    }
    return !query_.select.empty();
}

/// A record where rows have how many were won and how many were lost.
void FactQuery::choose_record() {
    std::size_t said = names_.size();
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (names_.folded(at) == "record" && !said_.taken[at]) said = at;
    }
    if (said == names_.size() || said_.descending || fixed_.empty()) return;
    std::vector<ColumnId> best(2);
    std::size_t most = 0;
    for (const ColumnId won : view_.schema().columns_of(root_)) {
        for (const ColumnId lost : view_.schema().columns_of(root_)) {
            auto kept = stems(view_.column(won).words);
            auto other = stems(view_.column(lost).words);
            const bool is_pair = view_.is_measure(won) && view_.is_measure(lost) && std::erase(kept, "win") == 1 &&
                                 std::erase(other, "loss") == 1 && kept == other;
            const auto is_said = [this](const std::string& stem) {
                for (std::size_t at = 0; at < names_.size(); ++at) {
                    if (names_.stem_of(at) == stem && !said_.taken[at]) return true;
                }
                return false;
            };
            if (!is_pair || !std::ranges::all_of(kept, is_said) || kept.size() + 1 <= most) continue;
            most = kept.size() + 1;
            best = {won, lost};
        }
    }
    if (most == 0) return;
    columns_ = {{.ref = {best[0], 0}, .score = 1, .words = {said}}, {.ref = {best[1], 0}, .score = 1, .words = {said}}};
    explained_[said] = is_root_said_ = true;
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (names_.is_in_name(best[0], at) || names_.is_in_name(best[1], at)) explained_[at] = true;
    }
}

bool FactQuery::share() {
    if (!columns_.empty() && entity_ == root_ && columns_.size() == 1 && is_amount(columns_.front().ref)) {
        where_.insert(where_.begin(), {Compare{of_row(columns_.front().ref), Comparison::greater, Constant{"0"}}});
        cost_ += kSilentHaving;
        columns_.clear();
    }
    if (where_.empty()) return false;
    if (!columns_.empty()) return share_of_measure();
    const auto chosen = share_part();
    Condition part = std::move(*chosen);
    where_.erase(chosen);
    const Expression rows{ColumnRef{}};
    const Expression fitting{AggregateOf{Aggregate::count, false, rows, Box<Condition>(std::move(part))}};
    const Expression all{AggregateOf{Aggregate::count, false, rows, {}}};
    query_.select = {{Calculation{Arithmetic::percent, fitting, all}}};
    rule_ = "share of rows";
    return root_ == entity_;
}

/// Of several conditions the one that says the part: who won, else what was said first.
std::vector<Condition>::iterator FactQuery::share_part() {
    const auto is_outcome = [this](const Condition& condition) {
        const auto* compare = std::get_if<Compare>(&condition.node);
        const auto* words = compare != nullptr ? std::get_if<Words>(&compare->right) : nullptr;
        const auto* sides = compare != nullptr ? std::get_if<Expression>(&compare->right) : nullptr;
        return (words != nullptr && words->first == said_.outcome->at) || sides != nullptr;
    };
    if (!said_.outcome) return where_.begin();
    const auto found = std::ranges::find_if(where_, is_outcome);
    return found == where_.end() ? where_.begin() : found;
}

/// What one of them has of what all have: "the Kings' payroll" and one of their players.
bool FactQuery::share_of_measure() {
    if (columns_.size() != 1 || !is_amount(columns_.front().ref)) return false;
    auto part = where_.end();
    std::int64_t most = -1;
    for (auto one = where_.begin(); one != where_.end(); ++one) {
        const auto* compare = std::get_if<Compare>(&one->node);
        const auto* left = compare != nullptr ? std::get_if<ColumnRef>(&compare->left.node) : nullptr;
        if (left == nullptr || std::ranges::find(tested_, left->column) == tested_.end()) continue;
        const auto rows = view_.knowledge().described_table(view_.table_of(left->column)).rows.value_or(0);
        if (rows < most) continue;
        most = rows;
        part = one;
    }
    if (part == where_.end()) return false;
    Condition fits = std::move(*part);
    where_.erase(part);
    const Expression measure = of_row(columns_.front().ref);
    const Expression of_part{AggregateOf{Aggregate::sum, false, measure, Box<Condition>(std::move(fits))}};
    const Expression of_all{AggregateOf{Aggregate::sum, false, measure, {}}};
    query_.select = {{Calculation{Arithmetic::percent, of_part, of_all}}};
    rule_ = "share of a measure";
    return true;
}

/// What the measure, or the number of rows, is for the one and for the other.
Expression FactQuery::difference_of(Condition first, Condition second) const {
    const auto number = std::ranges::find_if(columns_, [this](const ChosenColumn& one) { return is_amount(one.ref); });
    const auto of = [&](Condition part) -> Expression {
        if (number == columns_.end()) {
            return {AggregateOf{Aggregate::count, false, kRows, Box<Condition>(std::move(part))}};
        }
        Expression all = measured(*number, true);
        std::get<AggregateOf>(all.node).filter = Box<Condition>(std::move(part));
        return all;
    };
    if (said_.is_second_minus_first) std::swap(first, second);
    return {Calculation{Arithmetic::minus, of(std::move(first)), of(std::move(second))}};
}

bool FactQuery::difference() {
    return difference_of_times() || difference_of_values() || difference_of_ends();
}

/// "more in 2023 than in 2022".
bool FactQuery::difference_of_times() {
    if (!said_.other_time || !time_) return false;
    auto first = time_condition(*time_, *said_.time);
    auto second = time_condition(*time_, *said_.other_time);
    if (!first || !second) return false;
    if (columns_.empty() && root_ != entity_) return false;
    if (columns_.empty()) cost_ += kSilentRows;
    const Expression change = difference_of(std::move(*first), std::move(*second));
    rule_ = "difference of two times";
    if (entity_ >= 0 && entity_ != root_ && said_.descending) {
        query_.select = query_.group = labels();
        query_.select.push_back(change);
        query_.order = {{change, *said_.descending}};
        query_.limit = Limit{Limit::Kind::first, Constant{std::to_string(std::max<std::size_t>(said_.limit, 1))}};
        return !query_.group.empty();
    }
    query_.select = {change};
    return true;
}

/// "how much higher is A than B".
bool FactQuery::difference_of_values() {
    const auto both = std::ranges::find_if(where_, [](const Condition& condition) {
        const auto* among = std::get_if<Among>(&condition.node);
        const auto* values = among != nullptr ? std::get_if<std::vector<Value>>(&among->members) : nullptr;
        return values != nullptr && values->size() == 2 && !among->negated;
    });
    if (both == where_.end()) return false;
    if (columns_.empty() && !said_.asks_how_many) return false;
    if (columns_.empty()) cost_ += kSilentRows;
    const Among among = std::get<Among>(both->node);
    where_.erase(both);
    const auto& values = std::get<std::vector<Value>>(among.members);
    const auto is = [&](const Value& value) {
        Side side =
            std::holds_alternative<Words>(value) ? Side(std::get<Words>(value)) : Side(std::get<Constant>(value));
        return Condition{Compare{among.left, Comparison::equal, std::move(side)}};
    };
    query_.select = {difference_of(is(values[0]), is(values[1]))};
    rule_ = "difference of two";
    return true;
}

/// "between the dearest and the cheapest".
bool FactQuery::difference_of_ends() {
    const auto number = std::ranges::find_if(columns_, [this](const ChosenColumn& one) { return is_amount(one.ref); });
    if (!said_.has_both_ends || number == columns_.end()) return false;
    const auto end = [&](Aggregate aggregate) {
        return Expression{AggregateOf{aggregate, false, of_row(number->ref), {}}};
    };
    query_.select = {{Calculation{Arithmetic::minus, end(Aggregate::max), end(Aggregate::min)}}};
    rule_ = "difference of the ends";
    return true;
}

/// "prescriptions per encounter": rows of one table for each row of another, those without any included.
bool FactQuery::per_row_of_table() {
    const auto names_rows = [this](std::size_t word) {
        return word == *said_.per_at || names_.names_table(word, root_) > 0;
    };
    const bool is_plain = std::ranges::all_of(
        columns_, [&](const ChosenColumn& one) { return std::ranges::all_of(one.words, names_rows); });
    // "number of injuries per season" is one number for each season.
    const bool is_grouping = said_.asks_how_many && !said_.is_ratio && said_.aggregate != Aggregate::avg;
    if (!is_plain || is_grouping || !where_.empty() || said_.descending) return false;
    bool is_root_first = false;
    for (std::size_t at = 0; at < *said_.per_at; ++at) is_root_first |= names_.names_table(at, root_) > 0;
    if (!is_root_first) return false;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        if (table == root_ || names_.names_table(*said_.per_at, table) == 0) continue;
        const Expression count{AggregateOf{Aggregate::count, false, kRows, {}}};
        Query others{.select = {count}, .tables = {table}};
        query_.select = {{Calculation{Arithmetic::divide, count, Expression{Subquery{std::move(others)}}}}};
        explained_[*said_.per_at] = is_root_said_ = true;
        columns_.clear();
        if (!said_.is_ratio && !said_.aggregate) cost_ += kSilentRows;
        rule_ = "rows per row";
        return true;
    }
    return false;
}

}  // namespace quaestor::native::facts
