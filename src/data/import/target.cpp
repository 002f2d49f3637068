#include "data/import/target.hpp"

#include "data/ascii.hpp"
#include "data/dialect.hpp"
#include "data/import/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <set>
#include <thread>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

constexpr auto kThreads = "2";
constexpr auto kIdleWait = std::chrono::milliseconds(1);

using Pending = duck::Handle<duckdb_pending_result, duckdb_destroy_pending>;

/// All rows of a small result, as texts.
Result<std::vector<std::vector<std::string>>> texts_of(Result<duck::Rows> rows) {
    if (!rows) return fail(rows.error());
    std::vector<std::vector<std::string>> all;
    while (true) {
        const auto chunk = rows->next();
        if (!chunk) return fail(chunk.error());
        if (!*chunk) return all;
        for (std::size_t row = 0; row < (*chunk)->size(); ++row) {
            auto& texts = all.emplace_back();
            for (std::size_t column = 0; column < rows->column_count(); ++column) {
                texts.emplace_back((*chunk)->text(column, row));
            }
        }
    }
}

/// Foreign keys in the file: the table they are in, in lower case → the tables they point to.
Result<std::map<std::string, std::set<std::string>>> references(const duck::Connection& connection) {
    auto rows =
        texts_of(connection.query("SELECT lower(table_name), lower(referenced_table) FROM duckdb_constraints() "
                                  "WHERE constraint_type = 'FOREIGN KEY' AND schema_name = 'main'"));
    if (!rows) return fail(rows.error());
    std::map<std::string, std::set<std::string>> found;
    for (const auto& row : *rows) {
        if (row[0] != row[1]) found[row[0]].insert(row[1]);
    }
    return found;
}

}  // namespace

// ---- TemporaryFolder

