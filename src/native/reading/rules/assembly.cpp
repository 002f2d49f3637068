#include "native/reading/rules/assembly.hpp"

#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native::rules {

namespace {

constexpr double kUnlikelyCost = 0.7;
constexpr double kGuessCost = 0.25;

Expression rows_counted(std::optional<Condition> filter) {
    AggregateOf count{Aggregate::count, false, Expression{ColumnRef{}}, std::nullopt};
    if (filter) count.filter = Box<Condition>(*std::move(filter));
    return {std::move(count)};
}

}  // namespace

std::vector<Draft> drafts_of(const Frame& frame, const SchemaView& view, const LinkedQuestion& question) {
    const bool may_be_rate = std::ranges::any_of(frame.groups, &Grouping::is_per);
    const bool may_add_up = std::ranges::any_of(
        frame.tests, [](const Test& test) { return test.kind == Test::Kind::number && test.column != 0; });
    std::vector<Draft> drafts;
    for (std::size_t date = 0; date < kDateColumnsMax; ++date) {
        const std::size_t before = drafts.size();
        for (const bool is_rate : {false, true}) {
            for (const bool adds_up : {false, true}) {
                if ((is_rate && !may_be_rate) || (adds_up && !may_add_up)) continue;
                const Choices choices{.date = date, .is_rate = is_rate, .adds_up = adds_up};
                auto draft = Assembly(frame, view, question, choices).draft();
                if (!draft) continue;
                draft->cost += kGuessCost * static_cast<double>(date);
                const bool is_new =
                    std::ranges::none_of(drafts, [&](const Draft& one) { return one.form == draft->form; });
                if (is_new) drafts.push_back(*std::move(draft));
            }
        }
        if (drafts.size() == before) break;
    }
    return drafts;
}

std::optional<Draft> Assembly::draft() {
    if (choices_.adds_up && (frame_.is_single_row || !frame_.nevers.empty())) return std::nullopt;
    if (choices_.adds_up != frame_.is_total) cost_ += choices_.adds_up ? kGuessCost : kUnlikelyCost;
    if (const auto told = with_what_is_meant()) return Assembly(*told, view_, conditions_.question(), choices_).draft();
    const bool has_pair = sides().has_value();
    if (frame_.window && frame_.window != WindowKind::rank && has_pair) return difference();
    if (frame_.window && frame_.window != WindowKind::rank) return window();
    switch (frame_.special) {
        case Special::share:
            return share();
        case Special::difference:
            return difference();
        case Special::ratio:
            return has_pair ? difference() : ratio_of_columns();
        case Special::compare:
            return comparison();
        case Special::none:
            break;
    }
    if (frame_.order && !frame_.order->is_list) return ordered();
    if (frame_.window == WindowKind::rank) return ordered();
    return frame_.aggregate ? total() : list();
}

/// "orders by status" counts them, "points by player" adds them up, "home team of each game" lists games.
std::optional<Frame> Assembly::with_what_is_meant() const {
    const bool is_list = !frame_.aggregate && (!frame_.order || frame_.order->is_list) &&
                         frame_.special == Special::none && !frame_.window;
    if (!is_list || frame_.groups.empty()) return std::nullopt;
    Frame told = frame_;
    const bool is_measure = frame_.shown.size() == 1 && view_.is_measure(frame_.shown.front());
    if (is_measure) {
        told.aggregate = Aggregate::sum;
        told.measure = frame_.shown.front();
        told.shown.clear();
    } else if (frame_.shown.empty() && frame_.roles.empty() && frame_.entity >= 0) {
        told.aggregate = Aggregate::count;
        told.counted = frame_.entity;
    } else if (frame_.groups.size() == 1 && frame_.groups.front().table >= 0 && frame_.entity < 0) {
        told.entity = frame_.groups.front().table;
        told.groups.clear();
    } else {
        return std::nullopt;
    }
    return told;
}

