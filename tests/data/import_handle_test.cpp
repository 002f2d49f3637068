#include "data/duckdb/handle.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace quaestor::data::duck {

namespace {

using testing::HasSubstr;

Connection connect() {
    static const Database database = Database::open(":memory:", {{"threads", "2"}}).value();
    return database.connect().value();
}

TEST(DuckdbHandle, GivesTextsIntegersAndNulls) {
    const Connection connection = connect();
    auto rows = connection.query("SELECT 'a longer text than twelve', 42::BIGINT, NULL::VARCHAR").value();
    ASSERT_EQ(rows.column_count(), 3U);
    const auto chunk = rows.next().value();
    ASSERT_TRUE(chunk.has_value());
    EXPECT_EQ(chunk->text(0, 0), "a longer text than twelve");
    EXPECT_EQ(chunk->integer(1, 0), 42);
    EXPECT_FALSE(chunk->is_null(1, 0));
    EXPECT_TRUE(chunk->is_null(2, 0));
    EXPECT_FALSE(rows.next().value().has_value());
}

TEST(DuckdbHandle, BindsValuesAsData) {
    const Connection connection = connect();
    auto statement = connection.prepare("SELECT $1::VARCHAR || '!', $2::BIGINT + 1").value();
    EXPECT_EQ(statement.parameter_count(), 2U);
    statement.bind(1, "it's; DROP");
    statement.bind(2, std::int64_t{41});
    auto rows = statement.execute_streaming().value();
    const auto chunk = rows.next().value();
    ASSERT_TRUE(chunk.has_value());
    EXPECT_EQ(chunk->text(0, 0), "it's; DROP!");
    EXPECT_EQ(chunk->integer(1, 0), 42);
}

TEST(DuckdbHandle, TellsMistakesAsErrors) {
    const Connection connection = connect();
    const auto unknown = connection.query("SELECT nothing_like_it");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Code::invalid_argument);
    EXPECT_THAT(unknown.error().message, HasSubstr("nothing_like_it"));

    const auto syntax = connection.prepare("SELEC 1");
    ASSERT_FALSE(syntax);
    EXPECT_EQ(syntax.error().code, Code::invalid_argument);

    auto unbound = connection.prepare("SELECT $1::VARCHAR").value().execute();
    ASSERT_FALSE(unbound);
    EXPECT_EQ(unbound.error().code, Code::invalid_argument);
}

TEST(DuckdbHandle, TellsAFailureInTheMiddleOfAStream) {
    const Connection connection = connect();
    auto statement =
        connection.prepare("SELECT CASE WHEN i > 100000 THEN error('late') ELSE 'x' END FROM range(200000) t(i)")
            .value();
    auto rows = statement.execute_streaming();
    Result<> end;
    while (rows && end) {
        const auto chunk = rows->next();
        if (!chunk) end = fail(chunk.error());
        if (chunk && !*chunk) break;
    }
    ASSERT_FALSE(rows && end);
    EXPECT_THAT(rows ? end.error().message : rows.error().message, HasSubstr("late"));
}

TEST(DuckdbHandle, IsInterruptedFromAnotherThread) {
    const Connection connection = connect();
    std::atomic_bool finished = false;
    std::jthread other([&] {
        while (!finished) connection.interrupt();
    });
    const auto rows = connection.query("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b");
    finished = true;
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::cancelled);
}

TEST(DuckdbHandle, AppendsRowsAndTellsWhatDoesNotFit) {
    const Connection connection = connect();
    ASSERT_TRUE(connection.query("CREATE OR REPLACE TABLE numbers(i BIGINT NOT NULL)"));
    auto appender = Appender::open(connection, "main", "numbers").value();
    duckdb_append_int64(appender.raw(), 7);
    ASSERT_TRUE(appender.end_row());
    ASSERT_TRUE(appender.close());
    auto rows = connection.query("SELECT i FROM numbers").value();
    EXPECT_EQ(rows.next().value()->integer(0, 0), 7);

    auto incomplete = Appender::open(connection, "main", "numbers").value();
    const auto row = incomplete.end_row();
    ASSERT_FALSE(row);
    EXPECT_FALSE(row.error().message.empty());

    const auto missing = Appender::open(connection, "main", "no such table");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("no such table"));
}

TEST(DuckdbHandle, SaysWhatIsWrongWithAFile) {
    const auto path = std::filesystem::temp_directory_path() / ("quaestor-no-database-" + std::to_string(getpid()));
    std::ofstream(path) << std::string(10'000, 'x');
    const auto no_database = Database::open(path.string(), {{"access_mode", "READ_ONLY"}});
    std::filesystem::remove(path);
    ASSERT_FALSE(no_database);
    EXPECT_EQ(no_database.error().code, Code::corrupt);

    const auto missing = Database::open(path.string(), {{"access_mode", "READ_ONLY"}});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::not_found);

    const auto option = Database::open(":memory:", {{"no_such_option", "1"}});
    ASSERT_FALSE(option);
    EXPECT_THAT(option.error().message, HasSubstr("no_such_option"));
}

}  // namespace

}  // namespace quaestor::data::duck
