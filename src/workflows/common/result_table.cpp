#include "workflows/common/result_table.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows {

namespace {

/// What a model sees of a long cell or name, by how many columns there are.
constexpr std::size_t kCellColumnsMin = 16;
constexpr std::size_t kCellColumnsMax = 400;

json::array with_short_cells(json::array row, std::size_t columns) {
    for (auto& cell : row) {
        if (cell.is_string()) cell = text::shorten(std::string_view(cell.get_string()), columns);
    }
    return row;
}

json::value cell_of(const data::ResultColumn& column, std::size_t row) {
    if (column.is_null(row)) return nullptr;
    std::string text;
    column.write_json(row, text);
    return parse_json(text).value_or(json::value(column.text(row)));
}

void add_cell(const json::value& cell, data::ResultColumn& column) {
    if (cell.is_null()) return column.add_null();
    if (cell.is_bool()) return column.add_integer(cell.get_bool() ? 1 : 0);
    if (cell.is_int64()) return column.add_integer(cell.get_int64());
    if (cell.is_double() && column.kind() != data::ValueKind::decimal) return column.add_number(cell.get_double());
    if (cell.is_string()) return column.add_text(cell.get_string());
    column.add_text(to_text(cell));
}

}  // namespace

ResultTable table_of(const data::ResultSet& result, std::size_t rows) {
    ResultTable table{.columns = {},
                      .rows = {},
                      .row_count = static_cast<std::int64_t>(result.row_count),
                      .truncated = result.truncated,
                      .execution_time_ms = std::chrono::duration<double, std::milli>(result.execution_time).count()};
    for (const auto& column : result.columns) table.columns.push_back({column.name(), column.kind(), column.type()});
    for (std::size_t row = 0; row < std::min(rows, result.row_count); ++row) {
        json::array cells;
        for (const auto& column : result.columns) cells.push_back(cell_of(column, row));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

data::ResultSet result_of(const ResultTable& table) {
    data::ResultSet result;
    for (const auto& column : table.columns) result.columns.emplace_back(column.name, column.kind, column.type);
    for (const json::array& row : table.rows) {
        // A state may come from a changed checkpoint: a short row is filled up.
        for (std::size_t at = 0; at < table.columns.size(); ++at) {
            add_cell(at < row.size() ? row[at] : json::value(), result.columns[at]);
        }
    }
    result.row_count = table.rows.size();
    result.truncated = table.truncated || table.row_count > static_cast<std::int64_t>(table.rows.size());
    result.execution_time =
        std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::milli>(table.execution_time_ms));
    return result;
}

std::string quoted_for_model(const ResultTable& table, std::size_t rows, std::size_t bytes) {
    const std::size_t width = std::max<std::size_t>(table.columns.size(), 1);
    const std::size_t cell_columns = std::clamp(bytes / (4 * width), kCellColumnsMin, kCellColumnsMax);
    json::array names;
    for (const auto& column : table.columns) names.emplace_back(text::shorten(column.name, cell_columns));
    std::string text = "```json\n" + to_text(names) + "\n";
    std::size_t shown = 0;
    for (; shown < std::min(rows, table.rows.size()); ++shown) {
        const std::string line = to_text(with_short_cells(table.rows[shown], cell_columns));
        if (text.size() + line.size() > bytes) break;
        text += line + "\n";
    }
    text += "```\n";
    const auto all = static_cast<std::size_t>(std::max<std::int64_t>(table.row_count, 0));
    if (shown < all) text += fmt::format("({} of {} rows are shown)\n", shown, all);
    return text;
}

}  // namespace quaestor::workflows
