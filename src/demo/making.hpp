// The steps of making a league, in their order. Each changes the world it is given.
// Private to demo/.
// Threads: as the world.
#pragma once

#include "demo/world.hpp"

#include <span>
#include <vector>

namespace quaestor::demo {

/// By conference, then division, five in each.
[[nodiscard]] std::span<const TeamFacts> all_teams();

/// A team's place in a season, as the standings count it.
struct Record {
    int team = 0;
    int wins = 0, losses = 0;
    int point_difference = 0;
};
/// The regular season's records, the best first: by wins, then points, then number.
[[nodiscard]] std::vector<Record> ranking(const World& world, int season);

/// Teams, their first rosters and coaches; drafts of earlier years.
void found_league(World& world, bool is_small);
/// Who comes, goes and stays before a season begins, and what they earn.
void prepare_season(World& world, const Season& season);
/// The matches of a regular season by day, neither scores nor playoffs yet.
[[nodiscard]] std::vector<Game> make_schedule(World& world, const Season& season);
/// Plays the regular season and the playoffs, with injuries and trades on the way, and fills in the season's end.
void play_season(World& world, Season& season);
/// Plays one game and adds its box lines: both teams' players who are fit, and how much easier the home team scores.
void play_game(World& world, Game& game, int number, double home_edge);

}  // namespace quaestor::demo
