#include "native/reading/rules/conditions.hpp"
#include "native/spoken_values.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace quaestor::native::rules {

namespace {

int number_in(std::string_view digits) {
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

Condition compared(const Expression& left, Comparison comparison, std::string text) {
    return {Compare{left, comparison, Constant{std::move(text)}}};
}

Side as_side(const Value& value) {
    return std::visit([](const auto& one) -> Side { return one; }, value);
}

}  // namespace

Period period_in(const Token& token) {
    const std::size_t middle = token.text.find('/');
    if (middle == std::string::npos) return {};
    return {token.text.substr(0, middle), token.text.substr(middle + 1)};
}

std::string day_before(const std::string& iso) {
    using namespace std::chrono;
    if (iso.size() < 10) return iso;
    const year_month_day day{year(number_in(iso.substr(0, 4))),
                             month(static_cast<unsigned>(number_in(iso.substr(5, 2)))),
                             std::chrono::day(static_cast<unsigned>(number_in(iso.substr(8, 2))))};
    if (!day.ok()) return iso;
    const year_month_day before = sys_days(day) - days(1);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(before.year()), static_cast<unsigned>(before.month()),
                       static_cast<unsigned>(before.day()));
}

std::optional<Years> years_in(const Period& period) {
    if (!period.first.ends_with("-01-01") || !period.after.ends_with("-01-01")) return std::nullopt;
    return Years{period.first.substr(0, 4), fmt::format("{:04}", number_in(period.after.substr(0, 4)) - 1)};
}

/// Words of the question where they say just that; else what they stand for.
Value Conditions::said(const Token& token) const {
    const std::string_view text = question_.span(token.first, token.last);
    const Words words{token.first, token.last};
    switch (token.kind) {
        case Token::Kind::number:
            if (number_of(text) == token.text) return words;
            break;
        case Token::Kind::value:
            if (view_.knowledge().values().spelling(token.column, text).text == token.text) return words;
            break;
        default:
            break;
    }
    return Constant{token.text};
}

std::optional<Condition> Conditions::plain(const Test& test, const ColumnRef& ref) {
    const Expression left{ref};
    switch (test.kind) {
        case Test::Kind::value:
            return Condition{Compare{left, Comparison::equal, as_side(said(test.low))}};
        case Test::Kind::number:
            if (view_.column(ref.column).kind != ColumnKind::number) return std::nullopt;
            if (test.is_range)
                return Condition{Between{left, false, as_side(said(test.low)), as_side(said(test.high))}};
            return Condition{Compare{left, test.comparison, as_side(said(test.low))}};
        case Test::Kind::period:
            return period(test, ref);
        case Test::Kind::truth:
            return compared(left, Comparison::equal, "yes");
        case Test::Kind::missing:
            return Condition{IsNull{left, false}};
        case Test::Kind::average:
        case Test::Kind::latest: {
            const auto aggregate = test.kind == Test::Kind::average ? Aggregate::avg : Aggregate::max;
            Query inner{.select = {{AggregateOf{aggregate, false, Expression{ColumnRef{ref.column, 0}}, {}}}}};
            if (test.kind == Test::Kind::latest && !view_.is_year(ref.column) && !view_.is_season(ref.column)) {
                return std::nullopt;
            }
            return Condition{Compare{left, test.comparison, Expression{Subquery{std::move(inner)}}}};
        }
        case Test::Kind::rows:
            break;
    }
    return std::nullopt;
}

std::optional<Condition> Conditions::period(const Test& test, const ColumnRef& ref) const {
    if (view_.is_season(ref.column)) return season(test, ref);
    if (view_.is_year(ref.column)) return years(test, ref);
    if (!view_.is_date(ref.column)) return std::nullopt;
    const Expression left{ref};
    const Period low = period_in(test.low);
    if (low.first.empty()) return std::nullopt;
    if (test.is_range) {
        return Condition{Between{left, false, Constant{low.first}, Constant{day_before(period_in(test.high).after)}}};
    }
    if (period_of(question_.span(test.low.first, test.low.last)) == low) {
        return Condition{Compare{left, test.comparison, Words{test.low.first, test.low.last}}};
    }
    switch (test.comparison) {
        case Comparison::equal:
        case Comparison::unequal:
            return Condition{Between{left, false, Constant{low.first}, Constant{day_before(low.after)}}};
        case Comparison::greater:
        case Comparison::less_equal:
            return compared(left, test.comparison, day_before(low.after));
        case Comparison::greater_equal:
        case Comparison::less:
            return compared(left, test.comparison, low.first);
    }
    return std::nullopt;
}

std::optional<Condition> Conditions::years(const Test& test, const ColumnRef& ref) const {
    const auto low = years_in(period_in(test.low));
    const auto high = test.is_range ? years_in(period_in(test.high)) : low;
    if (!low || !high) return std::nullopt;
    const Expression left{ref};
    switch (test.comparison) {
        case Comparison::equal:
        case Comparison::unequal:
            if (low->first == high->last) return compared(left, Comparison::equal, low->first);
            return Condition{Between{left, false, Constant{low->first}, Constant{high->last}}};
        case Comparison::greater:
        case Comparison::less_equal:
            return compared(left, test.comparison, low->last);
        case Comparison::greater_equal:
        case Comparison::less:
            return compared(left, test.comparison, low->first);
    }
    return std::nullopt;
}

/// "the 2022 season" where seasons are called 2022-23: the one that begins then.
std::optional<Condition> Conditions::season(const Test& test, const ColumnRef& ref) const {
    const auto years = years_in(period_in(test.low));
    if (!years || test.is_range || years->first != years->last) return std::nullopt;
    for (const KnownValue& value : view_.knowledge().values().values_of(ref.column)) {
        if (!value.spelling.starts_with(years->first)) continue;
        return compared({ref}, test.comparison, std::string(value.spelling));
    }
    return std::nullopt;
}

}  // namespace quaestor::native::rules
