// The league in memory while it is made: what the tables that are not computed from others will hold. Teams, players
// and coaches are named by their place in the lists; in the tables their numbers begin with 1. Owned by make_league.
// Threads: one at a time.
#pragma once

#include "demo/person.hpp"
#include "demo/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace quaestor::demo {

struct TeamFacts {
    std::string_view city;
    std::string_view name;
    std::string_view abbreviation;
    std::string_view conference;
    std::string_view division;
    int founded;
    std::string_view arena;
    std::string_view state;
    int capacity;
    int opened;
};
struct Season {
    int year = 0;  ///< in which it ends
    int games_each = 0;
    Day first_day, last_day;  ///< of the regular season
    Day end;                  ///< of the playoffs
    std::int64_t salary_cap = 0;
    int champion = kNobody;
};

struct Game {
    int season = 0;
    Day day;
    int home = 0, away = 0;
    int series = kNobody;  ///< in the playoffs
    int home_points = 0, away_points = 0;
    int overtimes = 0;
    std::optional<int> attendance;
};

struct BoxLine {
    int game = 0, player = 0, team = 0;
    bool started = false;
    int minutes = 0, two_made = 0, two_tried = 0, three_made = 0, three_tried = 0, free_made = 0, free_tried = 0;
    int offensive_rebounds = 0, defensive_rebounds = 0, assists = 0, steals = 0, blocks = 0, turnovers = 0, fouls = 0;
    int plus_minus = 0;

    [[nodiscard]] int points() const { return 2 * two_made + 3 * three_made + free_made; }
};

struct Series {
    int season = 0;
    std::string_view round;
    std::optional<std::string_view> conference;
    int higher = 0, lower = 0;  ///< by place in the standings; the higher one plays at home first
    int higher_wins = 0, lower_wins = 0;

    [[nodiscard]] int winner() const { return higher_wins > lower_wins ? higher : lower; }
};

struct DraftPick {
    int year, round, overall, team, player;
};
struct Injury {
    int player, team, season;
    Day injured;
    std::optional<Day> returned;
    std::string_view what;
    int games_missed = 0;
};
struct Transaction {
    Day day;
    int season;
    std::string_view kind;
    int player, from, to;
};
struct Salary {
    int season, player, team;
    std::int64_t amount;
};
struct CoachYear {
    int season, team, coach;
};

struct World {
    explicit World(std::uint64_t seed) : random(seed) {}

    Random random;
    std::vector<TeamFacts> teams;
    std::vector<std::vector<int>> rosters;  ///< by team
    std::vector<int> head_coaches;          ///< by team
    std::vector<Player> players;
    std::vector<Coach> coaches;
    std::vector<Season> seasons;
    std::vector<Game> games;  ///< in the order they were played
    std::vector<BoxLine> lines;
    std::vector<Series> series;
    std::vector<DraftPick> picks;
    std::vector<Injury> injuries;
    std::vector<Transaction> transactions;
    std::vector<Salary> salaries;
    std::vector<CoachYear> coach_years;

    [[nodiscard]] Player& player(int index) { return players[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::vector<int>& roster(int team) { return rosters[static_cast<std::size_t>(team)]; }
};

}  // namespace quaestor::demo
