#include "native/reading/rules/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace quaestor::native::rules {

namespace {

bool is_same_kind(const Test& left, const Test& right) {
    return left.kind == right.kind && left.column == right.column && left.comparison == right.comparison &&
           (left.kind == Test::Kind::value || left.kind == Test::Kind::period || left.kind == Test::Kind::truth);
}

/// What two things are told apart by has at most this many tests: first and last name.
constexpr std::size_t kSideTestsMax = 2;

}  // namespace

/// The whole is what is tested before the verb, the part what is tested after it; a period bounds the whole.
std::optional<Draft> Assembly::share() {
    const TableId base = base_table();
    if (base < 0 || frame_.order) return std::nullopt;
    if (frame_.tests.empty() && frame_.nevers.empty()) return share_of_groups(base);
    const auto verb = std::ranges::find_if(frame_.verbs, [this](std::size_t at) {
        return at > 0 && std::ranges::any_of(frame_.tests, [at](const Test& test) { return test.at > at; });
    });
    std::vector<Test> part;
    std::vector<Test> whole;
    for (const Test& test : frame_.tests)
        (verb == frame_.verbs.end() || test.at > *verb ? part : whole).push_back(test);
    if (verb != frame_.verbs.end() && !frame_.nevers.empty() && part.empty()) whole = frame_.tests;
    const auto is_period = [](const Test& test) { return test.kind == Test::Kind::period; };
    if (!frame_.nevers.empty() || !std::ranges::all_of(part, is_period)) {
        std::ranges::copy_if(part, std::back_inserter(whole), is_period);
        std::erase_if(part, is_period);
    }
    if (!frame_.groups.empty() && part.empty()) return share_of_groups(base);
    auto filter = conditions_.all(base, part, frame_.nevers);
    if (!filter || filter->empty()) return std::nullopt;
    const auto top = measure(base, joined(*std::move(filter)));
    const auto bottom = measure(base);
    if (!top || !bottom) return std::nullopt;
    Query query{.select = {{Calculation{Arithmetic::percent, *top, *bottom}}}};
    if (!add_groups(query, base) || !add_where(query, base, whole, {})) return std::nullopt;
    return finished(std::move(query), "a share");
}

/// What each group has of all.
std::optional<Draft> Assembly::share_of_groups(TableId base) {
    const auto top = measure(base);
    if (!top || frame_.groups.empty()) return std::nullopt;
    Query all{.select = {*top}};
    if (!add_where(all, base, frame_.tests, frame_.nevers)) return std::nullopt;
    Query query{.select = {{Calculation{Arithmetic::percent, *top, Expression{Subquery{all}}}}},
                .tables = all.tables,
                .where = all.where};
    if (!add_groups(query, base)) return std::nullopt;
    return finished(std::move(query), "a share of each group");
}

/// Tests of the same kind on both sides of "than", "and" or "to".
std::optional<Assembly::Sides> Assembly::sides() const {
    for (const std::size_t mark : frame_.breaks) {
        const auto middle = std::ranges::find_if(frame_.tests, [mark](const Test& test) { return test.at > mark; });
        const auto before = static_cast<std::size_t>(middle - frame_.tests.begin());
        const std::size_t after = frame_.tests.size() - before;
        for (std::size_t count = std::min({kSideTestsMax, before, after}); count > 0; --count) {
            const std::span<const Test> left = std::span(frame_.tests).subspan(before - count, count);
            const std::span<const Test> right = std::span(frame_.tests).subspan(before, count);
            if (!std::ranges::equal(left, right, is_same_kind)) continue;
            Sides out{.left = {left.begin(), left.end()}, .right = {right.begin(), right.end()}, .common = {}};
            for (std::size_t at = 0; at < frame_.tests.size(); ++at) {
                if (at < before - count || at >= before + count) out.common.push_back(frame_.tests[at]);
            }
            const bool is_change = frame_.window.has_value();
            out.has_later_right = is_change && left.front().kind == Test::Kind::period;
            for (Test& test : out.right) test.joins_last = false;
            return out;
        }
    }
    return std::nullopt;
}

