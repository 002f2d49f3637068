#include "demo/tables.hpp"

#include "demo/league.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quaestor::demo {

namespace {

namespace duck = data::duck;
using namespace std::string_view_literals;

constexpr std::array<std::string_view, kPositions> kPositionNames = {"Point Guard", "Shooting Guard", "Small Forward",
                                                                     "Power Forward", "Center"};

/// A person, team or game by its number in the tables; nobody is NULL.
struct Ref {
    int index;
};

void append(duckdb_appender to, int value) {
    duckdb_append_int32(to, value);
}
void append(duckdb_appender to, std::int64_t value) {
    duckdb_append_int64(to, value);
}
void append(duckdb_appender to, bool value) {
    duckdb_append_bool(to, value);
}
void append(duckdb_appender to, std::string_view value) {
    duckdb_append_varchar_length(to, value.data(), value.size());
}
void append(duckdb_appender to, Day value) {
    duckdb_append_date(to, {static_cast<std::int32_t>(value.time_since_epoch().count())});
}
void append(duckdb_appender to, Ref value) {
    if (value.index == kNobody) {
        duckdb_append_null(to);
    } else {
        duckdb_append_int32(to, value.index + 1);
    }
}
template <class T>
void append(duckdb_appender to, const std::optional<T>& value) {
    if (value) {
        append(to, *value);
    } else {
        duckdb_append_null(to);
    }
}

/// Writes one table. The first failure stays, and is told by close().
class TableWriter {
public:
    TableWriter(const duck::Connection& connection, const char* table)
        : appender_(duck::Appender::open(connection, "main", table)) {}

    template <class... Values>
    void row(const Values&... values) {
        if (!appender_ || !state_) return;
        (append(appender_->raw(), values), ...);
        state_ = appender_->end_row();
    }

