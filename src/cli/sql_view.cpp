#include "cli/sql_view.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

constexpr std::string_view kIndent = "    ";

/// The end of a visible `text`, at most `columns` wide; "…" marks the cut.
std::string last_columns(std::string_view text, std::size_t columns) {
    if (text::display_width(text) <= columns) return std::string(text);
    // A column takes at most four bytes, apart from accents; so a long text is not measured again and again.
    text.remove_prefix(text.size() - std::min(text.size(), columns * U8_MAX_LENGTH));
    while (!text.empty() && (U8_IS_TRAIL(text.front()) || text::display_width(text) >= columns)) text.remove_prefix(1);
    return "…" + std::string(text);
}

std::string describe(const data::Problem& problem, std::string_view sql, std::size_t width) {
    std::string text = visible(problem.message) + "\n";
    if (problem.at && !sql.empty()) {
        const std::string place = point_at(sql, *problem.at, width - std::min(width, kIndent.size()));
        const auto end_of_line = place.find('\n');
        text += fmt::format("{}{}\n{}{}\n", kIndent, place.substr(0, end_of_line), kIndent,
                            styled(place.substr(end_of_line + 1), Style::red));
    }
    if (!problem.suggestion.empty()) text += fmt::format("{}{}\n", kIndent, visible(problem.suggestion));
    return text;
}

std::string list_line(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return {};
    return fmt::format("  {:<9}{}\n", title, visible(fmt::format("{}", fmt::join(items, ", "))));
}

bool needs_quotes(std::string_view field) {
    return field.empty() || field.find_first_of(",\"\r\n") != std::string_view::npos || field.front() == ' ' ||
           field.back() == ' ';
}

void write_csv_field(std::string_view field, std::string& out) {
    if (!needs_quotes(field)) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

std::string duration_text(Duration time) {
    const double milliseconds = std::chrono::duration<double, std::milli>(time).count();
    if (milliseconds < 10) return fmt::format("{:.1f} ms", milliseconds);
    if (milliseconds < 10'000) return fmt::format("{:.0f} ms", milliseconds);
    return fmt::format("{:.1f} s", milliseconds / 1000);
}

}  // namespace

std::string point_at(std::string_view sql, std::size_t at, std::size_t width) {
    const std::string_view before_it = sql.substr(0, std::min(at, sql.size()));
    const std::size_t begin = before_it.rfind('\n') + 1;  // 0 when there is none
    const std::size_t end = std::min(sql.find('\n', before_it.size()), sql.size());
    const bool is_one_line = sql.find('\n') == std::string_view::npos;
    const auto number = std::ranges::count(before_it, '\n') + 1;
    const std::string before = (is_one_line ? "" : fmt::format("line {}: ", number)) +
                               last_columns(visible(before_it.substr(begin)), width / 2);
    const std::string line = before + visible(sql.substr(before_it.size(), end - before_it.size()));
    return text::shorten(line, width) + "\n" + std::string(text::display_width(before), ' ') + "^";
}

std::string describe(const data::Verdict& verdict, std::string_view sql, std::size_t width) {
    std::string text = verdict.ok ? styled("ok", Style::green) : styled("refused", Style::red);
    text += "\n";
    text += list_line("reads", verdict.tables);
    text += list_line("columns", verdict.columns);
    text += list_line("calls", verdict.functions);
    for (const auto& problem : verdict.errors) {
        text += fmt::format("{} {}", styled("error:", Style::red), describe(problem, sql, width));
    }
    for (const auto& problem : verdict.warnings) {
        text += fmt::format("{} {}", styled("warning:", Style::yellow), describe(problem, sql, width));
    }
    return text;
}

std::string draw(const data::ResultSet& result, std::size_t width) {
    Table table;
    for (const auto& column : result.columns) table.columns.push_back({column.name(), is_numeric(column.kind())});
    table.rows.reserve(result.row_count);
    for (std::size_t row = 0; row < result.row_count; ++row) {
        auto& cells = table.rows.emplace_back();
        for (const auto& column : result.columns) {
            cells.push_back(column.is_null(row) ? Table::Cell("NULL", Style::dim) : Table::Cell(column.text(row)));
        }
    }
    return draw_to_fit(table, width, "row");
}

std::string to_csv(const data::ResultSet& result) {
    std::string out;
    const auto write_line = [&](auto write_field) {
        for (std::size_t i = 0; i < result.columns.size(); ++i) {
            if (i > 0) out += ',';
            write_field(result.columns[i]);
        }
        out += '\n';
    };
    write_line([&](const auto& column) { write_csv_field(column.name(), out); });
    for (std::size_t row = 0; row < result.row_count; ++row) {
        write_line([&](const auto& column) {
            if (!column.is_null(row)) write_csv_field(column.text(row), out);
        });
    }
    return out;
}

std::string summary(const data::ResultSet& result, std::size_t row_limit) {
    const std::string rows = counted(static_cast<std::int64_t>(result.row_count), "row");
    const std::string time = duration_text(result.execution_time);
    if (!result.truncated) return fmt::format("{}, {}", rows, time);
    const bool is_row_limit = result.row_count >= row_limit;
    return fmt::format("first {} (there are more; {}), {}", rows,
                       is_row_limit ? "ask for an aggregate, or for more with --limit"
                                    : "they take more memory than data.memory_limit_mb allows",
                       time);
}

}  // namespace quaestor::cli