Result<TemporaryFolder> TemporaryFolder::make(const std::string& prefix) {
    std::string path = prefix + "XXXXXX";
    if (mkdtemp(path.data()) == nullptr) {
        const auto code = errno == EACCES || errno == EROFS ? Code::permission_denied : Code::unavailable;
        return fail(code, fmt::format("cannot write to the folder of {}: {}", prefix, std::strerror(errno)),
                    "give a path in a folder that is there and may be written to");
    }
    return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

// ---- ImportMeter

void ImportMeter::begin(std::string what, double size) {
    what_ = std::move(what);
    size_ = size;
    tell(0);
}

void ImportMeter::tell(double share) {
    constexpr double kStep = 0.01;
    const double done = total_ > 0 ? std::min((before_ + size_ * share) / total_, 1.0) : 1.0;
    if (!options_.progress || (share > 0 && share < 1 && done < told_ + kStep)) return;
    told_ = std::max(done, told_);
    options_.progress(what_, told_);
}

void ImportMeter::end() {
    tell(1);
    before_ += size_;
    size_ = 0;
}

Result<> ImportMeter::check_stop() const {
    if (options_.stop.cancelled()) return fail(options_.stop.error());
    return {};
}

// ---- ImportTarget

Result<ImportTarget> ImportTarget::open(const std::string& into, const ImportOptions& options) {
    std::error_code ignored;
    if (into.empty()) return fail(Code::invalid_argument, "there is no path to import into", "give the path of a file");
    if (fs::is_directory(into, ignored)) {
        return fail(Code::invalid_argument, fmt::format("{} is a folder", into), "give the path of a DuckDB file");
    }
    const bool is_new = !fs::exists(into, ignored);
    auto folder = TemporaryFolder::make(into + ".import-");
    if (!folder) return fail(folder.error());
    ImportTarget target(std::move(*folder), into, is_new, options.replace);
    if (auto opened = target.open_database(options.memory_limit); !opened) return fail(opened.error());
    return target;
}

ImportTarget::~ImportTarget() = default;

Result<> ImportTarget::open_database(std::size_t memory_limit) {
    const std::string file = is_new_ ? (folder() / "new.duckdb").string() : into_;
    auto database = duck::Database::open(file, {{"threads", kThreads},
                                                {"memory_limit", fmt::format("{}B", memory_limit)},
                                                {"temp_directory", (folder() / "spill").string()}});
    if (!database) {
        return fail(Error{database.error().code, fmt::format("cannot import into {}", into_), {}, nullptr}.because(
            database.error()));
    }
    database_.emplace(std::move(*database));
    auto connection = database_->connect();
    if (!connection) return fail(connection.error());
    connection_.emplace(std::move(*connection));
    auto begun = connection_->query(fmt::format(
        "SET enable_progress_bar = true; SET enable_progress_bar_print = false{}", is_new_ ? "" : "; BEGIN"));
    if (!begun) return fail(begun.error());
    return {};
}

Result<> ImportTarget::make_room(const std::vector<std::string>& tables) {
    auto rows =
        texts_of(connection_->query("SELECT lower(table_name), table_type FROM information_schema.tables "
                                    "WHERE table_catalog = current_database() AND table_schema = 'main'"));
    if (!rows) return fail(rows.error());
    std::map<std::string, std::string> kinds;
    for (auto& row : *rows) kinds.emplace(row[0], row[1]);
    std::vector<std::string> in_the_way;
    for (const auto& table : tables) {
        const auto kind = kinds.find(lower_ascii(table));
        if (kind == kinds.end()) continue;
        if (!replace_ || kind->second != "BASE TABLE") {
            return fail(Code::already_exists,
                        fmt::format("{} has a {} {} already", into_, replace_ ? "view" : "table", table),
                        replace_ ? "drop the view, or import into another file"
                                 : "import with --replace, or into another file");
        }
        in_the_way.push_back(lower_ascii(table));
    }
    return drop(std::move(in_the_way));
}

/// Drops those first that nothing points to.
Result<> ImportTarget::drop(std::vector<std::string> tables) const {
    auto pointing = references(*connection_);
    if (!pointing) return fail(pointing.error());
    while (!tables.empty()) {
        const auto free = std::ranges::find_if(tables, [&](const std::string& table) {
            return std::ranges::none_of(*pointing, [&](const auto& from) { return from.second.contains(table); });
        });
        if (free == tables.end()) {
            return fail(
                Code::conflict,
                fmt::format("table {} cannot be replaced: another table has a foreign key to it", tables.front()),
                "import into another file, or drop the other table first");
        }
        if (auto dropped = connection_->query("DROP TABLE main." + quote_name(*free)); !dropped) {
            return fail(dropped.error());
        }
        pointing->erase(*free);
        tables.erase(free);
    }
    return {};
}

Result<duck::Rows> ImportTarget::run(const std::string& sql, ImportMeter& meter) const {
    // Preparing may read a whole file to learn its types.
    const auto registration = meter.stop().on_cancel([this] { connection_->interrupt(); });
    const auto failed = [&](Error error) {
        return fail(meter.stop().cancelled() ? meter.stop().error() : std::move(error));
    };
    auto statement = connection_->prepare(sql);
    if (!statement) return failed(statement.error());
    duckdb_pending_result made = nullptr;
    duckdb_pending_prepared(statement->raw(), &made);
    const Pending pending(made);
    auto state = duckdb_pending_execute_task(pending.get());
    while (!duckdb_pending_execution_is_finished(state)) {
        // Here as well: an interrupt that came before the statement began was forgotten.
        if (meter.stop().cancelled()) connection_->interrupt();
        if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(kIdleWait);
        meter.tell(connection_->progress().value_or(0));
        state = duckdb_pending_execute_task(pending.get());
    }
    duckdb_result result{};
    const auto ended = duckdb_execute_pending(pending.get(), &result);
    duck::Rows rows(result);
    if (ended == DuckDBSuccess) return rows;
    const char* const message = duckdb_result_error(rows.raw());
    return failed(duck::error_of(duckdb_result_error_type(rows.raw()), message == nullptr ? "" : message));
}

Result<> ImportTarget::attempt(const std::function<Result<>()>& work) const {
    if (!is_new_) return work();
    if (auto begun = connection_->query("BEGIN"); !begun) return fail(begun.error());
    if (auto done = work(); !done) {
        static_cast<void>(connection_->query("ROLLBACK"));
        return done;
    }
    if (auto committed = connection_->query("COMMIT"); !committed) return fail(committed.error());
    return {};
}

Result<> ImportTarget::finish() {
    auto committed = connection_->query(is_new_ ? "CHECKPOINT" : "COMMIT");
    if (!committed) return fail(committed.error());
    connection_.reset();
    database_.reset();
    return is_new_ ? move_into_place() : Result<>();
}

Result<> ImportTarget::move_into_place() const {
    const fs::path made = folder() / "new.duckdb";
    int moved = renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, into_.c_str(), RENAME_NOREPLACE);
    // Not every file system can refuse to replace.
    if (moved != 0 && errno == EINVAL) moved = std::rename(made.c_str(), into_.c_str());
    if (moved == 0) return {};
    if (errno == EEXIST) {
        return fail(Code::conflict, fmt::format("{} appeared while files were being imported into it", into_),
                    "try again to add to it");
    }
    return fail(Code::unavailable, fmt::format("cannot write {}: {}", into_, std::strerror(errno)));
}

}  // namespace quaestor::data
