// Dates, times and other fixed values of DuckDB as text, as DuckDB itself writes them.
// Private to data/.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <duckdb.h>
#include <string>

namespace quaestor::data {

void write_date(duckdb_date value, std::string& out);
/// Nanoseconds since midnight.
void write_time(std::int64_t nanoseconds, std::string& out);
void write_time_tz(duckdb_time_tz value, std::string& out);
/// `ticks` of `per_second` since 1970.
void write_timestamp(std::int64_t ticks, std::int64_t per_second, std::string& out);
void write_interval(duckdb_interval value, std::string& out);
void write_hugeint(duckdb_hugeint value, std::string& out);
void write_uhugeint(duckdb_uhugeint value, std::string& out);
/// `scale` digits behind the point.
void write_decimal(duckdb_hugeint value, int scale, std::string& out);
void write_uuid(duckdb_hugeint value, std::string& out);

}  // namespace quaestor::data
