#include "data/functions.hpp"

#include "data/reading.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::data {

namespace {

std::span<const std::string_view> harmless_functions(Dialect dialect) {
    switch (dialect) {
        case Dialect::duckdb:
            return harmless_duckdb_functions();
        case Dialect::postgres:
            return harmless_postgres_functions();
        case Dialect::sqlite:
            return harmless_sqlite_functions();
    }
    std::unreachable();
}

}  // namespace

bool is_harmless_function(Dialect dialect, std::string_view name) {
    return std::ranges::binary_search(harmless_functions(dialect), name);
}

}  // namespace quaestor::data
