#include "native/sql_phrases.hpp"
#include "native/sql_statement.hpp"
#include "native/unsupported.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native {

using data::Dialect;

namespace {

std::string_view sql_of(Comparison comparison) {
    constexpr std::array<std::string_view, 6> kSigns{"=", "!=", ">", "<", ">=", "<="};
    return kSigns[static_cast<std::size_t>(comparison)];
}

std::string_view sql_of(Aggregate aggregate) {
    constexpr std::array<std::string_view, 5> kNames{"COUNT", "SUM", "AVG", "MIN", "MAX"};
    return kNames[static_cast<std::size_t>(aggregate)];
}

}  // namespace

std::string SqlStatement::placed_name(const Scope& scope, const ColumnRef& ref) const {
    if (ref.column <= 0 || static_cast<std::size_t>(ref.column) >= schema_.columns().size()) {
        throw Unsupported{"every column at once cannot be calculated or compared with"};
    }
    const auto alias = scope.names.find(node_of(schema_, ref));
    if (alias == scope.names.end()) throw Unsupported{"a column is of a table that the query does not reach"};
    return fmt::format("{}.{}", alias->second, column_name(ref.column));
}

/// A column, or a part of one, where a group of rows may be meant.
std::string SqlStatement::of_group(const Expression& expression, const ColumnRef& ref, std::string sql) {
    if (!scope().is_group || std::ranges::find(scope().group, expression) != scope().group.end()) return sql;
    if (scope().known.contains(node_of(schema_, ref))) {
        scope().also_grouped.push_back(sql);
        return sql;
    }
    const std::string extreme = scope().extreme == nullptr ? "" : inside_aggregate(*scope().extreme);
    return row_of_group_sql(dialect_, sql, extreme, scope().is_highest);
}

/// What is written for each row rather than for a group.
std::string SqlStatement::inside_aggregate(const Expression& expression) {
    const bool was_group = std::exchange(scope().is_group, false);
    std::string sql = this->expression(expression);
    scope().is_group = was_group;
    return sql;
}

/// `sql` as a number where it is a text that stands for one.
std::string SqlStatement::as_amount(const Expression& expression, const std::string& sql) const {
    const bool is_plain =
        std::holds_alternative<ColumnRef>(expression.node) || std::holds_alternative<OfEnd>(expression.node);
    if (!is_plain || is_star(expression)) return sql;
    return amount_sql(dialect_, values_.amount_of(expression), sql);
}

std::string SqlStatement::amount(const Expression& expression) {
    return as_amount(expression, this->expression(expression));
}

std::string SqlStatement::expression(const Expression& whole) {
    return std::visit([this, &whole](const auto& node) { return write(node, whole); }, whole.node);
}

std::string SqlStatement::write(const ColumnRef& ref, const Expression& whole) {
    return of_group(whole, ref, placed_name(scope(), ref));
}

std::string SqlStatement::write(const PartOf& part, const Expression& whole) {
    const std::string date = placed_name(scope(), part.of);
    const ColumnKind kind = column(part.of.column).kind;
    const bool is_year_already = kind == ColumnKind::number && part.part == DatePart::year;
    return of_group(whole, part.of,
                    is_year_already ? date : part_sql(dialect_, part.part, date, kind == ColumnKind::text));
}

std::string SqlStatement::write(const AggregateOf& aggregate, const Expression&) {
    if (is_star(*aggregate.of) && (aggregate.aggregate != Aggregate::count || aggregate.distinct)) {
        throw Unsupported{"only the number of rows can be taken of every column at once"};
    }
    const std::string plain = is_star(*aggregate.of) ? "*" : inside_aggregate(*aggregate.of);
    const std::string of = aggregate.aggregate == Aggregate::count ? plain : as_amount(*aggregate.of, plain);
    std::string sql = fmt::format("{}({}{})", sql_of(aggregate.aggregate), aggregate.distinct ? "DISTINCT " : "", of);
    if (!aggregate.filter) return sql;
    const bool was_group = std::exchange(scope().is_group, false);
    sql += fmt::format(" FILTER (WHERE {})", condition(**aggregate.filter));
    scope().is_group = was_group;
    return sql;
}

std::string SqlStatement::write(const Calculation& calculation, const Expression&) {
    const std::string left = amount(*calculation.left);
    const std::string right = amount(*calculation.right);
    const bool are_dates = values_.gives_dates(*calculation.left) && values_.gives_dates(*calculation.right);
    if (are_dates && calculation.operation == Arithmetic::minus) return days_sql(dialect_, left, right);
    return calculation_sql(dialect_, calculation.operation, left, right);
}

std::string SqlStatement::write(const Subquery& sub, const Expression&) {
    return "(" + query(*sub.query) + ")";
}

std::string SqlStatement::write(const Window& window, const Expression&) {
    const auto list = [this](const std::vector<Expression>& expressions) {
        std::vector<std::string> written;
        for (const Expression& expression : expressions) written.push_back(this->expression(expression));
        return fmt::format("{}", fmt::join(written, ", "));
    };
    const bool is_rank = window.kind == WindowKind::rank;
    if (window.along.empty() && !is_rank) throw Unsupported{"the row before, where nothing says what comes before"};
    const std::string of = expression(*window.of);
    const std::string order = is_rank ? of + direction({*window.of, !window.lowest_first}) : list(window.along);
    const std::string within = window.within.empty() ? "" : fmt::format("PARTITION BY {} ", list(window.within));
    return window_sql(dialect_, window.kind, of, fmt::format("{}ORDER BY {}", within, order));
}

