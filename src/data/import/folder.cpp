#include "base/json.hpp"
#include "base/log.hpp"
#include "data/catalog_cache.hpp"
#include "data/import.hpp"
#include "data/import/names.hpp"
#include "data/import/readers.hpp"
#include "data/import/target.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFilesMax = 10'000;
constexpr int kDepthMax = 16;
constexpr auto kLockWait = std::chrono::milliseconds(50);
/// Grows when files are read differently, so that what was made before is made again.
constexpr int kCacheVersion = 1;

/// What tells whether a file is still the one that was read.
struct FileState {
    std::string file;  ///< below the folder
    std::int64_t size = 0;
    std::int64_t changed_ns = 0;
    std::int64_t inode = 0;
};
BOOST_DESCRIBE_STRUCT(FileState, (), (file, size, changed_ns, inode))

struct PassedOver {
    std::string file;
    std::string why;
};
BOOST_DESCRIBE_STRUCT(PassedOver, (), (file, why))

/// What the database in the cache was made of; kept beside it.
struct Manifest {
    int version = 0;
    std::string folder;
    std::string database;  ///< its file's name
    std::vector<FileState> files;
    std::vector<ImportedTable> tables;
    std::vector<PassedOver> passed_over;
};
BOOST_DESCRIBE_STRUCT(Manifest, (), (version, folder, database, files, tables, passed_over))

// ---- the folder

bool is_below(const fs::path& path, const fs::path& folder) {
    const auto [end, ignored] = std::ranges::mismatch(folder, path);
    return end == folder.end();
}

/// A link counts as the file it leads to, as long as that is in the folder.
bool may_be_read(const fs::directory_entry& entry, const fs::path& folder) {
    std::error_code error;
    if (!is_importable(entry.path().string()) || !entry.is_regular_file(error)) return false;
    if (!entry.is_symlink(error)) return true;
    const fs::path leads_to = fs::canonical(entry.path(), error);
    return !error && is_below(leads_to, folder);
}

Result<FileState> state_of(const fs::path& file, const fs::path& folder) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0) {
        return fail(Code::unavailable, fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno)));
    }
    constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
    return FileState{.file = file.lexically_relative(folder).string(),
                     .size = status.st_size,
                     .changed_ns = status.st_mtim.tv_sec * kNanosPerSecond + status.st_mtim.tv_nsec,
                     .inode = static_cast<std::int64_t>(status.st_ino)};
}

/// All files that can be read, by name. Hidden ones, and links that lead out of the folder, are passed over.
Result<std::vector<FileState>> list(const fs::path& folder) {
    std::vector<FileState> states;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        const bool is_hidden = entry->path().filename().string().starts_with('.');
        if (is_hidden || entry.depth() >= kDepthMax) entry.disable_recursion_pending();
        if (is_hidden || !may_be_read(*entry, folder)) continue;
        // A file that went in the meantime is not there.
        if (auto state = state_of(entry->path(), folder)) states.push_back(std::move(*state));
        if (states.size() > kFilesMax) {
            return fail(Code::limit_exceeded, fmt::format("{} holds more than {} files", folder.string(), kFilesMax),
                        "open a folder below it");
        }
    }
    if (error) {
        return fail(Code::unavailable, fmt::format("{} cannot be read: {}", folder.string(), error.message()),
                    "look whether the folder may be read");
    }
    std::ranges::sort(states, {}, &FileState::file);
    return states;
}

Result<fs::path> canonical_folder(const std::string& folder) {
    std::error_code error;
    const fs::path path = fs::canonical(folder, error);
    if (error || !fs::is_directory(path, error)) {
        return fail(Code::not_found, fmt::format("there is no folder {}", folder), "look whether the path is right");
    }
    return path;
}

// ---- the cache

/// Held while the cache of one folder is looked at or made, by one process at a time.
class FolderLock {
public:
    [[nodiscard]] static Result<FolderLock> take(const fs::path& file, const CancelToken& stop) {
        FolderLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (lock.descriptor_ < 0) {
            return fail(Code::permission_denied,
                        fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)),
                        "give a data folder that may be written to");
        }
        while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK && errno != EINTR) {
                return fail(Code::unavailable, fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)));
            }
            if (stop.cancelled()) return fail(stop.error());
            std::this_thread::sleep_for(kLockWait);
        }
        return lock;
    }
    ~FolderLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&&) = delete;

private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

std::optional<Manifest> read_manifest(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto value = parse_json(text);
    if (!value) return std::nullopt;
    auto manifest = decode<Manifest>(*value);
    return manifest ? std::optional(std::move(*manifest)) : std::nullopt;
}

Result<> write_manifest(const Manifest& manifest, const fs::path& file) {
    const fs::path fresh = file.string() + ".new";
    std::ofstream stream(fresh, std::ios::binary | std::ios::trunc);
    stream << to_pretty_text(encode(manifest));
    stream.close();
    std::error_code error;
    if (stream) fs::rename(fresh, file, error);
    if (!stream || error)
        return fail(Code::unavailable, fmt::format("cannot write {}", file.string()), "make room on the disk");
    return {};
}

