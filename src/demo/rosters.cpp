#include "demo/making.hpp"
#include "demo/people.hpp"

#include <algorithm>
#include <numeric>

namespace quaestor::demo {

namespace {

using std::chrono::days;

constexpr int kRosterSize = 15;
constexpr int kRounds = 2;
constexpr int kRookieYears = 4;
constexpr int kFirstRookieAge = 19;
constexpr int kFirstDraft = 2006;
constexpr double kRaise = 1.05;

Day draft_day(int draft_year) {
    return Day(std::chrono::year(draft_year) / std::chrono::June / 26);
}
Day signing_day(int draft_year) {
    return Day(std::chrono::year(draft_year) / std::chrono::July / 6);
}

void join(World& world, int player, int team) {
    world.player(player).team = team;
    world.roster(team).push_back(player);
}

void leave(World& world, int player) {
    std::erase(world.roster(world.player(player).team), player);
    world.player(player).team = kNobody;
}

void sign(World& world, int player, int team, const Season& season, std::string_view kind, int from) {
    Player& who = world.player(player);
    who.contract_years = world.random.between(1, 4);
    who.salary = market_salary(world, who);
    const Day day = signing_day(season.year - 1) + days(world.random.between(0, 40));
    world.transactions.push_back({day, season.year, kind, player, from, team});
}

/// The first-round picks are paid by their place, the others the least there is.
std::int64_t rookie_salary(int overall) {
    constexpr int kPaidPicks = 30;
    constexpr std::int64_t kSecondRound = 1'200'000;
    constexpr std::int64_t kPerPlace = 330'000;
    return overall > kPaidPicks ? kSecondRound : 2'100'000 + kPerPlace * (kPaidPicks - overall);
}

// ---- the beginning

/// Players of all ages, three for each position, in each team.
void fill_first_rosters(World& world, Day day) {
    constexpr int kEach = kRosterSize / static_cast<int>(kPositions);
    for (int team = 0; team < static_cast<int>(world.teams.size()); ++team) {
        const double luck = world.random.normal(0.1, 0.3);  // some teams have chosen better
        for (int i = 0; i < kEach * static_cast<int>(kPositions); ++i) {
            const int youth = world.random.between(0, 9);
            const int age = 21 + youth + world.random.between(0, 6);
            const double quality = world.random.normal(luck, 0.85);
            const int player =
                add_player(world, static_cast<Position>(i % static_cast<int>(kPositions)), age, day, quality);
            join(world, player, team);
            world.player(player).contract_years = world.random.between(1, 3);
            world.player(player).salary = market_salary(world, world.player(player));
        }
    }
}

/// In which year each came, and as which pick: the better ones mostly earlier. Some were never drafted.
void invent_earlier_drafts(World& world, int first_season) {
    constexpr double kUndrafted = 0.15;
    std::vector<std::vector<int>> came(static_cast<std::size_t>(first_season - kFirstDraft));
    for (int index = 0; index < static_cast<int>(world.players.size()); ++index) {
        Player& player = world.player(index);
        const int age_at_draft = world.random.between(kFirstRookieAge, 22);
        const int born = static_cast<int>(std::chrono::year_month_day(player.born).year());
        player.draft_year = std::clamp(born + age_at_draft, kFirstDraft, first_season - 1);
        if (!world.random.chance(kUndrafted)) {
            came[static_cast<std::size_t>(player.draft_year - kFirstDraft)].push_back(index);
        }
    }
    const int teams = static_cast<int>(world.teams.size());
    for (auto& class_of_year : came) {
        std::vector<std::pair<double, int>> promise;
        for (const int index : class_of_year) {
            promise.emplace_back(-world.player(index).quality + world.random.normal(0, 0.5), index);
        }
        std::ranges::sort(promise);
        std::vector<int> places(static_cast<std::size_t>(kRounds * teams));
        std::iota(places.begin(), places.end(), 1);
        world.random.shuffle(std::span(places));
        const auto drafted = std::min(promise.size(), places.size());
        std::ranges::sort(std::span(places).first(drafted));
        for (std::size_t i = 0; i < drafted; ++i) {
            const int player = promise[i].second;
            const int team = world.random.between(0, teams - 1);
            world.picks.push_back(
                {world.player(player).draft_year, (places[i] - 1) / teams + 1, places[i], team, player});
        }
    }
}

// ---- between two seasons

/// Who is old, or no longer good enough while not young, stops.
void retire(World& world, const Season& season, Day day) {
    for (int index = 0; index < static_cast<int>(world.players.size()); ++index) {
        Player& player = world.player(index);
        if (player.team == kNobody) continue;
        grow_older(world, player, day);
        player.fit_from = Day{};
        const int age = player.age_on(day);
        const double likely = age >= 39 ? 1.0 : age >= 35 ? 0.35 : age >= 32 && player.quality < -0.6 ? 0.4 : 0.0;
        if (!world.random.chance(likely)) continue;
        const Day announced = day + days(world.random.between(0, 20));
        world.transactions.push_back({announced, season.year, "retirement", index, player.team, kNobody});
        leave(world, index);
    }
}

/// Contracts that ran out: most stay, the others look for a team.
std::vector<int> end_contracts(World& world, const Season& season) {
    constexpr double kStays = 0.62;
    std::vector<int> free;
    for (int index = 0; index < static_cast<int>(world.players.size()); ++index) {
        Player& player = world.player(index);
        if (player.team == kNobody) continue;
        if (--player.contract_years > 0) {
            player.salary = static_cast<std::int64_t>(static_cast<double>(player.salary) * kRaise) / 1000 * 1000;
        } else if (world.random.chance(kStays)) {
            sign(world, index, player.team, season, "re-signing", player.team);
        } else {
            leave(world, index);
            free.push_back(index);
        }
    }
    return free;
}

/// The worst team of last season picks first, in both rounds.
void hold_draft(World& world, const Season& season) {
    const int draft_year = season.year - 1;
    auto order = ranking(world, season.year - 1);
    std::ranges::reverse(order);
    const int count = kRounds * static_cast<int>(order.size());
    std::vector<double> promise;
    for (int i = 0; i < count; ++i) promise.push_back(world.random.normal(-0.35, 0.6));
    std::ranges::sort(promise, std::ranges::greater{});
    for (int overall = 1; overall <= count; ++overall) {
        const auto position = static_cast<Position>(world.random.between(0, static_cast<int>(kPositions) - 1));
        const int age = kFirstRookieAge + world.random.between(0, 3);
        const double surprise = world.random.normal(0, 0.3);
        const int player = add_player(world, position, age, draft_day(draft_year),
                                      promise[static_cast<std::size_t>(overall - 1)] + surprise);
        const int place = (overall - 1) % static_cast<int>(order.size());
        const int team = order[static_cast<std::size_t>(place)].team;
        world.player(player).draft_year = draft_year;
        world.player(player).contract_years = kRookieYears;
        world.player(player).salary = rookie_salary(overall);
        join(world, player, team);
        world.picks.push_back({draft_year, (overall - 1) / static_cast<int>(order.size()) + 1, overall, team, player});
        world.transactions.push_back({draft_day(draft_year), season.year, "draft", player, kNobody, team});
    }
}

/// Too many: the weakest go, rookies of the first year last.
void waive(World& world, const Season& season, std::vector<int>& free) {
    constexpr double kRookieBonus = 0.6;
    for (int team = 0; team < static_cast<int>(world.teams.size()); ++team) {
        auto& roster = world.roster(team);
        while (std::ssize(roster) > kRosterSize) {
            const int weakest = *std::ranges::min_element(roster, {}, [&](int index) {
                const Player& player = world.player(index);
                return player.quality + (player.draft_year == season.year - 1 ? kRookieBonus : 0.0);
            });
            const Day day = signing_day(season.year - 1) + days(world.random.between(45, 80));
            world.transactions.push_back({day, season.year, "waiver", weakest, team, kNobody});
            leave(world, weakest);
            free.push_back(weakest);
        }
    }
}

/// What a team would gain: the better, and the fewer it has for his position.
double usefulness(World& world, int player, int team) {
    constexpr double kCrowded = 0.5;
    const auto same = std::ranges::count_if(
        world.roster(team), [&](int other) { return world.player(other).position == world.player(player).position; });
    return world.player(player).quality - kCrowded * static_cast<double>(same);
}

/// Teams with room take turns, in an order drawn anew each round; where nobody is left, somebody new comes undrafted.
void fill_rosters(World& world, const Season& season, std::vector<int> free) {
    std::vector<int> turn(world.teams.size());
    std::iota(turn.begin(), turn.end(), 0);
    for (int round = 0; round < kRosterSize; ++round) {
        world.random.shuffle(std::span(turn));
        for (const int team : turn) {
            if (std::ssize(world.roster(team)) >= kRosterSize) continue;
            if (free.empty()) {
                const auto position = static_cast<Position>(world.random.between(0, static_cast<int>(kPositions) - 1));
                const int age = world.random.between(22, 26);
                const double quality = world.random.normal(-0.7, 0.4);
                free.push_back(add_player(world, position, age, draft_day(season.year - 1), quality));
                world.players.back().draft_year = season.year - 1;
            }
            const auto best =
                std::ranges::max_element(free, {}, [&](int player) { return usefulness(world, player, team); });
            const int player = *best;
            free.erase(best);
            join(world, player, team);
            sign(world, player, team, season, "signing", kNobody);
        }
    }
}

/// A team that lost much may change its coach.
void change_coaches(World& world, const Season& season) {
    constexpr double kFired = 0.45;
    const auto order = ranking(world, season.year - 1);
    for (const auto& record : std::span(order).last(order.size() / 3)) {
        if (!world.random.chance(kFired)) continue;
        world.head_coaches[static_cast<std::size_t>(record.team)] = add_coach(world, signing_day(season.year - 1));
    }
}

}  // namespace

void found_league(World& world, bool is_small) {
    const int first_season = world.seasons.front().year;
    const Day day = signing_day(first_season - 1);
    for (const auto& team : all_teams()) {
        if (!is_small || team.division == "Atlantic" || team.division == "Pacific") world.teams.push_back(team);
    }
    world.rosters.resize(world.teams.size());
    fill_first_rosters(world, day);
    invent_earlier_drafts(world, first_season);
    for (std::size_t i = 0; i < world.teams.size(); ++i) world.head_coaches.push_back(add_coach(world, day));
}

void prepare_season(World& world, const Season& season) {
    if (season.year != world.seasons.front().year) {
        const Day day = draft_day(season.year - 1) - days(10);
        retire(world, season, day);
        auto free = end_contracts(world, season);
        hold_draft(world, season);
        waive(world, season, free);
        fill_rosters(world, season, std::move(free));
        change_coaches(world, season);
    }
    for (int team = 0; team < static_cast<int>(world.teams.size()); ++team) {
        world.coach_years.push_back({season.year, team, world.head_coaches[static_cast<std::size_t>(team)]});
        for (const int player : world.roster(team)) {
            world.salaries.push_back({season.year, player, team, world.player(player).salary});
        }
    }
}

}  // namespace quaestor::demo
