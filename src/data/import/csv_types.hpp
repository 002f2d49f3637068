// What type the values of a CSV column have, judged by all of them, and how a value is written as that type. Only forms
// that can be nothing else are taken: "00123" and "+49" stay text, and a date must not be readable in two ways.
// Private to the import. Threads: pure functions; a ColumnGuess is used by one.
#pragma once

#include "data/duckdb/handle.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::data {

/// In order of preference.
enum class CsvKind : std::uint8_t {
    boolean,
    integer,
    huge_integer,  ///< up to 38 digits
    number,
    comma_number,  ///< 1.234,56
    date,          ///< 2024-01-31
    date_slashed,  ///< 2024/01/31
    date_dotted,   ///< 31.1.2024
    day_first,     ///< 31/1/2024
    month_first,   ///< 1/31/2024
    timestamp,
    timestamp_with_zone,
    time,
    text,
};
inline constexpr std::size_t kCsvKindCount = static_cast<std::size_t>(CsvKind::text);

/// A set of kinds other than text, one bit each.
using CsvKinds = std::uint16_t;

/// All kinds that `value`, which is not empty, can be read as.
[[nodiscard]] CsvKinds kinds_of(std::string_view value);

/// The type of the column in DuckDB.
[[nodiscard]] std::string_view duckdb_type_of(CsvKind kind);

/// Appends a value of a column; an empty one as NULL. False when it is not of that kind.
[[nodiscard]] bool append_csv_value(duckdb_appender appender, CsvKind kind, std::string_view value);

class ColumnGuess {
public:
    /// An empty value says nothing.
    void add(std::string_view value, std::int64_t line);

    [[nodiscard]] bool is_empty() const { return values_ == 0; }

    struct Decision {
        CsvKind kind = CsvKind::text;
        std::string note;  ///< what a person should know: "read as text: 'n/a' in line 7"; may be empty
    };
    /// `comma_separates`: fields are separated by commas, so a comma within one is hardly a decimal comma.
    [[nodiscard]] Decision decide(bool comma_separates) const;

private:
    struct Miss {
        std::int64_t line = 0;
        std::string value;
    };
    [[nodiscard]] std::string note_on_text() const;
    [[nodiscard]] bool may_be(CsvKind kind) const;

    CsvKinds possible_ = (CsvKinds{1} << kCsvKindCount) - 1;
    std::int64_t values_ = 0;
    bool has_decimal_comma_ = false;  ///< a comma that cannot separate thousands
    std::array<std::int64_t, kCsvKindCount> fitting_{};
    std::array<Miss, kCsvKindCount> first_misses_;
};

/// `text` fit to be shown in a note: short, without control characters.
[[nodiscard]] std::string for_note(std::string_view text);

}  // namespace quaestor::data
