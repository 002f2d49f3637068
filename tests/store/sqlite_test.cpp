#include "store/sqlite.hpp"

#include "conformance.hpp"
#include "faulty_vfs.hpp"
#include "store/sqlite_schema.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <csignal>
#include <fstream>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace quaestor::store {

namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

StoreSettings sqlite_settings(const std::string& path) {
    StoreSettings settings;
    settings.backend = Backend::sqlite;
    settings.path = path;
    return settings;
}

class SqliteHome final : public StoreHome {
public:
    std::unique_ptr<Store> open() override { return unwrap(open_store(sqlite_settings(folder_.file("store.db")))); }

private:
    TemporaryFolder folder_;
};

const TestBackend kSqlite{
    .name = "sqlite", .durable = true, .make_home = [] { return std::make_unique<SqliteHome>(); }};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreConformance, testing::Values(kSqlite), backend_name);

/// Another program's connection to the file.
class OtherConnection {
public:
    explicit OtherConnection(const std::string& path) { sqlite3_open(path.c_str(), &handle_); }
    ~OtherConnection() { sqlite3_close(handle_); }
    OtherConnection(const OtherConnection&) = delete;
    OtherConnection& operator=(const OtherConnection&) = delete;

    void run(const std::string& sql) {
        ASSERT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle_);
    }

private:
    sqlite3* handle_ = nullptr;
};

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

Error open_error(const StoreSettings& settings) {
    const auto store = open_store(settings);
    if (store) throw std::runtime_error("it opened, and should not have");
    EXPECT_FALSE(store.error().hint.empty()) << store.error().message;
    return store.error();
}

class SqliteFile : public testing::Test {
protected:
    std::unique_ptr<Store> open() { return unwrap(open_store(sqlite_settings(path))); }

