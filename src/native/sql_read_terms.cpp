#include "native/lower.hpp"
#include "native/sql_parser.hpp"
#include "native/unsupported.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace quaestor::native {

namespace {

/// What stands around a date where a part of it is taken.
struct PartShape {
    std::string_view before;
    std::string_view after;
    DatePart part;
};
constexpr std::array kPartShapes{
    PartShape{"( ( CAST ( STRFTIME ( '%m' ,", ") AS INTEGER ) + 2 ) / 3 )", DatePart::quarter},
    PartShape{"( ( CAST ( STRFTIME ( '%w' ,", ") AS INTEGER ) + 6 ) % 7 + 1 )", DatePart::weekday},
    PartShape{"CAST ( STRFTIME ( '%Y' ,", ") AS INTEGER )", DatePart::year},
    PartShape{"CAST ( STRFTIME ( '%m' ,", ") AS INTEGER )", DatePart::month},
    PartShape{"CAST ( STRFTIME ( '%d' ,", ") AS INTEGER )", DatePart::day},
    PartShape{"STRFTIME ( '%Y' ,", ")", DatePart::year},
    PartShape{"STRFTIME ( '%m' ,", ")", DatePart::month},
    PartShape{"STRFTIME ( '%d' ,", ")", DatePart::day},
    PartShape{"EXTRACT ( YEAR FROM", ")", DatePart::year},
    PartShape{"EXTRACT ( QUARTER FROM", ")", DatePart::quarter},
    PartShape{"EXTRACT ( MONTH FROM", ")", DatePart::month},
    PartShape{"EXTRACT ( DAY FROM", ")", DatePart::day},
    PartShape{"EXTRACT ( ISODOW FROM", ")", DatePart::weekday},
    PartShape{"DATE_PART ( 'year' ,", ")", DatePart::year},
    PartShape{"DATE_PART ( 'quarter' ,", ")", DatePart::quarter},
    PartShape{"DATE_PART ( 'month' ,", ")", DatePart::month},
    PartShape{"DATE_PART ( 'day' ,", ")", DatePart::day},
    PartShape{"DATE_PART ( 'isodow' ,", ")", DatePart::weekday},
    PartShape{"YEAR (", ")", DatePart::year},
    PartShape{"QUARTER (", ")", DatePart::quarter},
    PartShape{"MONTH (", ")", DatePart::month},
    PartShape{"DAY (", ")", DatePart::day},
    PartShape{"ISODOW (", ")", DatePart::weekday},
};

/// What stands around an expression that the form means by itself.
struct Wrapping {
    std::string_view before;
    std::string_view after;
};
constexpr std::array kWrappings{
    Wrapping{"( EXTRACT ( EPOCH FROM", ") / 86400 )"},
    Wrapping{"JULIANDAY (", ")"},
    Wrapping{"NULLIF (", ", 0 )"},
    Wrapping{"ANY_VALUE (", ")"},
};

}  // namespace

Expression SqlParser::item() {
    const Deeper deeper(*this);
    Expression left = product();
    while (const auto operation = eat_one({"+", "-"})) {
        Expression right = product();
        left = {Calculation{static_cast<Arithmetic>(*operation), std::move(left), std::move(right)}};
    }
    return left;
}

/// Factors that only make a division real or a percentage; false when there is none here.
bool SqlParser::scale(std::optional<Arithmetic>& scaled) {
    if (scaled) return false;
    if (eat("1.0")) {
        scaled = Arithmetic::divide;
    } else if (eat("100.0") || eat("100")) {
        scaled = Arithmetic::percent;
    }
    return scaled.has_value();
}

Expression SqlParser::product() {
    std::optional<Arithmetic> scaled;
    if (scale(scaled)) need("*");
    Expression left = operand();
    while (peek() == "*" || peek() == "/") {
        const bool is_product = take().key == "*";
        if (is_product && scale(scaled)) continue;
        const Arithmetic operation = is_product ? Arithmetic::multiply : scaled.value_or(Arithmetic::divide);
        if (!is_product) scaled.reset();
        Expression right = operand();
        left = {Calculation{operation, std::move(left), std::move(right)}};
    }
    if (scaled == Arithmetic::percent) throw Unsupported{"a number in a calculation"};
    return left;
}

