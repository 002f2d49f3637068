#include "data/sqlite/rows.hpp"

#include "data/sqlite/types.hpp"

#include <sqlite3.h>

#include <string_view>
#include <utility>

namespace quaestor::data::sqlite {

namespace {

/// What a cell takes besides its text.
constexpr std::size_t kCellBytes = 16;

std::string_view text_of(sqlite3_stmt* statement, int column) {
    const auto* text = static_cast<const char*>(static_cast<const void*>(sqlite3_column_text(statement, column)));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return text == nullptr ? std::string_view() : std::string_view(text, size);
}

/// For a column that was declared without a type, or computed.
std::string_view type_of(ValueKind kind, bool has_values) {
    switch (kind) {
        case ValueKind::integer:
            return "INTEGER";
        case ValueKind::number:
            return "REAL";
        case ValueKind::text:
            return "TEXT";
        case ValueKind::blob:
            return "BLOB";
        default:
            return has_values ? "ANY" : "NULL";
    }
}

}  // namespace

RowCollector::RowCollector(sqlite3_stmt* statement, const QueryLimits& limits)
    : statement_(statement), limits_(limits) {
    const int count = sqlite3_column_count(statement);
    for (int i = 0; i < count; ++i) {
        const char* name = sqlite3_column_name(statement, i);
        const char* declared = sqlite3_column_decltype(statement, i);
        result_.columns.emplace_back(name == nullptr ? "" : name, ValueKind::other, "");
        Profile& profile = profiles_.emplace_back();
        if (declared == nullptr) continue;
        profile.declared = declared;
        profile.declared_kind = kind_of_declared(declared);
    }
}

bool RowCollector::add_row() {
    const std::size_t bytes = row_bytes();
    if (result_.row_count == limits_.rows || bytes_ + bytes > limits_.bytes) {
        result_.truncated = true;
        return false;
    }
    bytes_ += bytes;
    ++result_.row_count;
    for (int i = 0; i < static_cast<int>(profiles_.size()); ++i) add_cell(i);
    return true;
}

std::size_t RowCollector::row_bytes() const {
    std::size_t bytes = 0;
    for (int i = 0; i < static_cast<int>(profiles_.size()); ++i) {
        bytes += kCellBytes;
        const int type = sqlite3_column_type(statement_, i);
        if (type != SQLITE_TEXT && type != SQLITE_BLOB) continue;
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, i));
        bytes += type == SQLITE_BLOB ? 2 + 2 * size : size;
    }
    return bytes;
}

void RowCollector::add_cell(int column) {
    Profile& profile = profiles_[static_cast<std::size_t>(column)];
    ResultColumn& cells = result_.columns[static_cast<std::size_t>(column)];
    switch (sqlite3_column_type(statement_, column)) {
        case SQLITE_INTEGER: {
            const std::int64_t value = sqlite3_column_int64(statement_, column);
            profile.has_integers = true;
            profile.fits_declared = profile.fits_declared && (value == 0 || value == 1);
            return cells.add_integer(value);
        }
        case SQLITE_FLOAT:
            profile.has_numbers = true;
            return cells.add_number(sqlite3_column_double(statement_, column));
        case SQLITE_TEXT: {
            const std::string_view value = text_of(statement_, column);
            profile.has_texts = true;
            profile.fits_declared = profile.fits_declared && looks_like(profile.declared_kind, value);
            return cells.add_text(value);
        }
        case SQLITE_BLOB:
            profile.has_blobs = true;
            return add_blob(column);
        default:
            return cells.add_null();
    }
}

void RowCollector::add_blob(int column) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement_, column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    std::string shown = "\\x";
    shown.reserve(2 + 2 * size);
    for (std::size_t i = 0; i < size; ++i) {
        shown += kDigits[bytes[i] >> 4U];
        shown += kDigits[bytes[i] & 15U];
    }
    result_.columns[static_cast<std::size_t>(column)].add_text(shown);
}

/// A column with values of several sorts keeps each as it is.
ValueKind RowCollector::kind_of(const Profile& profile) {
    const bool has_numeric = profile.has_integers || profile.has_numbers;
    const int sorts = int{has_numeric} + int{profile.has_texts} + int{profile.has_blobs};
    const ValueKind declared = profile.declared_kind;
    if (sorts == 0) return declared;
    if (sorts > 1) return ValueKind::other;
    if (profile.has_blobs) return ValueKind::blob;
    if (profile.has_texts) {
        const bool is_moment =
            declared == ValueKind::date || declared == ValueKind::time || declared == ValueKind::timestamp;
        return is_moment && profile.fits_declared ? declared : ValueKind::text;
    }
    if (profile.has_numbers || declared == ValueKind::number) return ValueKind::number;
    return declared == ValueKind::boolean && profile.fits_declared ? ValueKind::boolean : ValueKind::integer;
}

ResultSet RowCollector::finish() && {
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
        Profile& profile = profiles_[i];
        const ValueKind kind = kind_of(profile);
        const bool has_values = profile.has_integers || profile.has_numbers || profile.has_texts || profile.has_blobs;
        if (profile.declared.empty()) profile.declared = type_of(kind, has_values);
        result_.columns[i].set_type(kind, std::move(profile.declared));
    }
    return std::move(result_);
}

}  // namespace quaestor::data::sqlite
