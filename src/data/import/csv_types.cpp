#include "data/import/csv_types.hpp"

#include "base/text.hpp"
#include "data/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <limits>

namespace quaestor::data {

namespace {

using Wide = unsigned __int128;

constexpr std::size_t kIntegerDigitsMax = 38;
/// Integers of more digits are not all exact as doubles.
constexpr std::size_t kExactDoubleDigits = 15;
constexpr std::size_t kNoteColumns = 40;
constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

constexpr CsvKinds bit(CsvKind kind) {
    return static_cast<CsvKinds>(CsvKinds{1} << static_cast<unsigned>(kind));
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// "0" and "12", but not "012".
bool is_plain_whole(std::string_view text) {
    return all_digits(text) && (text.size() == 1 || text.front() != '0');
}

std::string_view without_minus(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Two's complement, as DuckDB keeps it.
Wide to_huge(std::string_view text) {
    Wide value = 0;
    for (const char digit : without_minus(text)) value = value * 10 + static_cast<Wide>(digit - '0');
    return text.starts_with('-') ? -value : value;
}

std::optional<double> to_double(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// ---- numbers

/// digits, an optional fraction, an optional exponent: what from_chars reads, less "nan", "inf" and leading zeros.
bool is_number(std::string_view text) {
    const std::string_view magnitude = without_minus(text);
    const std::size_t whole = std::min(magnitude.find_first_not_of("0123456789"), magnitude.size());
    if (whole == magnitude.size()) return is_plain_whole(magnitude) && whole <= kExactDoubleDigits;
    if (whole > 1 && magnitude.front() == '0') return false;
    if (magnitude.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return false;
    return to_double(text).has_value();
}

struct CommaNumber {
    std::string_view whole;
    std::string_view fraction;
};

/// 1234 or 1.234 or 1.234.567, and optionally a comma with digits behind it.
std::optional<CommaNumber> split_comma_number(std::string_view text) {
    const std::string_view magnitude = without_minus(text);
    const std::size_t comma = magnitude.find(',');
    CommaNumber number{magnitude.substr(0, comma), {}};
    if (comma != std::string_view::npos) {
        number.fraction = magnitude.substr(comma + 1);
        if (!all_digits(number.fraction)) return std::nullopt;
    }
    if (is_plain_whole(number.whole)) return number;
    std::string_view rest = number.whole;
    const std::size_t first = rest.find('.');
    if (first == 0 || first > 3 || !is_plain_whole(rest.substr(0, first))) return std::nullopt;
    for (rest.remove_prefix(first); !rest.empty(); rest.remove_prefix(4)) {
        if (rest.size() < 4 || rest.front() != '.' || !all_digits(rest.substr(1, 3))) return std::nullopt;
    }
    return number;
}

std::optional<double> to_comma_double(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '.');
    std::ranges::replace(plain, ',', '.');
    return to_double(plain);
}

CsvKinds number_kinds(std::string_view text) {
    CsvKinds kinds = 0;
    if (const std::string_view digits = without_minus(text); is_plain_whole(digits)) {
        if (to_integer(text)) kinds |= bit(CsvKind::integer);
        if (digits.size() <= kIntegerDigitsMax) kinds |= bit(CsvKind::huge_integer);
    }
    if (is_number(text)) kinds |= bit(CsvKind::number);
    if (split_comma_number(text) && to_comma_double(text)) kinds |= bit(CsvKind::comma_number);
    return kinds;
}

// ---- dates and times

std::optional<int> digits_to_int(std::string_view text, std::size_t length_min, std::size_t length_max) {
    if (text.size() < length_min || text.size() > length_max || !all_digits(text)) return std::nullopt;
    return static_cast<int>(*to_integer(text));
}

/// Days since 1970-01-01.
std::optional<std::int32_t> to_days(std::optional<int> year, std::optional<int> month, std::optional<int> day) {
    if (!year || !month || !day || *year < 1) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    return static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count());
}

struct Three {
    std::string_view first, second, third;
};

std::optional<Three> split_in_three(std::string_view text, char separator) {
    const std::size_t one = text.find(separator);
    if (one == std::string_view::npos) return std::nullopt;
    const std::size_t two = text.find(separator, one + 1);
    if (two == std::string_view::npos) return std::nullopt;
    return Three{text.substr(0, one), text.substr(one + 1, two - one - 1), text.substr(two + 1)};
}

/// 2024-01-31, with two digits for month and day.
std::optional<std::int32_t> to_iso_days(std::string_view text, char separator = '-') {
    const auto parts = split_in_three(text, separator);
    if (!parts) return std::nullopt;
    return to_days(digits_to_int(parts->first, 4, 4), digits_to_int(parts->second, 2, 2),
                   digits_to_int(parts->third, 2, 2));
}

std::optional<std::int32_t> to_days_as(CsvKind kind, std::string_view text) {
    if (kind == CsvKind::date) return to_iso_days(text);
    if (kind == CsvKind::date_slashed) return to_iso_days(text, '/');
    const auto parts = split_in_three(text, kind == CsvKind::date_dotted ? '.' : '/');
    if (!parts) return std::nullopt;
    auto day = digits_to_int(parts->first, 1, 2);
    auto month = digits_to_int(parts->second, 1, 2);
    if (kind == CsvKind::month_first) std::swap(day, month);
    return to_days(digits_to_int(parts->third, 4, 4), month, day);
}

/// 12:30 where seconds may be missing, 12:30:00, 12:30:00.123456; as microseconds since midnight.
std::optional<std::int64_t> to_micros(std::string_view text, bool needs_seconds) {
    const std::string_view clock = text.substr(0, 8);
    const auto hour = digits_to_int(clock.substr(0, 2), 2, 2);
    const auto minute = clock.size() >= 5 ? digits_to_int(clock.substr(3, 2), 2, 2) : std::nullopt;
    if (!hour || !minute || *hour > 23 || *minute > 59 || clock[2] != ':') return std::nullopt;
    std::int64_t micros = (*hour * std::int64_t{3600} + *minute * std::int64_t{60}) * kMicrosPerSecond;
    if (text.size() == 5) return needs_seconds ? std::nullopt : std::optional(micros);
    const auto second = clock.size() == 8 && clock[5] == ':' ? digits_to_int(clock.substr(6), 2, 2) : std::nullopt;
    if (!second || *second > 59) return std::nullopt;
    micros += *second * kMicrosPerSecond;
    if (text.size() == 8) return micros;
    // More than microseconds would be lost.
    std::string fraction(text.substr(9));
    if ((text[8] != '.' && text[8] != ',') || !digits_to_int(fraction, 1, 6)) return std::nullopt;
    fraction.resize(6, '0');
    return micros + *to_integer(fraction);
}

/// Takes "Z", "+02", "+0200" or "+02:00" off the end and returns its seconds.
std::optional<std::int64_t> take_zone(std::string_view& clock) {
    if (clock.ends_with('Z')) {
        clock.remove_suffix(1);
        return 0;
    }
    const std::size_t sign = clock.find_last_of("+-");
    if (sign == std::string_view::npos) return std::nullopt;
    const std::string_view zone = clock.substr(sign + 1);
    const auto hours = digits_to_int(zone.substr(0, 2), 2, 2);
    const bool has_colon = zone.size() == 6 - 1 && zone[2] == ':';
    const auto minutes = zone.size() == 2 ? std::optional(0) : digits_to_int(zone.substr(has_colon ? 3 : 2), 2, 2);
    if (!hours || !minutes || *hours > 15 || *minutes > 59) return std::nullopt;
    const std::int64_t seconds = *hours * std::int64_t{3600} + *minutes * std::int64_t{60};
    const bool is_west = clock[sign] == '-';
    clock = clock.substr(0, sign);
    return is_west ? -seconds : seconds;
}

/// 2024-01-31 alone, or with a blank or T and a time behind it; as microseconds since 1970.
std::optional<std::int64_t> to_timestamp(std::string_view text, bool with_zone) {
    constexpr std::size_t kDateLength = 10;
    const auto days = to_iso_days(text.substr(0, kDateLength));
    if (!days) return std::nullopt;
    const std::int64_t midnight = *days * kSecondsPerDay * kMicrosPerSecond;
    if (text.size() == kDateLength) return with_zone ? std::nullopt : std::optional(midnight);
    if (text[kDateLength] != ' ' && text[kDateLength] != 'T') return std::nullopt;
    std::string_view clock = text.substr(kDateLength + 1);
    std::int64_t zone = 0;
    if (with_zone) {
        const auto taken = take_zone(clock);
        if (!taken) return std::nullopt;
        zone = *taken;
        if (clock.ends_with(' ')) clock.remove_suffix(1);
    }
    const auto micros = to_micros(clock, false);
    if (!micros) return std::nullopt;
    return midnight + *micros - zone * kMicrosPerSecond;
}

CsvKinds date_kinds(std::string_view text) {
    CsvKinds kinds = 0;
    for (const auto kind :
         {CsvKind::date, CsvKind::date_slashed, CsvKind::date_dotted, CsvKind::day_first, CsvKind::month_first}) {
        if (to_days_as(kind, text)) kinds |= bit(kind);
    }
    if (to_timestamp(text, false)) kinds |= bit(CsvKind::timestamp);
    if (to_timestamp(text, true)) kinds |= bit(CsvKind::timestamp_with_zone);
    if (to_micros(text, true)) kinds |= bit(CsvKind::time);
    return kinds;
}

std::optional<bool> to_boolean(std::string_view text) {
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
    return std::nullopt;
}

bool append_huge(duckdb_appender appender, std::string_view text) {
    if (!is_plain_whole(without_minus(text)) || without_minus(text).size() > kIntegerDigitsMax) return false;
    const Wide value = to_huge(text);
    const duckdb_hugeint parts{static_cast<std::uint64_t>(value), static_cast<std::int64_t>(value >> 64)};
    return duckdb_append_hugeint(appender, parts) == DuckDBSuccess;
}

}  // namespace

CsvKinds kinds_of(std::string_view value) {
    constexpr std::size_t kLongest = 48;  // no number or time is written longer
    if (value.size() > kLongest) return 0;
    const char first = value.front();
    if (first == 't' || first == 'T' || first == 'f' || first == 'F') {
        return to_boolean(value) ? bit(CsvKind::boolean) : CsvKinds{0};
    }
    if (!is_digit(first) && first != '-' && first != '.') return 0;
    const CsvKinds numbers = number_kinds(value);
    if ((numbers & bit(CsvKind::integer)) != 0 || !is_digit(first)) return numbers;
    return static_cast<CsvKinds>(numbers | date_kinds(value));
}

std::string_view duckdb_type_of(CsvKind kind) {
    switch (kind) {
        case CsvKind::boolean:
            return "BOOLEAN";
        case CsvKind::integer:
            return "BIGINT";
        case CsvKind::huge_integer:
            return "HUGEINT";
        case CsvKind::number:
        case CsvKind::comma_number:
            return "DOUBLE";
        case CsvKind::date:
        case CsvKind::date_slashed:
        case CsvKind::date_dotted:
        case CsvKind::day_first:
        case CsvKind::month_first:
            return "DATE";
        case CsvKind::timestamp:
            return "TIMESTAMP";
        case CsvKind::timestamp_with_zone:
            return "TIMESTAMP WITH TIME ZONE";
        case CsvKind::time:
            return "TIME";
        case CsvKind::text:
            break;
    }
    return "VARCHAR";
}

bool append_csv_value(duckdb_appender appender, CsvKind kind, std::string_view value) {
    if (value.empty()) return duckdb_append_null(appender) == DuckDBSuccess;
    const auto append = [&](const auto& converted, auto write) {
        return converted && write(appender, *converted) == DuckDBSuccess;
    };
    switch (kind) {
        case CsvKind::boolean:
            return append(to_boolean(value), duckdb_append_bool);
        case CsvKind::integer:
            return append(to_integer(value), duckdb_append_int64);
        case CsvKind::huge_integer:
            return append_huge(appender, value);
        case CsvKind::number:
            return append(to_double(value), duckdb_append_double);
        case CsvKind::comma_number:
            return append(to_comma_double(value), duckdb_append_double);
        case CsvKind::date:
        case CsvKind::date_slashed:
        case CsvKind::date_dotted:
        case CsvKind::day_first:
        case CsvKind::month_first:
            return append(to_days_as(kind, value),
                          [](auto* to, auto days) { return duckdb_append_date(to, duckdb_date{days}); });
        case CsvKind::timestamp:
        case CsvKind::timestamp_with_zone:
            return append(to_timestamp(value, kind == CsvKind::timestamp_with_zone),
                          [](auto* to, auto micros) { return duckdb_append_timestamp(to, duckdb_timestamp{micros}); });
        case CsvKind::time:
            return append(to_micros(value, true),
                          [](auto* to, auto micros) { return duckdb_append_time(to, duckdb_time{micros}); });
        case CsvKind::text:
            break;
    }
    return duckdb_append_varchar_length(appender, value.data(), value.size()) == DuckDBSuccess;
}

// ---- ColumnGuess

void ColumnGuess::add(std::string_view value, std::int64_t line) {
    if (value.empty()) return;
    ++values_;
    const CsvKinds kinds = kinds_of(value);
    for (auto missed = static_cast<CsvKinds>(possible_ & ~kinds); missed != 0;
         missed &= static_cast<CsvKinds>(missed - 1)) {
        first_misses_[static_cast<std::size_t>(std::countr_zero(missed))] = {line, for_note(value)};
    }
    possible_ &= kinds;
    for (CsvKinds fitting = kinds; fitting != 0; fitting &= static_cast<CsvKinds>(fitting - 1)) {
        ++fitting_[static_cast<std::size_t>(std::countr_zero(fitting))];
    }
    if ((kinds & bit(CsvKind::comma_number)) != 0 && !has_decimal_comma_) {
        const std::size_t digits_behind = value.size() - std::min(value.find(','), value.size() - 1) - 1;
        has_decimal_comma_ = value.find(',') != std::string_view::npos && digits_behind != 3;
    }
}

bool ColumnGuess::may_be(CsvKind kind) const {
    return (possible_ & bit(kind)) != 0;
}

ColumnGuess::Decision ColumnGuess::decide(bool comma_separates) const {
    if (values_ == 0) return {};
    for (std::size_t index = 0; index < kCsvKindCount; ++index) {
        const auto kind = static_cast<CsvKind>(index);
        if (!may_be(kind)) continue;
        if (kind == CsvKind::comma_number) {
            if (comma_separates || !has_decimal_comma_) continue;
            return {kind, "read with a decimal comma"};
        }
        if (kind == CsvKind::day_first && may_be(CsvKind::month_first)) {
            return {CsvKind::text, "read as text: its dates may be day/month or month/day"};
        }
        return {kind, {}};
    }
    return {CsvKind::text, note_on_text()};
}

std::string ColumnGuess::note_on_text() const {
    const auto most = std::ranges::max_element(fitting_);
    const Miss& miss = first_misses_[static_cast<std::size_t>(most - fitting_.begin())];
    if (*most * 2 <= values_ || miss.line == 0) return {};
    return fmt::format("read as text: '{}' in line {}", miss.value, miss.line);
}

std::string for_note(std::string_view text) {
    std::string shown = text::shorten(text.substr(0, kNoteColumns * 4), kNoteColumns);
    std::ranges::replace_if(shown, [](char byte) { return (byte >= 0 && byte < ' ') || byte == '\x7f'; }, ' ');
    return shown;
}

}  // namespace quaestor::data
