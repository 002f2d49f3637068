#include "demo/people.hpp"

#include "demo/names.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor::demo {

namespace {

struct Build {
    double height_cm;
    double weight_kg;
};

/// By position: what its players are like on average.
constexpr std::array<Traits, kPositions> kTypical = {{
    {.usage = 1.08,
     .three_share = 0.42,
     .two_made = 0.49,
     .three_made = 0.355,
     .free_made = 0.82,
     .assists = 3.2,
     .offensive_rebounds = 0.5,
     .defensive_rebounds = 1.0,
     .steals = 1.4,
     .blocks = 0.25,
     .fouls = 0.85,
     .turnovers = 1.25,
     .defence = 0},
    {.usage = 1.05,
     .three_share = 0.45,
     .two_made = 0.495,
     .three_made = 0.360,
     .free_made = 0.81,
     .assists = 1.4,
     .offensive_rebounds = 0.6,
     .defensive_rebounds = 1.05,
     .steals = 1.2,
     .blocks = 0.4,
     .fouls = 0.9,
     .turnovers = 1.0,
     .defence = 0},
    {.usage = 1.0,
     .three_share = 0.42,
     .two_made = 0.51,
     .three_made = 0.350,
     .free_made = 0.78,
     .assists = 1.1,
     .offensive_rebounds = 0.9,
     .defensive_rebounds = 1.3,
     .steals = 1.1,
     .blocks = 0.7,
     .fouls = 1.0,
     .turnovers = 0.95,
     .defence = 0},
    {.usage = 0.95,
     .three_share = 0.33,
     .two_made = 0.525,
     .three_made = 0.345,
     .free_made = 0.75,
     .assists = 0.8,
     .offensive_rebounds = 1.5,
     .defensive_rebounds = 1.8,
     .steals = 0.9,
     .blocks = 1.3,
     .fouls = 1.15,
     .turnovers = 0.95,
     .defence = 0},
    {.usage = 0.9,
     .three_share = 0.12,
     .two_made = 0.585,
     .three_made = 0.300,
     .free_made = 0.68,
     .assists = 0.7,
     .offensive_rebounds = 2.4,
     .defensive_rebounds = 2.4,
     .steals = 0.7,
     .blocks = 2.8,
     .fouls = 1.3,
     .turnovers = 1.05,
     .defence = 0},
}};

constexpr std::array<Build, kPositions> kBuilds = {{{188, 86}, {195, 93}, {201, 99}, {206, 106}, {212, 114}}};

/// `mean` times something around 1, never near 0.
double around(World& world, double mean, double spread) {
    constexpr double kLeast = 0.25;
    return mean * std::max(world.random.normal(1.0, spread), kLeast);
}

Traits make_traits(World& world, Position position) {
    Traits traits = kTypical[static_cast<std::size_t>(position)];
    traits.usage = around(world, traits.usage, 0.12);
    traits.three_share = std::min(around(world, traits.three_share, 0.3), 0.75);
    traits.two_made += world.random.normal(0, 0.02);
    traits.three_made += world.random.normal(0, 0.02);
    traits.free_made = std::clamp(traits.free_made + world.random.normal(0, 0.06), 0.45, 0.94);
    traits.assists = around(world, traits.assists, 0.3);
    traits.offensive_rebounds = around(world, traits.offensive_rebounds, 0.25);
    traits.defensive_rebounds = around(world, traits.defensive_rebounds, 0.2);
    traits.steals = around(world, traits.steals, 0.25);
    traits.blocks = around(world, traits.blocks, 0.35);
    traits.fouls = around(world, traits.fouls, 0.15);
    traits.turnovers = around(world, traits.turnovers, 0.15);
    traits.defence = world.random.normal(0, 0.7);
    return traits;
}

Day birthday(World& world, int age, Day day) {
    constexpr int kDaysInYear = 365;
    const int year = static_cast<int>(std::chrono::year_month_day(day).year()) - age;
    return Day(std::chrono::year(year) / std::chrono::January / 1) +
           std::chrono::days(world.random.between(0, kDaysInYear - 1));
}

/// Gives a name that nobody has yet.
template <class Person>
void name(World& world, Person& person) {
    const auto is_taken = [&](const auto& other) {
        return other.first_name == person.first_name && other.last_name == person.last_name;
    };
    do {
        person.first_name = world.random.one_of(given_names());
        person.last_name = world.random.one_of(family_names());
    } while (std::ranges::any_of(world.players, is_taken) || std::ranges::any_of(world.coaches, is_taken));
}

void give_origin(World& world, Player& player) {
    constexpr double kCollegeAtHome = 0.88;
    constexpr double kCollegeFromAbroad = 0.35;
    int ticket = world.random.between(1, 100);
    for (const auto& origin : origins()) {
        player.country = origin.country;
        ticket -= origin.weight;
        if (ticket <= 0) break;
    }
    if (world.random.chance(player.country == "USA" ? kCollegeAtHome : kCollegeFromAbroad)) {
        player.college = world.random.one_of(colleges());
    }
}

}  // namespace

