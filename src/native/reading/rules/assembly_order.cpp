#include "native/reading/rules/assembly.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native::rules {

std::optional<Order> order_about(const Order& order, TableId table, const SchemaView& view) {
    if (order.about.empty()) return order;
    std::string_view words = order.about;
    while (!words.empty() && table >= 0) {
        const std::size_t end = std::min(words.find(' '), words.size());
        const std::string_view word = words.substr(0, end - 1);
        for (const ColumnId id : view.schema().columns_of(table)) {
            const bool can_be_ordered = view.is_measure(id) || view.says_when(id);
            if (!can_be_ordered || !view.has_word(id, word)) continue;
            Order found = order;
            found.column = id;
            found.descending = words[end - 1] == '-';
            found.about = {};
            return found;
        }
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return std::nullopt;
}

/// What is asked for: said, or for "who" the rows that have names and belong to what is ordered by.
TableId Assembly::entity_of_order(TableId of_key) const {
    if (frame_.entity >= 0 && (frame_.entity_at < frame_.order_at || !frame_.shown.empty() || frame_.shows_names))
        return frame_.entity;
    if (!frame_.roles.empty()) return *view_.target_of(frame_.roles.back());
    if (!frame_.asks_who) return -1;
    TableId best = -1;
    int best_steps = 0;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        const auto steps = view_.steps_to_one(of_key, table);
        if (!steps || !view_.has_names(table) || (best >= 0 && *steps >= best_steps)) continue;
        best = table;
        best_steps = *steps;
    }
    return best;
}

void Assembly::limit(Query& query, const Expression& key) const {
    query.order = {{key, frame_.order->descending}};
    if (frame_.order->is_list) return;
    if (!frame_.nth.empty()) {
        query.limit = Limit{Limit::Kind::nth, Constant{std::string(frame_.nth)}};
        return;
    }
    const Value count = frame_.limit ? conditions_.said(*frame_.limit) : Value{Constant{"1"}};
    query.limit = Limit{frame_.keeps_ties ? Limit::Kind::with_ties : Limit::Kind::first, count};
}

std::optional<Draft> Assembly::ranked(Query query, const Expression& key) {
    if (frame_.window != WindowKind::rank) {
        limit(query, key);
        return finished(std::move(query), "the first by an order");
    }
    query.select.push_back(key);
    query.select.push_back({Window{WindowKind::rank, key, {}, {}, !frame_.order->descending}});
    query.order = {{key, frame_.order->descending}};
    return finished(std::move(query), "a rank");
}

std::optional<Draft> Assembly::ordered() {
    if (!frame_.order) return std::nullopt;
    const auto order = order_about(*frame_.order, frame_.entity, view_);
    if (!order) return std::nullopt;
    if (order->column != frame_.order->column) {
        Frame told = frame_;
        told.order = order;
        return Assembly(told, view_, conditions_.question(), choices_).draft();
    }
    if (order->counted >= 0) {
        const TableId entity = entity_of_order(order->counted);
        return ordered_groups(order->counted, entity);
    }
    if (order->column == 0) {
        // "top 5 players by number of orders": what is counted comes as the measure.
        if (!frame_.aggregate) return std::nullopt;
        return ordered_groups(base_table(), frame_.entity == frame_.counted ? -1 : frame_.entity);
    }
    const TableId of_key = view_.table_of(order->column);
    const TableId entity = entity_of_order(of_key);
    const bool is_asked = std::ranges::any_of(frame_.groups, [this](const Grouping& one) { return !is_rate(one); });
    if (entity < 0 && frame_.shown.empty() && !is_asked) return extreme();
    const bool has_rate = std::ranges::any_of(frame_.groups, [this](const Grouping& one) { return is_rate(one); });
    const bool is_grouped =
        order->aggregate || is_asked || has_rate ||
        (order->adds_up && !frame_.is_single_row && entity >= 0 && entity != of_key && !view_.has_one(entity, of_key));
    if (is_grouped) return ordered_groups(of_key, entity == of_key && !order->aggregate ? -1 : entity);
    const bool is_own = entity < 0 || view_.has_one(entity, of_key);
    const TableId base = is_own && entity >= 0 ? entity : of_key;
    const auto key = conditions_.reached(base, order->column, 0);
    if (!key) return std::nullopt;
    return ordered_rows(base, entity < 0 ? base : entity, *key);
}

/// "the highest salary of players from Spain"
std::optional<Draft> Assembly::extreme() {
    if (frame_.window || frame_.aggregate || frame_.order->aggregate) return std::nullopt;
    Frame told = frame_;
    if (frame_.limit || !frame_.nth.empty()) {
        const TableId base = view_.table_of(frame_.order->column);
        told.shown = {frame_.order->column};
        told.is_distinct = true;
        return Assembly(told, view_, conditions_.question(), choices_)
            .ordered_rows(base, base, {frame_.order->column, 0});
    }
    told.order.reset();
    told.measure = frame_.order->column;
    told.aggregate = frame_.order->descending ? Aggregate::max : Aggregate::min;
    return Assembly(told, view_, conditions_.question(), choices_).draft();
}

std::optional<Draft> Assembly::ordered_rows(TableId base, TableId entity, const ColumnRef& key) {
    if (frame_.aggregate || !frame_.groups.empty()) return std::nullopt;
    Query query{.select = shown(base, entity)};
    if (query.select.empty()) query.select = labels(base, entity, 0);
    query.distinct = frame_.is_distinct;
    if (!add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    return ranked(std::move(query), {key});
}

/// Groups by what is asked for, ordered by what their rows count or add up to.
std::optional<Draft> Assembly::ordered_groups(TableId base, TableId entity) {
    Frame told = frame_;
    const Order& order = *frame_.order;
    if (order.column != 0) {
        told.measure = order.column;
        told.aggregate = order.aggregate.value_or(Aggregate::sum);
        if (!view_.is_measure(order.column)) {
            told.aggregate = order.descending ? Aggregate::max : Aggregate::min;
        } else if (!order.aggregate && !choices_.is_rate) {
            assumptions_.push_back(fmt::format("{} is added up", view_.column(order.column).words));
        }
    } else if (order.counted >= 0) {
        told.aggregate = Aggregate::count;
        told.counted = order.counted;
        told.measure = 0;
    }
    if (entity >= 0 && !view_.has_one(base, entity)) {
        const auto between = conditions_.anchor_table(entity, base);
        if (!between) return std::nullopt;
        base = *between;
    }
    Assembly inner(told, view_, conditions_.question(), choices_);
    const auto key = inner.measure(base);
    if (!key) return std::nullopt;
    Query query;
    if (entity >= 0) {
        const auto group = inner.group(base, {.table = entity, .role = frame_.roles.empty() ? 0 : frame_.roles.back()});
        query.select = group->shown;
        query.group = group->by;
    }
    std::vector<Expression> columns;
    for (const ColumnId id : frame_.shown) {
        const auto ref = conditions_.reached(base, id, 0);
        if (!ref) return std::nullopt;
        columns.push_back({*ref});
        if (entity < 0) query.group.push_back(columns.back());
    }
    if (!columns.empty()) query.select = columns;
    if (!inner.add_groups(query, base) || query.group.empty()) return std::nullopt;
    if (!inner.add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    if (frame_.aggregate && frame_.order->column != 0) return std::nullopt;
    assumptions_.insert(assumptions_.end(), inner.assumptions_.begin(), inner.assumptions_.end());
    for (const std::string& one : inner.conditions_.assumptions()) assumptions_.push_back(one);
    cost_ += inner.cost_;
    return ranked(std::move(query), *key);
}

}  // namespace quaestor::native::rules
