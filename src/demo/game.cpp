#include "demo/making.hpp"

#include <algorithm>

namespace quaestor::demo {

namespace {

constexpr int kMinutes = 48;
constexpr int kOvertimeMinutes = 5;
constexpr std::size_t kOnCourt = 5;
constexpr std::size_t kRotation = 10;
constexpr int kFoulsAllowed = 6;

/// Minutes for the best player, the second, …; together about 240.
constexpr std::array<double, kRotation> kShares = {35.5, 34, 33, 31, 29, 24, 19, 15, 11, 8};

/// A player in this game: what he can do tonight, and what he did.
struct Part {
    Traits can{};
    double target_minutes = 0;
    BoxLine line;
};

struct Side {
    std::vector<Part> parts;
    std::array<std::size_t, kOnCourt> court{};
    double edge = 0;
    int points = 0;
};

/// His traits at his quality: the better score more, and more often.
Traits tonight(const Player& player) {
    Traits can = player.traits;
    const double quality = player.quality;
    can.usage *= std::max(1.0 + 0.42 * quality, 0.45);
    can.two_made += 0.03 * quality;
    can.three_made += 0.018 * quality;
    can.assists *= std::max(1.0 + 0.3 * quality, 0.4);
    can.defensive_rebounds *= std::max(1.0 + 0.08 * quality, 0.5);
    can.turnovers *= std::max(1.0 - 0.06 * quality, 0.5);
    can.defence += 0.35 * quality;
    return can;
}

void sort_best_first(World& world, std::vector<int>& players) {
    std::ranges::sort(players, {}, [&](int index) { return std::pair(-world.player(index).quality, index); });
}

/// Those who play today, the best first: who is fit, less those who are given a rest.
std::vector<int> fit_players(World& world, int team, Day day) {
    constexpr double kRests = 0.05;
    std::vector<int> fit;
    for (const int index : world.roster(team)) {
        if (world.player(index).fit_from <= day) fit.push_back(index);
    }
    std::erase_if(fit, [&, left = fit.size()](int) mutable {
        const bool rests = world.random.chance(kRests) && left > kRotation;
        left -= rests ? 1 : 0;
        return rests;
    });
    sort_best_first(world, fit);
    return fit;
}

/// The best of each position begin; where a position is empty, the best who is left.
std::vector<int> starters_first(World& world, std::vector<int> fit) {
    std::vector<int> order;
    const auto take = [&](auto found) {
        order.push_back(*found);
        fit.erase(found);
    };
    for (std::size_t position = 0; position < kPositions && !fit.empty(); ++position) {
        const auto found = std::ranges::find_if(
            fit, [&](int index) { return world.player(index).position == static_cast<Position>(position); });
        take(found == fit.end() ? fit.begin() : found);
    }
    sort_best_first(world, order);
    while (order.size() < kRotation && !fit.empty()) take(fit.begin());
    return order;
}

Side make_side(World& world, int team, int game_number, Day day, double edge) {
    constexpr double kCoachesMood = 2.5;
    Side side{.edge = edge};
    for (const int index : starters_first(world, fit_players(world, team, day))) {
        Part part{.can = tonight(world.player(index))};
        const std::size_t rank = side.parts.size();
        part.target_minutes = std::max(world.random.normal(kShares[rank], kCoachesMood), 0.0);
        part.line = {.game = game_number, .player = index, .team = team, .started = rank < kOnCourt};
        side.parts.push_back(std::move(part));
    }
    return side;
}

/// One game, minute by minute, possession by possession. What is counted is what happened, so all sums are right.
class Match {
public:
    Match(Random& random, Side home, Side away) : random_(random), sides_{std::move(home), std::move(away)} {}

    void play() {
        constexpr double kTypicalPace = 99.5;
        constexpr double kPaceSpread = 3.5;
        pace_ = random_.normal(kTypicalPace, kPaceSpread);
        for (int minute = 0; minute < kMinutes; ++minute) play_minute(minute, kMinutes);
        while (sides_[0].points == sides_[1].points) {
            ++overtimes_;
            for (int minute = 0; minute < kOvertimeMinutes; ++minute) play_minute(kMinutes, kMinutes);
        }
    }

