// Players and coaches in memory while the league is made.
// Plain values, owned by the world.
// Threads: as the world.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::demo {

using Day = std::chrono::sys_days;

/// In place of a team, a player or an injury.
inline constexpr int kNobody = -1;

enum class Position : std::uint8_t { point_guard, shooting_guard, small_forward, power_forward, center };
inline constexpr std::size_t kPositions = 5;

/// What a player is like, whatever his quality is this year. Shares are 0 to 1, the others compare with 1.
struct Traits {
    double usage, three_share, two_made, three_made, free_made;
    double assists, offensive_rebounds, defensive_rebounds, steals, blocks, fouls, turnovers, defence;
};

struct Player {
    std::string first_name;
    std::string last_name;
    Day born;
    std::string_view country;
    std::optional<std::string_view> college;
    Position position{};
    int height_cm = 0;
    int weight_kg = 0;
    bool left_handed = false;
    int draft_year = 0;
    Traits traits{};
    double quality = 0;  ///< 0 is the average of the league, 3 a great star
    int team = kNobody;
    int contract_years = 0;
    std::int64_t salary = 0;
    Day fit_from{};        ///< out before that day
    int injury = kNobody;  ///< the one he is out with

    [[nodiscard]] int age_on(Day day) const;
};

struct Coach {
    std::string first_name;
    std::string last_name;
    Day born;
    int coaching_since = 0;
};

}  // namespace quaestor::demo
