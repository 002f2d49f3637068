#include "store/sqlite_schema.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace quaestor::store::sqlite {

namespace {

namespace fs = std::filesystem;

/// Times are nanoseconds since 1970. `seq` is the order of storing; replacing a row keeps it.
constexpr const char* kVersion1 = R"sql(
    CREATE TABLE checkpoints (
        seq         INTEGER PRIMARY KEY,
        thread_id   TEXT NOT NULL,
        id          TEXT NOT NULL,
        parent_id   TEXT NOT NULL,
        is_snapshot INTEGER NOT NULL,
        change      TEXT NOT NULL,
        position    TEXT NOT NULL,
        metadata    TEXT NOT NULL,
        created_at  INTEGER NOT NULL,
        UNIQUE (thread_id, id)
    ) STRICT;
    CREATE INDEX checkpoints_by_thread ON checkpoints (thread_id);

    CREATE TABLE writes (
        checkpoint INTEGER NOT NULL REFERENCES checkpoints (seq) ON DELETE CASCADE,
        task       INTEGER NOT NULL,
        kind       TEXT NOT NULL,
        place      INTEGER NOT NULL,
        value      TEXT NOT NULL,
        PRIMARY KEY (checkpoint, task, kind, place)
    ) STRICT, WITHOUT ROWID;
)sql";

/// `changed` is the order of the last changes of conversations. `heartbeat` is what a health check writes.
constexpr const char* kVersion2 = R"sql(
    CREATE TABLE conversations (
        thread_id  TEXT PRIMARY KEY,
        changed    INTEGER NOT NULL UNIQUE,
        updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE messages (
        seq        INTEGER PRIMARY KEY,
        thread_id  TEXT NOT NULL REFERENCES conversations (thread_id) ON DELETE CASCADE,
        id         TEXT NOT NULL,
        role       TEXT NOT NULL,
        text       TEXT NOT NULL,
        data       TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (thread_id, id)
    ) STRICT;
    CREATE INDEX messages_by_thread ON messages (thread_id);

    CREATE TABLE runs (
        seq        INTEGER PRIMARY KEY,
        run_id     TEXT NOT NULL UNIQUE,
        thread_id  TEXT NOT NULL,
        graph      TEXT NOT NULL,
        status     TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at   INTEGER,
        input      TEXT NOT NULL,
        outcome    TEXT NOT NULL,
        trace      TEXT NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_start ON runs (started_at);

    CREATE TABLE heartbeat (
        id    INTEGER PRIMARY KEY CHECK (id = 1),
        beats INTEGER NOT NULL
    ) STRICT;
)sql";

/// Conversations have owners and titles, and people can say what they think of a turn.
constexpr const char* kVersion3 = R"sql(
    ALTER TABLE conversations ADD COLUMN owner TEXT NOT NULL DEFAULT '';
    ALTER TABLE conversations ADD COLUMN title TEXT NOT NULL DEFAULT '';
    ALTER TABLE conversations ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
    UPDATE conversations SET created_at = coalesce(
        (SELECT min(created_at) FROM messages WHERE messages.thread_id = conversations.thread_id), updated_at);
    CREATE INDEX conversations_by_owner ON conversations (owner, changed);

    CREATE TABLE feedback (
        seq        INTEGER PRIMARY KEY,
        id         TEXT NOT NULL UNIQUE,
        thread_id  TEXT NOT NULL,
        turn       INTEGER NOT NULL,
        owner      TEXT NOT NULL,
        rating     TEXT NOT NULL,
        comment    TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        UNIQUE (thread_id, turn, owner)
    ) STRICT;
    CREATE INDEX runs_by_thread ON runs (thread_id, started_at);
)sql";

/// What leads from each version to the next; the first from an empty file to version 1.
constexpr std::array<const char*, kSchemaVersion> kMigrations{kVersion1, kVersion2, kVersion3};

std::unexpected<Error> cannot_make(const std::string& path, int error) {
    const bool forbidden = error == EACCES || error == EPERM || error == EROFS;
    return fail(forbidden ? Code::permission_denied : Code::unavailable,
                fmt::format("could not make the store {}: {}", path, std::strerror(error)),
                "give a path in a folder where this user may make files");
}

/// Makes an empty file for the owner only. One that is there stays unopened: closing it again would drop the locks that
/// another connection of this process may hold on it.
Result<> make_file(const std::string& path) {
    constexpr int kOwnerOnly = 0600;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly);
    if (file < 0) return errno == EEXIST ? Result<>{} : cannot_make(path, errno);
    ::close(file);
    return {};
}