Draft Assembly::finished(Query query, std::string_view rule) const {
    Draft draft{.form = std::move(query), .rule = rule, .assumptions = assumptions_, .cost = cost_};
    for (const std::string& one : conditions_.assumptions()) draft.assumptions.push_back(one);
    return draft;
}

TableId Assembly::base_table() const {
    if (frame_.measure != 0) return view_.table_of(frame_.measure);
    if (frame_.counted >= 0) return frame_.counted;
    if (frame_.entity >= 0) return frame_.entity;
    if (!frame_.shown.empty()) return view_.table_of(frame_.shown.front());
    if (frame_.named >= 0) return frame_.named;
    // "Which guards are from Spain?" asks for the rows that the values are of.
    const bool is_of_values = frame_.is_asked && frame_.left_out.empty() && !frame_.tests.empty() &&
                              frame_.tests.front().kind == Test::Kind::value;
    return is_of_values ? view_.table_of(frame_.tests.front().column) : -1;
}

bool Assembly::add_where(Query& query, TableId base, std::span<const Test> tests, std::span<const Never> nevers) {
    auto parts = conditions_.all(base, tests, nevers);
    if (!parts) return false;
    query.where = joined(*std::move(parts));
    query.tables = {base};
    return true;
}

std::vector<Expression> Assembly::labels(TableId base, TableId table, ColumnId role) const {
    std::vector<Expression> out;
    for (const ColumnId id : view_.labels(table)) {
        out.push_back({conditions_.reached(base, id, role).value_or(ColumnRef{id, 0})});
    }
    return out;
}

/// "per" a thing that has no name is a rate, per a thing with one a group; a mean of counts or sums is always a rate.
bool Assembly::is_rate(const Grouping& grouping) const {
    if (!grouping.is_per || grouping.part || !choices_.is_rate) return false;
    return grouping.table >= 0 || view_.is_measure(grouping.column);
}

std::optional<Expression> Assembly::measure(TableId base, std::optional<Condition> filter) {
    if (!frame_.aggregate) return std::nullopt;
    const Aggregate aggregate = *frame_.aggregate;
    Expression top = rows_counted(filter);
    if (frame_.measure != 0) {
        AggregateOf of{aggregate, frame_.is_distinct && aggregate == Aggregate::count,
                       Expression{ColumnRef{frame_.measure, 0}}, std::nullopt};
        if (filter) of.filter = Box<Condition>(*filter);
        top = {std::move(of)};
    }
    return rate(base, top, std::move(filter));
}

/// "points per game": what is measured, by the number of games; as it is when nothing is said "per".
std::optional<Expression> Assembly::rate(TableId base, const Expression& top, std::optional<Condition> filter) {
    const auto per = std::ranges::find_if(frame_.groups, [this](const Grouping& one) { return is_rate(one); });
    if (per == frame_.groups.end()) {
        if (frame_.is_mean_of_groups) return std::nullopt;
        return top;
    }
    const bool is_group_of_names = per->table >= 0 && view_.has_names(per->table) && !frame_.is_mean_of_groups;
    if (is_group_of_names) cost_ += kUnlikelyCost;
    Expression sum = top;
    auto& whole = std::get<AggregateOf>(sum.node);
    if (whole.aggregate == Aggregate::min || whole.aggregate == Aggregate::max) return std::nullopt;
    const std::string what(frame_.measure == 0 ? view_.words(base) : view_.column(frame_.measure).words);
    AggregateOf count{Aggregate::count, true, Expression{ColumnRef{}}, std::nullopt};
    if (filter) count.filter = Box<Condition>(*std::move(filter));
    if (per->table < 0) {
        if (whole.aggregate != Aggregate::count) whole.aggregate = Aggregate::sum;
        count.aggregate = Aggregate::sum;
        count.distinct = false;
        *count.of = {ColumnRef{per->column, 0}};
        return Expression{Calculation{Arithmetic::divide, std::move(sum), Expression{std::move(count)}}};
    }
    const std::string per_words = stem(view_.words(per->table));
    if (frame_.measure != 0 && has_row_for_each(base, per->table)) {
        whole.aggregate = Aggregate::avg;
        assumptions_.push_back(
            fmt::format("{} per {} is taken as the average over {}", what, per_words, view_.words(base)));
        return sum;
    }
    const std::vector<ColumnId> keys = view_.keys_between(base, per->table);
    if (keys.size() > 1) return std::nullopt;
    const ColumnId key = keys.empty() ? view_.primary(per->table) : keys.front();
    if (key == 0 || !view_.has_one(base, per->table)) return std::nullopt;
    if (whole.aggregate != Aggregate::count) whole.aggregate = Aggregate::sum;
    *count.of = {ColumnRef{key, 0}};
    assumptions_.push_back(fmt::format("{} per {} is taken as all {} divided by the number of different {}", what,
                                       per_words, what, view_.words(per->table)));
    return Expression{Calculation{Arithmetic::divide, std::move(sum), Expression{std::move(count)}}};
}

