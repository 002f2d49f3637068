// The demo league: a basketball league that never was, in a DuckDB file, so that there is something to ask on the first
// run. Teams carry familiar names; players, coaches, arenas, games and figures are invented. The same seed gives the
// same rows on every machine. Threads: blocking; call from a worker thread. Each call is independent.
#pragma once

#include "base/error.hpp"
#include "resilience/cancellation.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::demo {

/// How people are told what they look at.
inline constexpr std::string_view kLeagueTitle = "Synthetic demo league";

/// Changes whenever the rows or tables that a seed gives change.
inline constexpr int kLeagueVersion = 1;

inline constexpr std::uint64_t kLeagueSeed = 2003;

/// Called now and then with what is being made and how much of everything is done, 0 to 1.
using LeagueProgress = std::function<void(std::string_view what, double done)>;

struct LeagueOptions {
    std::uint64_t seed = kLeagueSeed;
    /// Two divisions and two seasons instead of all: enough for tests, made in no time.
    bool is_small = false;
    LeagueProgress progress;
    CancelToken stop;
};

struct TableCount {
    std::string table;
    std::int64_t rows = 0;
};
BOOST_DESCRIBE_STRUCT(TableCount, (), (table, rows))

struct LeagueCounts {
    std::vector<TableCount> tables;  ///< by name
    std::int64_t rows = 0;
    std::int64_t bytes = 0;  ///< of the file
};
BOOST_DESCRIBE_STRUCT(LeagueCounts, (), (tables, rows, bytes))

/// Makes the league at `path`, in place of what is there. The file appears when it is complete, or not at all. The
/// folder must be there.
[[nodiscard]] Result<LeagueCounts> make_league(const std::string& path, const LeagueOptions& options);

/// Writes what people call things in it beside the league, as annotations that every command finds: PATH.quaestor.yaml.
/// Its path.
[[nodiscard]] Result<std::string> write_league_glossary(const std::string& path);

/// Where the league lies below a data directory.
[[nodiscard]] std::string league_path(const std::string& data_dir);

/// Makes the league in the data directory, making the folders on the way.
[[nodiscard]] Result<LeagueCounts> renew_league(const std::string& data_dir, const LeagueOptions& options);

/// The path of the league in the data directory, which is made when it is missing, incomplete or of another version or
/// seed. Cheap when it is there.
[[nodiscard]] Result<std::string> ensure_league(const std::string& data_dir, const LeagueOptions& options);

}  // namespace quaestor::demo
