// How a catalogue looks to a person who has never seen the database and wants to write a query.
// Private to cli/.
// Threads: pure functions.
#pragma once

#include "data/catalog.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace quaestor::cli {

/// All tables, how they hang together, and the glossary.
[[nodiscard]] std::string draw(const data::Catalog& catalog, std::size_t width);

/// One table of the catalogue: its columns, what their values are like, and its neighbours.
[[nodiscard]] std::string draw(const data::Catalog& catalog, const data::CatalogTable& table, std::size_t width);

/// `name` as it is written in a query: in quotes where it needs them.
[[nodiscard]] std::string written_name(data::Dialect dialect, std::string_view name);

}  // namespace quaestor::cli