/// Whether what is left of a table has one row for each row of `per`: it is that table, or its key is made of `per` and
/// of tables of which the question names one row.
bool Assembly::has_row_for_each(TableId base, TableId per) const {
    if (base == per) return true;
    const auto is_fixed = [&](TableId table) {
        const bool is_tested = std::ranges::any_of(frame_.tests, [&](const Test& test) {
            return test.kind == Test::Kind::value && view_.table_of(test.column) == table;
        });
        const bool is_grouped = std::ranges::any_of(
            frame_.groups, [&](const Grouping& one) { return one.table == table && !is_rate(one); });
        return is_tested || is_grouped || (frame_.order && frame_.entity == table);
    };
    bool has_per = false;
    for (const ColumnId id : view_.schema().columns_of(base)) {
        if (!view_.column(id).is_primary) continue;
        const auto target = view_.target_of(id);
        if (!target || (*target != per && !is_fixed(*target))) return false;
        has_per |= *target == per;
    }
    return has_per;
}

std::optional<Assembly::Group> Assembly::time_group(TableId base, DatePart part, bool with_year) {
    const ColumnId date = conditions_.date_column(base, part != DatePart::year);
    if (date == 0) return std::nullopt;
    const auto ref = conditions_.reached(base, date, 0);
    if (!ref) return std::nullopt;
    Group group{.shown = {}, .by = {}, .is_time = true};
    if (part == DatePart::year && !view_.is_date(date)) {
        group.by = {{*ref}};
    } else if (part == DatePart::day) {
        group.by = {{*ref}};
    } else {
        if (with_year && part != DatePart::year) group.by.push_back({PartOf{DatePart::year, *ref}});
        group.by.push_back({PartOf{part, *ref}});
    }
    group.shown = group.by;
    return group;
}

std::optional<Assembly::Group> Assembly::group(TableId base, const Grouping& grouping) {
    if (grouping.part) return time_group(base, *grouping.part, false);
    if (grouping.column != 0) {
        const auto ref = conditions_.reached(base, grouping.column, 0);
        if (!ref) return Group{.shown = {{ColumnRef{grouping.column, 0}}}, .by = {{ColumnRef{grouping.column, 0}}}};
        const bool is_time = view_.says_when(ref->column);
        return Group{.shown = {{*ref}}, .by = {{*ref}}, .is_time = is_time};
    }
    Group out{.shown = labels(base, grouping.table, grouping.role), .by = {}};
    const ColumnId key = view_.primary(grouping.table);
    out.by = out.shown;
    if (key != 0) {
        const auto& shown = std::get<ColumnRef>(out.shown.front().node);
        out.by = {{ColumnRef{key, shown.via}}};
    }
    return out;
}

