#include "demo/making.hpp"
#include "demo/names.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace quaestor::demo {

namespace {

using std::chrono::days;

constexpr std::size_t kConferences = 2;
constexpr std::size_t kSeedsFull = 8;
constexpr std::size_t kSeedsSmall = 2;
constexpr int kWinsNeeded = 4;
constexpr int kNoCrowdsSeason = 2021;

/// Counted from the end.
constexpr auto kRoundNames =
    std::to_array<std::string_view>({"Finals", "Conference Finals", "Conference Semifinals", "First Round"});

/// Plays what is scheduled, and what happens around the games.
class Course {
public:
    Course(World& world, Season& season) : world_(world), season_(season), last_played_(world.teams.size()) {}

    void play_regular_season() {
        auto schedule = make_schedule(world_, season_);
        season_.last_day = schedule.back().day;
        plan_trades();
        for (Game& game : schedule) {
            while (!trade_days_.empty() && trade_days_.back() <= game.day) {
                trade(trade_days_.back());
                trade_days_.pop_back();
            }
            play(game);
        }
    }

    void play_playoffs() {
        constexpr days kRestBefore(5);
        const auto order = ranking(world_, season_.year);
        places_.resize(order.size());
        for (std::size_t place = 0; place < order.size(); ++place) {
            places_[static_cast<std::size_t>(order[place].team)] = place;
        }
        auto alive = qualified(order);
        Day start = season_.last_day + kRestBefore;
        while (alive.front().size() > 1) {
            play_conference_round(alive, start);
            start = season_.end + days(3);
        }
        const std::size_t finals = add_series(alive[0].front(), alive[1].front(), kRoundNames[0], std::nullopt);
        play_round(finals, start);
        season_.champion = world_.series[finals].winner();
        forget_returns_after_the_end();
    }

private:
    // ---- games

    void play(Game& game) {
        constexpr double kHomeEdge = 0.016;
        constexpr double kTired = 0.011;
        note_absences(game.home, game.day);
        note_absences(game.away, game.day);
        const double edge =
            kHomeEdge - (is_tired(game.home, game.day) ? kTired : 0.0) + (is_tired(game.away, game.day) ? kTired : 0.0);
        const std::size_t first_line = world_.lines.size();
        play_game(world_, game, static_cast<int>(world_.games.size()), edge);
        game.attendance = attendance(game);
        last_played_[static_cast<std::size_t>(game.home)] = game.day;
        last_played_[static_cast<std::size_t>(game.away)] = game.day;
        world_.games.push_back(game);
        for (std::size_t i = first_line; i < world_.lines.size(); ++i) maybe_injure(world_.lines[i], game.day);
    }

    [[nodiscard]] bool is_tired(int team, Day day) const {
        return last_played_[static_cast<std::size_t>(team)] == day - days(1);
    }

    /// In one season nobody was let in at first, and nobody counted.
    std::optional<int> attendance(const Game& game) {
        const int capacity = world_.teams[static_cast<std::size_t>(game.home)].capacity;
        const bool is_playoff = game.series != kNobody;
        const double chance = world_.random.unit();
        if (season_.year == kNoCrowdsSeason) {
            const std::chrono::year_month_day day(game.day);
            const bool is_closed = static_cast<int>(day.year()) < season_.year || day.month() < std::chrono::March;
            if (is_closed) return std::nullopt;
            return static_cast<int>(capacity * (is_playoff ? 0.5 : 0.1 + 0.15 * chance));
        }
        return static_cast<int>(capacity * (1.0 - (is_playoff ? 0.02 : 0.28) * chance));
    }

    // ---- injuries and trades

    /// A game that somebody who is out does not play counts as missed.
    void note_absences(int team, Day day) {
        for (const int index : world_.roster(team)) {
            const Player& player = world_.player(index);
            if (player.fit_from > day) ++world_.injuries[static_cast<std::size_t>(player.injury)].games_missed;
        }
    }

    [[nodiscard]] bool can_spare_one(int team, Day day) {
        constexpr int kNeeded = 9;
        return std::ranges::count_if(world_.roster(team),
                                     [&](int index) { return world_.player(index).fit_from <= day; }) > kNeeded;
    }

    void maybe_injure(const BoxLine& line, Day day) {
        constexpr double kPerMinute = 0.00042;
        constexpr double kLight = 0.55;
        constexpr double kMiddling = 0.88;
        if (!world_.random.chance(kPerMinute * line.minutes) || !can_spare_one(line.team, day)) return;
        const double severity = world_.random.unit();
        const int out = severity < kLight      ? world_.random.between(3, 10)
                        : severity < kMiddling ? world_.random.between(11, 35)
                                               : world_.random.between(36, 150);
        Player& player = world_.player(line.player);
        player.fit_from = day + days(out);
        player.injury = static_cast<int>(world_.injuries.size());
        const std::string_view what = world_.random.one_of(ailments());
        world_.injuries.push_back({line.player, line.team, season_.year, day, player.fit_from, what});
    }

    void forget_returns_after_the_end() {
        for (Injury& injury : world_.injuries) {
            if (injury.season == season_.year && injury.returned > season_.end) injury.returned.reset();
        }
    }

    void plan_trades() {
        const int count = static_cast<int>(world_.teams.size()) / 2;
        const int season_days = static_cast<int>((season_.last_day - season_.first_day).count());
        for (int i = 0; i < count; ++i) {
            trade_days_.push_back(season_.first_day +
                                  days(world_.random.between(season_days / 6, season_days * 2 / 3)));
        }
        std::ranges::sort(trade_days_, std::ranges::greater{});
    }

