// The tables that follow from the others: team box scores, averages, standings, awards. The database computes them, so
// that they cannot disagree with the games.
// Private to demo/. Threads: a constant.
#pragma once

#include <string_view>

namespace quaestor::demo {

/// INSERT statements, to be run once games and box scores are there.
extern const std::string_view kDerivedTables;

}  // namespace quaestor::demo
