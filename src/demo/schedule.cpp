#include "demo/making.hpp"

#include <algorithm>

namespace quaestor::demo {

namespace {

constexpr int kDivisionSize = 5;
constexpr int kConferenceSize = 15;
constexpr int kFullSeason = 82;

struct Meeting {
    int home = 0;
    int away = 0;
    int lot = 0;  ///< decides between those that are equally due
};

void add(std::vector<Meeting>& meetings, int home, int away, int times) {
    for (int i = 0; i < times; ++i) meetings.push_back({home, away});
}

/// Within a conference in a full season: four games, or three against two teams of each other division, who change from
/// year to year. Everyone has as many games at home as away.
void add_conference_pair(std::vector<Meeting>& meetings, int first, int second, int year) {
    const bool same_division = first / kDivisionSize == second / kDivisionSize;
    const int apart = (second - first + year) % kDivisionSize;
    if (same_division || apart > 1) {
        add(meetings, first, second, 2);
        add(meetings, second, first, 2);
    } else {
        add(meetings, first, second, apart == 0 ? 2 : 1);
        add(meetings, second, first, apart == 0 ? 1 : 2);
    }
}

/// In a shortened season everyone in the conference is met three times: the next seven in the round are hosted twice.
void add_short_pair(std::vector<Meeting>& meetings, int first, int second) {
    const bool hosts_twice = second - first <= kConferenceSize / 2;
    add(meetings, first, second, hosts_twice ? 2 : 1);
    add(meetings, second, first, hosts_twice ? 1 : 2);
}

std::vector<Meeting> meetings_of(const World& world, const Season& season) {
    const int teams = static_cast<int>(world.teams.size());
    const bool is_small = teams < 2 * kConferenceSize;
    std::vector<Meeting> meetings;
    for (int first = 0; first < teams; ++first) {
        for (int second = first + 1; second < teams; ++second) {
            const bool same_conference = first / kConferenceSize == second / kConferenceSize;
            if (is_small || !same_conference) {
                add(meetings, first, second, is_small ? 2 : 1);
                add(meetings, second, first, is_small ? 2 : 1);
            } else if (season.games_each == kFullSeason) {
                add_conference_pair(meetings, first, second, season.year);
            } else {
                add_short_pair(meetings, first, second);
            }
        }
    }
    return meetings;
}

/// Puts meetings on days so that nobody plays twice a day or three days in a row, and all are about equally far.
class Calendar {
public:
    Calendar(std::size_t teams, const Season& season)
        : season_(season), played_(teams), last_days_(teams, {kLongAgo, kLongAgo}) {}

    std::vector<Game> fill(std::vector<Meeting> left) {
        const int days = static_cast<int>((season_.last_day - season_.first_day).count()) + 1;
        for (int day = 0; !left.empty(); ++day) {
            const Day date = season_.first_day + std::chrono::days(day);
            if (is_break(date)) continue;
            const int remaining_days = std::max(days - day, 1);
            place(left, day, date, static_cast<int>(left.size()) / remaining_days + 1);
        }
        return std::move(games_);
    }

private:
    static constexpr int kLongAgo = -10;

    /// The stars' weekend, and the two days on which nobody plays.
    [[nodiscard]] static bool is_break(Day date) {
        const std::chrono::year_month_day day(date);
        const auto month_day = std::chrono::month_day(day.month(), day.day());
        using std::chrono::February;
        return (month_day >= February / 15 && month_day <= February / 20) || month_day == std::chrono::November / 5 ||
               month_day == std::chrono::December / 24;
    }

    [[nodiscard]] bool can_play(int team, int day) const {
        const auto& [last, before] = last_days_[static_cast<std::size_t>(team)];
        return last != day && !(last == day - 1 && before == day - 2);
    }

    void note(int team, int day) {
        auto& [last, before] = last_days_[static_cast<std::size_t>(team)];
        before = last;
        last = day;
        ++played_[static_cast<std::size_t>(team)];
    }

    void place(std::vector<Meeting>& left, int day, Day date, int wanted) {
        const auto how_due = [&](const Meeting& meeting) {
            return std::pair(
                played_[static_cast<std::size_t>(meeting.home)] + played_[static_cast<std::size_t>(meeting.away)],
                meeting.lot);
        };
        std::ranges::sort(left, {}, how_due);
        std::erase_if(left, [&](const Meeting& meeting) {
            if (wanted == 0 || !can_play(meeting.home, day) || !can_play(meeting.away, day)) return false;
            note(meeting.home, day);
            note(meeting.away, day);
            games_.push_back({.season = season_.year, .day = date, .home = meeting.home, .away = meeting.away});
            --wanted;
            return true;
        });
    }

    const Season& season_;
    std::vector<int> played_;
    std::vector<std::pair<int, int>> last_days_;
    std::vector<Game> games_;
};

}  // namespace

std::vector<Game> make_schedule(World& world, const Season& season) {
    auto meetings = meetings_of(world, season);
    world.random.shuffle(std::span(meetings));
    for (std::size_t i = 0; i < meetings.size(); ++i) meetings[i].lot = static_cast<int>(i);
    return Calendar(world.teams.size(), season).fill(std::move(meetings));
}

}  // namespace quaestor::demo
