// What people know of a database and it does not say itself: descriptions of tables and columns, and a glossary.
// Written in YAML:
//
//     tables:
//       orders:
//         description: One line per order, also cancelled ones
//         columns: {amount: "Gross, in euros"}
//     glossary: {revenue: "sum of orders.amount where status is paid"}
//
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "data/catalog.hpp"

#include <string>
#include <string_view>

namespace quaestor::data {

/// Adds them to the catalogue. Names that it does not have are an error, with the nearest that it has.
[[nodiscard]] Result<> annotate(Catalog& catalog, std::string_view yaml);

/// Reads the file and does the same.
[[nodiscard]] Result<> annotate_from_file(Catalog& catalog, const std::string& path);

}  // namespace quaestor::data
