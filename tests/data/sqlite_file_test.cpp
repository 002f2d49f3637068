#include "data/conformance_sqlite.hpp"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <fstream>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace quaestor::data {

namespace {

using testing::HasSubstr;

constexpr const char* kSmall =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t (x) VALUES ('a'), ('b');";
constexpr const char* kSmallWal =
    "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO t (x) VALUES ('a'), "
    "('b');";

/// Another program that has the file open.
class Writer {
public:
    explicit Writer(const std::filesystem::path& path) {
        EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
        execute("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
    }
    ~Writer() { sqlite3_close(handle_); }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void execute(const char* sql) {
        EXPECT_EQ(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle_);
    }

private:
    sqlite3* handle_ = nullptr;
};

/// A writer in a process of its own, whose locks are really others'. It ends without closing the database.
class WritingProcess {
public:
    WritingProcess(const std::filesystem::path& path, const char* sql) {
        std::array<int, 2> ready{};
        EXPECT_EQ(pipe(ready.data()), 0);
        child_ = fork();
        if (child_ == 0) {
            sqlite3* handle = nullptr;
            const bool done = sqlite3_open(path.c_str(), &handle) == SQLITE_OK &&
                              sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
            (void)!write(ready[1], done ? "1" : "0", 1);
            for (;;) pause();
        }
        char done = '0';
        EXPECT_EQ(read(ready[0], &done, 1), 1);
        EXPECT_EQ(done, '1');
        close(ready[0]);
        close(ready[1]);
    }
    ~WritingProcess() { end(); }
    WritingProcess(const WritingProcess&) = delete;
    WritingProcess& operator=(const WritingProcess&) = delete;

    void end() {
        if (child_ <= 0) return;
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        child_ = 0;
    }

private:
    pid_t child_ = 0;
};

std::string answer(Engine& engine, const std::string& sql) {
    const auto result = engine.run(sql, {}, {});
    if (!result) return result.error().describe();
    return result->row_count == 0 ? "no rows" : result->columns[0].text(0);
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

Code code_of_opening(const std::filesystem::path& path) {
    const auto engine = open_sqlite(path.string());
    EXPECT_FALSE(engine) << path;
    return engine ? Code::internal : engine.error().code;
}

}  // namespace

TEST(SqliteFile, ThatIsMissingIsNotFound) {
    EXPECT_EQ(code_of_opening("/nowhere/at/all.db"), Code::not_found);
}

TEST(SqliteFile, IsNotCreatedByOpeningIt) {
    const SqliteDatabase database(kSmall);
    EXPECT_EQ(code_of_opening(database.folder() / "other.db"), Code::not_found);
    EXPECT_FALSE(std::filesystem::exists(database.folder() / "other.db"));
}

TEST(SqliteFile, ThatIsAFolderOrAPipeIsRefused) {
    const SqliteDatabase database(kSmall);
    EXPECT_EQ(code_of_opening(database.folder()), Code::invalid_argument);
    const auto pipe = database.folder() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(code_of_opening(pipe), Code::invalid_argument);
    EXPECT_EQ(code_of_opening(std::string("a\0b", 3)), Code::invalid_argument);
}

TEST(SqliteFile, ThatIsNoDatabaseIsCorrupt) {
    const SqliteDatabase database(kSmall);
    const auto path = database.folder() / "notes.txt";
    write_file(path, std::string(10'000, 'x'));
    const auto engine = open_sqlite(path.string());
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::corrupt);
    EXPECT_THAT(engine.error().message, HasSubstr("no SQLite database"));
    EXPECT_FALSE(engine.error().hint.empty());
    write_file(path, "short");
    EXPECT_EQ(code_of_opening(path), Code::corrupt);
}

TEST(SqliteFile, OfNoBytesIsADatabaseWithoutTables) {
    const SqliteDatabase database(kSmall);
    const auto path = database.folder() / "empty.db";
    write_file(path, "");
    auto engine = open_sqlite(path.string());
    ASSERT_TRUE(engine) << engine.error().describe();
    EXPECT_TRUE((*engine)->read_schema({})->tables.empty());
    EXPECT_EQ(answer(**engine, "SELECT 1"), "1");
    EXPECT_TRUE((*engine)->fingerprint());
    EXPECT_EQ(std::filesystem::file_size(path), 0U);
}

TEST(SqliteFile, TakesAPathWithSpecialCharacters) {
    const SqliteDatabase database(kSmall);
    for (const auto* name : {"a b?mode=rwc#x%41.db", "\xE8\xAE\xA2\xE5\x8D\x95.db", "it's;--.db", "file:x.db"}) {
        const auto path = database.folder() / name;
        std::filesystem::copy_file(database.path(), path);
        auto engine = open_sqlite(path.string());
        ASSERT_TRUE(engine) << engine.error().describe();
        EXPECT_EQ(answer(**engine, "SELECT count(*) FROM t"), "2");
    }
}

TEST(SqliteFile, InWalModeIsReadWithoutWritingBesideIt) {
    SqliteDatabase database(kSmallWal);
    const auto before = bytes_in(database.folder());
    ASSERT_EQ(before.size(), 1U) << "the log was not removed by the writer";
    {
        auto engine = database.open();
        EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
        EXPECT_EQ(engine->read_schema({})->tables.size(), 1U);
        EXPECT_EQ(bytes_in(database.folder()), before);
    }
    EXPECT_EQ(bytes_in(database.folder()), before);
}

TEST(SqliteFile, InWalModeIsReadFromAFolderThatCannotBeWritten) {
    SqliteDatabase database(kSmallWal);
    std::filesystem::permissions(database.path(), std::filesystem::perms::owner_read);
    std::filesystem::permissions(database.folder(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    auto engine = database.open();
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
}

TEST(SqliteFile, InWalModeShowsWhatAWriterHasCommitted) {
    SqliteDatabase database(kSmallWal);
    auto engine = database.open();
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
    const auto before = engine->fingerprint().value_or("failed");
    {
        Writer writer(database.path());
        writer.execute("INSERT INTO t (x) VALUES ('c')");
        EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "3");
        const auto between = engine->fingerprint().value_or("failed");
        EXPECT_NE(between, before);
        writer.execute("BEGIN IMMEDIATE; INSERT INTO t (x) VALUES ('d')");
        EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "3");
        writer.execute("COMMIT");
        EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "4");
        EXPECT_NE(engine->fingerprint().value_or("failed"), between);
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)");
        EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "4");
    }
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "4");
}