    /// A closed store with a thread "t" of ten checkpoints.
    void make_store() {
        const auto store = open();
        for (int n = 0; n < 10; ++n) {
            wait(store->checkpoints().put(
                Draft("t", fmt::format("c{}", n)).snapshot().set("text", json::value(std::string(1'000, 'x')))));
        }
    }

    TemporaryFolder folder;
    const std::string path = folder.file("store.db");
};

}  // namespace

// ---- the file

TEST_F(SqliteFile, IsMadeForItsOwnerOnly) {
    const auto store = open();
    wait(store->health());
    for (const char* suffix : {"", "-wal", "-shm"}) {
        struct stat file{};
        ASSERT_EQ(::stat((path + suffix).c_str(), &file), 0) << suffix;
        EXPECT_EQ(file.st_mode & 0777, 0600u) << suffix;
    }
}

TEST_F(SqliteFile, KeepsThePermissionsItHas) {
    make_store();
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    open();
    struct stat file{};
    ASSERT_EQ(::stat(path.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777, 0640u);
}

TEST_F(SqliteFile, TellsItsPathVersionAndSize) {
    make_store();
    const auto health = wait(open()->health());
    EXPECT_THAT(health.backend, HasSubstr("SQLite 3."));
    EXPECT_EQ(health.location, path);
    EXPECT_EQ(health.schema_version, sqlite::kSchemaVersion);
    EXPECT_GT(health.bytes, 10'000u);
}

TEST_F(SqliteFile, MayHaveANameThatSqliteWouldTakeForSomethingElse) {
    for (const char* name : {":memory:", "file:store?mode=memory", "it's \"a\" 数据.db"}) {
        const auto settings = sqlite_settings(folder.file(name));
        wait(unwrap(open_store(settings))->checkpoints().put(Draft("t", "c1").snapshot()));
        EXPECT_TRUE(wait(unwrap(open_store(settings))->checkpoints().get("t")).has_value()) << name;
    }
}

TEST_F(SqliteFile, MayBeEmptyAtFirst) {
    write_file(path, "");
    wait(open()->checkpoints().put(Draft("t", "c1").snapshot()));
    EXPECT_TRUE(wait(open()->checkpoints().get("t")).has_value());
}

TEST_F(SqliteFile, NeedsAPath) {
    EXPECT_EQ(open_error(sqlite_settings("")).code, Code::invalid_argument);
}

TEST_F(SqliteFile, CannotBeAFolder) {
    EXPECT_EQ(open_error(sqlite_settings(folder.path().string())).code, Code::invalid_argument);
}

TEST_F(SqliteFile, NeedsAFolderThatExists) {
    const auto error = open_error(sqlite_settings(folder.file("missing/store.db")));
    EXPECT_EQ(error.code, Code::not_found);
    EXPECT_THAT(error.message, HasSubstr("missing"));
}

TEST_F(SqliteFile, NeedsAFolderThatMayBeWritten) {
    // Not even root may make files there.
    const auto error = open_error(sqlite_settings("/proc/self/store.db"));
    EXPECT_THAT(error.code, AnyOf(Code::permission_denied, Code::unavailable));
    EXPECT_THAT(error.message, HasSubstr("/proc/self/store.db"));
}

// ---- versions

TEST_F(SqliteFile, OfVersion1IsMigratedWithEverythingInIt) {
    {
        OtherConnection old(path);
        old.run(R"sql(
            CREATE TABLE checkpoints (seq INTEGER PRIMARY KEY, thread_id TEXT NOT NULL, id TEXT NOT NULL,
                parent_id TEXT NOT NULL, is_snapshot INTEGER NOT NULL, change TEXT NOT NULL, position TEXT NOT NULL,
                metadata TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE (thread_id, id)) STRICT;
            CREATE INDEX checkpoints_by_thread ON checkpoints (thread_id);
            CREATE TABLE writes (checkpoint INTEGER NOT NULL REFERENCES checkpoints (seq) ON DELETE CASCADE,
                task INTEGER NOT NULL, kind TEXT NOT NULL, place INTEGER NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (checkpoint, task, kind, place)) STRICT, WITHOUT ROWID;
            INSERT INTO checkpoints VALUES
                (1, 't', 'c1', '', 1, '{"set":{"log":[1]}}', 'null', '{"step":1}', 1000),
                (2, 't', 'c2', 'c1', 0, '{"set":{},"append":{"log":[2]}}', '"here"', '{}', 2000);
            INSERT INTO writes VALUES (2, 0, 'interrupt', 0, '"which year?"');
            PRAGMA application_id = 0x51756165;
            PRAGMA user_version = 1;)sql");
    }
    const auto store = open();
    const auto saved = wait(store->checkpoints().get("t")).value();
    EXPECT_EQ(saved.id, "c2");
    EXPECT_EQ(saved.state, (json::object{{"log", {1, 2}}}));
    EXPECT_EQ(saved.writes.at(0).kind, graph::PendingWrite::Kind::interrupt);
    EXPECT_EQ(saved.created_at, WallTime(std::chrono::nanoseconds(2000)));
    Message message;
    message.id = "m1";
    wait(store->conversations().append("t", message));
    EXPECT_EQ(wait(store->health()).schema_version, sqlite::kSchemaVersion);
}

TEST_F(SqliteFile, OfVersion2KeepsItsConversationsWithTheTimeOfTheirFirstMessage) {
    make_store();
    {
        OtherConnection old(path);
        old.run(R"sql(
            DROP TABLE feedback;
            DROP INDEX runs_by_thread;
            DROP INDEX conversations_by_owner;
            ALTER TABLE conversations DROP COLUMN owner;
            ALTER TABLE conversations DROP COLUMN title;
            ALTER TABLE conversations DROP COLUMN created_at;
            INSERT INTO conversations VALUES ('t', 1, 9000), ('empty', 2, 5000);
            INSERT INTO messages VALUES (1, 't', 'm1', 'user', 'how many?', '{}', 4000),
                (2, 't', 'm2', 'assistant', '3', '{}', 9000);
            PRAGMA user_version = 2;)sql");
    }
    const auto store = open();
    const auto info = wait(store->conversations().info("t")).value();
    EXPECT_EQ(info.title, "how many?");
    EXPECT_EQ(info.owner, "");
    EXPECT_EQ(info.created_at, WallTime(std::chrono::nanoseconds(4000)));
    EXPECT_EQ(wait(store->conversations().info("empty")).value().created_at, WallTime(std::chrono::nanoseconds(5000)));
}

TEST_F(SqliteFile, OfANewerVersionIsRefusedAndLeftAsItIs) {
    make_store();
    OtherConnection(path).run("PRAGMA user_version = 99");
    const std::string before = read_file(path);
    const auto error = open_error(sqlite_settings(path));
    EXPECT_EQ(error.code, Code::unsupported);
    EXPECT_THAT(error.message, HasSubstr("99"));
    EXPECT_EQ(read_file(path), before);
}

TEST_F(SqliteFile, OfAnotherProgramIsRefusedAndLeftAsItIs) {
    OtherConnection(path).run("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('la')");
    const std::string before = read_file(path);
    const auto error = open_error(sqlite_settings(path));
    EXPECT_EQ(error.code, Code::corrupt);
    EXPECT_THAT(error.message, HasSubstr("another program"));
    EXPECT_EQ(read_file(path), before);
}

TEST_F(SqliteFile, OfAVersionThatNeverWasIsRefused) {
    make_store();
    for (const char* version : {"0", "-1"}) {
        OtherConnection(path).run(std::string("PRAGMA user_version = ") + version);
        EXPECT_EQ(open_error(sqlite_settings(path)).code, Code::corrupt) << version;
    }
}

TEST_F(SqliteFile, OpenedBySeveralAtOnceIsMigratedOnce) {
    std::vector<std::jthread> openers;
    for (int n = 0; n < 4; ++n) {
        openers.emplace_back([&, n] { wait(open()->checkpoints().put(Draft("t", fmt::format("c{}", n)).snapshot())); });
    }
    openers.clear();
    EXPECT_EQ(wait(open()->health()).checkpoints, 4u);
}

// ---- damage

TEST_F(SqliteFile, ThatIsNoDatabaseIsRefused) {
    for (const std::string& bytes : {std::string("hello"), std::string(8192, 'x'), std::string(8192, '\0')}) {
        write_file(path, bytes);
        EXPECT_EQ(open_error(sqlite_settings(path)).code, Code::corrupt);
        EXPECT_EQ(read_file(path), bytes);
    }
}

TEST_F(SqliteFile, WithAGarbledHeaderIsRefused) {
    make_store();
    std::string bytes = read_file(path);
    bytes.replace(0, 16, "no longer SQLite");
    write_file(path, bytes);
    EXPECT_EQ(open_error(sqlite_settings(path)).code, Code::corrupt);
}

/// Opens and uses a store that may be damaged; true when something of it could not be read.
bool is_found_damaged(const StoreSettings& settings) {
    const auto store = open_store(settings);
    if (!store) return true;
    bool damaged = !run_to_end((*store)->checkpoints().list({}));
    for (int n = 0; n < 10; ++n) {
        const auto saved = run_to_end((*store)->checkpoints().get("t", fmt::format("c{}", n)));
        damaged = damaged || !saved || !*saved;
    }
    damaged = !run_to_end((*store)->checkpoints().put(Draft("t", "new").snapshot())) || damaged;
    return !run_to_end((*store)->checkpoints().delete_thread("t")) || damaged;
}

TEST_F(SqliteFile, CutShortIsAnErrorNeverACrash) {
    make_store();
    const std::string whole = read_file(path);
    for (std::size_t size = 1; size < whole.size(); size += 1'021) {
        write_file(path, whole.substr(0, size));
        EXPECT_TRUE(is_found_damaged(sqlite_settings(path))) << size;
    }
}

TEST_F(SqliteFile, WithFlippedBytesIsAnErrorOrWorksNeverACrash) {
    make_store();
    const std::string whole = read_file(path);
    std::mt19937 random(7);
    int found = 0;
    for (std::size_t at = 100; at + 64 < whole.size(); at += 211) {
        std::string bytes = whole;
        for (std::size_t i = 0; i < 64; ++i) bytes[at + i] = static_cast<char>(random());
        write_file(path, bytes);
        found += is_found_damaged(sqlite_settings(path)) ? 1 : 0;
        std::filesystem::remove(path + "-wal");
        std::filesystem::remove(path + "-shm");
    }
    EXPECT_GT(found, 20);
}

TEST_F(SqliteFile, WithRowsThatMakeNoSenseSaysWhichOnes) {
    make_store();
    OtherConnection(path).run(
        "UPDATE checkpoints SET change = '{\"set\":' WHERE id = 'c1';"
        "UPDATE checkpoints SET change = '[]' WHERE id = 'c2';"
        "UPDATE checkpoints SET change = '{\"set\":1}' WHERE id = 'c3';"
        "UPDATE checkpoints SET metadata = 'x' WHERE id = 'c4';"
        "UPDATE checkpoints SET position = '' WHERE id = 'c5';"
        "INSERT INTO writes SELECT seq, 0, 'unheard', 0, '1' FROM checkpoints WHERE id = 'c6';"
        "INSERT INTO writes SELECT seq, 0, 'update', 0, '1 2' FROM checkpoints WHERE id = 'c7';");
    const auto store = open();
    for (int n = 1; n <= 7; ++n) {
        const auto saved = run_to_end(store->checkpoints().get("t", fmt::format("c{}", n)));
        ASSERT_FALSE(saved) << n;
        EXPECT_EQ(saved.error().code, Code::corrupt);
        EXPECT_THAT(saved.error().message, HasSubstr(fmt::format("checkpoint c{}", n)));
    }
    EXPECT_TRUE(wait(store->checkpoints().get("t", "c8")).has_value());
    EXPECT_EQ(failure_of(store->checkpoints().list({})), Code::corrupt);
}

TEST_F(SqliteFile, WithRecordsThatMakeNoSenseSaysSo) {
    open();
    OtherConnection(path).run(
        "INSERT INTO conversations (thread_id, changed, updated_at) VALUES ('t', 1, 0);"
        "INSERT INTO messages VALUES (1, 't', 'm1', 'nobody', '', '{}', 0);"
        "INSERT INTO conversations (thread_id, changed, updated_at) VALUES ('u', 2, 0);"
        "INSERT INTO messages VALUES (2, 'u', 'm1', 'user', '', '[]', 0);"
        "INSERT INTO runs VALUES (1, 'r1', 't', '', '', 0, NULL, 'null', 'null', '[{\"step\":\"x\"}]');"
        "INSERT INTO runs VALUES (2, 'r2', 't', '', '', 0, NULL, '{', 'null', '[]');"
        "INSERT INTO runs VALUES (3, 'r3', 't', '', '', 0, NULL, 'null', '{', '[]');");
    const auto store = open();
    for (const char* thread_id : {"t", "u"})
        EXPECT_EQ(failure_of(store->conversations().messages(thread_id)), Code::corrupt);
    for (const char* run_id : {"r1", "r2", "r3"}) EXPECT_EQ(failure_of(store->traces().get(run_id)), Code::corrupt);
    EXPECT_EQ(failure_of(store->traces().list({})), Code::corrupt);
    EXPECT_EQ(wait(store->conversations().list()).size(), 2u);
}

// ---- several at once

TEST_F(SqliteFile, LockedByAnotherWhileItIsMadeIsUnavailable) {
    OtherConnection other(path);
    other.run("BEGIN EXCLUSIVE");
    auto settings = sqlite_settings(path);
    settings.timeout = std::chrono::milliseconds(1);
    const auto error = open_error(settings);
    EXPECT_EQ(error.code, Code::unavailable);
    EXPECT_THAT(error.message, HasSubstr("locked"));
}

TEST_F(SqliteFile, LockedByAnotherWriterCanBeReadAndLaterWritten) {
    make_store();
    OtherConnection other(path);
    auto settings = sqlite_settings(path);
    settings.timeout = std::chrono::milliseconds(1);
    other.run("BEGIN IMMEDIATE");
    const auto store = unwrap(open_store(settings));
    EXPECT_TRUE(wait(store->checkpoints().get("t")).has_value());
    EXPECT_EQ(failure_of(store->checkpoints().put(Draft("t", "new").snapshot())), Code::unavailable);
    EXPECT_EQ(failure_of(store->health()), Code::unavailable);
    other.run("COMMIT");
    wait(store->checkpoints().put(Draft("t", "new").snapshot()));
    EXPECT_EQ(wait(store->checkpoints().get("t"))->id, "new");
}

TEST_F(SqliteFile, IsSharedByTwoStores) {
    const auto one = open();
    const auto two = open();
    for (int n = 0; n < 20; ++n) {
        const auto& writer = n % 2 == 0 ? one : two;
        const auto& reader = n % 2 == 0 ? two : one;
        wait(writer->checkpoints().put(Draft("t", fmt::format("c{}", n)).snapshot()));
        EXPECT_EQ(wait(reader->checkpoints().get("t"))->id, fmt::format("c{}", n));
    }
}

TEST_F(SqliteFile, CommitsManyChangesInOneTransaction) {
    FaultyVfs vfs;
    const auto store = open();
    OtherConnection other(path);
    other.run("BEGIN IMMEDIATE");  // so that everything below has to wait
    asio::io_context loop(1);
    int stored = 0;
    for (int n = 0; n < 500; ++n) {
        asio::co_spawn(loop, store->checkpoints().put(Draft("t", fmt::format("c{}", n)).snapshot()),
                       [&](std::exception_ptr, const Result<>& result) { stored += result ? 1 : 0; });
    }
    loop.poll();
    const int before = vfs.syncs();
    other.run("ROLLBACK");
    loop.run();
    EXPECT_EQ(stored, 500);
    // One for what the writer had taken when the lock held it up, one for the rest.
    EXPECT_LE(vfs.syncs() - before, 2);
}

TEST_F(SqliteFile, AWrongChangeFailsAloneInItsGroup) {
    const auto store = open();
    wait(store->checkpoints().put(Draft("t", "c0").snapshot()));
    OtherConnection other(path);
    other.run("BEGIN IMMEDIATE");
    asio::io_context loop(1);
    std::vector<Code> failures;
    int stored = 0;
    const auto count = [&](std::exception_ptr, const auto& result) {
        if (result) {
            ++stored;
        } else {
            failures.push_back(result.error().code);
        }
    };
    auto& checkpoints = store->checkpoints();
    asio::co_spawn(loop, checkpoints.put(Draft("t", "c1").snapshot()), count);
    asio::co_spawn(loop, checkpoints.put(Draft("t", "c2").snapshot()), count);
    asio::co_spawn(loop, checkpoints.put_writes("t", "missing", {}), count);
    asio::co_spawn(loop, checkpoints.copy_thread("t", "copy"), count);
    asio::co_spawn(loop, checkpoints.copy_thread("t", "copy"), count);
    asio::co_spawn(loop, checkpoints.put(Draft("t", "c3").snapshot()), count);
    loop.poll();
    other.run("ROLLBACK");
    loop.run();
    EXPECT_EQ(stored, 4);
    EXPECT_THAT(failures, ElementsAre(Code::not_found, Code::already_exists));
    EXPECT_EQ(wait(store->health()).checkpoints, 4u + 3u);
}

TEST_F(SqliteFile, ClosingCommitsWhatWasSubmitted) {
    asio::io_context loop(1);
    {
        const auto store = open();
        for (int n = 0; n < 200; ++n) {
            asio::co_spawn(loop, store->checkpoints().put(Draft("t", fmt::format("c{}", n)).snapshot()),
                           asio::detached);
        }
        loop.poll();
    }
    loop.run();
    EXPECT_EQ(wait(open()->health()).checkpoints, 200u);
}

// ---- a process that dies

/// Stores checkpoints without end, and writes a byte to `acknowledged` after each. Never returns.
[[noreturn]] void write_until_killed(const std::string& path, int acknowledged) {
    const auto store = unwrap(open_store(sqlite_settings(path)));
    for (int n = 0;; ++n) {
        Draft draft("t", fmt::format("c{}", n));
        if (n > 0) draft.after(fmt::format("c{}", n - 1));
        wait(store->checkpoints().put(draft.append("log", {n})));
        if (::write(acknowledged, "x", 1) != 1) ::_exit(1);
    }
}

TEST_F(SqliteFile, KeepsWhatWasAcknowledgedWhenTheProcessIsKilled) {
    for (int round = 0; round < 8; ++round) {
        std::filesystem::remove(path);
        int pipe_ends[2];
        ASSERT_EQ(::pipe(pipe_ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) write_until_killed(path, pipe_ends[1]);
        ::close(pipe_ends[1]);

        int acknowledged = 0;
        char byte = 0;
        while (acknowledged <= round * 7 && ::read(pipe_ends[0], &byte, 1) == 1) ++acknowledged;
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        ::close(pipe_ends[0]);

        const auto store = open();
        for (int n = 0; n < acknowledged; ++n) {
            const auto saved = wait(store->checkpoints().get("t", fmt::format("c{}", n)));
            ASSERT_TRUE(saved.has_value()) << n;
            EXPECT_EQ(saved->state.at("log").as_array().size(), static_cast<std::size_t>(n) + 1);
        }
    }
}

}  // namespace quaestor::store
