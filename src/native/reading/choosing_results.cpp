#include "native/reading/choosing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quaestor::native {

namespace {

/// Between cells and between rows of a key; texts that hold them only make two results look different.
constexpr char kCellEnd = '\x1F';
constexpr char kRowEnd = '\x1E';
constexpr std::string_view kNullCell = "\x1D";

std::string cell_key(const data::ResultColumn& column, std::size_t row) {
    if (column.is_null(row)) return std::string(kNullCell);
    const auto number = column.number(row);
    if (!number) return column.text(row);
    // -0 is 0.
    return fmt::format("{:.9g}", *number == 0 ? 0.0 : *number);
}

struct KeyColumn {
    std::vector<std::string> cells;
    std::vector<std::string> sorted;
};

}  // namespace

std::string rows_key(const data::ResultSet& result) {
    std::vector<KeyColumn> columns(result.columns.size());
    for (std::size_t at = 0; at < columns.size(); ++at) {
        for (std::size_t row = 0; row < result.row_count; ++row) {
            columns[at].cells.push_back(cell_key(result.columns[at], row));
        }
        columns[at].sorted = columns[at].cells;
        std::ranges::sort(columns[at].sorted);
    }
    std::ranges::sort(columns, {}, &KeyColumn::sorted);

    std::vector<std::string> rows(result.row_count);
    for (std::size_t at = 0; at < columns.size();) {
        // Columns that hold the same values cannot be told apart: their cells are put in order row by row.
        std::size_t end = at + 1;
        while (end < columns.size() && columns[end].sorted == columns[at].sorted) ++end;
        for (std::size_t row = 0; row < result.row_count; ++row) {
            std::vector<std::string> cells;
            for (std::size_t of = at; of < end; ++of) cells.push_back(columns[of].cells[row]);
            std::ranges::sort(cells);
            for (const std::string& cell : cells) rows[row] += cell + kCellEnd;
        }
        at = end;
    }
    std::ranges::sort(rows);
    std::string key = std::to_string(columns.size()) + kRowEnd;
    for (const std::string& row : rows) key += row + kRowEnd;
    return key;
}

bool same_rows(const data::ResultSet& left, const data::ResultSet& right) {
    return left.row_count == right.row_count && left.columns.size() == right.columns.size() &&
           rows_key(left) == rows_key(right);
}

}  // namespace quaestor::native
