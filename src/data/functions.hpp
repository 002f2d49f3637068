// The functions that are known to be harmless, one sorted list per engine; is_harmless_function() looks them up.
// Private to data/: reading.hpp has what others need.
// Threads: constants.
#pragma once

#include <span>
#include <string_view>

namespace quaestor::data {

/// Sorted, lower case.
[[nodiscard]] std::span<const std::string_view> harmless_duckdb_functions();
[[nodiscard]] std::span<const std::string_view> harmless_postgres_functions();
[[nodiscard]] std::span<const std::string_view> harmless_sqlite_functions();

}  // namespace quaestor::data
