#include "demo/league.hpp"

#include "data/duckdb/handle.hpp"
#include "demo/derived.hpp"
#include "demo/making.hpp"
#include "demo/schema.hpp"
#include "demo/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace quaestor::demo {

namespace {

constexpr std::string_view kGlossaryEnding = ".quaestor.yaml";
/// What people say and no column is called.
constexpr std::string_view kGlossary = R"(# Words for what is in the synthetic league; change them as you like.
glossary:
  efficiency: team_season_stats.offensive_rating
  offense: team_season_stats.offensive_rating
  offensive stats: points per game, assists per game, field goal percentage and offensive rating
  defense: team_season_stats.defensive_rating
  defensive stats: rebounds per game, steals per game, blocks per game and defensive rating
  payroll: salaries.salary
  record: standings.win_pct
  scoring: player_season_stats.points_per_game
)";

namespace duck = data::duck;
namespace fs = std::filesystem;

constexpr auto kThreads = "2";
constexpr auto kMemory = "512MB";
/// Small blocks, for there are many small indexes.
constexpr auto kBlockSize = "16384";
/// How much of the work is done when the last game has been played, and when all rows are written.
constexpr double kPlayed = 0.35;
constexpr double kWritten = 0.8;

Day day_of(int year, unsigned month, unsigned day) {
    return Day(std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day));
}

/// The first one began late and was shortened.
std::vector<Season> plan_seasons(bool is_small) {
    std::vector<Season> seasons = {
        {.year = 2021,
         .games_each = 72,
         .first_day = day_of(2020, 12, 22),
         .last_day = day_of(2021, 5, 16),
         .salary_cap = 109'000'000},
        {.year = 2022,
         .games_each = 82,
         .first_day = day_of(2021, 10, 19),
         .last_day = day_of(2022, 4, 10),
         .salary_cap = 112'000'000},
        {.year = 2023,
         .games_each = 82,
         .first_day = day_of(2022, 10, 18),
         .last_day = day_of(2023, 4, 9),
         .salary_cap = 124'000'000},
        {.year = 2024,
         .games_each = 82,
         .first_day = day_of(2023, 10, 24),
         .last_day = day_of(2024, 4, 14),
         .salary_cap = 136'000'000},
        {.year = 2025,
         .games_each = 82,
         .first_day = day_of(2024, 10, 22),
         .last_day = day_of(2025, 4, 13),
         .salary_cap = 141'000'000},
    };
    if (!is_small) return seasons;
    constexpr int kSmallSeasons = 2;
    constexpr int kGamesOfSmall = 36;
    seasons.resize(kSmallSeasons);
    for (Season& season : seasons) season.games_each = kGamesOfSmall;
    return seasons;
}

void tell(const LeagueOptions& options, std::string_view what, double done) {
    if (options.progress) options.progress(what, done);
}

Result<> check_stop(const LeagueOptions& options) {
    if (options.stop.cancelled()) return fail(options.stop.error());
    return {};
}

Result<World> play_league(const LeagueOptions& options) {
    World world(options.seed);
    world.seasons = plan_seasons(options.is_small);
    found_league(world, options.is_small);
    for (std::size_t i = 0; i < world.seasons.size(); ++i) {
        if (auto stopped = check_stop(options); !stopped) return fail(stopped.error());
        Season& season = world.seasons[i];
        tell(options, fmt::format("season {}", season.year),
             kPlayed * static_cast<double>(i) / static_cast<double>(world.seasons.size()));
        prepare_season(world, season);
        play_season(world, season);
    }
    return world;
}

/// What is not complete yet, beside the place where it will lie. Gone when its owner ends.
class NewFile {
public:
    static Result<NewFile> begin(const std::string& path) {
        std::string folder = path + ".new-XXXXXX";
        if (mkdtemp(folder.data()) == nullptr) return fail(cannot_write(path));
        return NewFile(folder, path);
    }
    ~NewFile() {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    NewFile(NewFile&& other) noexcept : folder_(std::exchange(other.folder_, {})), path_(std::move(other.path_)) {}
    NewFile& operator=(NewFile&&) = delete;

    [[nodiscard]] std::string draft() const { return (folder_ / "league.duckdb").string(); }

    /// Makes it lasting, then visible.
    [[nodiscard]] Result<> publish() const {
        if (!sync(draft()) || std::rename(draft().c_str(), path_.c_str()) != 0) return fail(cannot_write(path_));
        const auto parent = fs::path(path_).parent_path();
        if (!sync(parent.empty() ? "." : parent.string())) return fail(cannot_write(path_));
        return {};
    }

private:
    NewFile(fs::path folder, std::string path) : folder_(std::move(folder)), path_(std::move(path)) {}

    static Error cannot_write(const std::string& path) {
        const auto code = errno == EACCES || errno == EROFS ? Code::permission_denied : Code::unavailable;
        return {code, fmt::format("cannot write {}: {}", path, std::strerror(errno)),
                "give a data directory that may be written to, and make room on the disk"};
    }
    static bool sync(const std::string& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) return false;
        const bool synced = ::fsync(file) == 0;
        ::close(file);
        return synced;
    }