/// The cache of one folder: a manifest and the database that it tells of, under a name that its files decide. So a
/// database that somebody still reads is never replaced, only left behind.
class FolderCache {
public:
    FolderCache(fs::path folder, const fs::path& cache_dir)
        : folder_(std::move(folder)), place_(cache_dir / ("folder-" + stable_hash(folder_.string()))) {}

    [[nodiscard]] Result<std::string> get(const ImportOptions& options) {
        std::error_code error;
        fs::create_directories(place_, error);
        if (error) {
            return fail(Code::permission_denied, fmt::format("cannot make {}: {}", place_.string(), error.message()),
                        "give a data folder that may be written to");
        }
        auto lock = FolderLock::take(place_ / "lock", options.stop);
        if (!lock) return fail(lock.error());
        auto files = list(folder_);
        if (!files) return fail(files.error());
        if (files->empty()) {
            return fail(Code::not_found, fmt::format("there is no CSV, Parquet or JSON file in {}", folder_.string()),
                        "look whether it is the right folder");
        }
        Manifest wanted{.version = kCacheVersion, .folder = folder_.string(), .files = std::move(*files)};
        wanted.database = stable_hash(to_text(encode(wanted))) + ".duckdb";
        const std::string database = (place_ / wanted.database).string();
        const auto known = read_manifest(manifest_file());
        if (known && known->database == wanted.database && fs::exists(database, error)) return database;
        if (auto made = make(wanted, database, options); !made) return fail(made.error());
        return database;
    }

private:
    [[nodiscard]] fs::path manifest_file() const { return place_ / "manifest.json"; }

    [[nodiscard]] Result<> make(Manifest& manifest, const std::string& database, const ImportOptions& options) const {
        std::error_code ignored;
        fs::remove(database, ignored);  // of a process that ended before it could write its manifest
        auto target = ImportTarget::open(database, options);
        if (!target) return fail(target.error());
        if (auto read = read_all(manifest, *target, options); !read) return read;
        if (auto finished = target->finish(); !finished) return finished;
        if (auto written = write_manifest(manifest, manifest_file()); !written) return written;
        remove_others(manifest.database);
        return {};
    }

    [[nodiscard]] Result<> read_all(Manifest& manifest, const ImportTarget& target,
                                    const ImportOptions& options) const {
        const double total =
            std::accumulate(manifest.files.begin(), manifest.files.end(), 0.0,
                            [](double sum, const auto& file) { return sum + static_cast<double>(file.size); });
        ImportMeter meter(options, total);
        UniqueNames names;
        std::optional<Error> first_failure;
        for (const auto& state : manifest.files) {
            if (auto look = meter.check_stop(); !look) return look;
            const FilePlan plan = plan_of(state, names);
            meter.begin(state.file, static_cast<double>(state.size));
            auto read = target.attempt([&]() -> Result<> {
                auto table = import_file(plan, target, meter);
                if (!table) return fail(table.error());
                manifest.tables.push_back(std::move(*table));
                return {};
            });
            meter.end();
            if (read) continue;
            if (auto look = meter.check_stop(); !look) return look;
            log::warning(read.error().describe());
            manifest.passed_over.push_back({state.file, read.error().describe()});
            if (!first_failure) first_failure = read.error();
        }
        if (!manifest.tables.empty()) return {};
        return fail(
            Error{Code::not_found, fmt::format("no file in {} can be read", folder_.string()), {}, nullptr}.because(
                *first_failure));
    }

    /// The names of its folders are part of the table's: "2024/sales.csv" becomes t_2024_sales.
    [[nodiscard]] FilePlan plan_of(const FileState& state, UniqueNames& names) const {
        const fs::path relative(state.file);
        const std::string stem = (relative.parent_path() / stem_of(state.file)).string();
        return {.file = (folder_ / relative).string(),
                .table = names.add(plain_name(stem)),
                .size = std::max(static_cast<double>(state.size), 1.0)};
    }

    /// Whoever still reads one of them keeps it until he closes it.
    void remove_others(const std::string& database) const {
        std::error_code error;
        for (fs::directory_iterator entry(place_, error); !error && entry != fs::directory_iterator();
             entry.increment(error)) {
            const fs::path& file = entry->path();
            std::error_code ignored;
            if (file.extension() == ".duckdb" && file.filename() != database) fs::remove(file, ignored);
        }
    }

    fs::path folder_;
    fs::path place_;
};

}  // namespace

Result<std::string> cached_folder(const std::string& folder, const std::string& cache_dir,
                                  const ImportOptions& options) {
    auto path = canonical_folder(folder);
    if (!path) return fail(path.error());
    return FolderCache(std::move(*path), cache_dir).get(options);
}

}  // namespace quaestor::data
