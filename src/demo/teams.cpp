#include "demo/making.hpp"

namespace quaestor::demo {

namespace {

// clang-format off
constexpr auto kTeams = std::to_array<TeamFacts>({
    {"Boston", "Celtics", "BOS", "East", "Atlantic", 1946, "Harbor Garden", "Massachusetts", 18'900, 1995},
    {"Brooklyn", "Nets", "BKN", "East", "Atlantic", 1967, "Borough Hall Arena", "New York", 17'700, 2012},
    {"New York", "Knicks", "NYK", "East", "Atlantic", 1946, "Empire Square", "New York", 19'800, 1968},
    {"Philadelphia", "76ers", "PHI", "East", "Atlantic", 1946, "Independence Center", "Pennsylvania", 20'400, 1996},
    {"Toronto", "Raptors", "TOR", "East", "Atlantic", 1995, "Lakeside Arena", "Ontario", 19'800, 1999},
    {"Chicago", "Bulls", "CHI", "East", "Central", 1966, "Prairie Center", "Illinois", 20'900, 1994},
    {"Cleveland", "Cavaliers", "CLE", "East", "Central", 1970, "Foundry Fieldhouse", "Ohio", 19'400, 1994},
    {"Detroit", "Pistons", "DET", "East", "Central", 1941, "Motor Hall", "Michigan", 20'300, 2017},
    {"Indiana", "Pacers", "IND", "East", "Central", 1967, "Hoosier Dome Court", "Indiana", 17'300, 1999},
    {"Milwaukee", "Bucks", "MIL", "East", "Central", 1968, "Lakefront Forum", "Wisconsin", 17'300, 2018},
    {"Atlanta", "Hawks", "ATL", "East", "Southeast", 1946, "Peachtree Arena", "Georgia", 16'900, 1999},
    {"Charlotte", "Hornets", "CHA", "East", "Southeast", 1988, "Crown Hive", "North Carolina", 19'100, 2005},
    {"Miami", "Heat", "MIA", "East", "Southeast", 1988, "Biscayne Arena", "Florida", 19'600, 1999},
    {"Orlando", "Magic", "ORL", "East", "Southeast", 1989, "Lake Eola Center", "Florida", 18'800, 2010},
    {"Washington", "Wizards", "WAS", "East", "Southeast", 1961, "Potomac Arena", "District of Columbia", 20'300, 1997},
    {"Denver", "Nuggets", "DEN", "West", "Northwest", 1967, "Mile High Court", "Colorado", 19'500, 1999},
    {"Minnesota", "Timberwolves", "MIN", "West", "Northwest", 1989, "North Star Center", "Minnesota", 18'900, 1990},
    {"Oklahoma City", "Thunder", "OKC", "West", "Northwest", 1967, "Red Earth Arena", "Oklahoma", 18'200, 2002},
    {"Portland", "Trail Blazers", "POR", "West", "Northwest", 1970, "Rose Quarter Hall", "Oregon", 19'400, 1995},
    {"Utah", "Jazz", "UTA", "West", "Northwest", 1974, "Wasatch Center", "Utah", 18'300, 1991},
    {"Golden State", "Warriors", "GSW", "West", "Pacific", 1946, "Bayfront Center", "California", 18'000, 2019},
    {"Los Angeles", "Clippers", "LAC", "West", "Pacific", 1970, "Harborlight Dome", "California", 18'000, 2024},
    {"Los Angeles", "Lakers", "LAL", "West", "Pacific", 1947, "Figueroa Forum", "California", 18'900, 1999},
    {"Phoenix", "Suns", "PHX", "West", "Pacific", 1968, "Saguaro Center", "Arizona", 17'100, 1992},
    {"Sacramento", "Kings", "SAC", "West", "Pacific", 1923, "Capitol Center", "California", 17'600, 2016},
    {"Dallas", "Mavericks", "DAL", "West", "Southwest", 1980, "Trinity River Center", "Texas", 19'200, 2001},
    {"Houston", "Rockets", "HOU", "West", "Southwest", 1967, "Bayou Center", "Texas", 18'100, 2003},
    {"Memphis", "Grizzlies", "MEM", "West", "Southwest", 1995, "Beale Hall", "Tennessee", 17'800, 2004},
    {"New Orleans", "Pelicans", "NOP", "West", "Southwest", 2002, "Crescent Center", "Louisiana", 16'900, 1999},
    {"San Antonio", "Spurs", "SAS", "West", "Southwest", 1967, "Alameda Center", "Texas", 18'400, 2002},
});
// clang-format on

}  // namespace

std::span<const TeamFacts> all_teams() {
    return kTeams;
}

}  // namespace quaestor::demo