    fs::path folder_;
    std::string path_;
};

Result<LeagueCounts> count_rows(const duck::Connection& connection) {
    LeagueCounts counts;
    for (const TableSpec& table : league_tables()) {
        auto rows = connection.query(fmt::format("SELECT count(*) FROM {}", table.name));
        if (!rows) return fail(rows.error());
        const auto chunk = rows->next();
        if (!chunk) return fail(chunk.error());
        const std::int64_t count = (*chunk)->integer(0, 0);
        counts.tables.push_back({std::string(table.name), count});
        counts.rows += count;
    }
    std::ranges::sort(counts.tables, {}, &TableCount::table);
    return counts;
}

Result<> run(const duck::Connection& connection, std::string_view statements, const CancelToken& stop) {
    if (stop.cancelled()) return fail(stop.error());  // an interrupt before the start would be forgotten
    const auto registration = stop.on_cancel([&] { connection.interrupt(); });
    auto done = connection.query(std::string(statements));
    if (done) return {};
    return fail(stop.cancelled() ? stop.error() : done.error());
}

Result<LeagueCounts> write_league(const std::string& file, const World& world, const LeagueOptions& options) {
    auto database = duck::Database::open(
        file, {{"threads", kThreads}, {"memory_limit", kMemory}, {"default_block_size", kBlockSize}});
    if (!database) return fail(database.error());
    auto connection = database->connect();
    if (!connection) return fail(connection.error());
    tell(options, "rows", kPlayed);
    if (auto made = run(*connection, schema_statements(), options.stop); !made) return fail(made.error());
    if (auto written = write_tables(*connection, world, options.seed); !written) return fail(written.error());
    if (auto stopped = check_stop(options); !stopped) return fail(stopped.error());
    tell(options, "standings and averages", kWritten);
    if (auto derived = run(*connection, kDerivedTables, options.stop); !derived) return fail(derived.error());
    auto counts = count_rows(*connection);
    if (!counts) return counts;
    if (auto saved = run(*connection, "CHECKPOINT", options.stop); !saved) return fail(saved.error());
    return counts;
}

// ---- the league in a data directory

/// Beside the file: which league it is, so that nobody has to open it to know.
std::string stamp_path(const std::string& path) {
    return path + ".stamp";
}

std::string stamp_of(const std::string& path, const LeagueOptions& options) {
    std::error_code missing;
    const auto bytes = fs::file_size(path, missing);
    return fmt::format("version {} seed {} {} bytes {}", kLeagueVersion, options.seed,
                       options.is_small ? "small" : "full", missing ? 0 : bytes);
}

bool is_current(const std::string& path, const LeagueOptions& options) {
    std::ifstream file(stamp_path(path));
    std::string stamp;
    return std::getline(file, stamp) && stamp == stamp_of(path, options);
}

}  // namespace

Result<LeagueCounts> make_league(const std::string& path, const LeagueOptions& options) {
    auto world = play_league(options);
    if (!world) return fail(world.error());
    auto file = NewFile::begin(path);
    if (!file) return fail(file.error());
    auto counts = write_league(file->draft(), *world, options);
    if (!counts) return counts;
    if (auto published = file->publish(); !published) return fail(published.error());
    std::error_code ignored;
    counts->bytes = static_cast<std::int64_t>(fs::file_size(path, ignored));
    tell(options, "done", 1.0);
    return counts;
}

Result<std::string> write_league_glossary(const std::string& path) {
    const std::string glossary = path + std::string(kGlossaryEnding);
    std::ofstream file(glossary, std::ios::trunc);
    file << kGlossary;
    file.close();
    if (!file) {
        return fail(Code::permission_denied, fmt::format("cannot write {}", glossary),
                    "choose another folder with --data-dir, or make it writable");
    }
    return glossary;
}

std::string league_path(const std::string& data_dir) {
    return (fs::path(data_dir) / "demo" / "synthetic_league.duckdb").string();
}

Result<LeagueCounts> renew_league(const std::string& data_dir, const LeagueOptions& options) {
    const std::string path = league_path(data_dir);
    std::error_code failed;
    fs::create_directories(fs::path(path).parent_path(), failed);
    if (failed) {
        return fail(
            Code::permission_denied,
            fmt::format("cannot make the folder {}: {}", fs::path(path).parent_path().string(), failed.message()),
            "choose another with --data-dir, or make it writable");
    }
    auto counts = make_league(path, options);
    if (!counts) return counts;
    if (auto written = write_league_glossary(path); !written) return fail(written.error());
    std::ofstream stamp(stamp_path(path), std::ios::trunc);
    stamp << stamp_of(path, options) << '\n';
    return counts;
}

Result<std::string> ensure_league(const std::string& data_dir, const LeagueOptions& options) {
    const std::string path = league_path(data_dir);
    if (is_current(path, options)) {
        if (fs::exists(path + std::string(kGlossaryEnding))) return path;
        if (auto written = write_league_glossary(path); !written) return fail(written.error());
        return path;
    }
    if (auto made = renew_league(data_dir, options); !made) return fail(made.error());
    return path;
}

}  // namespace quaestor::demo
