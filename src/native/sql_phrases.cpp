#include "native/sql_phrases.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::native {

using data::Dialect;

namespace {

std::string sqlite_part(DatePart part, const std::string& date) {
    const auto number = [&date](std::string_view format) {
        return fmt::format("CAST(strftime('{}', {}) AS INTEGER)", format, date);
    };
    switch (part) {
        case DatePart::year:
            return number("%Y");
        case DatePart::quarter:
            return "((" + number("%m") + " + 2) / 3)";
        case DatePart::month:
            return number("%m");
        case DatePart::day:
            return number("%d");
        case DatePart::weekday:
            return "((" + number("%w") + " + 6) % 7 + 1)";
    }
    return {};
}

/// `text` with a backslash before each character of `marks`.
std::string escaped(std::string_view text, std::string_view marks) {
    std::string out;
    for (const char c : text) {
        if (marks.contains(c)) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

std::string part_sql(Dialect dialect, DatePart part, const std::string& date, bool is_text) {
    if (dialect == Dialect::sqlite) return sqlite_part(part, date);
    constexpr std::array<std::string_view, 5> kFields{"YEAR", "QUARTER", "MONTH", "DAY", "ISODOW"};
    const std::string_view field = kFields[static_cast<std::size_t>(part)];
    return is_text ? fmt::format("EXTRACT({} FROM CAST({} AS TIMESTAMP))", field, date)
                   : fmt::format("EXTRACT({} FROM {})", field, date);
}

std::string days_sql(Dialect dialect, const std::string& later, const std::string& earlier) {
    if (dialect == Dialect::sqlite) return fmt::format("(julianday({}) - julianday({}))", later, earlier);
    return fmt::format("(EXTRACT(EPOCH FROM CAST({} AS TIMESTAMP) - CAST({} AS TIMESTAMP)) / 86400)", later, earlier);
}

std::string calculation_sql(Dialect dialect, Arithmetic operation, const std::string& left, const std::string& right) {
    switch (operation) {
        case Arithmetic::plus:
            return fmt::format("({} + {})", left, right);
        case Arithmetic::minus:
            return fmt::format("({} - {})", left, right);
        case Arithmetic::multiply:
            return fmt::format("({} * {})", left, right);
        case Arithmetic::divide:
        case Arithmetic::percent: {
            // SQLite alone gives NULL for a division by zero.
            const std::string divisor = dialect == Dialect::sqlite ? right : fmt::format("NULLIF({}, 0)", right);
            return fmt::format("({} * {} / {})", operation == Arithmetic::divide ? "1.0" : "100.0", left, divisor);
        }
    }
    return {};
}

std::string window_sql(Dialect dialect, WindowKind kind, const std::string& of, const std::string& over) {
    const std::string previous = fmt::format("LAG({}) OVER ({})", of, over);
    switch (kind) {
        case WindowKind::running:
            return fmt::format("SUM({}) OVER ({} ROWS UNBOUNDED PRECEDING)", of, over);
        case WindowKind::previous:
            return previous;
        case WindowKind::change:
            return fmt::format("({} - {})", of, previous);
        case WindowKind::percent_change:
            return calculation_sql(dialect, Arithmetic::percent, fmt::format("({} - {})", of, previous), previous);
        case WindowKind::rank:
            return fmt::format("RANK() OVER ({})", over);
    }
    return {};
}

std::string match_sql(Dialect dialect, const std::string& left, TextMatch match, bool negated, std::string_view text) {
    const std::string_view marks = match == TextMatch::like ? "\\" : "%_\\";
    const bool needs_escape = text.find_first_of(marks) != std::string_view::npos;
    std::string pattern = needs_escape ? escaped(text, marks) : std::string(text);
    if (match == TextMatch::contains || match == TextMatch::ends_with) pattern.insert(0, "%");
    if (match == TextMatch::contains || match == TextMatch::starts_with) pattern += '%';
    return fmt::format("{} {}{} {}{}", left, negated ? "NOT " : "", dialect == Dialect::sqlite ? "LIKE" : "ILIKE",
                       data::quote_text(pattern), needs_escape ? " ESCAPE '\\'" : "");
}

std::string day_sql(Dialect dialect, const SchemaColumn& column, std::string_view day) {
    const bool is_typed = dialect != Dialect::sqlite && column.kind == ColumnKind::time;
    return (is_typed ? "DATE " : "") + data::quote_text(day);
}

std::string row_of_group_sql(Dialect dialect, const std::string& of, const std::string& extreme, bool is_highest) {
    if (dialect == Dialect::duckdb) {
        if (extreme.empty()) return fmt::format("ANY_VALUE({})", of);
        return fmt::format("{}({}, {})", is_highest ? "ARG_MAX" : "ARG_MIN", of, extreme);
    }
    if (extreme.empty()) return fmt::format("(ARRAY_AGG({}))[1]", of);
    return fmt::format("(ARRAY_AGG({} ORDER BY {} {} NULLS LAST))[1]", of, extreme, is_highest ? "DESC" : "ASC");
}

std::string amount_sql(Dialect dialect, TextAmount amount, const std::string& text) {
    const std::string_view type = dialect == Dialect::duckdb     ? "DOUBLE"
                                  : dialect == Dialect::postgres ? "NUMERIC"
                                                                 : "REAL";
    // SQLite alone takes an empty text for a number.
    const auto number = [&](const std::string& part) {
        return dialect == Dialect::sqlite ? fmt::format("CAST({} AS {})", part, type)
                                          : fmt::format("CAST(NULLIF({}, '') AS {})", part, type);
    };
    if (amount != TextAmount::feet_inches) return amount == TextAmount::number ? number(text) : text;
    const bool is_sqlite = dialect == Dialect::sqlite;
    const std::string feet = is_sqlite ? fmt::format("substr({0}, 1, instr({0}, '-') - 1)", text)
                                       : fmt::format("split_part({}, '-', 1)", text);
    const std::string inches =
        is_sqlite ? fmt::format("substr({0}, instr({0}, '-') + 1)", text) : fmt::format("split_part({}, '-', 2)", text);
    return fmt::format("({} * 12 + {})", number(feet), number(inches));
}

}  // namespace quaestor::native
