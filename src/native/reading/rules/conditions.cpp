#include "native/reading/rules/conditions.hpp"

#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace quaestor::native::rules {

std::optional<Condition> joined(std::vector<Condition> parts) {
    if (parts.empty()) return std::nullopt;
    if (parts.size() == 1) return std::move(parts.front());
    return Condition{AllOf{std::move(parts)}};
}

namespace {

std::optional<Value> as_value(const Side& side) {
    if (const auto* words = std::get_if<Words>(&side)) return *words;
    if (const auto* constant = std::get_if<Constant>(&side)) return *constant;
    return std::nullopt;
}

/// Values of one column that are joined by "or" become one condition; by "and" too, for no row has both.
bool merge_values(Condition& last, const Condition& next) {
    const auto* compare = std::get_if<Compare>(&next.node);
    if (compare == nullptr || compare->comparison != Comparison::equal) return false;
    const std::optional<Value> value = as_value(compare->right);
    if (!value) return false;
    if (auto* before = std::get_if<Compare>(&last.node)) {
        const auto first = as_value(before->right);
        if (!first || before->left != compare->left || before->comparison != Comparison::equal) return false;
        last = {Among{compare->left, false, std::vector<Value>{*first, *value}}};
        return true;
    }
    auto* among = std::get_if<Among>(&last.node);
    if (among == nullptr || among->left != compare->left) return false;
    auto* members = std::get_if<std::vector<Value>>(&among->members);
    if (members != nullptr) members->push_back(*value);
    return members != nullptr;
}

/// Whether no row can fit both: two different values of one column.
bool excludes(const Condition& left, const Condition& right) {
    const auto* one = std::get_if<Compare>(&left.node);
    const auto* other = std::get_if<Compare>(&right.node);
    return one != nullptr && other != nullptr && one->left == other->left && one->comparison == Comparison::equal &&
           other->comparison == Comparison::equal && one->right != other->right;
}

/// False when no row could fit any more.
bool add_condition(std::vector<Condition>& parts, Condition next, const Test& test, bool is_same_column) {
    const bool is_joined = test.joins_last && !parts.empty() && is_same_column;
    if (is_joined && test.kind == Test::Kind::period) {
        Condition last = std::move(parts.back());
        parts.back() = {AnyOf{{std::move(last), std::move(next)}}};
        return true;
    }
    if (is_joined && merge_values(parts.back(), next)) return true;
    if (std::ranges::any_of(parts, [&next](const Condition& one) { return excludes(one, next); })) return false;
    parts.push_back(std::move(next));
    return true;
}

Condition negated(Condition condition) {
    return {NotThat{std::move(condition)}};
}

}  // namespace

std::optional<ColumnRef> Conditions::reached(TableId base, ColumnId column, ColumnId role) const {
    const TableId there = view_.table_of(column);
    if (!view_.has_one(base, there)) return std::nullopt;
    if (!view_.has_several_ways(base, there)) return ColumnRef{column, 0};
    const std::vector<ColumnId> keys = view_.last_keys(base, there);
    const bool is_role = std::ranges::find(keys, role) != keys.end();
    return ColumnRef{column, is_role ? role : keys.size() == 1 ? keys.front() : 0};
}

bool Conditions::is_named_in_question(ColumnId column) const {
    constexpr std::size_t kSharedMin = 4;
    for (const std::string& own : plain_words(view_.column(column).words)) {
        if (own.size() < kSharedMin || own == "date" || own == "time" || own == "year") continue;
        for (std::size_t at = 0; at < question_.words.size(); ++at) {
            const std::string said = fold(question_.word(at));
            const std::size_t shared = std::min({own.size(), said.size(), kSharedMin + 1});
            if (shared >= kSharedMin && said.starts_with(std::string_view(own).substr(0, shared))) return true;
        }
    }
    return false;
}

std::vector<ColumnId> Conditions::date_columns(TableId base, bool needs_days) const {
    const auto in_table = [&](TableId table) {
        std::vector<ColumnId> found;
        for (const ColumnId id : view_.schema().columns_of(table)) {
            const bool is_coarse = view_.is_year(id) || view_.is_season(id);
            if (view_.is_date(id) || (!needs_days && is_coarse)) found.push_back(id);
        }
        std::ranges::sort(found, {}, [this](ColumnId id) {
            const int coarseness = view_.is_date(id) ? 0 : view_.is_year(id) ? 1 : 2;
            return std::tuple(!is_named_in_question(id), coarseness, id);
        });
        return found;
    };
    std::vector<std::pair<int, TableId>> order;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        constexpr int kFarther = 100;
        if (const auto steps = view_.steps_to_one(base, table)) {
            order.emplace_back(*steps, table);
        } else if (const auto back = view_.steps_to_one(table, base)) {
            const bool is_counted = std::ranges::any_of(frame_.tests, [table](const Test& test) {
                return test.kind == Test::Kind::rows && test.table == table;
            });
            const bool is_said = std::ranges::find(frame_.mentioned, table) != frame_.mentioned.end();
            order.emplace_back(is_counted || is_said ? -1 : kFarther + *back, table);
        }
    }
    std::ranges::sort(order);
    for (const auto& [steps, table] : order) {
        std::vector<ColumnId> found = in_table(table);
        if (found.empty()) continue;
        if (is_named_in_question(found.front())) found.resize(1);
        if (found.size() > kDateColumnsMax) found.resize(kDateColumnsMax);
        return found;
    }
    return {};
}

