// Making players and coaches, and what the years do to a player.
// Private to demo/.
// Threads: as the world.
#pragma once

#include "demo/world.hpp"

namespace quaestor::demo {

/// Adds a player who turns `age` in the year of `day`; returns his number.
[[nodiscard]] int add_player(World& world, Position position, int age, Day day, double quality);
/// Adds a coach; returns his number.
[[nodiscard]] int add_coach(World& world, Day day);

/// One year later: the young get better, the old do not.
void grow_older(World& world, Player& player, Day day);

/// What a player of his quality earns in a year.
[[nodiscard]] std::int64_t market_salary(World& world, const Player& player);

}  // namespace quaestor::demo