bool Assembly::add_groups(Query& query, TableId base) {
    std::vector<OrderBy> by_time;
    std::size_t place = 0;
    for (const Grouping& grouping : frame_.groups) {
        if (is_rate(grouping)) continue;
        const bool is_event = grouping.is_per && grouping.table >= 0 && !view_.has_names(grouping.table);
        const bool is_ratio = grouping.is_per && grouping.column != 0 && view_.is_measure(grouping.column);
        if ((is_event || is_ratio) && frame_.measure != 0) cost_ += kUnlikelyCost;
        auto one = group(base, grouping);
        if (!one) return false;
        query.select.insert(query.select.begin() + static_cast<std::ptrdiff_t>(place), one->shown.begin(),
                            one->shown.end());
        place += one->shown.size();
        for (const Expression& by : one->by) {
            query.group.push_back(by);
            if (one->is_time) by_time.push_back({by, false});
        }
    }
    if (query.order.empty()) query.order = std::move(by_time);
    return true;
}

std::optional<Draft> Assembly::total() {
    const TableId base = base_table();
    if (base < 0) return std::nullopt;
    auto asked = measure(base);
    if (!asked) return std::nullopt;
    const bool is_spread = std::ranges::any_of(frame_.groups, [&](const Grouping& one) {
        const TableId table = one.table >= 0 ? one.table : one.column != 0 ? view_.table_of(one.column) : base;
        return !view_.has_one(base, table);
    });
    if (is_spread && frame_.measure == 0) {
        const ColumnId key = view_.primary(base);
        if (key == 0) return std::nullopt;
        asked = Expression{AggregateOf{Aggregate::count, true, Expression{ColumnRef{key, 0}}, std::nullopt}};
    }
    Query query{.select = {*asked}};
    if (!add_groups(query, base) || !add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    for (const ColumnId id : frame_.shown) {
        const bool is_told = view_.has_one(base, view_.table_of(id)) && query.group.empty() && !view_.is_measure(id);
        if (!is_told) return std::nullopt;
        query.select.insert(query.select.begin(), {ColumnRef{id, 0}});
        query.group.push_back({ColumnRef{id, 0}});
    }
    if (frame_.order) add_order_of_list(query, base);
    if (frame_.asks_existence) assumptions_.emplace_back("whether there are any is answered by how many there are");
    const std::string_view rule = query.group.empty() ? "a number" : "a number for each group";
    return finished(std::move(query), rule);
}

std::vector<Expression> Assembly::shown(TableId base, TableId entity) const {
    std::vector<Expression> out;
    if (frame_.shows_names) out = labels(base, entity, 0);
    for (const ColumnId id : frame_.shown) {
        out.push_back({conditions_.reached(base, id, 0).value_or(ColumnRef{id, 0})});
    }
    return out;
}

/// "sorted by": what is said, or what is measured.
void Assembly::add_order_of_list(Query& query, TableId base) {
    const Order& order = *frame_.order;
    Expression by = query.select.back();
    if (order.column != 0) {
        const auto ref = conditions_.reached(base, order.column, 0);
        by = {ref.value_or(ColumnRef{order.column, 0})};
        const bool is_in_group = std::ranges::find(query.group, by) != query.group.end();
        if (!query.group.empty() && !is_in_group) by = query.select.back();
    }
    query.order = {{std::move(by), order.descending}};
}

std::optional<Draft> Assembly::list() {
    const TableId base = base_table();
    if (base < 0 || !frame_.groups.empty() || frame_.limit) return std::nullopt;
    Query query{.select = shown(base, base)};
    for (const ColumnId role : frame_.roles) {
        const bool is_used = std::ranges::any_of(frame_.tests, [role](const Test& test) { return test.role == role; });
        if (is_used) continue;
        for (Expression& label : labels(view_.table_of(role), *view_.target_of(role), role))
            query.select.push_back(label);
    }
    if (query.select.empty()) {
        query.select = labels(base, base, 0);
        if (frame_.tests.empty() && frame_.nevers.empty() && !frame_.order) cost_ += kGuessCost;
    } else if (frame_.tests.empty() && frame_.nevers.empty() && frame_.entity < 0) {
        cost_ += kUnlikelyCost;
    }
    query.distinct = frame_.is_distinct;
    if (!add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    if (frame_.order) add_order_of_list(query, base);
    return finished(std::move(query), "a list");
}

}  // namespace quaestor::native::rules