ColumnId Conditions::date_column(TableId base, bool needs_days) const {
    const std::vector<ColumnId> found = date_columns(base, needs_days);
    if (found.empty()) return 0;
    return choices_.date < found.size() ? found[choices_.date] : 0;
}

/// The only column that measures rows, where a number is compared with something unsaid.
ColumnId Conditions::column_of(TableId base, const Test& test) {
    if (test.kind == Test::Kind::period || test.kind == Test::Kind::latest) {
        const bool needs_days = test.kind == Test::Kind::period &&
                                (!years_in(period_in(test.low)) || (test.is_range && !years_in(period_in(test.high))));
        return date_column(base, needs_days);
    }
    if (test.kind != Test::Kind::number) return 0;
    std::vector<ColumnId> measures;
    for (const ColumnId id : view_.schema().columns_of(base)) {
        if (view_.is_measure(id)) measures.push_back(id);
    }
    if (measures.size() != 1) return 0;
    assumptions_.push_back(fmt::format("{} is taken as the {}", test.low.text, view_.column(measures.front()).words));
    return measures.front();
}

std::optional<Test> Conditions::resolved(TableId base, const Test& test) {
    Test out = test;
    if (out.kind == Test::Kind::rows) return out;
    if (out.column == 0) out.column = column_of(base, test);
    if (out.column == 0) return std::nullopt;
    out.table = view_.table_of(out.column);
    return out;
}

std::optional<TableId> Conditions::anchor_table(TableId base, TableId wanted) const {
    const auto fits = [&](TableId table) {
        return table >= 0 && table != base && view_.has_one(table, base) && view_.has_one(table, wanted);
    };
    for (const TableId table : frame_.mentioned) {
        if (fits(table)) return table;
    }
    for (const TableId table : {frame_.entity, wanted}) {
        if (fits(table)) return table;
    }
    std::optional<TableId> best;
    int best_steps = 0;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        if (!fits(table)) continue;
        const int steps = *view_.steps_to_one(table, base) + *view_.steps_to_one(table, wanted);
        if (best && steps >= best_steps) continue;
        best = table;
        best_steps = steps;
    }
    return best;
}

/// The rows of another table that tests are about: one set of rows, unless they must not be there.
Conditions::Anchor& Conditions::anchor_for(std::vector<Anchor>& anchors, TableId table, bool is_negated) {
    const auto found = std::ranges::find_if(
        anchors, [&](const Anchor& one) { return one.table == table && !one.negated && !is_negated; });
    if (found != anchors.end()) return *found;
    return anchors.emplace_back(Anchor{.table = table, .tests = {}, .count = {}, .negated = is_negated});
}

bool Conditions::add_to_anchor(std::vector<Anchor>& anchors, TableId base, Test test) const {
    const auto table = anchor_table(base, test.table);
    if (!table) return false;
    const bool is_rows = test.kind == Test::Kind::rows;
    const bool adds_up = test.kind == Test::Kind::number && choices_.adds_up && !test.negated;
    Anchor& anchor = anchor_for(anchors, *table, test.negated);
    test.negated = false;
    if (!is_rows && !adds_up) {
        anchor.tests.push_back(std::move(test));
        return true;
    }
    if (anchor.count) return false;
    anchor.count = std::move(test);
    return true;
}

/// "customers with orders": there are some.
void Conditions::add_mentioned(std::vector<Anchor>& anchors, TableId base) const {
    for (const TableId table : frame_.mentioned) {
        const bool is_implied = std::ranges::any_of(
            anchors, [&](const Anchor& one) { return one.table != table && view_.has_one(one.table, table); });
        const bool belongs = !view_.has_one(base, table) && view_.has_one(table, base);
        if (belongs && !is_implied) anchor_for(anchors, table, false);
    }
}

