#include "data/import/sqlite_columns.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "data/import/csv_types.hpp"
#include "data/import/sqlite_schema.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace quaestor::data {

namespace {

using enum SqliteKind;

constexpr int kDecimalWidthMax = 18;  // beyond, not every value fits 64 bits
constexpr std::int64_t kExactDoubleMax = std::int64_t{1} << 53;

constexpr std::uint16_t bit(SqliteKind kind) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(kind));
}

/// Kinds of text that are the same in a CSV file.
struct TextKind {
    SqliteKind kind;
    CsvKind csv;
};
constexpr auto kTextKinds = std::to_array<TextKind>({
    {date, CsvKind::date},
    {timestamp, CsvKind::timestamp},
    {timestamp_with_zone, CsvKind::timestamp_with_zone},
    {SqliteKind::time, CsvKind::time},
});

bool has(std::string_view declared, std::string_view part) {
    return declared.find(part) != std::string_view::npos;
}

/// SQLite's own rules, after the names that other databases give their types.
std::vector<SqliteKind> kinds_for(std::string_view declared) {
    if (has(declared, "BOOL")) return {boolean, integer, number};
    if (has(declared, "DATETIME") || has(declared, "TIMESTAMP")) {
        return {timestamp, timestamp_with_zone, integer, number};
    }
    if (has(declared, "DATE")) return {date, timestamp, timestamp_with_zone, integer, number};
    if (has(declared, "INT")) return {integer, number};
    if (has(declared, "CHAR") || has(declared, "CLOB") || has(declared, "TEXT")) return {};
    if (has(declared, "BLOB")) return {blob};
    if (has(declared, "REAL") || has(declared, "FLOA") || has(declared, "DOUB")) return {number};
    if (has(declared, "TIME")) return {SqliteKind::time, timestamp, integer};
    if (declared.empty()) return {integer, number, blob};
    return {integer, number};
}

/// (10,2) behind DECIMAL or NUMERIC.
std::optional<std::pair<int, int>> width_and_scale(std::string_view declared) {
    const std::size_t open = declared.find('(');
    if (open == std::string_view::npos || (!has(declared, "DEC") && !has(declared, "NUM"))) return std::nullopt;
    int width = 0;
    int scale = 0;
    const char* const end = declared.data() + declared.size();
    auto [at, error] = std::from_chars(declared.data() + open + 1, end, width);
    if (error != std::errc()) return std::nullopt;
    while (at != end && (*at == ',' || *at == ' ')) ++at;
    if (at != end && *at != ')' && std::from_chars(at, end, scale).ec != std::errc()) return std::nullopt;
    if (width < 1 || width > kDecimalWidthMax || scale < 0 || scale > width) return std::nullopt;
    return std::pair(width, scale);
}

std::string hex_of(std::string_view bytes) {
    std::string hex = "\\x";
    for (const char byte : bytes) hex += fmt::format("{:02X}", static_cast<unsigned char>(byte));
    return hex;
}

/// Any value as a person reads it.
std::string shown(sqlite3_stmt* row, int column) {
    const std::string_view bytes = sqlite_text(row, column);
    if (sqlite3_column_type(row, column) == SQLITE_BLOB) return hex_of(bytes);
    std::string valid;
    utf8::append_valid(valid, bytes);
    return valid;
}

bool append_text(duckdb_appender appender, sqlite3_stmt* row, int column) {
    if (sqlite3_column_type(row, column) == SQLITE_TEXT) {
        const std::string_view text = sqlite_text(row, column);
        if (text::is_utf8(text)) {
            return duckdb_append_varchar_length(appender, text.empty() ? "" : text.data(), text.size()) ==
                   DuckDBSuccess;
        }
    }
    const std::string text = shown(row, column);
    return duckdb_append_varchar_length(appender, text.data(), text.size()) == DuckDBSuccess;
}

bool append_decimal(duckdb_appender appender, sqlite3_stmt* row, int column, int width, int scale) {
    const double power = std::pow(10.0, scale);
    const std::int64_t units = sqlite3_column_type(row, column) == SQLITE_INTEGER
                                   ? sqlite3_column_int64(row, column) * std::llround(power)
                                   : std::llround(sqlite3_column_double(row, column) * power);
    duckdb_hugeint parts{static_cast<std::uint64_t>(units), units < 0 ? -1 : 0};
    const duckdb_decimal decimal{static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(scale), parts};
    duckdb_value value = duckdb_create_decimal(decimal);
    const bool appended = duckdb_append_value(appender, value) == DuckDBSuccess;
    duckdb_destroy_value(&value);
    return appended;
}

}  // namespace

