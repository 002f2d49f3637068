#include "demo/schema.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::demo {

namespace {

// clang-format off
constexpr auto kAboutColumns = std::to_array<ColumnSpec>({
    {"item", "VARCHAR", "What is said: notice, title, version, seed"},
    {"value", "VARCHAR NOT NULL", "What is said about it"},
});

constexpr auto kArenasColumns = std::to_array<ColumnSpec>({
    {"arena_id", "INTEGER", "Number of the arena"},
    {"name", "VARCHAR NOT NULL", "Name of the arena (invented)"},
    {"city", "VARCHAR NOT NULL", "City or region of its team"},
    {"state", "VARCHAR NOT NULL", "State or province"},
    {"capacity", "INTEGER NOT NULL", "Seats"},
    {"opened_year", "INTEGER NOT NULL", "Year in which it opened"},
});

constexpr auto kTeamsColumns = std::to_array<ColumnSpec>({
    {"team_id", "INTEGER", "Number of the team"},
    {"full_name", "VARCHAR NOT NULL", "City and name: Los Angeles Lakers"},
    {"city", "VARCHAR NOT NULL", "City or region: Los Angeles"},
    {"name", "VARCHAR NOT NULL", "Name without the city: Lakers"},
    {"abbreviation", "VARCHAR NOT NULL", "Three letters: LAL"},
    {"conference", "VARCHAR NOT NULL", "East or West"},
    {"division", "VARCHAR NOT NULL", "Atlantic, Central, Southeast, Northwest, Pacific or Southwest"},
    {"founded_year", "INTEGER NOT NULL", "Year in which the team was founded"},
    {"arena_id", "INTEGER NOT NULL REFERENCES arenas (arena_id)", "Home arena"},
});

constexpr auto kSeasonsColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER", "Year in which the season ends: 2023 is the season 2022-23"},
    {"label", "VARCHAR NOT NULL", "Both years: 2022-23"},
    {"start_date", "DATE NOT NULL", "First day of the regular season"},
    {"regular_season_end_date", "DATE NOT NULL", "Last day of the regular season"},
    {"end_date", "DATE NOT NULL", "Day of the last game of the Finals"},
    {"games_per_team", "INTEGER NOT NULL", "Regular season games of each team"},
    {"salary_cap", "BIGINT NOT NULL", "Salary cap in US dollars"},
    {"champion_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team that won the Finals, the championship"},
});

constexpr auto kPlayersColumns = std::to_array<ColumnSpec>({
    {"player_id", "INTEGER", "Number of the player"},
    {"full_name", "VARCHAR NOT NULL", "First and last name (invented)"},
    {"first_name", "VARCHAR NOT NULL", "First name"},
    {"last_name", "VARCHAR NOT NULL", "Last name"},
    {"position", "VARCHAR NOT NULL", "Point Guard, Shooting Guard, Small Forward, Power Forward or Center"},
    {"birth_date", "DATE NOT NULL", "Date of birth"},
    {"country", "VARCHAR NOT NULL", "Country of birth"},
    {"college", "VARCHAR", "College he played for (invented); empty when none"},
    {"height_cm", "INTEGER NOT NULL", "Height in centimetres"},
    {"weight_kg", "INTEGER NOT NULL", "Weight in kilograms"},
    {"shooting_hand", "VARCHAR NOT NULL", "left or right"},
    {"team_id", "INTEGER REFERENCES teams (team_id)", "Team at the end of the last season; empty when he no longer "
     "plays"},
});

constexpr auto kCoachesColumns = std::to_array<ColumnSpec>({
    {"coach_id", "INTEGER", "Number of the coach"},
    {"full_name", "VARCHAR NOT NULL", "First and last name (invented)"},
    {"birth_date", "DATE NOT NULL", "Date of birth"},
    {"coaching_since", "INTEGER NOT NULL", "Year of the first job as a coach"},
});

constexpr auto kTeamCoachesColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season"},
    {"team_id", "INTEGER REFERENCES teams (team_id)", "Team"},
    {"coach_id", "INTEGER NOT NULL REFERENCES coaches (coach_id)", "Head coach of the team in that season"},
});

