#include "native/reading/rules/graft.hpp"

#include "native/reading/parser.hpp"
#include "native/reading/rules/form_conditions.hpp"
#include "native/reading/wording_names.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native::rules {

namespace {

const Expression& left_of(const Condition& condition) {
    if (const auto* between = std::get_if<Between>(&condition.node)) return between->left;
    if (const auto* among = std::get_if<Among>(&condition.node)) return among->left;
    return std::get<Compare>(condition.node).left;
}

void set_left(Condition& condition, Expression left) {
    if (auto* between = std::get_if<Between>(&condition.node)) between->left = std::move(left);
    if (auto* among = std::get_if<Among>(&condition.node)) among->left = std::move(left);
    if (auto* compare = std::get_if<Compare>(&condition.node)) compare->left = std::move(left);
}

bool compares_values(const Condition& condition) {
    return std::holds_alternative<Compare>(condition.node) || std::holds_alternative<Between>(condition.node) ||
           std::holds_alternative<Among>(condition.node);
}

bool is_aggregate(const Expression& expression) {
    return !std::holds_alternative<ColumnRef>(expression.node) && !std::holds_alternative<PartOf>(expression.node);
}

/// Whether what one thing is called has all the words of the other.
bool has_words_of(const std::vector<std::string>& there, const std::vector<std::string>& wanted) {
    return std::ranges::all_of(wanted,
                               [&](const std::string& word) { return std::ranges::find(there, word) != there.end(); });
}

}  // namespace

TableId Graft::base_of(const Query& earlier, const SchemaView& view) {
    if (!earlier.tables.empty()) return earlier.tables.front();
    const std::vector<ColumnRef> columns = columns_in(earlier);
    const auto own = std::ranges::find_if(columns, [](const ColumnRef& ref) { return ref.column != 0; });
    return own == columns.end() ? -1 : view.table_of(own->column);
}

std::optional<Draft> Graft::draft(bool is_reverse, bool is_about_rows) {
    if (base_ < 0 || said_.special != Special::none || said_.window) return std::nullopt;
    if (is_reverse) {
        for (OrderBy& order : query_.order) order.descending = !order.descending;
        is_changed_ = !query_.order.empty();
    }
    if (is_about_rows && query_.limit && !keep_to_earlier_rows()) return std::nullopt;
    const bool fits = change_tests() && change_measure() && change_groups() && change_order();
    if (!fits || !is_changed_) return std::nullopt;
    return Draft{.form = std::move(query_), .rule = kFollowUpRule};
}

std::optional<Draft> Graft::rows_by_name() {
    const bool is_total = !query_.select.empty() && std::ranges::all_of(query_.select, is_aggregate);
    if (base_ < 0 || !is_total || !query_.group.empty() || !view_.has_names(base_)) return std::nullopt;
    query_.select.clear();
    for (const ColumnId label : view_.labels(base_)) query_.select.push_back({ColumnRef{label, 0}});
    query_.tables = {base_};
    return Draft{.form = std::move(query_), .rule = kFollowUpRule};
}

bool Graft::change_tests() {
    for (const Test& test : said_.tests) {
        if (!change_test(test)) return false;
    }
    if (!drop_other_names()) return false;
    if (said_.nevers.empty()) return true;
    Conditions conditions(said_, view_, question_, choices_);
    auto parts = conditions.all(base_, {}, said_.nevers);
    return parts && add_conditions(*std::move(parts));
}

/// In the place of what was said about the same column, or of the earlier period; else one condition more.
bool Graft::change_test(const Test& test) {
    const auto says_when = [this](ColumnId id) {
        return view_.is_date(id) || view_.is_year(id) || view_.is_season(id);
    };
    const bool is_period = test.kind == Test::Kind::period || (test.column != 0 && view_.is_season(test.column));
    std::vector<ColumnTest> before = tests_of(
        query_, [&](ColumnId id) { return is_period ? says_when(id) : test.column != 0 && id == test.column; });
    Conditions conditions(said_, view_, question_, choices_);
    if (before.empty() || test.negated) {
        auto parts = conditions.all(base_, std::span(&test, 1), {});
        return parts && add_conditions(*std::move(parts));
    }
    const Condition first = *before.front().condition;
    for (const ColumnTest& one : before) {
        Condition same = *one.condition;
        set_left(same, left_of(first));
        if (same != first) return false;
    }
    Test moved = test;
    if (test.column == 0) moved.column = before.front().column.column;
    if (is_period) take_year(moved.low, first);
    const auto parts = conditions.all(view_.table_of(moved.column), std::span(&moved, 1), {});
    if (!parts || parts->size() != 1 || !compares_values(parts->front())) return false;
    for (const ColumnTest& one : before) {
        Condition next = parts->front();
        const auto* part = std::get_if<PartOf>(&left_of(*one.condition).node);
        set_left(next, part != nullptr ? Expression{part->of} : left_of(*one.condition));
        *one.condition = std::move(next);
    }
    is_changed_ = true;
    return true;
}