std::optional<Expression> Assembly::side(TableId base, std::span<const Test> tests) {
    auto filter = conditions_.all(base, tests, {});
    if (!filter) return std::nullopt;
    return measure(base, joined(*std::move(filter)));
}

/// What two groups or periods differ by, in all or in per cent, or their ratio.
std::optional<Draft> Assembly::difference() {
    if (frame_.is_difference_of_extremes) return extremes();
    const auto found = sides();
    if (!found || (frame_.order && !frame_.order->is_list)) return std::nullopt;
    if (!frame_.aggregate) {
        if (frame_.shown.size() != 1 || !view_.is_measure(frame_.shown.front())) return std::nullopt;
        Frame told = frame_;
        told.shown.clear();
        told.measure = frame_.shown.front();
        told.aggregate = Aggregate::sum;
        return Assembly(told, view_, conditions_.question(), choices_).draft();
    }
    const TableId base = base_table();
    const auto left = side(base, found->left);
    const auto right = side(base, found->right);
    if (base < 0 || !left || !right) return std::nullopt;
    const auto& from = found->has_later_right ? *right : *left;
    const auto& what = found->has_later_right ? *left : *right;
    Expression answer{Calculation{Arithmetic::minus, from, what}};
    if (frame_.special == Special::ratio) answer = {Calculation{Arithmetic::divide, from, what}};
    if (frame_.in_percent || frame_.window == WindowKind::percent_change) {
        answer = {Calculation{Arithmetic::percent, answer, what}};
    }
    Query query{.select = {std::move(answer)}};
    if (!add_groups(query, base) || !add_where(query, base, found->common, frame_.nevers)) return std::nullopt;
    const bool is_ratio = frame_.special == Special::ratio;
    return finished(std::move(query), is_ratio ? "a ratio of two groups" : "a difference of two groups");
}