TEST(SqliteFile, ThatIsTurnedIntoWalModeMeanwhileIsStillRead) {
    SqliteDatabase database(kSmall);
    auto engine = database.open();
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
    database.write("PRAGMA journal_mode = WAL; INSERT INTO t (x) VALUES ('c')");
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "3");
    database.write("PRAGMA journal_mode = DELETE; INSERT INTO t (x) VALUES ('d')");
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "4");
}

TEST(SqliteFile, InWalModeIsReadBesideAnotherProcessAndAfterItsDeath) {
    SqliteDatabase database(kSmallWal);
    WritingProcess writer(database.path(),
                          "INSERT INTO t (x) VALUES ('c'); BEGIN IMMEDIATE; INSERT INTO t (x) VALUES ('d')");
    const auto before = bytes_in(database.folder());
    auto engine = database.open();
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "3");
    writer.end();
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "3");
    EXPECT_EQ(answer(*database.open(), "SELECT count(*) FROM t"), "3");
    EXPECT_EQ(bytes_in(database.folder()), before);
}

TEST(SqliteFile, LockedByAnotherProcessIsAConflict) {
    SqliteDatabase database(kSmall);
    WritingProcess writer(database.path(), "BEGIN EXCLUSIVE");
    EXPECT_EQ(code_of_opening(database.path()), Code::conflict);
    writer.end();
    EXPECT_EQ(answer(*database.open(), "SELECT count(*) FROM t"), "2");
}

TEST(SqliteFile, LeftByACrashWithItsLogIsReadWithWhatTheLogHolds) {
    SqliteDatabase database(kSmallWal);
    const auto copy = database.folder() / "crashed.db";
    {
        Writer writer(database.path());
        writer.execute("INSERT INTO t (x) VALUES ('c')");
        for (const auto* ending : {"", "-wal", "-shm"}) {
            std::filesystem::copy_file(database.path().string() + ending, copy.string() + ending);
        }
    }
    const auto before = bytes_in(database.folder());
    {
        auto engine = open_sqlite(copy.string());
        ASSERT_TRUE(engine) << engine.error().describe();
        EXPECT_EQ(answer(**engine, "SELECT count(*) FROM t"), "3");
    }
    EXPECT_EQ(bytes_in(database.folder()), before);
}

TEST(SqliteFile, WithALogThatCannotBeReadWithoutWritingIsUnavailable) {
    SqliteDatabase database(kSmallWal);
    const auto copy = database.folder() / "copied.db";
    {
        Writer writer(database.path());
        writer.execute("INSERT INTO t (x) VALUES ('c')");
        for (const auto* ending : {"", "-wal"}) {
            std::filesystem::copy_file(database.path().string() + ending, copy.string() + ending);
        }
    }
    const auto before = bytes_in(database.folder());
    const auto engine = open_sqlite(copy.string());
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::unavailable);
    EXPECT_THAT(engine.error().message, HasSubstr("-wal"));
    EXPECT_EQ(bytes_in(database.folder()), before);
}

