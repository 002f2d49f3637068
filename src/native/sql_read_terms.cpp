#include "native/lower.hpp"
#include "native/sql_parser.hpp"
#include "native/unsupported.hpp"

#include <fmt/format.h>

#include <array>
#include <tuple>
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
    Wrapping{"ANY_VALUE (", ")"},
};

const Window* window_of(const Expression& expression, WindowKind kind) {
    const auto* window = std::get_if<Window>(&expression.node);
    return window != nullptr && window->kind == kind ? window : nullptr;
}

/// A value without that of the row before is a change; a change in per cent of the value before is one too.
Expression calculated(Arithmetic operation, Expression left, Expression right) {
    if (const Window* previous = window_of(right, WindowKind::previous)) {
        Window change = *previous;
        if (operation == Arithmetic::minus && *previous->of == left) {
            change.kind = WindowKind::change;
            return {std::move(change)};
        }
        change.kind = WindowKind::change;
        if (operation == Arithmetic::percent && Expression{change} == left) {
            change.kind = WindowKind::percent_change;
            return {std::move(change)};
        }
    }
    return {Calculation{operation, std::move(left), std::move(right)}};
}

}  // namespace

Expression SqlParser::item() {
    const Deeper deeper(*this);
    Expression left = product();
    while (const auto operation = eat_one({"+", "-"})) {
        Expression right = product();
        left = calculated(static_cast<Arithmetic>(*operation), std::move(left), std::move(right));
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
        if (auto converted = in_unit(left, operation)) {
            left = *std::move(converted);
            continue;
        }
        Expression right = operand();
        left = calculated(operation, std::move(left), std::move(right));
    }
    if (scaled == Arithmetic::percent) throw Unsupported{"a number in a calculation"};
    return left;
}

/// A column's amount multiplied or divided by what leads to another unit.
std::optional<Expression> SqlParser::in_unit(const Expression& amount, Arithmetic operation) {
    const auto* ref = std::get_if<ColumnRef>(&amount.node);
    const bool may_be = operation == Arithmetic::multiply || operation == Arithmetic::divide;
    if (ref == nullptr || !may_be || kind() != SqlToken::Kind::number) return std::nullopt;
    const auto* conversion = unit_conversion(unit_words(schema_.columns()[static_cast<std::size_t>(ref->column)]),
                                             peek(), operation == Arithmetic::divide);
    if (conversion == nullptr) return std::nullopt;
    ++at_;
    return Expression{InUnit{amount, conversion}};
}

Expression SqlParser::operand() {
    const Deeper deeper(*this);
    if (auto part = date_part()) return *std::move(part);
    if (auto inner = transparent_call()) return *std::move(inner);
    if (auto windowed = window()) return *std::move(windowed);
    if (auto aggregated = aggregate()) return *std::move(aggregated);
    if (auto inner = cast()) return *std::move(inner);
    if (auto of_end = choice_of_end()) return *std::move(of_end);
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
    if (eat_all("NULLIF (")) {
        Expression inner = item();
        if (!eat_all(", '' )")) need(", 0 )");
        return inner;
    }
    if (auto inner = feet_and_inches()) return inner;
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

/// What the writer makes of feet and inches that are kept as a text.
std::optional<Expression> SqlParser::feet_and_inches() {
    if (eat_all("( CAST ( SUBSTR (")) {
        Expression inner = item();
        for (const std::string_view next :
             {", 1 , INSTR (", ", '-' ) - 1 ) AS REAL ) * 12 + CAST ( SUBSTR (", ", INSTR ("}) {
            need(next);
            std::ignore = item();
        }
        need(", '-' ) + 1 ) AS REAL ) )");
        return inner;
    }
    if (!eat_all("( CAST ( NULLIF ( SPLIT_PART (")) return std::nullopt;
    Expression inner = item();
    need(", '-' , 1 ) , '' ) AS");
    if (!eat_one({"DOUBLE", "NUMERIC"})) throw unexpected();
    need(") * 12 + CAST ( NULLIF ( SPLIT_PART (");
    std::ignore = item();
    need(", '-' , 2 ) , '' ) AS");
    if (!eat_one({"DOUBLE", "NUMERIC"})) throw unexpected();
    need(") )");
    return inner;
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

/// RANK() OVER (…), LAG(…) OVER (…), SUM(…) OVER (…).
std::optional<Expression> SqlParser::window() {
    const std::size_t start = at_;
    if (eat_all("RANK ( ) OVER (")) return rank_window();
    const bool is_previous = eat_all("LAG (");
    if (!is_previous && !eat_all("SUM (")) return std::nullopt;
    if (!is_previous && !is_over_after_bracket()) {
        at_ = start;
        return std::nullopt;
    }
    Window window{is_previous ? WindowKind::previous : WindowKind::running, item()};
    need(") OVER (");
    window.within = parted();
    need("ORDER BY");
    do {
        window.along.push_back(item());
    } while (eat(","));
    if (!is_previous) need("ROWS UNBOUNDED PRECEDING");
    need(")");
    return Expression{std::move(window)};
}

Expression SqlParser::rank_window() {
    std::vector<Expression> within = parted();
    need("ORDER BY");
    Window window{WindowKind::rank, item(), {}, std::move(within), !eat("DESC")};
    if (window.lowest_first) std::ignore = eat("ASC");
    std::ignore = eat_all("NULLS LAST");
    need(")");
    return {std::move(window)};
}

std::vector<Expression> SqlParser::parted() {
    std::vector<Expression> within;
    if (!eat_all("PARTITION BY")) return within;
    do {
        within.push_back(item());
    } while (eat(","));
    return within;
}

/// Whether OVER follows the bracket in which the next token stands.
bool SqlParser::is_over_after_bracket() const {
    int depth = 1;
    for (std::size_t at = at_; at < tokens_.size(); ++at) {
        const std::string& key = tokens_[at].key;
        depth += key == "(" ? 1 : key == ")" ? -1 : 0;
        if (depth == 0) return at + 1 < tokens_.size() && tokens_[at + 1].key == "OVER";
    }
    return false;
}

/// CASE WHEN home = team THEN … ELSE … END.
std::optional<Expression> SqlParser::choice_of_end() {
    if (!eat_all("CASE WHEN")) return std::nullopt;
    const ColumnRef key = column();
    need("=");
    const ColumnRef end = column();
    need("THEN");
    const ColumnRef first = column();
    need("ELSE");
    const ColumnRef second = column();
    need("END");
    const bool is_end = end.or_via != 0 && key.column == end.via && key.via == 0 && first.via == 0 && second.via == 0;
    if (!is_end) throw Unsupported{"a choice between columns"};
    return Expression{OfEnd{end, first.column, second.column}};
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