constexpr auto kDraftPicksColumns = std::to_array<ColumnSpec>({
    {"draft_year", "INTEGER", "Year of the draft; the first season is the one that ends in the year after"},
    {"overall_pick", "INTEGER", "Place among all picks of the year, 1 is the first"},
    {"round", "INTEGER NOT NULL", "1 or 2"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team that picked"},
    {"player_id", "INTEGER NOT NULL REFERENCES players (player_id)", "Player who was picked"},
});

constexpr auto kSeriesColumns = std::to_array<ColumnSpec>({
    {"series_id", "INTEGER", "Number of the series"},
    {"season", "INTEGER NOT NULL REFERENCES seasons (season)", "Season"},
    {"round", "VARCHAR NOT NULL", "First Round, Conference Semifinals, Conference Finals or Finals"},
    {"conference", "VARCHAR", "East or West; empty for the Finals"},
    {"higher_seed_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team with the better record, at home "
     "first"},
    {"lower_seed_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "The other team"},
    {"winner_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team that won four games"},
    {"games_played", "INTEGER NOT NULL", "Games it took, 4 to 7"},
});

constexpr auto kGamesColumns = std::to_array<ColumnSpec>({
    {"game_id", "INTEGER", "Number of the game, in the order of play"},
    {"season", "INTEGER NOT NULL REFERENCES seasons (season)", "Season"},
    {"game_date", "DATE NOT NULL", "Day of the game"},
    {"game_type", "VARCHAR NOT NULL", "Regular Season or Playoffs"},
    {"series_id", "INTEGER REFERENCES playoff_series (series_id)", "Playoff series; empty in the regular season"},
    {"home_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Home team"},
    {"away_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Visiting team"},
    {"arena_id", "INTEGER NOT NULL REFERENCES arenas (arena_id)", "Where it was played"},
    {"home_points", "INTEGER NOT NULL", "Final score of the home team"},
    {"away_points", "INTEGER NOT NULL", "Final score of the visiting team"},
    {"winner_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team that won"},
    {"overtime_periods", "INTEGER NOT NULL", "Overtimes of five minutes; 0 when decided in 48 minutes"},
    {"attendance", "INTEGER", "Spectators; empty where nobody counted (early 2020-21)"},
});

constexpr auto kPlayerGamesColumns = std::to_array<ColumnSpec>({
    {"game_id", "INTEGER REFERENCES games (game_id)", "Game"},
    {"player_id", "INTEGER REFERENCES players (player_id)", "Player"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team he played for in this game"},
    {"is_starter", "BOOLEAN NOT NULL", "Was on the court when the game began"},
    {"minutes", "INTEGER NOT NULL", "Minutes played"},
    {"points", "INTEGER NOT NULL", "Points scored"},
    {"field_goals_made", "INTEGER NOT NULL", "Shots made, threes included"},
    {"field_goals_attempted", "INTEGER NOT NULL", "Shots tried, threes included"},
    {"three_pointers_made", "INTEGER NOT NULL", "Three-point shots made"},
    {"three_pointers_attempted", "INTEGER NOT NULL", "Three-point shots tried"},
    {"free_throws_made", "INTEGER NOT NULL", "Free throws made"},
    {"free_throws_attempted", "INTEGER NOT NULL", "Free throws tried"},
    {"offensive_rebounds", "INTEGER NOT NULL", "Rebounds at the other basket"},
    {"defensive_rebounds", "INTEGER NOT NULL", "Rebounds at the own basket"},
    {"rebounds", "INTEGER NOT NULL", "All rebounds"},
    {"assists", "INTEGER NOT NULL", "Assists"},
    {"steals", "INTEGER NOT NULL", "Steals"},
    {"blocks", "INTEGER NOT NULL", "Blocked shots"},
    {"turnovers", "INTEGER NOT NULL", "Turnovers"},
    {"personal_fouls", "INTEGER NOT NULL", "Personal fouls"},
    {"plus_minus", "INTEGER NOT NULL", "Points of his team less those of the other while he was on the court"},
});

constexpr auto kTeamGamesColumns = std::to_array<ColumnSpec>({
    {"game_id", "INTEGER REFERENCES games (game_id)", "Game"},
    {"team_id", "INTEGER REFERENCES teams (team_id)", "Team"},
    {"opponent_team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "The other team"},
    {"is_home", "BOOLEAN NOT NULL", "Played at home"},
    {"is_win", "BOOLEAN NOT NULL", "Won the game"},
    {"rest_days", "INTEGER", "Days without a game before this one; empty for the first of a season"},
    {"points", "INTEGER NOT NULL", "Points scored"},
    {"opponent_points", "INTEGER NOT NULL", "Points allowed"},
    {"field_goals_made", "INTEGER NOT NULL", "Shots made, threes included"},
    {"field_goals_attempted", "INTEGER NOT NULL", "Shots tried, threes included"},
    {"three_pointers_made", "INTEGER NOT NULL", "Three-point shots made"},
    {"three_pointers_attempted", "INTEGER NOT NULL", "Three-point shots tried"},
    {"free_throws_made", "INTEGER NOT NULL", "Free throws made"},
    {"free_throws_attempted", "INTEGER NOT NULL", "Free throws tried"},
    {"offensive_rebounds", "INTEGER NOT NULL", "Rebounds at the other basket, by players"},
    {"defensive_rebounds", "INTEGER NOT NULL", "Rebounds at the own basket, by players"},
    {"rebounds", "INTEGER NOT NULL", "All rebounds by players"},
    {"assists", "INTEGER NOT NULL", "Assists"},
    {"steals", "INTEGER NOT NULL", "Steals"},
    {"blocks", "INTEGER NOT NULL", "Blocked shots"},
    {"turnovers", "INTEGER NOT NULL", "Turnovers"},
    {"personal_fouls", "INTEGER NOT NULL", "Personal fouls"},
    {"possessions", "DOUBLE NOT NULL", "Estimated: field goals attempted - offensive rebounds + turnovers + 0.44 * "
     "free throws attempted"},
});

constexpr auto kPlayerSeasonsColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season; regular season games only"},
    {"player_id", "INTEGER REFERENCES players (player_id)", "Player"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team of his last game in the season"},
    {"games_played", "INTEGER NOT NULL", "Games played"},
    {"games_started", "INTEGER NOT NULL", "Games in which he was a starter"},
    {"minutes_per_game", "DOUBLE NOT NULL", "Minutes per game"},
    {"points_per_game", "DOUBLE NOT NULL", "Points per game (PPG), scoring average"},
    {"rebounds_per_game", "DOUBLE NOT NULL", "Rebounds per game (RPG)"},
    {"assists_per_game", "DOUBLE NOT NULL", "Assists per game (APG)"},
    {"steals_per_game", "DOUBLE NOT NULL", "Steals per game"},
    {"blocks_per_game", "DOUBLE NOT NULL", "Blocked shots per game"},
    {"turnovers_per_game", "DOUBLE NOT NULL", "Turnovers per game"},
    {"field_goal_pct", "DOUBLE", "Field goal percentage (FG%), 0 to 1: made / attempted; empty below 100 attempts"},
    {"three_point_pct", "DOUBLE", "Three-point percentage (3P%), 0 to 1: made / attempted; empty below 50 attempts"},
    {"free_throw_pct", "DOUBLE", "Free throw percentage (FT%), 0 to 1: made / attempted; empty below 50 attempts"},
    {"total_points", "INTEGER NOT NULL", "Points in the season"},
    {"total_rebounds", "INTEGER NOT NULL", "Rebounds in the season"},
    {"total_assists", "INTEGER NOT NULL", "Assists in the season"},
    {"double_doubles", "INTEGER NOT NULL", "Games with ten or more in two of points, rebounds, assists, steals, "
     "blocks"},
    {"triple_doubles", "INTEGER NOT NULL", "The same in three of them"},
});

constexpr auto kTeamSeasonsColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season; regular season games only"},
    {"team_id", "INTEGER REFERENCES teams (team_id)", "Team"},
    {"games_played", "INTEGER NOT NULL", "Games played"},
    {"points_per_game", "DOUBLE NOT NULL", "Points scored per game (PPG)"},
    {"opponent_points_per_game", "DOUBLE NOT NULL", "Points allowed per game"},
    {"rebounds_per_game", "DOUBLE NOT NULL", "Rebounds per game"},
    {"assists_per_game", "DOUBLE NOT NULL", "Assists per game"},
    {"steals_per_game", "DOUBLE NOT NULL", "Steals per game"},
    {"blocks_per_game", "DOUBLE NOT NULL", "Blocked shots per game"},
    {"turnovers_per_game", "DOUBLE NOT NULL", "Turnovers per game"},
    {"field_goal_pct", "DOUBLE NOT NULL", "Field goal percentage (FG%), 0 to 1: made / attempted"},
    {"three_point_pct", "DOUBLE NOT NULL", "Three-point percentage (3P%), 0 to 1: made / attempted"},
    {"free_throw_pct", "DOUBLE NOT NULL", "Free throw percentage (FT%), 0 to 1: made / attempted"},
    {"pace", "DOUBLE NOT NULL", "Possessions per game"},
    {"offensive_rating", "DOUBLE NOT NULL", "Offensive efficiency: points scored per 100 possessions"},
    {"defensive_rating", "DOUBLE NOT NULL", "Points allowed per 100 possessions of the opponents; lower is better"},
    {"net_rating", "DOUBLE NOT NULL", "Offensive less defensive rating"},
});

constexpr auto kStandingsColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season; regular season games only"},
    {"team_id", "INTEGER REFERENCES teams (team_id)", "Team"},
    {"conference_rank", "INTEGER NOT NULL", "Place in the conference, 1 is the best"},
    {"division_rank", "INTEGER NOT NULL", "Place in the division, 1 is the best"},
    {"wins", "INTEGER NOT NULL", "Games won"},
    {"losses", "INTEGER NOT NULL", "Games lost"},
    {"win_pct", "DOUBLE NOT NULL", "Win percentage, 0 to 1: wins / games"},
    {"home_wins", "INTEGER NOT NULL", "Games won at home"},
    {"home_losses", "INTEGER NOT NULL", "Games lost at home"},
    {"away_wins", "INTEGER NOT NULL", "Games won on the road"},
    {"away_losses", "INTEGER NOT NULL", "Games lost on the road"},
    {"games_behind", "DOUBLE NOT NULL", "Games behind the first of the conference"},
    {"made_playoffs", "BOOLEAN NOT NULL", "Qualified for the playoffs"},
});