/// An absolute path, which SQLite takes for a file's name whatever it looks like.
Result<std::string> file_path(const std::string& given) {
    std::error_code error;
    if (given.empty()) return fail(Code::invalid_argument, "the SQLite store has no path", "set the path of its file");
    const fs::path path = fs::absolute(given, error);
    if (fs::is_directory(path, error)) {
        return fail(Code::invalid_argument, fmt::format("the store's path {} is a folder", path.string()),
                    "add a file name to it");
    }
    if (!fs::is_directory(path.parent_path(), error)) {
        return fail(Code::not_found,
                    fmt::format("the folder {} of the store does not exist", path.parent_path().string()),
                    "make it, or give another path");
    }
    return path.string();
}

Result<Database> connect(const StoreSettings& settings) {
    const auto path = file_path(settings.path);
    if (!path) return fail(path.error());
    if (auto made = make_file(*path); !made) return fail(made.error());
    auto database = Database::open(*path, settings.timeout);
    if (!database) return database;
    const std::string pragmas = fmt::format(
        "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = {};",
        settings.fsync ? "FULL" : "NORMAL");
    if (auto set = database->execute(pragmas); !set) return fail(set.error());
    return database;
}

/// The version of the schema in the file; 0 in an empty one. Refuses what is not ours or too new.
Result<int> read_version(Database& database, const std::string& path) {
    const auto application = database.integer("PRAGMA application_id");
    if (!application) return fail(application.error());
    const auto version = database.integer("PRAGMA user_version");
    if (!version) return fail(version.error());
    const auto tables = database.integer("SELECT count(*) FROM sqlite_schema");
    if (!tables) return fail(tables.error());

    if (*tables == 0) return 0;
    if (*application != kApplicationId || *version < 1) {
        return fail(Code::corrupt, fmt::format("{} is a database of another program, not a store", path),
                    "give another path");
    }
    if (*version > kSchemaVersion) {
        return fail(Code::unsupported,
                    fmt::format("the store {} has version {}, made by a newer Quaestor; this one knows version {}",
                                path, *version, kSchemaVersion),
                    "update Quaestor, or give another path");
    }
    return static_cast<int>(*version);
}

Result<> migrate(Database& database, const std::string& path) {
    auto transaction = Transaction::begin(database, Transaction::Kind::write);
    if (!transaction) return fail(transaction.error());
    // Read again, now that nobody else can migrate at the same time.
    const auto version = read_version(database, path);
    if (!version) return fail(version.error());
    for (int next = *version; next < kSchemaVersion; ++next) {
        if (auto done = database.execute(kMigrations.at(static_cast<std::size_t>(next))); !done) return done;
    }
    const auto marks =
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, kSchemaVersion);
    if (auto done = database.execute(marks); !done) return done;
    return transaction->commit();
}

/// All of it from one moment: somebody else may be migrating.
Result<int> version_seen(Database& database, const std::string& path) {
    auto transaction = Transaction::begin(database, Transaction::Kind::read);
    if (!transaction) return fail(transaction.error());
    const auto version = read_version(database, path);
    if (!version) return version;
    if (auto done = transaction->commit(); !done) return fail(done.error());
    return version;
}

/// Readers and the writer do not wait for each other in this mode. It is kept in the file. SQLite may give up at once
/// where two switch at the same time, so they are waited for here, for as long as any lock is.
Result<> write_ahead(Database& database, std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kPause{10};
    const auto give_up_at = std::chrono::steady_clock::now() + patience;
    while (true) {
        auto set = database.execute("PRAGMA journal_mode = WAL");
        const bool is_locked = !set && set.error().code == Code::unavailable;
        if (!is_locked || std::chrono::steady_clock::now() >= give_up_at) return set;
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

Result<Database> open_for_writing(const StoreSettings& settings) {
    auto database = connect(settings);
    if (!database) return database;
    const auto version = version_seen(*database, settings.path);
    if (!version) return fail(version.error());
    if (database->is_read_only()) {
        return fail(Code::permission_denied, fmt::format("the store {} may not be written", settings.path),
                    "give this user leave to write the file and its folder");
    }
    if (auto set = write_ahead(*database, settings.timeout); !set) return fail(set.error());
    if (*version < kSchemaVersion) {
        if (auto migrated = migrate(*database, settings.path); !migrated) return fail(migrated.error());
    }
    return database;
}

Result<Database> open_for_reading(const StoreSettings& settings) {
    auto database = connect(settings);
    if (!database) return database;
    if (auto set = database->execute("PRAGMA query_only = ON"); !set) return fail(set.error());
    return database;
}

}  // namespace quaestor::store::sqlite
