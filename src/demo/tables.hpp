// Writes what was made in memory into the tables.
// Private to demo/.
// Threads: blocking; one at a time.
#pragma once

#include "base/error.hpp"
#include "data/duckdb/handle.hpp"
#include "demo/world.hpp"

namespace quaestor::demo {

/// Fills every table that is not computed from others, those that are pointed to first.
[[nodiscard]] Result<> write_tables(const data::duck::Connection& connection, const World& world, std::uint64_t seed);

}  // namespace quaestor::demo