Expression SqlParser::operand() {
    const Deeper deeper(*this);
    if (auto part = date_part()) return *std::move(part);
    if (auto inner = transparent_call()) return *std::move(inner);
    if (auto aggregated = aggregate()) return *std::move(aggregated);
    if (auto inner = cast()) return *std::move(inner);
    if (peek() == "(" && peek(1) == "SELECT") return {subquery()};
    if (eat("(")) {
        Expression inner = item();
        need(")");
        return inner;
    }
    if (eat("*")) return {ColumnRef{}};
    if (auto known = alias()) return *std::move(known);
    return {column()};
}

std::optional<Expression> SqlParser::date_part() {
    for (const auto& [before, after, part] : kPartShapes) {
        if (!eat_all(before)) continue;
        const Expression date = operand();
        need(after);
        const auto* ref = std::get_if<ColumnRef>(&date.node);
        if (ref == nullptr) throw Unsupported{"a part of a date that is no column"};
        return Expression{PartOf{part, *ref}};
    }
    return std::nullopt;
}

std::optional<Expression> SqlParser::transparent_call() {
    for (const auto& [before, after] : kWrappings) {
        if (!eat_all(before)) continue;
        Expression inner = item();
        need(after);
        return inner;
    }
    if (eat_all("( ARRAY_AGG (")) {
        Expression inner = item();
        if (eat_all("ORDER BY")) {
            Query order;
            order_list(order);
        }
        need(") ) [ 1 ]");
        return inner;
    }
    if (eat_all("ARG_MAX (") || eat_all("ARG_MIN (")) {
        Expression inner = item();
        need(",");
        item();
        need(")");
        return inner;
    }
    return std::nullopt;
}

std::optional<Expression> SqlParser::aggregate() {
    if (peek(1) != "(") return std::nullopt;
    const auto name = eat_one({"COUNT", "SUM", "AVG", "MIN", "MAX"});
    if (!name) return std::nullopt;
    need("(");
    const bool distinct = eat("DISTINCT");
    AggregateOf out{static_cast<Aggregate>(*name), distinct, item(), std::nullopt};
    need(")");
    if (eat_all("FILTER ( WHERE")) {
        out.filter = Box<Condition>(condition());
        need(")");
    }
    return Expression{std::move(out)};
}

/// Types that only say how a value is looked at.
std::optional<Expression> SqlParser::cast() {
    if (!eat_all("CAST (")) return std::nullopt;
    Expression inner = item();
    need("AS");
    if (!eat_one({"TIMESTAMP", "DATE", "VARCHAR", "TEXT", "REAL", "FLOAT", "DOUBLE", "NUMERIC"})) {
        throw Unsupported{"a value changed to another type"};
    }
    need(")");
    return inner;
}

/// A result by the name that it was given, where no column has that name.
std::optional<Expression> SqlParser::alias() {
    if (!is_name() || peek(1) == "." || peek(1) == "(" || result_aliases_.empty()) return std::nullopt;
    const auto& aliases = result_aliases_.back();
    const auto found = aliases.find(lower(tokens_[at_].text));
    if (found == aliases.end() || scopes_.back().find(tokens_[at_].text).column != 0) return std::nullopt;
    ++at_;
    return found->second;
}

ColumnRef SqlParser::column() {
    const auto found = reference();
    if (const auto* own = std::get_if<ColumnRef>(&found)) return *own;
    throw Unsupported{"a column of the query around, where only a comparison may have one"};
}

std::variant<ColumnRef, OuterColumn> SqlParser::reference() {
    if (!is_name()) throw unexpected();
    const std::string name = take().text;
    const bool has_alias = eat(".");
    if (has_alias && eat("*")) {
        if (scopes_.back().table_count() > 1) throw Unsupported{"all columns of one of several tables"};
        return ColumnRef{};
    }
    const std::string column_name = has_alias ? take().text : name;
    for (std::size_t out = 0; out < scopes_.size(); ++out) {
        const SqlScope& scope = scopes_[scopes_.size() - 1 - out];
        if (has_alias && !scope.has_alias(name)) continue;
        const SqlScope::Place place = has_alias ? scope.find(name, column_name) : scope.find(column_name);
        if (place.column == 0) {
            if (has_alias) break;
            continue;
        }
        const ColumnRef ref = scope.ref(place);
        if (out == 0) return ref;
        if (out > 1 || ref.via != 0) throw Unsupported{"a column of a query further out"};
        return OuterColumn{ref.column};
    }
    throw Unsupported{fmt::format("the column \"{}\", which is not there", column_name)};
}

}  // namespace quaestor::native