TEST(SqliteFile, LeftInTheMiddleOfAChangeIsNotTouched) {
    SqliteDatabase database(kSmall);
    const auto copy = database.folder() / "crashed.db";
    {
        Writer writer(database.path());
        // A cache of one page makes SQLite write to the file before the end of the transaction.
        writer.execute("PRAGMA cache_size = 1; BEGIN; CREATE TABLE big (x TEXT)");
        writer.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)"
            " INSERT INTO big SELECT printf('%.500c', 'x') FROM n");
        std::filesystem::copy_file(database.path(), copy);
        std::filesystem::copy_file(database.path().string() + "-journal", copy.string() + "-journal");
    }
    const auto before = bytes_in(database.folder());
    const auto engine = open_sqlite(copy.string());
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::conflict) << engine.error().describe();
    EXPECT_EQ(bytes_in(database.folder()), before);
}

TEST(SqliteFile, LockedByAWriterIsAConflictAndLaterWorks) {
    SqliteDatabase database(kSmall);
    {
        Writer writer(database.path());
        writer.execute("BEGIN EXCLUSIVE");
        EXPECT_EQ(code_of_opening(database.path()), Code::conflict);
    }
    EXPECT_EQ(answer(*database.open(), "SELECT count(*) FROM t"), "2");
}

TEST(SqliteFile, LockedWhileItIsOpenIsUnavailableAndLaterWorks) {
    SqliteDatabase database(kSmall);
    auto engine = database.open();
    Writer writer(database.path());
    writer.execute("BEGIN EXCLUSIVE");
    const auto result = engine->run("SELECT count(*) FROM t", {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::unavailable);
    writer.execute("COMMIT");
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
}

TEST(SqliteFile, LockedStopsWaitingWhenItIsCancelled) {
    SqliteDatabase database(kSmall);
    auto engine = database.open();
    Writer writer(database.path());
    writer.execute("BEGIN EXCLUSIVE");
    CancelSource source;
    source.cancel(CancelReason::deadline);
    const auto ran = engine->run("SELECT count(*) FROM t", {}, source.token());
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, Code::timeout);
}

TEST(SqliteFile, ReplacedByAnotherIsReadAnew) {
    SqliteDatabase database(kSmall);
    SqliteDatabase other("CREATE TABLE u (y INTEGER); INSERT INTO u VALUES (7);");
    auto engine = database.open();
    EXPECT_EQ(answer(*engine, "SELECT count(*) FROM t"), "2");
    const auto before = engine->fingerprint().value_or("failed");
    std::filesystem::rename(other.path(), database.path());
    EXPECT_EQ(answer(*engine, "SELECT y FROM u"), "7");
    EXPECT_NE(engine->fingerprint().value_or("failed"), before);
}

TEST(SqliteFile, RemovedWhileItIsOpenIsNotFound) {
    SqliteDatabase database(kSmall);
    auto engine = database.open();
    std::filesystem::remove(database.path());
    const auto result = engine->run("SELECT 1", {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::not_found);
    EXPECT_FALSE(std::filesystem::exists(database.path()));
}

TEST(SqliteFile, CutShortGivesAResultOrAnError) {
    SqliteDatabase database(shop_sql());
    const auto whole = bytes_in(database.folder()).begin()->second;
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) {
        write_file(database.path(), whole.substr(0, size));
        const auto engine = open_sqlite(database.path().string());
        if (!engine) {
            EXPECT_EQ(engine.error().code, Code::corrupt) << size << " " << engine.error().describe();
            continue;
        }
        (void)(*engine)->read_schema({});
        (void)(*engine)->run("SELECT count(*), sum(amount) FROM orders JOIN order_items ON order_id = id", {}, {});
    }
}

TEST(SqliteFile, WithFlippedBytesGivesAResultOrAnError) {
    SqliteDatabase database(shop_sql() + "CREATE INDEX by_status ON orders (status); CREATE VIEW v AS SELECT 1 AS x;");
    const auto whole = bytes_in(database.folder()).begin()->second;
    std::mt19937 random(20'260'131);  // NOLINT: the same bytes every time
    for (int round = 0; round < 300; ++round) {
        std::string damaged = whole;
        for (int i = 0; i < 1 + round / 10; ++i) {
            // Half of the damage goes to the first page, where the schema is.
            const std::size_t range = round % 2 == 0 ? 4096 : damaged.size();
            damaged[random() % range] = static_cast<char>(random());
        }
        write_file(database.path(), damaged);
        const auto engine = open_sqlite(database.path().string());
        if (!engine) continue;
        (void)(*engine)->read_schema({});
        for (const auto* sql :
             {"SELECT * FROM orders ORDER BY status", "SELECT count(*) FROM order_items",
              "SELECT name, email FROM customers WHERE id = 3", "SELECT max(ts), kind FROM events GROUP BY kind"}) {
            (void)(*engine)->read(sql);
            const auto result = (*engine)->run(sql, {.rows = 1'000}, {});
            if (!result) EXPECT_NE(result.error().code, Code::internal) << result.error().describe();
        }
    }
}

}  // namespace quaestor::data
