#include "native/read_periods.hpp"

#include "native/spoken_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace quaestor::native {

namespace {

/// "2023-05-01"
bool is_day(std::string_view text) {
    constexpr std::size_t kLength = 10;
    return text.size() == kLength && period_of(text).has_value();
}

std::string day_before(const std::string& day) {
    const auto number = [&day](std::size_t begin, std::size_t size) {
        int value = 0;
        std::from_chars(day.data() + begin, day.data() + begin + size, value);
        return value;
    };
    using namespace std::chrono;
    const year_month_day date{year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                              std::chrono::day(static_cast<unsigned>(number(8, 2)))};
    const year_month_day before{sys_days(date) - days(1)};
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(before.year()), static_cast<unsigned>(before.month()),
                       static_cast<unsigned>(before.day()));
}

/// What a person calls the period; empty when it has no name.
std::string name_of(const Period& period) {
    const std::string year = period.first.substr(0, 4);
    const std::string month = period.first.substr(0, 7);
    for (const std::string& name :
         {year, month, period.first, "Q1 " + year, "Q2 " + year, "Q3 " + year, "Q4 " + year, year + "s"}) {
        if (period_of(name) == period) return name;
    }
    return {};
}

bool gives_dates(const Expression& expression, const Schema& schema) {
    const Expression* inner = &expression;
    if (const auto* aggregate = std::get_if<AggregateOf>(&expression.node)) inner = &*aggregate->of;
    const auto* ref = std::get_if<ColumnRef>(&inner->node);
    return ref != nullptr && schema.columns()[static_cast<std::size_t>(ref->column)].is_iso_date;
}

/// The day that a condition compares dates with.
const std::string* day_of(const Condition& condition, Comparison comparison) {
    const auto* compare = std::get_if<Compare>(&condition.node);
    if (compare == nullptr || compare->comparison != comparison) return nullptr;
    const auto* constant = std::get_if<Constant>(&compare->right);
    return constant != nullptr && is_day(constant->text) ? &constant->text : nullptr;
}

}  // namespace

Condition with_periods(Condition condition, const Schema& schema) {
    const auto* all = std::get_if<AllOf>(&condition.node);
    if (all == nullptr || all->parts.size() != 2) return condition;
    const std::string* first = day_of(all->parts[0], Comparison::greater_equal);
    const std::string* after = day_of(all->parts[1], Comparison::less);
    if (first == nullptr || after == nullptr) return condition;
    const Expression& left = std::get<Compare>(all->parts[0].node).left;
    if (left != std::get<Compare>(all->parts[1].node).left || !gives_dates(left, schema)) return condition;
    const std::string name = name_of({*first, *after});
    if (!name.empty()) return {Compare{left, Comparison::equal, Constant{name}}};
    return {Between{left, false, Constant{*first}, Constant{day_before(*after)}}};
}

}  // namespace quaestor::native