    [[nodiscard]] Result<> close() {
        if (!appender_) return fail(appender_.error());
        if (!state_) return state_;
        return appender_->close();
    }

private:
    Result<duck::Appender> appender_;
    Result<> state_;
};

/// Calls `write(row writer, item, its place)` for each item.
template <class Items, class Write>
Result<> write_each(const duck::Connection& connection, const char* table, const Items& items, Write write) {
    TableWriter writer(connection, table);
    int place = 0;
    for (const auto& item : items) write(writer, item, place++);
    return writer.close();
}

Result<> write_about(const duck::Connection& connection, std::uint64_t seed) {
    TableWriter writer(connection, "about_this_data");
    writer.row("title"sv, kLeagueTitle);
    writer.row("notice"sv,
               "Synthetic data, made by a program. The teams carry familiar names; players, coaches, arenas, games and "
               "all figures are invented, and nothing here says anything about real people or events."sv);
    writer.row("version"sv, std::string_view(std::to_string(kLeagueVersion)));
    writer.row("seed"sv, std::string_view(std::to_string(seed)));
    return writer.close();
}

Result<> write_teams(const duck::Connection& connection, const World& world) {
    auto arenas = write_each(connection, "arenas", world.teams, [](auto& to, const TeamFacts& team, int place) {
        to.row(Ref(place), team.arena, team.city, team.state, team.capacity, team.opened);
    });
    if (!arenas) return arenas;
    return write_each(connection, "teams", world.teams, [](auto& to, const TeamFacts& team, int place) {
        to.row(Ref(place), std::string_view(fmt::format("{} {}", team.city, team.name)), team.city, team.name,
               team.abbreviation, team.conference, team.division, team.founded, Ref(place));
    });
}

Result<> write_seasons(const duck::Connection& connection, const World& world) {
    return write_each(connection, "seasons", world.seasons, [](auto& to, const Season& season, int) {
        constexpr int kCentury = 100;
        const auto label = fmt::format("{}-{:02}", season.year - 1, season.year % kCentury);
        to.row(season.year, std::string_view(label), season.first_day, season.last_day, season.end, season.games_each,
               season.salary_cap, Ref(season.champion));
    });
}

Result<> write_people(const duck::Connection& connection, const World& world) {
    auto players = write_each(connection, "players", world.players, [](auto& to, const Player& player, int place) {
        to.row(Ref(place), std::string_view(fmt::format("{} {}", player.first_name, player.last_name)),
               std::string_view(player.first_name), std::string_view(player.last_name),
               kPositionNames[static_cast<std::size_t>(player.position)], player.born, player.country, player.college,
               player.height_cm, player.weight_kg, player.left_handed ? "left"sv : "right"sv, Ref(player.team));
    });
    if (!players) return players;
    auto coaches = write_each(connection, "coaches", world.coaches, [](auto& to, const Coach& coach, int place) {
        to.row(Ref(place), std::string_view(fmt::format("{} {}", coach.first_name, coach.last_name)), coach.born,
               coach.coaching_since);
    });
    if (!coaches) return coaches;
    return write_each(connection, "team_coaches", world.coach_years, [](auto& to, const CoachYear& year, int) {
        to.row(year.season, Ref(year.team), Ref(year.coach));
    });
}

Result<> write_series(const duck::Connection& connection, const World& world) {
    return write_each(connection, "playoff_series", world.series, [](auto& to, const Series& series, int place) {
        to.row(Ref(place), series.season, series.round, series.conference, Ref(series.higher), Ref(series.lower),
               Ref(series.winner()), series.higher_wins + series.lower_wins);
    });
}

Result<> write_games(const duck::Connection& connection, const World& world) {
    return write_each(connection, "games", world.games, [](auto& to, const Game& game, int place) {
        to.row(Ref(place), game.season, game.day, game.series == kNobody ? "Regular Season"sv : "Playoffs"sv,
               Ref(game.series), Ref(game.home), Ref(game.away), Ref(game.home), game.home_points, game.away_points,
               Ref(game.home_points > game.away_points ? game.home : game.away), game.overtimes, game.attendance);
    });
}

Result<> write_lines(const duck::Connection& connection, const World& world) {
    return write_each(connection, "player_game_stats", world.lines, [](auto& to, const BoxLine& line, int) {
        to.row(Ref(line.game), Ref(line.player), Ref(line.team), line.started, line.minutes, line.points(),
               line.two_made + line.three_made, line.two_tried + line.three_tried, line.three_made, line.three_tried,
               line.free_made, line.free_tried, line.offensive_rebounds, line.defensive_rebounds,
               line.offensive_rebounds + line.defensive_rebounds, line.assists, line.steals, line.blocks,
               line.turnovers, line.fouls, line.plus_minus);
    });
}

Result<> write_careers(const duck::Connection& connection, const World& world) {
    auto picks = world.picks;
    std::ranges::sort(picks, {}, [](const DraftPick& pick) { return std::pair(pick.year, pick.overall); });
    auto drafted = write_each(connection, "draft_picks", picks, [](auto& to, const DraftPick& pick, int) {
        to.row(pick.year, pick.overall, pick.round, Ref(pick.team), Ref(pick.player));
    });
    if (!drafted) return drafted;
    auto injured = write_each(connection, "injuries", world.injuries, [](auto& to, const Injury& injury, int place) {
        to.row(Ref(place), Ref(injury.player), Ref(injury.team), injury.season, injury.what, injury.injured,
               injury.returned, injury.games_missed);
    });
    if (!injured) return injured;
    auto paid = write_each(connection, "salaries", world.salaries, [](auto& to, const Salary& salary, int) {
        to.row(salary.season, Ref(salary.player), Ref(salary.team), salary.amount);
    });
    if (!paid) return paid;
    auto transactions = world.transactions;
    std::ranges::sort(transactions, {},
                      [](const Transaction& one) { return std::tuple(one.day, one.player, one.kind); });
    return write_each(connection, "transactions", transactions, [](auto& to, const Transaction& one, int place) {
        to.row(Ref(place), one.season, one.day, one.kind, Ref(one.player), Ref(one.from), Ref(one.to));
    });
}

}  // namespace

Result<> write_tables(const duck::Connection& connection, const World& world, std::uint64_t seed) {
    if (auto written = write_about(connection, seed); !written) return written;
    for (const auto write :
         {write_teams, write_seasons, write_people, write_series, write_games, write_lines, write_careers}) {
        if (auto written = write(connection, world); !written) return written;
    }
    return {};
}

}  // namespace quaestor::demo