std::optional<std::vector<Condition>> Conditions::all(TableId base, std::span<const Test> tests,
                                                      std::span<const Never> nevers) {
    std::vector<Condition> parts;
    std::vector<Anchor> anchors;
    ColumnId last_column = 0;
    for (const Test& raw : tests) {
        const std::optional<Test> test = resolved(base, raw);
        if (!test) return std::nullopt;
        if (test->kind == Test::Kind::rows || !view_.has_one(base, test->table)) {
            if (!add_to_anchor(anchors, base, *test)) return std::nullopt;
            continue;
        }
        auto condition = one(base, *test);
        const bool is_same_column = test->column == std::exchange(last_column, test->column);
        if (!condition || !add_condition(parts, *std::move(condition), *test, is_same_column)) return std::nullopt;
    }
    if (nevers.empty()) add_mentioned(anchors, base);
    std::vector<std::optional<Condition>> others;
    for (const Anchor& anchor : anchors) others.push_back(of_anchor(base, anchor));
    for (const Never& never : nevers) others.push_back(without(base, never));
    for (std::optional<Condition>& other : others) {
        if (!other) return std::nullopt;
        parts.push_back(*std::move(other));
    }
    return parts;
}

/// Of a table that a row of `base` has one row of, by one way or by any of several.
std::optional<Condition> Conditions::one(TableId base, const Test& test) {
    const std::vector<ColumnId> keys = view_.last_keys(base, test.table);
    const bool is_role = std::ranges::find(keys, test.role) != keys.end();
    const bool has_direction = test.direction != Cue::filler;
    const ColumnId role =
        is_role || !has_direction ? test.role : view_.key_of_direction(keys, test.direction == Cue::from);
    if (keys.size() < 2 || is_role || (has_direction && role != 0)) {
        auto condition = plain(test, *reached(base, test.column, role));
        return condition && test.negated ? negated(*std::move(condition)) : condition;
    }
    AnyOf any;
    for (const ColumnId key : keys) {
        auto condition = plain(test, {test.column, key});
        if (!condition) return std::nullopt;
        any.parts.push_back(*std::move(condition));
    }
    Condition condition{std::move(any)};
    return test.negated ? negated(std::move(condition)) : condition;
}

/// Rows of the other table lead here by one key, or by any of several; where they must not, by none of them.
std::optional<Condition> Conditions::of_anchor(TableId base, const Anchor& anchor) {
    std::vector<ColumnId> keys = view_.keys_between(anchor.table, base);
    if (keys.empty()) keys.push_back(view_.primary(base));
    std::vector<Condition> parts;
    for (const ColumnId key : keys) {
        auto part = by_key(base, anchor, key);
        if (!part) return std::nullopt;
        parts.push_back(*std::move(part));
    }
    if (parts.size() == 1) return std::move(parts.front());
    if (anchor.negated) return Condition{AllOf{std::move(parts)}};
    return Condition{AnyOf{std::move(parts)}};
}

std::optional<Condition> Conditions::by_key(TableId base, const Anchor& anchor, ColumnId key) {
    const ColumnId own = view_.primary(base);
    if (own == 0) return std::nullopt;
    auto where = all(anchor.table, anchor.tests, {});
    if (!where) return std::nullopt;
    const bool may_be_missing = anchor.negated && key != own && view_.knowledge().described(key).nullable;
    if (may_be_missing) where->push_back({IsNull{{ColumnRef{key, 0}}, true}});
    Query inner{.select = {{ColumnRef{key, 0}}}, .tables = {anchor.table}, .where = joined(*std::move(where))};
    if (anchor.count) {
        const Test& count = *anchor.count;
        const bool is_rows = count.kind == Test::Kind::rows;
        const Expression of{ColumnRef{is_rows ? 0 : count.column, 0}};
        inner.group = inner.select;
        inner.having =
            Condition{Compare{{AggregateOf{is_rows ? Aggregate::count : Aggregate::sum, false, of, std::nullopt}},
                              count.comparison,
                              std::visit([](const auto& value) -> Side { return value; }, said(count.low))}};
    }
    return Condition{Among{{ColumnRef{own, 0}}, anchor.negated, Subquery{std::move(inner)}}};
}

std::optional<Condition> Conditions::without(TableId base, const Never& never) {
    TableId table = never.table;
    if (table < 0) {
        if (never.tests.empty() || never.tests.front().column == 0) return std::nullopt;
        table = view_.table_of(never.tests.front().column);
    }
    const std::vector<ColumnId> own_keys = view_.keys_between(base, table);
    if (!own_keys.empty() && never.tests.empty()) return Condition{IsNull{{ColumnRef{own_keys.front(), 0}}, false}};
    if (view_.has_one(base, table)) return std::nullopt;
    const auto anchor = anchor_table(base, table);
    if (!anchor) return std::nullopt;
    return of_anchor(base, {.table = *anchor, .tests = never.tests, .count = {}, .negated = true});
}

}  // namespace quaestor::native::rules
