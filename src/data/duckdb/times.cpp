#include "data/duckdb/times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace quaestor::data {

namespace {

// A compiler's 128-bit integer is no part of the standard, but both compilers of the platforms we build for have it.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

constexpr std::int64_t kNanoseconds = 1'000'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

void write_unsigned(UInt128 value, std::string& out) {
    const std::size_t begin = out.size();
    do {
        out += static_cast<char>('0' + static_cast<int>(value % 10));
        value /= 10;
    } while (value != 0);
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

UInt128 magnitude(duckdb_hugeint value) {
    const auto bits = static_cast<UInt128>(static_cast<std::uint64_t>(value.upper)) << 64 | value.lower;
    return value.upper < 0 ? ~bits + 1 : bits;
}

/// ".5" for 500,000,000; nothing for 0.
void write_fraction(std::int64_t nanoseconds, std::string& out) {
    if (nanoseconds == 0) return;
    fmt::format_to(std::back_inserter(out), ".{:09}", nanoseconds);
    while (out.back() == '0') out.pop_back();
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
    fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}{}", is_before_christ ? 1 - parts.year : parts.year,
                   static_cast<int>(parts.month), static_cast<int>(parts.day), is_before_christ ? " (BC)" : "");
}

void write_time(std::int64_t nanoseconds, std::string& out) {
    const std::int64_t seconds = nanoseconds / kNanoseconds;
    fmt::format_to(std::back_inserter(out), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
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
        const std::uint64_t seconds = magnitude / 1'000'000;
        fmt::format_to(std::back_inserter(text), "{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        write_fraction(static_cast<std::int64_t>(magnitude % 1'000'000) * 1000, text);
    }
    out += text;
}

void write_hugeint(duckdb_hugeint value, std::string& out) {
    if (value.upper < 0) out += '-';
    write_unsigned(magnitude(value), out);
}

void write_uhugeint(duckdb_uhugeint value, std::string& out) {
    write_unsigned(static_cast<UInt128>(value.upper) << 64 | value.lower, out);
}

void write_decimal(duckdb_hugeint value, int scale, std::string& out) {
    if (value.upper < 0) out += '-';
    std::string digits;
    write_unsigned(magnitude(value), digits);
    const auto wanted = static_cast<std::size_t>(scale) + 1;
    if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), '0');
    if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), 1, '.');
    out += digits;
}

void write_uuid(duckdb_hugeint value, std::string& out) {
    // The top bit is flipped so that UUIDs sort as numbers.
    const auto upper = static_cast<std::uint64_t>(value.upper) ^ (std::uint64_t{1} << 63);
    fmt::format_to(std::back_inserter(out), "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", upper >> 32, upper >> 16 & 0xFFFF,
                   upper & 0xFFFF, value.lower >> 48, value.lower & 0xFFFF'FFFF'FFFF);
}

}  // namespace quaestor::data
