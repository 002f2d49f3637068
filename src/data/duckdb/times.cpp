#include "data/duckdb/times.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string_view>

namespace quaestor::data {

namespace {

// A compiler's 128-bit integer is no part of the standard, but both compilers of the platforms we build for have it.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

/// The digits of a number, at least `width` of them; written by hand, for results have millions.
class Digits {
public:
    explicit Digits(UInt128 value, std::size_t width = 1) {
        for (; value > std::numeric_limits<std::uint64_t>::max(); value /= 10) put(static_cast<char>(value % 10));
        for (auto rest = static_cast<std::uint64_t>(value); rest > 0 || text().size() < width; rest /= 10) {
            put(static_cast<char>(rest % 10));
        }
    }

    Digits(const Digits&) = delete;
    Digits& operator=(const Digits&) = delete;

    [[nodiscard]] std::string_view text() const { return {begin_, buffer_.data() + buffer_.size()}; }

private:
    void put(char digit) { *--begin_ = static_cast<char>('0' + digit); }

    std::array<char, 48> buffer_;  ///< 39 digits, or as many zeros as a decimal has behind its point
    char* begin_ = buffer_.data() + buffer_.size();
};

void write_padded(std::int64_t value, std::size_t width, std::string& out) {
    out += Digits(static_cast<UInt128>(value), width).text();
}

UInt128 magnitude(duckdb_hugeint value) {
    const auto bits = static_cast<UInt128>(static_cast<std::uint64_t>(value.upper)) << 64 | value.lower;
    return value.upper < 0 ? ~bits + 1 : bits;
}

/// ".5" for 500,000,000; nothing for 0.
void write_fraction(std::int64_t nanoseconds, std::string& out) {
    if (nanoseconds == 0) return;
    out += '.';
    write_padded(nanoseconds, 9, out);
    while (out.back() == '0') out.pop_back();
}

/// "04:05:06", with as many hours as there are.
void write_clock(std::int64_t seconds, std::string& out) {
    write_padded(seconds / 3600, 2, out);
    write_padded(seconds / 60 % 60, 2, out += ':');
    write_padded(seconds % 60, 2, out += ':');
}

/// Rounds down, so that times before 1970 have positive remainders.
std::pair<std::int64_t, std::int64_t> divide(std::int64_t value, std::int64_t by) {
    std::int64_t quotient = value / by;
    std::int64_t rest = value % by;
    if (rest < 0) {
        rest += by;
        --quotient;
    }
    return {quotient, rest};
}

void write_unit(std::int64_t count, const char* unit, std::string& out) {
    if (count == 0) return;
    fmt::format_to(std::back_inserter(out), "{}{} {}{}", out.empty() || out.back() == ' ' ? "" : " ", count, unit,
                   count == 1 || count == -1 ? "" : "s");
}

}  // namespace

void write_date(duckdb_date value, std::string& out) {
    if (!duckdb_is_finite_date(value)) {
        out += value.days < 0 ? "-infinity" : "infinity";
        return;
    }
    const auto parts = duckdb_from_date(value);
    const bool is_before_christ = parts.year <= 0;
    write_padded(is_before_christ ? 1 - std::int64_t{parts.year} : parts.year, 4, out);
    write_padded(parts.month, 2, out += '-');
    write_padded(parts.day, 2, out += '-');
    if (is_before_christ) out += " (BC)";
}

void write_time(std::int64_t nanoseconds, std::string& out) {
    const std::int64_t seconds = nanoseconds / kNanoseconds;
    write_clock(seconds, out);
    write_fraction(nanoseconds % kNanoseconds, out);
}

void write_time_tz(duckdb_time_tz value, std::string& out) {
    const auto parts = duckdb_from_time_tz(value);
    const std::int64_t seconds = parts.time.hour * 3600 + parts.time.min * 60 + parts.time.sec;
    write_time(seconds * kNanoseconds + std::int64_t{parts.time.micros} * 1000, out);
    const int offset = std::abs(parts.offset);
    fmt::format_to(std::back_inserter(out), "{}{:02}", parts.offset < 0 ? '-' : '+', offset / 3600);
    if (offset % 3600 != 0) fmt::format_to(std::back_inserter(out), ":{:02}", offset / 60 % 60);
    if (offset % 60 != 0) fmt::format_to(std::back_inserter(out), ":{:02}", offset % 60);
}

void write_timestamp(std::int64_t ticks, std::int64_t per_second, std::string& out) {
    if (ticks == std::numeric_limits<std::int64_t>::max() || ticks == -std::numeric_limits<std::int64_t>::max()) {
        out += ticks < 0 ? "-infinity" : "infinity";
        return;
    }
    const auto [seconds, rest] = divide(ticks, per_second);
    const auto [days, second] = divide(seconds, kSecondsPerDay);
    write_date({.days = static_cast<std::int32_t>(days)}, out);
    out += ' ';
    write_time(second * kNanoseconds + rest * (kNanoseconds / per_second), out);
}

void write_interval(duckdb_interval value, std::string& out) {
    std::string text;
    write_unit(value.months / 12, "year", text);
    write_unit(value.months % 12, "month", text);
    write_unit(value.days, "day", text);
    if (value.micros != 0 || text.empty()) {
        if (!text.empty()) text += ' ';
        if (value.micros < 0) text += '-';
        // As unsigned, so that the smallest number has a magnitude.
        const auto micros = static_cast<std::uint64_t>(value.micros);
        const std::uint64_t magnitude = value.micros < 0 ? ~micros + 1 : micros;
        write_clock(static_cast<std::int64_t>(magnitude / 1'000'000), text);
        write_fraction(static_cast<std::int64_t>(magnitude % 1'000'000) * 1000, text);
    }
    out += text;
}

void write_hugeint(duckdb_hugeint value, std::string& out) {
    if (value.upper < 0) out += '-';
    out += Digits(magnitude(value)).text();
}

void write_uhugeint(duckdb_uhugeint value, std::string& out) {
    out += Digits(static_cast<UInt128>(value.upper) << 64 | value.lower).text();
}

void write_decimal(duckdb_hugeint value, int scale, std::string& out) {
    if (value.upper < 0) out += '-';
    const auto behind = static_cast<std::size_t>(scale);
    const Digits digits(magnitude(value), behind + 1);
    const auto text = digits.text();
    out += text.substr(0, text.size() - behind);
    if (behind > 0) (out += '.') += text.substr(text.size() - behind);
}

void write_uuid(duckdb_hugeint value, std::string& out) {
    // The top bit is flipped so that UUIDs sort as numbers.
    const auto upper = static_cast<std::uint64_t>(value.upper) ^ (std::uint64_t{1} << 63);
    fmt::format_to(std::back_inserter(out), "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", upper >> 32, upper >> 16 & 0xFFFF,
                   upper & 0xFFFF, value.lower >> 48, value.lower & 0xFFFF'FFFF'FFFF);
}

}  // namespace quaestor::data