int Player::age_on(Day day) const {
    const std::chrono::year_month_day birth(born);
    const std::chrono::year_month_day today(day);
    const int years = static_cast<int>(today.year()) - static_cast<int>(birth.year());
    const bool had_birthday =
        today.month() > birth.month() || (today.month() == birth.month() && today.day() >= birth.day());
    return had_birthday ? years : years - 1;
}

int add_player(World& world, Position position, int age, Day day, double quality) {
    constexpr double kLeftHanded = 0.09;
    Player player;
    name(world, player);
    give_origin(world, player);
    player.born = birthday(world, age, day);
    player.position = position;
    const Build& build = kBuilds[static_cast<std::size_t>(position)];
    const double height = world.random.normal(build.height_cm, 4.0);
    player.height_cm = static_cast<int>(height);
    player.weight_kg =
        static_cast<int>(build.weight_kg + (height - build.height_cm) * 0.8 + world.random.normal(0, 4.0));
    player.left_handed = world.random.chance(kLeftHanded);
    player.traits = make_traits(world, position);
    player.quality = quality;
    world.players.push_back(std::move(player));
    return static_cast<int>(world.players.size()) - 1;
}

int add_coach(World& world, Day day) {
    Coach coach;
    name(world, coach);
    const int age = world.random.between(38, 66);
    coach.born = birthday(world, age, day);
    const int years = world.random.between(0, (age - 36) / 2);
    coach.coaching_since = static_cast<int>(std::chrono::year_month_day(day).year()) - years;
    world.coaches.push_back(std::move(coach));
    return static_cast<int>(world.coaches.size()) - 1;
}

void grow_older(World& world, Player& player, Day day) {
    struct Stage {
        int until_age;
        double gain;
    };
    constexpr auto kStages = std::to_array<Stage>({{22, 0.24}, {26, 0.11}, {30, 0.0}, {33, -0.13}, {99, -0.3}});
    constexpr double kSpread = 0.2;
    const int age = player.age_on(day);
    const auto* stage = std::ranges::find_if(kStages, [&](const Stage& one) { return age <= one.until_age; });
    player.quality += world.random.normal(stage->gain, kSpread);
}

std::int64_t market_salary(World& world, const Player& player) {
    constexpr double kLeast = 1'200'000;
    constexpr double kMost = 51'000'000;
    constexpr double kStep = 5'000;
    const double worth = std::max(player.quality + 0.8, 0.0);
    const double wanted = (kLeast + 5'600'000 * worth * worth) * world.random.normal(1.0, 0.12);
    return static_cast<std::int64_t>(std::floor(std::clamp(wanted, kLeast, kMost) / kStep) * kStep);
}

}  // namespace quaestor::demo
