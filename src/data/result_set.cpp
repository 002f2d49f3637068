#include "data/result_set.hpp"

#include "data/json_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <utility>

namespace quaestor::data {

bool is_numeric(ValueKind kind) {
    return kind == ValueKind::integer || kind == ValueKind::number || kind == ValueKind::decimal;
}

void ResultColumn::remove_last() {
    if (cells_.back().form == Form::text) bytes_.resize(cells_.back().offset);
    cells_.pop_back();
}

std::string ResultColumn::text(std::size_t row) const {
    const Cell& cell = cells_[row];
    switch (cell.form) {
        case Form::null:
            return {};
        case Form::integer:
            if (kind_ == ValueKind::boolean) return cell.integer != 0 ? "true" : "false";
            return std::to_string(cell.integer);
        case Form::number: {
            std::string written;
            write_number(cell.number, written);
            return written;
        }
        case Form::text:
            return std::string(view(cell));
    }
    std::unreachable();
}

std::optional<double> ResultColumn::number(std::size_t row) const {
    const Cell& cell = cells_[row];
    if (cell.form == Form::integer) return static_cast<double>(cell.integer);
    if (cell.form == Form::number) return cell.number;
    if (cell.form == Form::null || !is_numeric(kind_)) return std::nullopt;
    const auto written = view(cell);
    double value = 0;
    const auto [end, problem] = std::from_chars(written.data(), written.data() + written.size(), value);
    if (problem != std::errc() || end != written.data() + written.size()) return std::nullopt;
    return value;
}

void ResultColumn::write_json(std::size_t row, std::string& out) const {
    const Cell& cell = cells_[row];
    switch (cell.form) {
        case Form::null:
            out += "null";
            return;
        case Form::integer:
            if (kind_ == ValueKind::boolean) {
                out += cell.integer != 0 ? "true" : "false";
            } else {
                write_json_integer(cell.integer, out);
            }
            return;
        case Form::number:
            write_json_number(cell.number, out);
            return;
        case Form::text:
            if (kind_ == ValueKind::list || kind_ == ValueKind::structure) {
                out += view(cell);
            } else if (is_numeric(kind_)) {
                write_json_digits(view(cell), out);
            } else {
                write_json_string(view(cell), out);
            }
            return;
    }
}

namespace {

/// About as long as the JSON will be, so that a long text is not moved while it grows.
std::size_t expected_bytes(const ResultSet& result) {
    constexpr std::size_t kAround = 256;
    std::size_t bytes = kAround;
    for (const auto& column : result.columns) bytes += column.bytes() + column.name().size() + column.type().size();
    return bytes;
}

}  // namespace

std::string to_json_text(const ResultSet& result) {
    std::string out;
    out.reserve(expected_bytes(result));
    out += R"({"columns":[)";
    const auto write_list = [&](std::size_t count, auto write) {
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) out += ',';
            write(i);
        }
        out += ']';
    };
    const std::size_t width = result.columns.size();
    write_list(width, [&](std::size_t i) { write_json_string(result.columns[i].name(), out); });
    out += R"(,"types":[)";
    write_list(width, [&](std::size_t i) { write_json_string(result.columns[i].type(), out); });
    out += R"(,"rows":[)";
    write_list(result.row_count, [&](std::size_t row) {
        out += '[';
        write_list(width, [&](std::size_t i) { result.columns[i].write_json(row, out); });
    });
    fmt::format_to(std::back_inserter(out), R"(,"row_count":{},"truncated":{},"execution_time_ms":{:.3f}}})",
                   result.row_count, result.truncated,
                   std::chrono::duration<double, std::milli>(result.execution_time).count());
    return out;
}

}  // namespace quaestor::data