    [[nodiscard]] const Side& home() const { return sides_[0]; }
    [[nodiscard]] const Side& away() const { return sides_[1]; }
    [[nodiscard]] int overtimes() const { return overtimes_; }

private:
    enum class Outcome { over, goes_on };

    void play_minute(int minute, int of) {
        for (Side& side : sides_) choose_five(side, minute, of);
        const std::array before = {sides_[0].points, sides_[1].points};
        for (std::size_t attacking = 0; attacking < 2; ++attacking) {
            const double possessions = pace_ / kMinutes;
            const int whole = static_cast<int>(possessions);
            const int count = whole + (random_.chance(possessions - whole) ? 1 : 0);
            for (int i = 0; i < count; ++i) play_possession(sides_[attacking], sides_[1 - attacking]);
        }
        const int gain = (sides_[0].points - before[0]) - (sides_[1].points - before[1]);
        settle_minute(sides_[0], gain);
        settle_minute(sides_[1], -gain);
    }

    static void settle_minute(Side& side, int gain) {
        for (const std::size_t place : side.court) {
            ++side.parts[place].line.minutes;
            side.parts[place].line.plus_minus += gain;
        }
    }

    /// Those furthest behind their minutes play; towards the end the best do. Six fouls send a player off while there
    /// are five others.
    void choose_five(Side& side, int minute, int of) {
        constexpr double kRestlessness = 2.2;
        constexpr int kClosing = 5;
        constexpr double kClosersBonus = 0.08;
        constexpr double kSentOff = -1000;
        if (minute == 0) {  // the starters stand first
            for (std::size_t i = 0; i < kOnCourt; ++i) side.court[i] = i;
            return;
        }
        std::array<std::pair<double, std::size_t>, kRotation> wishes{};
        const std::size_t count = side.parts.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Part& part = side.parts[i];
            double wish = part.target_minutes * (minute + 1) / of - part.line.minutes;
            wish += random_.unit() * kRestlessness;
            if (minute >= of - kClosing) wish += part.target_minutes * kClosersBonus;
            if (part.line.fouls >= kFoulsAllowed) wish += kSentOff;
            wishes[i] = {-wish, i};
        }
        std::ranges::sort(std::span(wishes).first(count));
        for (std::size_t i = 0; i < kOnCourt; ++i) side.court[i] = wishes[i].second;
    }

    /// One of the five on the court, likelier who has more of `trait`; never `except`.
    Part& one_of(Side& side, double Traits::* trait, const Part* except = nullptr) {
        std::array<double, kOnCourt> weights{};
        for (std::size_t i = 0; i < kOnCourt; ++i) {
            const Part& part = side.parts[side.court[i]];
            weights[i] = &part == except ? 0.0 : part.can.*trait;
        }
        return side.parts[side.court[random_.weighted(weights)]];
    }

    /// Nobody who has all his fouls commits another before he is taken off.
    void foul(Side& defence) {
        Part& one = one_of(defence, &Traits::fouls);
        if (one.line.fouls < kFoulsAllowed) ++one.line.fouls;
    }

    void play_possession(Side& attack, Side& defence) {
        constexpr int kShotsAtMost = 4;
        constexpr double kIdleFoul = 0.1;
        constexpr double kLost = 0.133;
        constexpr double kStolen = 0.56;
        if (random_.chance(kIdleFoul)) foul(defence);
        Part& handler = one_of(attack, &Traits::usage);
        if (random_.chance(kLost * handler.can.turnovers)) {
            ++handler.line.turnovers;
            if (random_.chance(kStolen)) ++one_of(defence, &Traits::steals).line.steals;
            return;
        }
        Outcome outcome = shoot(handler, attack, defence);
        for (int shots = 1; outcome == Outcome::goes_on && shots < kShotsAtMost; ++shots) {
            outcome = shoot(one_of(attack, &Traits::usage), attack, defence);
        }
    }