/// "the difference between the highest and the lowest price"
std::optional<Draft> Assembly::extremes() {
    if (!frame_.order || frame_.order->column == 0) return std::nullopt;
    const auto extreme_of = [this](Aggregate aggregate) {
        return Expression{AggregateOf{aggregate, false, Expression{ColumnRef{frame_.order->column, 0}}, std::nullopt}};
    };
    Query query{.select = {{Calculation{Arithmetic::minus, extreme_of(Aggregate::max), extreme_of(Aggregate::min)}}}};
    const TableId base = view_.table_of(frame_.order->column);
    if (!add_groups(query, base) || !add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    return finished(std::move(query), "a difference of extremes");
}

/// What two groups are compared by: as said, added up, or how many rows there are.
Frame Assembly::told_for_comparison(const Sides& found) {
    Frame told = frame_;
    told.special = Special::none;
    if (told.aggregate) return told;
    const ColumnId named = found.left.front().column;
    const bool is_measure = told.shown.size() == 1 && view_.is_measure(told.shown.front());
    if (is_measure && (named == 0 || view_.table_of(named) != view_.table_of(told.shown.front()))) {
        told.measure = told.shown.front();
        told.aggregate = Aggregate::sum;
        told.shown.clear();
        assumptions_.push_back(fmt::format("{} is added up", view_.column(told.measure).words));
    } else if (told.shown.empty() && told.entity >= 0) {
        told.aggregate = Aggregate::count;
        told.counted = told.entity;
    }
    return told;
}

/// What a test tells rows apart by.
std::vector<Expression> Assembly::told_apart_by(TableId base, const Test& test) {
    if (test.kind == Test::Kind::period) {
        const bool is_years = years_in(period_in(test.low)).has_value();
        const auto time = time_group(base, is_years ? DatePart::year : DatePart::month, true);
        return time ? time->by : std::vector<Expression>();
    }
    const auto ref = conditions_.reached(base, test.column, test.role);
    return ref ? std::vector<Expression>{{*ref}} : std::vector<Expression>();
}

/// Two groups side by side.
std::optional<Draft> Assembly::comparison() {
    const auto found = sides();
    if (!found || frame_.order || !frame_.groups.empty()) return std::nullopt;
    const Frame told = told_for_comparison(*found);
    Assembly inner(told, view_, conditions_.question(), choices_);
    const TableId base = inner.base_table();
    if (base < 0 || (!told.aggregate && told.shown.empty())) return std::nullopt;
    auto left = inner.conditions_.all(base, found->left, {});
    auto right = inner.conditions_.all(base, found->right, {});
    auto common = inner.conditions_.all(base, found->common, frame_.nevers);
    if (!left || !right || !common || left->empty() || right->empty()) return std::nullopt;
    common->push_back({AnyOf{{*joined(*std::move(left)), *joined(*std::move(right))}}});
    Query query{.select = {}, .tables = {base}, .where = joined(*std::move(common))};
    for (const Test& test : found->left) {
        const std::vector<Expression> by = inner.told_apart_by(base, test);
        if (by.empty()) return std::nullopt;
        query.select.insert(query.select.end(), by.begin(), by.end());
    }
    if (told.aggregate) {
        query.group = query.select;
        const auto measured = inner.measure(base);
        if (!measured) return std::nullopt;
        query.select.push_back(*measured);
    }
    for (const ColumnId id : told.shown) query.select.push_back({ColumnRef{id, 0}});
    return finished(std::move(query), "two groups side by side");
}

std::optional<Draft> Assembly::ratio_of_columns() {
    if (frame_.measure == 0 || frame_.divisor == 0 || frame_.order) return std::nullopt;
    const auto sum_of = [](ColumnId id) {
        return Expression{AggregateOf{Aggregate::sum, false, Expression{ColumnRef{id, 0}}, std::nullopt}};
    };
    const TableId base = view_.table_of(frame_.measure);
    Query query{.select = {{Calculation{Arithmetic::divide, sum_of(frame_.measure), sum_of(frame_.divisor)}}}};
    if (!add_groups(query, base) || !add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    return finished(std::move(query), "a ratio of two columns");
}

bool Assembly::covers_one_year() const {
    return std::ranges::any_of(frame_.tests, [](const Test& test) {
        if (test.kind != Test::Kind::period || test.comparison != Comparison::equal || test.is_range) return false;
        const Period period = period_in(test.low);
        return period.first.substr(0, 4) == day_before(period.after).substr(0, 4);
    });
}

/// Values along time, beside the value before, the change since then, or the sum so far.
std::optional<Draft> Assembly::window() {
    const TableId base = base_table();
    if (base < 0 || frame_.order || !frame_.shown.empty()) return std::nullopt;
    const auto asked = measure(base);
    if (!asked) return std::nullopt;
    Query query;
    Window window{
        frame_.in_percent && frame_.window == WindowKind::change ? WindowKind::percent_change : *frame_.window, *asked};
    for (const Grouping& grouping : frame_.groups) {
        const auto one = grouping.part ? time_group(base, *grouping.part, !covers_one_year()) : group(base, grouping);
        if (!one) return std::nullopt;
        query.select.insert(query.select.end(), one->shown.begin(), one->shown.end());
        query.group.insert(query.group.end(), one->by.begin(), one->by.end());
        auto& part = one->is_time ? window.along : window.within;
        part.insert(part.end(), one->by.begin(), one->by.end());
    }
    if (window.along.empty()) {
        const bool has_days = conditions_.date_column(base, true) != 0;
        const auto time = time_group(base, has_days ? DatePart::day : DatePart::year, true);
        if (!time) return std::nullopt;
        window.along = time->by;
        query.select.insert(query.select.end(), time->by.begin(), time->by.end());
        query.group.insert(query.group.end(), time->by.begin(), time->by.end());
    }
    if (!add_where(query, base, frame_.tests, frame_.nevers)) return std::nullopt;
    for (const auto& part : {window.within, window.along}) {
        for (const Expression& by : part) query.order.push_back({by, false});
    }
    query.select.push_back(*asked);
    query.select.push_back({std::move(window)});
    return finished(std::move(query), "values along time");
}

}  // namespace quaestor::native::rules