    /// One for one, of the same position and about as good. Where there is nobody of that kind, nothing comes of it.
    void trade(Day day) {
        constexpr double kFair = 0.4;
        const int teams = static_cast<int>(world_.teams.size());
        const int first = world_.random.between(0, teams - 1);
        const int second = (first + world_.random.between(1, teams - 1)) % teams;
        const int given = world_.random.one_of(std::span<const int>(world_.roster(first)));
        const Player& gives = world_.player(given);
        const auto& offers = world_.roster(second);
        const auto taken = std::ranges::find_if(offers, [&](int index) {
            const Player& player = world_.player(index);
            return player.position == gives.position && std::abs(player.quality - gives.quality) < kFair;
        });
        if (taken == offers.end()) return;
        move(*taken, second, first, day);
        move(given, first, second, day);
    }

    void move(int index, int from, int to, Day day) {
        world_.transactions.push_back({day, season_.year, "trade", index, from, to});
        std::erase(world_.roster(from), index);
        world_.roster(to).push_back(index);
        world_.player(index).team = to;
    }

    // ---- playoffs

    /// The best of each conference, in order.
    [[nodiscard]] std::vector<std::vector<int>> qualified(const std::vector<Record>& order) const {
        const bool is_full = world_.teams.size() == all_teams().size();
        std::vector<std::vector<int>> best(kConferences);
        for (const Record& record : order) {
            const bool is_west = world_.teams[static_cast<std::size_t>(record.team)].conference == "West";
            auto& seeds = best[is_west ? 1 : 0];
            if (seeds.size() < (is_full ? kSeedsFull : kSeedsSmall)) seeds.push_back(record.team);
        }
        return best;
    }

    std::size_t add_series(int one, int other, std::string_view round, std::optional<std::string_view> conference) {
        const bool in_order = places_[static_cast<std::size_t>(one)] < places_[static_cast<std::size_t>(other)];
        world_.series.push_back({.season = season_.year,
                                 .round = round,
                                 .conference = conference,
                                 .higher = in_order ? one : other,
                                 .lower = in_order ? other : one});
        return world_.series.size() - 1;
    }

    /// The first meets the last, the second the one before; the winners keep their places.
    void play_conference_round(std::vector<std::vector<int>>& alive, Day start) {
        const std::size_t pairs = alive.front().size() / 2;
        const std::string_view round = kRoundNames[static_cast<std::size_t>(std::countr_zero(pairs)) + 1];
        const std::size_t first = world_.series.size();
        for (auto& seeds : alive) {
            const auto conference = world_.teams[static_cast<std::size_t>(seeds.front())].conference;
            for (std::size_t i = 0; i < pairs; ++i)
                add_series(seeds[i], seeds[seeds.size() - 1 - i], round, conference);
        }
        play_round(first, start);
        for (std::size_t half = 0; half < alive.size(); ++half) {
            alive[half].resize(pairs);
            for (std::size_t i = 0; i < pairs; ++i) alive[half][i] = world_.series[first + half * pairs + i].winner();
        }
    }

    /// All series from `first` on, each every second day, until all are decided.
    void play_round(std::size_t first, Day start) {
        const auto is_decided = [](const Series& series) {
            return std::max(series.higher_wins, series.lower_wins) == kWinsNeeded;
        };
        for (int day = 0; !std::ranges::all_of(std::span(world_.series).subspan(first), is_decided); ++day) {
            for (std::size_t i = first; i < world_.series.size(); ++i) {
                const bool is_on = (i - first) % 2 == static_cast<std::size_t>(day) % 2;
                if (is_on && !is_decided(world_.series[i])) play_in_series(i, start + days(day));
            }
        }
    }

    void play_in_series(std::size_t index, Day day) {
        constexpr std::array<bool, 7> kHigherHosts = {true, true, false, false, true, false, true};
        Series& series = world_.series[index];
        const auto played = static_cast<std::size_t>(series.higher_wins + series.lower_wins);
        const bool higher_hosts = kHigherHosts[played];
        Game game{.season = season_.year,
                  .day = day,
                  .home = higher_hosts ? series.higher : series.lower,
                  .away = higher_hosts ? series.lower : series.higher,
                  .series = static_cast<int>(index)};
        play(game);
        const bool home_won = game.home_points > game.away_points;
        (home_won == higher_hosts ? series.higher_wins : series.lower_wins) += 1;
        season_.end = day;
    }

    World& world_;
    Season& season_;
    std::vector<Day> last_played_;     ///< by team
    std::vector<Day> trade_days_;      ///< the next one last
    std::vector<std::size_t> places_;  ///< in the standings, by team
};

}  // namespace

std::vector<Record> ranking(const World& world, int season) {
    std::vector<Record> records(world.teams.size());
    for (std::size_t i = 0; i < records.size(); ++i) records[i].team = static_cast<int>(i);
    const auto count = [&](int team, int difference) {
        Record& record = records[static_cast<std::size_t>(team)];
        (difference > 0 ? record.wins : record.losses) += 1;
        record.point_difference += difference;
    };
    for (const Game& game : world.games) {
        if (game.season != season || game.series != kNobody) continue;
        count(game.home, game.home_points - game.away_points);
        count(game.away, game.away_points - game.home_points);
    }
    std::ranges::sort(records, {}, [](const Record& record) {
        return std::tuple(-record.wins, -record.point_difference, record.team);
    });
    return records;
}

void play_season(World& world, Season& season) {
    Course course(world, season);
    course.play_regular_season();
    course.play_playoffs();
}

}  // namespace quaestor::demo