    [[nodiscard]] static double stopping_power(const Side& side) {
        double sum = 0;
        for (const std::size_t place : side.court) sum += side.parts[place].can.defence;
        constexpr double kWeight = 0.06;
        return kWeight * sum / kOnCourt;
    }

    Outcome shoot(Part& shooter, Side& attack, Side& defence) {
        constexpr double kFouledOnTwo = 0.17;
        constexpr double kFouledOnThree = 0.02;
        constexpr double kMadeThoughFouled = 0.3;
        constexpr double kComfort = 0.0024;  // who leads does not try as hard
        const bool is_three = random_.chance(shooter.can.three_share);
        const double made_share = (is_three ? shooter.can.three_made : shooter.can.two_made) + attack.edge -
                                  stopping_power(defence) - kComfort * (attack.points - defence.points);
        const bool is_fouled = random_.chance(is_three ? kFouledOnThree : kFouledOnTwo);
        const bool is_made = random_.chance(is_fouled ? kMadeThoughFouled : made_share);
        if (is_fouled) foul(defence);
        if (is_fouled && !is_made) return throw_free(shooter, is_three ? 3 : 2, attack, defence);
        (is_three ? shooter.line.three_tried : shooter.line.two_tried) += 1;
        if (!is_made) return miss(is_three, attack, defence);
        (is_three ? shooter.line.three_made : shooter.line.two_made) += 1;
        attack.points += is_three ? 3 : 2;
        credit_assist(shooter, is_three, attack);
        return is_fouled ? throw_free(shooter, 1, attack, defence) : Outcome::over;
    }

    void credit_assist(const Part& shooter, bool is_three, Side& attack) {
        constexpr double kOnTwo = 0.53;
        constexpr double kOnThree = 0.8;
        if (random_.chance(is_three ? kOnThree : kOnTwo)) ++one_of(attack, &Traits::assists, &shooter).line.assists;
    }

    Outcome miss(bool is_three, Side& attack, Side& defence) {
        constexpr double kBlocked = 0.2;
        if (!is_three && random_.chance(kBlocked)) ++one_of(defence, &Traits::blocks).line.blocks;
        return rebound(attack, defence);
    }

    Outcome throw_free(Part& shooter, int throws, Side& attack, Side& defence) {
        bool is_made = false;
        for (int i = 0; i < throws; ++i) {
            is_made = random_.chance(shooter.can.free_made);
            ++shooter.line.free_tried;
            shooter.line.free_made += is_made ? 1 : 0;
            attack.points += is_made ? 1 : 0;
        }
        return is_made ? Outcome::over : rebound(attack, defence);
    }

    Outcome rebound(Side& attack, Side& defence) {
        constexpr double kOutOfBounds = 0.06;
        constexpr double kOffensive = 0.245;
        if (random_.chance(kOutOfBounds)) return Outcome::over;
        if (random_.chance(kOffensive)) {
            ++one_of(attack, &Traits::offensive_rebounds).line.offensive_rebounds;
            return Outcome::goes_on;
        }
        ++one_of(defence, &Traits::defensive_rebounds).line.defensive_rebounds;
        return Outcome::over;
    }

    Random& random_;
    std::array<Side, 2> sides_;
    double pace_ = 0;
    int overtimes_ = 0;
};

}  // namespace

void play_game(World& world, Game& game, int number, double home_edge) {
    Side home = make_side(world, game.home, number, game.day, home_edge);
    Side away = make_side(world, game.away, number, game.day, -home_edge);
    Match match(world.random, std::move(home), std::move(away));
    match.play();
    game.home_points = match.home().points;
    game.away_points = match.away().points;
    game.overtimes = match.overtimes();
    for (const Side* side : {&match.home(), &match.away()}) {
        for (const Part& part : side->parts) {
            if (part.line.minutes > 0) world.lines.push_back(part.line);
        }
    }
}

}  // namespace quaestor::demo