constexpr auto kAwardsColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season"},
    {"award", "VARCHAR", "Most Valuable Player, Finals MVP, Rookie of the Year, Defensive Player of the Year, Sixth "
     "Man of the Year, Most Improved Player or Coach of the Year"},
    {"player_id", "INTEGER REFERENCES players (player_id)", "Winner; empty for coaches"},
    {"coach_id", "INTEGER REFERENCES coaches (coach_id)", "Winner; empty for players"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team of the winner"},
});

constexpr auto kInjuriesColumns = std::to_array<ColumnSpec>({
    {"injury_id", "INTEGER", "Number of the injury"},
    {"player_id", "INTEGER NOT NULL REFERENCES players (player_id)", "Player"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team he played for"},
    {"season", "INTEGER NOT NULL REFERENCES seasons (season)", "Season"},
    {"injury", "VARCHAR NOT NULL", "Kind of injury: ankle sprain, illness, …"},
    {"injured_date", "DATE NOT NULL", "Day of the game in which it happened"},
    {"return_date", "DATE", "First day he was fit again; empty when the season ended before"},
    {"games_missed", "INTEGER NOT NULL", "Games of his team he missed in that season, playoffs included"},
});

constexpr auto kSalariesColumns = std::to_array<ColumnSpec>({
    {"season", "INTEGER REFERENCES seasons (season)", "Season"},
    {"player_id", "INTEGER REFERENCES players (player_id)", "Player"},
    {"team_id", "INTEGER NOT NULL REFERENCES teams (team_id)", "Team that had him under contract when the season "
     "began"},
    {"salary", "BIGINT NOT NULL", "Salary for the season in US dollars"},
});

constexpr auto kTransactionsColumns = std::to_array<ColumnSpec>({
    {"transaction_id", "INTEGER", "Number of the transaction, by date"},
    {"season", "INTEGER NOT NULL REFERENCES seasons (season)", "Season in which, or before which, it happened"},
    {"transaction_date", "DATE NOT NULL", "Day"},
    {"kind", "VARCHAR NOT NULL", "draft, signing, re-signing, trade, waiver or retirement"},
    {"player_id", "INTEGER NOT NULL REFERENCES players (player_id)", "Player"},
    {"from_team_id", "INTEGER REFERENCES teams (team_id)", "Team he left; empty when he had none"},
    {"to_team_id", "INTEGER REFERENCES teams (team_id)", "Team he joined; empty when he joined none"},
});

constexpr auto kTables = std::to_array<TableSpec>({
    {"about_this_data", "What this database is: a synthetic league. Nothing in it happened", "item", kAboutColumns},
    {"arenas", "Arenas of the teams", "arena_id", kArenasColumns},
    {"teams", "The 30 teams with conference and division", "team_id", kTeamsColumns},
    {"seasons", "Seasons with their dates and champions", "season", kSeasonsColumns},
    {"players", "Players, active and former: position, size, origin", "player_id", kPlayersColumns},
    {"coaches", "Head coaches", "coach_id", kCoachesColumns},
    {"team_coaches", "Who coached which team in which season", "season, team_id", kTeamCoachesColumns},
    {"draft_picks", "Draft: who was picked when and by whom; undrafted players have no row",
     "draft_year, overall_pick", kDraftPicksColumns},
    {"playoff_series", "Playoff series, best of seven", "series_id", kSeriesColumns},
    {"games", "Games with final scores, regular season and playoffs", "game_id", kGamesColumns},
    {"player_game_stats", "Box scores: what each player did in each game he played", "game_id, player_id",
     kPlayerGamesColumns},
    {"team_game_stats", "Box scores of the teams: sums over their players, one row per team and game",
     "game_id, team_id", kTeamGamesColumns},
    {"player_season_stats", "Season averages and totals of each player, regular season", "season, player_id",
     kPlayerSeasonsColumns},
    {"team_season_stats", "Season averages and efficiency of each team, regular season", "season, team_id",
     kTeamSeasonsColumns},
    {"standings", "Final standings of the regular season: wins, losses, places", "season, team_id", kStandingsColumns},
    {"awards", "Awards of each season", "season, award", kAwardsColumns},
    {"injuries", "Injuries and the games missed because of them", "injury_id", kInjuriesColumns},
    {"salaries", "Salary of each player for each season", "season, player_id", kSalariesColumns},
    {"transactions", "Drafts, signings, trades, waivers and retirements", "transaction_id", kTransactionsColumns},
});
// clang-format on

}  // namespace

std::span<const TableSpec> league_tables() {
    return kTables;
}

std::string schema_statements() {
    std::string sql;
    for (const TableSpec& table : kTables) {
        fmt::format_to(std::back_inserter(sql), "CREATE TABLE {} (", table.name);
        for (const ColumnSpec& column : table.columns) {
            fmt::format_to(std::back_inserter(sql), "{} {}, ", column.name, column.type);
        }
        fmt::format_to(std::back_inserter(sql), "PRIMARY KEY ({}));\n", table.primary_key);
    }
    for (const TableSpec& table : kTables) {
        fmt::format_to(std::back_inserter(sql), "COMMENT ON TABLE {} IS '{} (synthetic)';\n", table.name,
                       table.comment);
        for (const ColumnSpec& column : table.columns) {
            fmt::format_to(std::back_inserter(sql), "COMMENT ON COLUMN {}.{} IS '{}';\n", table.name, column.name,
                           column.comment);
        }
    }
    return sql;
}

}  // namespace quaestor::demo
