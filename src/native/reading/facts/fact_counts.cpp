#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

#include <algorithm>
#include <iterator>

namespace quaestor::native::facts {

namespace {

const Expression kHowMany{AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, {}}};

/// The column that a condition is about; none where it is about several.
const ColumnRef* column_of(const Condition& condition) {
    const auto of = [](const auto& node) -> const ColumnRef* {
        if constexpr (requires { node.left; }) return std::get_if<ColumnRef>(&node.left.node);
        return nullptr;
    };
    return std::visit(of, condition.node);
}

}  // namespace

/// "traded more than once": those with so many rows.
bool FactQuery::repeated() {
    if (entity_ < 0 || entity_ == root_) return false;
    query_.select = query_.group = labels();
    query_.having = Condition{Compare{kHowMany, said_.times->comparison, Constant{said_.times->number}}};
    rule_ = "so many times";
    return !query_.group.empty();
}

/// "teams that never won a series": those that no such row belongs to.
bool FactQuery::never() {
    const auto key = key_to(entity_);
    const ColumnId own = view_.primary(entity_);
    if (!key || key->or_via != 0 || own == 0) return false;
    const auto is_of_entity = [this](const Condition& condition) {
        const ColumnRef* ref = column_of(condition);
        return ref != nullptr && view_.table_of(ref->column) == entity_;
    };
    std::vector<Condition> inner;
    std::ranges::remove_copy_if(where_, std::back_inserter(inner), is_of_entity);
    std::erase_if(where_, [&](const Condition& condition) { return !is_of_entity(condition); });
    if (view_.knowledge().described(key->column).nulls.value_or(0) > 0)
        inner.push_back({IsNull{Expression{*key}, true}});
    Query rows{.select = {{*key}}};
    rows.where = rules::joined(std::move(inner));
    for (const ColumnId label : view_.labels(entity_)) query_.select.push_back({ColumnRef{label, 0}});
    where_.push_back({Among{Expression{ColumnRef{own, 0}}, true, Subquery{std::move(rows)}}});
    is_apart_ = is_root_said_ = true;
    rule_ = "never";
    return !query_.select.empty();
}

/// "Where do they rank in points": how many have as much or more.
bool FactQuery::ranked() {
    const auto measure = std::ranges::find_if(columns_, [this](const ChosenColumn& one) {
        return is_amount(one.ref) && view_.table_of(one.ref.column) == root_ && !is_ranking(one.ref.column);
    });
    if (measure == columns_.end() || columns_.size() != 1 || fixed_.empty()) return false;
    Query own{.select = {of_row(measure->ref)}};
    own.where = rules::joined(where_);
    std::erase_if(where_, [this](const Condition& condition) {
        const ColumnRef* ref = column_of(condition);
        return ref != nullptr && std::ranges::find(fixed_, view_.table_of(ref->column)) != fixed_.end();
    });
    const bool is_lower = is_lower_better(measure->ref.column);
    where_.push_back({Compare{of_row(measure->ref), is_lower ? Comparison::less_equal : Comparison::greater_equal,
                              Expression{Subquery{std::move(own)}}}});
    query_.select = {kHowMany};
    assumptions_.emplace_back(is_lower ? "a rank counts from the lowest" : "a rank counts from the highest");
    rule_ = "rank";
    return true;
}

}  // namespace quaestor::native::facts