std::string SqlStatement::write(const InUnit& in_unit, const Expression&) {
    const UnitConversion& conversion = *in_unit.conversion;
    const std::string of = amount(*in_unit.of);
    return conversion.divides ? fmt::format("(1.0 * {} / {})", of, conversion.factor)
                              : fmt::format("({} * {})", of, conversion.factor);
}

std::string SqlStatement::write(const OfEnd& of_end, const Expression& whole) {
    const ColumnRef first{of_end.first, 0};
    return of_group(whole, first,
                    fmt::format("CASE WHEN {} = {} THEN {} ELSE {} END", placed_name(scope(), {of_end.end.via, 0}),
                                placed_name(scope(), of_end.end), placed_name(scope(), first),
                                placed_name(scope(), {of_end.second, 0})));
}

std::string SqlStatement::condition(const Condition& condition) {
    return std::visit([this](const auto& node) { return test(node); }, condition.node);
}

std::string SqlStatement::joined(const std::vector<Condition>& parts, std::string_view joiner) {
    std::vector<std::string> written;
    for (const Condition& part : parts) written.push_back(condition(part));
    return fmt::format("({})", fmt::join(written, joiner));
}

std::string SqlStatement::test(const AllOf& all) {
    return joined(all.parts, " AND ");
}

std::string SqlStatement::test(const AnyOf& any) {
    return joined(any.parts, " OR ");
}

std::string SqlStatement::test(const NotThat& negation) {
    return "NOT (" + condition(*negation.condition) + ")";
}

std::string SqlStatement::test(const IsNull& null) {
    return expression(null.left) + (null.negated ? " IS NOT NULL" : " IS NULL");
}

std::string SqlStatement::test(const Compare& compare) {
    const std::string left = expression(compare.left);
    if (const auto days = values_.days(compare.left, std::array{&compare.right})) {
        return compared_with_days(left, compare.comparison, *days);
    }
    const bool is_ordered = compare.comparison != Comparison::equal && compare.comparison != Comparison::unequal;
    const bool is_amount = is_ordered && values_.amount_of(compare.left) != TextAmount::none;
    if (is_amount) return test_amount(compare, left);
    return fmt::format("{} {} {}", left, sql_of(compare.comparison), side(compare.right, compare.left));
}

std::string SqlStatement::test_amount(const Compare& compare, const std::string& left) {
    const auto right = [&]() -> std::string {
        if (const auto* expression = std::get_if<Expression>(&compare.right)) return amount(*expression);
        if (const auto* words = std::get_if<Words>(&compare.right)) return values_.amount(*words, compare.left);
        if (const auto* constant = std::get_if<Constant>(&compare.right)) {
            return values_.amount(*constant, compare.left);
        }
        return side(compare.right, compare.left);
    };
    return fmt::format("{} {} {}", as_amount(compare.left, left), sql_of(compare.comparison), right());
}

std::string SqlStatement::test(const Between& between) {
    const std::string left = expression(between.left);
    if (const auto days = values_.days(between.left, std::array{&between.low, &between.high})) {
        return compared_with_days(left, between.negated ? Comparison::unequal : Comparison::equal, *days);
    }
    const std::string low = side(between.low, between.left);
    const std::string high = side(between.high, between.left);
    return fmt::format("{} {}BETWEEN {} AND {}", left, between.negated ? "NOT " : "", low, high);
}

std::string SqlStatement::test(const Match& match) {
    std::string left = expression(match.left);
    const bool needs_cast = dialect_ != Dialect::sqlite && !values_.gives_texts(match.left);
    if (needs_cast) left = fmt::format("CAST({} AS VARCHAR)", left);
    return match_sql(dialect_, left, match.match, match.negated, values_.pattern(match.pattern, match.left));
}

std::string SqlStatement::test(const Among& among) {
    const std::string start = expression(among.left) + (among.negated ? " NOT IN " : " IN ");
    if (const auto* sub = std::get_if<Subquery>(&among.members)) return start + "(" + query(*sub->query) + ")";
    std::vector<std::string> members;
    for (const Value& value : std::get<std::vector<Value>>(among.members)) {
        members.push_back(values_.literal(value, among.left));
    }
    return fmt::format("{}({})", start, fmt::join(members, ", "));
}

/// A period is from its first day up to the day after its last.
std::string SqlStatement::compared_with_days(const std::string& left, Comparison comparison,
                                             const SqlValues::Days& days) const {
    const auto day = [this, &days](const std::string& text) { return day_sql(dialect_, column(days.column), text); };
    switch (comparison) {
        case Comparison::equal:
        case Comparison::unequal:
            return fmt::format("{}({} >= {} AND {} < {})", comparison == Comparison::equal ? "" : "NOT ", left,
                               day(days.from.first), left, day(days.to.after));
        case Comparison::greater:
            return fmt::format("{} >= {}", left, day(days.from.after));
        case Comparison::greater_equal:
            return fmt::format("{} >= {}", left, day(days.from.first));
        case Comparison::less:
            return fmt::format("{} < {}", left, day(days.from.first));
        case Comparison::less_equal:
            return fmt::format("{} < {}", left, day(days.from.after));
    }
    std::unreachable();
}

std::string SqlStatement::side(const Side& side, const Expression& compared) {
    if (const auto* expression = std::get_if<Expression>(&side)) return this->expression(*expression);
    if (const auto* words = std::get_if<Words>(&side)) return values_.literal(*words, compared);
    if (const auto* constant = std::get_if<Constant>(&side)) return values_.literal(*constant, compared);
    if (scopes_.size() < 2) throw Unsupported{"there is no query around to take a column from"};
    return placed_name(scopes_[scopes_.size() - 2], {std::get<OuterColumn>(side).column, 0});
}

}  // namespace quaestor::native
