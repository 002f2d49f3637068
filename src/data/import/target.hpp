// The DuckDB file that an import writes, all or nothing. A new file is built in a folder beside its place and moved
// there at the end; a file that is there is changed in one transaction. Without finish() nothing has happened.
// Private to the import. Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "data/duckdb/handle.hpp"
#include "data/import.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// Values that wait in memory before they are written.
inline constexpr std::size_t kValuesPerFlush = 2'000'000;

/// A folder that is removed, with all in it, when its owner ends.
class TemporaryFolder {
public:
    /// Makes a folder whose path begins with `prefix`.
    [[nodiscard]] static Result<TemporaryFolder> make(const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;
};

/// Tells how much of everything is done while one part after the other is.
class ImportMeter {
public:
    ImportMeter(const ImportOptions& options, double total) : options_(options), total_(total) {}

    /// Now on `what`, which counts `size` of the total.
    void begin(std::string what, double size);
    /// Of what was begun last, this share is done. Tells it at most every hundredth of the total.
    void tell(double share);
    /// What was begun last is done.
    void end();

    /// The cancellation, if there was one.
    [[nodiscard]] Result<> check_stop() const;
    [[nodiscard]] const CancelToken& stop() const { return options_.stop; }

private:
    const ImportOptions& options_;
    double total_;
    double before_ = 0;
    double size_ = 0;
    double told_ = -1;
    std::string what_;
};

class ImportTarget {
public:
    [[nodiscard]] static Result<ImportTarget> open(const std::string& into, const ImportOptions& options);
    ~ImportTarget();
    ImportTarget(ImportTarget&&) noexcept = default;

    /// Sees to it that none of the tables is there: an error, or they are dropped when the options say replace.
    [[nodiscard]] Result<> make_room(const std::vector<std::string>& tables);

    /// Runs one statement. Stops with the token's error soon after a cancellation, and tells the meter.
    [[nodiscard]] Result<duck::Rows> run(const std::string& sql, ImportMeter& meter) const;
    /// Runs `work` so that a failure of it leaves nothing behind and does not spoil what was done before. Only in a new
    /// file; in one that was there a failure ends it all.
    [[nodiscard]] Result<> attempt(const std::function<Result<>()>& work) const;

    /// Makes it all lasting.
    [[nodiscard]] Result<> finish();

    [[nodiscard]] const duck::Connection& connection() const { return *connection_; }
    /// For files that are needed on the way.
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

private:
    ImportTarget(TemporaryFolder folder, std::string into, bool is_new, bool replace)
        : folder_(std::move(folder)), into_(std::move(into)), is_new_(is_new), replace_(replace) {}
    [[nodiscard]] Result<> open_database(std::size_t memory_limit);
    [[nodiscard]] Result<> drop(std::vector<std::string> tables) const;
    [[nodiscard]] Result<> move_into_place() const;

    TemporaryFolder folder_;
    std::string into_;
    bool is_new_;
    bool replace_;
    std::optional<duck::Database> database_;
    std::optional<duck::Connection> connection_;
};

}  // namespace quaestor::data
