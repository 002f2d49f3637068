#include "native/answer/answer_writer.hpp"
#include "native/answer/saying.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

/// To the last digit that is known, for a table is where people look for it.
std::string table_cell(const data::ResultColumn& column, std::size_t row, const NumberStyle& style) {
    if (column.is_null(row)) return "";
    if (!data::is_numeric(column.kind())) return say_value(column, row, style);
    const auto number = column.number(row);
    if (!number) return escaped(column.text(row));
    NumberStyle exact = style;
    exact.in_full = true;
    return say_number(*number, exact);
}

std::string header_cell(const data::ResultColumn& column) {
    const std::string name = escaped(column.name());
    return name.empty() ? " " : name;
}

}  // namespace

std::string markdown_table(const data::ResultSet& result, std::size_t rows) {
    if (result.columns.empty()) return {};
    std::vector<NumberStyle> styles;
    std::string head = "|";
    std::string rule = "|";
    for (const data::ResultColumn& column : result.columns) {
        styles.push_back(style_of(column));
        head += " " + header_cell(column) + " |";
        rule += data::is_numeric(column.kind()) ? " ---: |" : " --- |";
    }
    std::string table = head + "\n" + rule + "\n";
    for (std::size_t row = 0; row < std::min(rows, result.row_count); ++row) {
        table += '|';
        for (std::size_t at = 0; at < styles.size(); ++at) {
            table += " " + table_cell(result.columns[at], row, styles[at]) + " |";
        }
        table += '\n';
    }
    return table;
}

}  // namespace quaestor::native