/// "and in January?": of the year that was talked about.
void Graft::take_year(Token& said, const Condition& before) const {
    const std::string_view text = question_.span(said.first, said.last);
    if (!said.is(Token::Kind::period) || period_of(text)) return;
    std::optional<int> year;
    if (const auto* compare = std::get_if<Compare>(&before.node)) {
        if (const auto* constant = std::get_if<Constant>(&compare->right)) year = year_in(constant->text);
    } else if (const auto* between = std::get_if<Between>(&before.node)) {
        if (const auto* constant = std::get_if<Constant>(&between->low)) year = year_in(constant->text);
    }
    const auto period = year ? period_of(text, year) : std::nullopt;
    if (period) said.text = period->first + "/" + period->after;
}

/// "and Petrov?" after "Nora Keller": the first name goes too.
bool Graft::drop_other_names() {
    for (const Test& test : said_.tests) {
        if (test.kind != Test::Kind::value) continue;
        const std::vector<ColumnId> names = view_.labels(view_.table_of(test.column));
        if (names.size() < 2 || std::ranges::find(names, test.column) == names.end()) continue;
        drop_tests(query_, [&](ColumnId id) {
            const bool is_name = std::ranges::find(names, id) != names.end();
            return is_name && std::ranges::none_of(said_.tests, [id](const Test& one) { return one.column == id; });
        });
    }
    return true;
}

bool Graft::add_conditions(std::vector<Condition> parts) {
    std::vector<Condition> all;
    if (query_.where) {
        if (const auto* before = std::get_if<AllOf>(&query_.where->node)) {
            all = before->parts;
        } else {
            all.push_back(*query_.where);
        }
    }
    for (Condition& part : parts) all.push_back(std::move(part));
    query_.where = joined(std::move(all));
    is_changed_ |= !parts.empty();
    return true;
}

/// The rows of the earlier answer, and no others, where it had only the first of them.
bool Graft::keep_to_earlier_rows() {
    const TableId table = WordingNames(view_.schema()).subject_of(query_).table;
    const ColumnId key = table < 0 ? 0 : view_.primary(table);
    if (key == 0 || !query_.group.empty()) return false;
    Query inner = query_;
    inner.select = {{ColumnRef{key, 0}}};
    Query outer{.select = query_.select, .tables = {table}};
    outer.where = Condition{Among{{ColumnRef{key, 0}}, false, Subquery{std::move(inner)}}};
    query_ = std::move(outer);
    base_ = table;
    return true;
}

std::optional<ColumnId> Graft::measured() const {
    if (said_.measure != 0) return said_.measure;
    if (said_.shown.size() == 1) return said_.shown.front();
    return std::nullopt;
}

/// Another column in the place of the one that was measured or shown, or another way to measure it.
bool Graft::change_measure() {
    if (said_.shown.size() > 1) return false;
    if (said_.aggregate == Aggregate::count && said_.measure == 0) return count_rows();
    const auto column = measured();
    if (!column && !said_.aggregate) return true;
    if (column && view_.table_of(*column) != base_ && !view_.has_one(base_, view_.table_of(*column))) return false;
    bool is_replaced = false;
    replace_measures(query_, [&](Expression& expression) {
        if (auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
            auto* of = std::get_if<ColumnRef>(&aggregate->of->node);
            if (of == nullptr || (of->column == 0 && !column)) return;
            if (said_.aggregate)
                aggregate->aggregate = *said_.aggregate;
            else if (of->column == 0)
                aggregate->aggregate = Aggregate::sum;
            if (column) *of = {*column, 0};
            is_replaced = true;
        } else if (auto* ref = std::get_if<ColumnRef>(&expression.node)) {
            const bool may_be = column && !said_.aggregate && query_.group.empty() && ref->column != 0 &&
                                (view_.is_measure(ref->column) || !view_.is_measure(*column)) &&
                                !view_.is_key(ref->column);
            if (!may_be) return;
            *ref = {*column, 0};
            is_replaced = true;
        }
    });
    if (!is_replaced && said_.aggregate && column && query_.group.empty()) {
        query_.select = {{AggregateOf{*said_.aggregate, false, Expression{ColumnRef{*column, 0}}, std::nullopt}}};
        query_.order.clear();
        query_.limit.reset();
        is_replaced = true;
    }
    is_changed_ |= is_replaced;
    return is_replaced;
}

/// "how many are there?" after a list.
bool Graft::count_rows() {
    if (!query_.group.empty() || (said_.counted >= 0 && said_.counted != base_)) return false;
    if (query_.limit && !keep_to_earlier_rows()) return false;
    query_.select = {{AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, std::nullopt}}};
    query_.order.clear();
    is_changed_ = true;
    return true;
}

/// The same measure for other groups.
bool Graft::change_groups() {
    if (said_.groups.empty()) return true;
    Frame grouped;
    grouped.groups = said_.groups;
    grouped.aggregate = Aggregate::count;
    grouped.counted = base_;
    const auto made = Assembly(grouped, view_, question_, choices_).draft();
    std::vector<Expression> measures;
    std::ranges::copy_if(query_.select, std::back_inserter(measures), is_aggregate);
    if (!made || measures.empty() || query_.limit) return false;
    query_.select.assign(made->form.select.begin(), made->form.select.end() - 1);
    query_.select.insert(query_.select.end(), measures.begin(), measures.end());
    query_.group = made->form.group;
    query_.order = made->form.order;
    is_changed_ = true;
    return true;
}