SqliteColumnGuess::SqliteColumnGuess(std::string_view declared, bool is_in_key)
    : declared_(declared), wanted_(kinds_for(declared)) {
    if (const auto size = width_and_scale(declared)) {
        std::tie(width_, scale_) = *size;
        wanted_.insert(wanted_.begin(), decimal);
        std::erase(wanted_, integer);
    }
    if (is_in_key) {
        // "2024-01-31" and "2024-01-31 00:00" are two keys but one timestamp.
        std::erase_if(wanted_, [](SqliteKind kind) {
            return kind == timestamp || kind == timestamp_with_zone || kind == SqliteKind::time;
        });
    }
    wanted_.push_back(text);
    for (const auto kind : wanted_) possible_ |= bit(kind);
}

SqliteColumnGuess::Kinds SqliteColumnGuess::kinds_of_integer(std::int64_t value) const {
    Kinds kinds = bit(integer);
    if (value == 0 || value == 1) kinds |= bit(boolean);
    if (value >= -kExactDoubleMax && value <= kExactDoubleMax) kinds |= bit(number);
    if (std::abs(static_cast<double>(value)) < std::pow(10.0, width_ - scale_)) kinds |= bit(decimal);
    return kinds;
}

SqliteColumnGuess::Kinds SqliteColumnGuess::kinds_of_number(double value) const {
    Kinds kinds = bit(number);
    const double units = std::round(value * std::pow(10.0, scale_));
    // What was written with so many digits comes back from them unchanged.
    if (std::abs(units) < static_cast<double>(kExactDoubleMax) && units / std::pow(10.0, scale_) == value &&
        std::abs(units) < std::pow(10.0, width_)) {
        kinds |= bit(decimal);
    }
    return kinds;
}

void SqliteColumnGuess::add(sqlite3_stmt* row, int column, std::int64_t row_number) {
    Kinds kinds = bit(text);
    switch (sqlite3_column_type(row, column)) {
        case SQLITE_NULL:
            has_nulls_ = true;
            return;
        case SQLITE_INTEGER:
            kinds |= kinds_of_integer(sqlite3_column_int64(row, column));
            break;
        case SQLITE_FLOAT:
            kinds |= kinds_of_number(sqlite3_column_double(row, column));
            break;
        case SQLITE_BLOB:
            kinds |= bit(blob);
            has_blobs_ = true;
            break;
        default:
            if (const std::string_view value = sqlite_text(row, column); possible_ != bit(text) && !value.empty()) {
                const CsvKinds csv = kinds_of(value);
                for (const auto& known : kTextKinds) {
                    if ((csv >> static_cast<unsigned>(known.csv) & 1U) != 0) kinds |= bit(known.kind);
                }
            }
    }
    if (miss_row_ == 0 && (kinds & bit(wanted_.front())) == 0) {
        miss_row_ = row_number;
        miss_value_ = for_note(shown(row, column));
    }
    possible_ &= kinds;
}

SqliteKind SqliteColumnGuess::kind() const {
    return *std::ranges::find_if(wanted_, [&](SqliteKind kind) { return (possible_ & bit(kind)) != 0; });
}

std::string SqliteColumnGuess::duckdb_type() const {
    switch (kind()) {
        case integer:
            return "BIGINT";
        case number:
            return "DOUBLE";
        case decimal:
            return fmt::format("DECIMAL({},{})", width_, scale_);
        case boolean:
            return "BOOLEAN";
        case date:
            return "DATE";
        case timestamp:
            return "TIMESTAMP";
        case timestamp_with_zone:
            return "TIMESTAMP WITH TIME ZONE";
        case SqliteKind::time:
            return "TIME";
        case blob:
            return "BLOB";
        case text:
            break;
    }
    return "VARCHAR";
}

std::string SqliteColumnGuess::note() const {
    if (declared_.empty()) return {};
    if (kind() == text && has_blobs_) return fmt::format("declared {}, bytes read as text", for_note(declared_));
    if (kind() == wanted_.front()) return {};
    return fmt::format("declared {}, read as {}: '{}' in row {}", for_note(declared_), duckdb_type(), miss_value_,
                       miss_row_);
}

bool SqliteColumnGuess::append(duckdb_appender appender, sqlite3_stmt* row, int column) const {
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_NULL) return duckdb_append_null(appender) == DuckDBSuccess;
    const SqliteKind chosen = kind();
    switch (chosen) {
        case integer:
            return duckdb_append_int64(appender, sqlite3_column_int64(row, column)) == DuckDBSuccess;
        case number:
            return duckdb_append_double(appender, sqlite3_column_double(row, column)) == DuckDBSuccess;
        case decimal:
            return append_decimal(appender, row, column, width_, scale_);
        case boolean:
            return duckdb_append_bool(appender, sqlite3_column_int(row, column) != 0) == DuckDBSuccess;
        case blob: {
            const std::string_view bytes = sqlite_text(row, column);
            return duckdb_append_blob(appender, bytes.empty() ? "" : bytes.data(), bytes.size()) == DuckDBSuccess;
        }
        case text:
            return append_text(appender, row, column);
        default:
            break;
    }
    const auto* known = std::ranges::find(kTextKinds, chosen, &TextKind::kind);
    return append_csv_value(appender, known->csv, sqlite_text(row, column));
}

}  // namespace quaestor::data