bool Graft::change_order() {
    if (said_.limit) {
        if (query_.order.empty() && !said_.order) return false;
        Conditions conditions(said_, view_, question_, choices_);
        const auto kind = query_.limit ? query_.limit->kind : Limit::Kind::first;
        query_.limit = Limit{kind, conditions.said(*said_.limit)};
        is_changed_ = true;
    }
    if (!said_.order) return true;
    const auto told = order_about(*said_.order, base_, view_);
    if (!told) return false;
    const Order& order = *told;
    if (order.column == 0) {
        if (query_.order.empty() || order.counted >= 0) return false;
        query_.order.front().descending = order.descending;
        is_changed_ = true;
        return true;
    }
    if (order.is_list) return sort_rows(order);
    if (query_.group.empty()) return pick_first(order);
    query_.order = {{key_for(order.column, order.aggregate), order.descending}};
    return is_changed_ = true;
}

/// "who of them is the tallest?" after a list or a count: the first of the rows by their names.
bool Graft::pick_first(const Order& order) {
    if (!view_.has_one(base_, view_.table_of(order.column))) return false;
    if (std::ranges::any_of(query_.select, is_aggregate)) {
        query_.select.clear();
        for (const ColumnId label : view_.labels(base_)) query_.select.push_back({ColumnRef{label, 0}});
        query_.select.push_back({ColumnRef{order.column, 0}});
    }
    query_.order = {{Expression{ColumnRef{order.column, 0}}, order.descending}};
    if (!said_.limit && !query_.limit) query_.limit = Limit{Limit::Kind::first, Constant{"1"}};
    return is_changed_ = true;
}

/// A column that rows can be ordered by: of groups, what they are measured by, in the way that they are measured.
Expression Graft::key_for(ColumnId column, std::optional<Aggregate> aggregate) const {
    Expression key{ColumnRef{column, 0}};
    const bool is_in_group = std::ranges::find(query_.group, key) != query_.group.end();
    if (query_.group.empty() || is_in_group) return key;
    Aggregate by = aggregate.value_or(Aggregate::sum);
    for (const Expression& item : query_.select) {
        const auto* of = std::get_if<AggregateOf>(&item.node);
        if (of != nullptr && of->aggregate != Aggregate::count && !aggregate) by = of->aggregate;
    }
    return {AggregateOf{by, false, std::move(key), std::nullopt}};
}

/// "sort that by assists": the same rows, or where they cannot be told from others, the first by the new order. What is
/// measured comes with the highest first, unless that is said otherwise.
bool Graft::sort_rows(const Order& order) {
    static constexpr std::array<std::string_view, 6> kUpwards{"ascending", "lowest", "smallest",
                                                              "fewest",    "least",  "asc"};
    auto by = sorted_by(order.column);
    if (!by) return false;
    const bool is_shown = std::ranges::find(query_.select, *by) != query_.select.end();
    if (query_.limit && query_.group.empty()) keep_to_earlier_rows();
    const auto words = plain_words(question_.text);
    const bool is_upwards = std::ranges::any_of(
        words, [](const std::string& word) { return std::ranges::find(kUpwards, word) != kUpwards.end(); });
    const bool is_measure = is_aggregate(*by) || view_.is_measure(std::get<ColumnRef>(by->node).column);
    if (!is_shown && is_measure) query_.select.push_back(*by);
    query_.order = {{std::move(*by), order.descending || (is_measure && !is_upwards)}};
    return is_changed_ = true;
}

/// What the rows show that has the name, before anything else that has it: "assists" are assists per game there.
/// Nothing when a row has several of them.
std::optional<Expression> Graft::sorted_by(ColumnId column) const {
    const auto wanted = stems(view_.column(column).words);
    for (const Expression& shown : query_.select) {
        const auto* aggregate = std::get_if<AggregateOf>(&shown.node);
        const auto* ref = std::get_if<ColumnRef>(aggregate != nullptr ? &aggregate->of->node : &shown.node);
        if (ref == nullptr || ref->column == 0) continue;
        if (has_words_of(stems(view_.column(ref->column).words), wanted)) return shown;
    }
    const TableId rows = WordingNames(view_.schema()).subject_of(query_).table;
    const bool is_one = rows >= 0 && view_.has_one(rows, view_.table_of(column));
    if (is_one || !query_.group.empty()) return key_for(column, std::nullopt);
    if (rows < 0) return std::nullopt;
    for (const ColumnId own : view_.schema().columns_of(rows)) {
        if (view_.is_measure(own) && has_words_of(stems(view_.column(own).words), wanted)) {
            return key_for(own, std::nullopt);
        }
    }
    return std::nullopt;
}

}  // namespace quaestor::native::rules
