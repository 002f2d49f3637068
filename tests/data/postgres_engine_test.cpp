// Queries on a PostgreSQL server: values, bounds, stopping, objections, and that nothing is written.
#include "base/json.hpp"
#include "data/postgres_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <future>
#include <limits>
#include <thread>

namespace quaestor::data {

namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

class PostgresEngineTest : public PostgresShop {
protected:
    void SetUp() override {
        PostgresShop::SetUp();
        engine_ = open_as_owner();
        ASSERT_NE(engine_, nullptr);
    }

    /// The only cell as JSON, with its kind: "decimal 1.50".
    std::string value(const std::string& expression) {
        const auto result = engine_->run("SELECT " + expression, {}, {});
        if (!result) return result.error().describe();
        std::string json;
        result->columns[0].write_json(0, json);
        return fmt::format("{} {}", boost::describe::enum_to_string(result->columns[0].kind(), "?"), json);
    }

    std::optional<Problem> problem(const std::string& sql) {
        const auto bound = engine_->bind(sql, {});
        EXPECT_TRUE(bound) << bound.error().describe();
        return bound ? *bound : std::nullopt;
    }

    /// Waits until a session of the server is busy with `sql`.
    void await_running(const std::string& sql) {
        const auto watcher = open_as_owner();
        const std::string query = fmt::format(
            "SELECT count(*) > 0 FROM pg_stat_activity WHERE state = 'active' AND query = {} AND pid <> "
            "pg_backend_pid()",
            quote_text(sql));
        while (cell(*watcher, query) != "true") std::this_thread::yield();
    }

    std::unique_ptr<Engine> engine_;
};

TEST_F(PostgresEngineTest, NumbersArriveExactly) {
    EXPECT_EQ(value("true"), "boolean true");
    EXPECT_EQ(value("42::int2"), "integer 42");
    EXPECT_EQ(value("9223372036854775807"), "integer \"9223372036854775807\"");
    EXPECT_EQ(value("(-9223372036854775808)::int8"), "integer \"-9223372036854775808\"");
    EXPECT_EQ(value("1234567890123456789012345678.0123456789::numeric(38,10)"),
              "decimal \"1234567890123456789012345678.0123456789\"");
    EXPECT_EQ(value("12.50::numeric"), "decimal 12.50");
    EXPECT_EQ(value("'NaN'::numeric"), "decimal \"NaN\"");
    EXPECT_EQ(value("0.1::float8 + 0.2"), "number 0.30000000000000004");
    EXPECT_EQ(value("0.1::float4"), "number 0.1");
    EXPECT_EQ(value("'-Infinity'::float8"), "number \"-Infinity\"");
    EXPECT_EQ(value("'NaN'::float8"), "number \"NaN\"");
    EXPECT_EQ(value("5e-324::float8"), "number 5e-324");
    EXPECT_EQ(value("NULL::int"), "integer null");
}

TEST_F(PostgresEngineTest, TimesArriveInOneWayWhateverTheRoleHasSet) {
    execute(
        "ALTER DATABASE postgres SET DateStyle = 'German'; ALTER DATABASE postgres SET TimeZone = 'Asia/Tokyo'; "
        "ALTER DATABASE postgres SET IntervalStyle = 'iso_8601'; ALTER DATABASE postgres SET bytea_output = 'escape'");
    engine_ = open_as_owner();
    EXPECT_EQ(value("DATE '2026-01-31'"), "date \"2026-01-31\"");
    EXPECT_EQ(value("TIME '12:30:00.5'"), "time \"12:30:00.5\"");
    EXPECT_EQ(value("TIMESTAMP '2026-01-31 12:30:00.5'"), "timestamp \"2026-01-31 12:30:00.5\"");
    EXPECT_EQ(value("TIMESTAMPTZ '2026-01-31 12:30:00+02'"), "timestamp \"2026-01-31 10:30:00+00\"");
    EXPECT_EQ(value("'infinity'::timestamp"), "timestamp \"infinity\"");
    EXPECT_EQ(value("'-infinity'::date"), "date \"-infinity\"");
    EXPECT_EQ(value("INTERVAL '1 year 2 months 3 days 4:05:06'"), "interval \"1 year 2 mons 3 days 04:05:06\"");
    EXPECT_EQ(value("'\\x00ff'::bytea"), "blob \"\\\\x00FF\"");
    execute("ALTER DATABASE postgres RESET ALL");
}

TEST_F(PostgresEngineTest, TextAndOtherTypesArriveAsTheyAre) {
    EXPECT_EQ(value("'it''s 客户 \"quoted\"'"), "text \"it's 客户 \\\"quoted\\\"\"");
    EXPECT_EQ(value("''"), "text \"\"");
    EXPECT_EQ(value("'a'::char(3)"), "text \"a  \"");
    EXPECT_EQ(value("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid"), "other \"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11\"");
    EXPECT_EQ(value("'10.0.0.0/8'::inet"), "other \"10.0.0.0/8\"");
    EXPECT_EQ(value("int4range(1, 5)"), "other \"[1,5)\"");
}

TEST_F(PostgresEngineTest, ArraysBecomeJsonLists) {
    EXPECT_EQ(value("ARRAY[1, NULL, 3]"), "list [1,null,3]");
    EXPECT_EQ(value("ARRAY['a,b', 'c\"d', 'e\\f', '', 'NULL', NULL, '{x}']"),
              R"(list ["a,b","c\"d","e\\f","","NULL",null,"{x}"])");
    EXPECT_EQ(value("ARRAY[[1, 2], [3, 4]]"), "list [[1,2],[3,4]]");
    EXPECT_EQ(value("'[0:1]={7,8}'::int[]"), "list [7,8]");
    EXPECT_EQ(value("'{}'::text[]"), "list []");
    EXPECT_EQ(value("ARRAY[true, false]"), "list [true,false]");
    EXPECT_EQ(value("ARRAY[9223372036854775807]"), "list [\"9223372036854775807\"]");
    EXPECT_EQ(value("ARRAY[1.5, 'NaN']::float8[]"), "list [1.5,\"NaN\"]");
    EXPECT_EQ(value("ARRAY[DATE '2026-01-31']"), "list [\"2026-01-31\"]");
    EXPECT_EQ(value("ARRAY['{\"a\": [1]}'::jsonb, NULL]"), "list [{\"a\": [1]},null]");
    EXPECT_EQ(value("ARRAY[box '((1,1),(0,0))', box '((2,2),(0,0))']"), "list [\"(1,1),(0,0)\",\"(2,2),(0,0)\"]");
}

TEST_F(PostgresEngineTest, DocumentsAndRowsBecomeJson) {
    execute(
        "CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE TYPE mood AS ENUM ('glad', 'sad'); "
        "CREATE TYPE place AS (street text, number positive, moods mood[]); "
        "CREATE TABLE homes (id int, home place, homes place[])");
    execute(
        "INSERT INTO homes VALUES (1, ROW('Main, \"St\"', 5, ARRAY['sad', NULL]::mood[]), "
        "ARRAY[ROW('', NULL, NULL)::place])");
    EXPECT_EQ(value("'{\"a\": 1}'::jsonb"), "structure {\"a\": 1}");
    EXPECT_EQ(value("'[1]'::json"), "structure [1]");
    EXPECT_EQ(value("'glad'::mood"), "text \"glad\"");
    EXPECT_EQ(value("home FROM homes"), R"(structure {"street":"Main, \"St\"","number":5,"moods":["sad",null]})");
    EXPECT_EQ(value("homes.homes FROM homes"), R"(list [{"street":"","number":null,"moods":null}])");
    EXPECT_EQ(value("ROW(1, 'a b', NULL)"), R"(structure {"f1":"1","f2":"a b","f3":null})");
    EXPECT_EQ(value("ARRAY[5::positive]"), "list [5]");
    EXPECT_EQ(value("c FROM (SELECT id, country FROM customers WHERE id = 1) c"), R"(structure {"f1":"1","f2":"FR"})");
}

TEST_F(PostgresEngineTest, ColumnsHaveNamesAndTheServersTypes) {
    const auto result = engine_->run(
        "SELECT id, name, amount, order_date, note AS \"Note \"\"x\"\"\", 1 FROM orders "
        "JOIN customers USING (id)",
        {}, {});
    ASSERT_TRUE(result) << result.error().describe();
    std::vector<std::string> columns;
    for (const ResultColumn& column : result->columns) columns.push_back(column.name() + ": " + column.type());
    EXPECT_THAT(columns,
                testing::ElementsAre("id: integer", "name: character varying(80)", "amount: numeric(12,2)",
                                     "order_date: date", "Note \"x\": character varying(200)", "?column?: integer"));
    EXPECT_EQ(result->row_count, 10U);
    EXPECT_FALSE(result->truncated);
}

TEST_F(PostgresEngineTest, AnEmptyResultStillHasColumns) {
    const auto result = engine_->run("SELECT id, name FROM customers WHERE false", {}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->columns.size(), 2U);
    EXPECT_EQ(result->row_count, 0U);
}

TEST_F(PostgresEngineTest, RowsBeyondTheLimitAreCutOff) {
    for (const char* sql : {"SELECT generate_series(1, 11)", "SELECT generate_series(1, 1000000)"}) {
        const auto result = engine_->run(sql, {.rows = 10}, {});
        ASSERT_TRUE(result) << result.error().describe();
        EXPECT_EQ(result->row_count, 10U);
        EXPECT_TRUE(result->truncated);
    }
    const auto exact = engine_->run("SELECT generate_series(1, 10)", {.rows = 10}, {});
    EXPECT_FALSE(exact->truncated);
    EXPECT_EQ(cell(*engine_, "SELECT 1"), "1");
}

TEST_F(PostgresEngineTest, BytesBeyondTheLimitAreCutOff) {
    const auto some = engine_->run("SELECT repeat('x', 1000) FROM generate_series(1, 100)", {.bytes = 10'500}, {});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->row_count, 10U);
    EXPECT_TRUE(some->truncated);
    const auto none = engine_->run("SELECT repeat('x', 100000000)", {.bytes = 1'000'000}, {});
    ASSERT_TRUE(none) << none.error().describe();
    EXPECT_EQ(none->row_count, 0U);
    EXPECT_TRUE(none->truncated);
    EXPECT_EQ(cell(*engine_, "SELECT 1"), "1");
}

TEST_F(PostgresEngineTest, LargeRowsWithinTheLimitAreNotCutOff) {
    const auto result =
        engine_->run("SELECT repeat('x', 100000) FROM generate_series(1, 100)", {.bytes = 10'000'000}, {});
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->row_count, 100U);
    EXPECT_FALSE(result->truncated);
}

TEST_F(PostgresEngineTest, AQueryThatTakesTooLongEnds) {
    const auto result = engine_->run("SELECT pg_sleep(3600)", {.timeout = milliseconds(50)}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
    EXPECT_EQ(cell(*engine_, "SELECT 1"), "1");
}

TEST_F(PostgresEngineTest, LimitsWithoutEndAreNoMistake) {
    const QueryLimits endless{.rows = std::numeric_limits<std::size_t>::max(),
                              .bytes = std::numeric_limits<std::size_t>::max(),
                              .timeout = milliseconds::max()};
    const auto result = engine_->run("SELECT generate_series(1, 3)", endless, {});
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->row_count, 3U);
}

TEST_F(PostgresEngineTest, AQueryEndsWhenItIsCancelledFromAnotherThread) {
    CancelSource source;
    const std::string sql = "SELECT pg_sleep(3600)";
    auto running = std::async(std::launch::async, [&] { return engine_->run(sql, {}, source.token()); });
    await_running(sql);
    source.cancel(CancelReason::client_gone);
    const auto result = running.get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::cancelled);
    EXPECT_EQ(cell(*engine_, "SELECT 1"), "1");
    const auto watcher = open_as_owner();
    const std::string still_there =
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%'";
    while (cell(*watcher, still_there) != "0") std::this_thread::yield();
}

TEST_F(PostgresEngineTest, ATokenThatIsCancelledAlreadyRunsNothing) {
    CancelSource source;
    source.cancel(CancelReason::deadline);
    const auto result = engine_->run("SELECT 1", {}, source.token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
}

TEST_F(PostgresEngineTest, QueriesRunAtTheSameTimeAndMoreOfThemWait) {
    std::vector<std::thread> threads;
    std::vector<std::string> answers(20);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        threads.emplace_back(
            [&, i] { answers[i] = cell(*engine_, fmt::format("SELECT sum(amount) + {} FROM orders", i)); });
    }
    for (std::thread& thread : threads) thread.join();
    const double base = std::stod(answers[0]);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_DOUBLE_EQ(std::stod(answers[i]), base + static_cast<double>(i));
    }
    EXPECT_EQ(cell(*open_as_owner(), "SELECT count(*) <= 9 FROM pg_stat_activity WHERE application_name = 'quaestor'"),
              "true");
}

TEST_F(PostgresEngineTest, WhoWaitsForAConnectionCanBeCancelled) {
    CancelSource busy;
    CancelSource waiting;
    const std::string sql = "SELECT pg_sleep(3600)";
    std::vector<std::future<Result<ResultSet>>> running;
    for (int i = 0; i < 8; ++i) {
        running.push_back(std::async(std::launch::async, [&] { return engine_->run(sql, {}, busy.token()); }));
    }
    const auto watcher = open_as_owner();
    while (cell(*watcher,
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE "
                "'SELECT pg_sleep%'") != "8") {
        std::this_thread::yield();
    }
    auto queued = std::async(std::launch::async, [&] { return engine_->run("SELECT 1", {}, waiting.token()); });
    waiting.cancel(CancelReason::user_request);
    EXPECT_EQ(queued.get().error().code, Code::cancelled);
    busy.cancel(CancelReason::shutdown);
    for (auto& one : running) EXPECT_EQ(one.get().error().code, Code::cancelled);
}

TEST_F(PostgresEngineTest, MistakesInTheStatementAreTheCallers) {
    for (const char* sql : {"SELECT 1 / 0", "SELECT nothing FROM orders", "SELECT 1 FROM nowhere", "SELEC 1",
                            "SELECT 'a'::int", "SELECT (SELECT id FROM orders)", "SELECT sqrt(-1)"}) {
        const auto result = engine_->run(sql, {}, {});
        ASSERT_FALSE(result) << sql;
        EXPECT_EQ(result.error().code, Code::invalid_argument) << sql << ": " << result.error().describe();
    }
    EXPECT_EQ(cell(*engine_, "SELECT 1"), "1");
}

TEST_F(PostgresEngineTest, NothingCanBeWrittenEvenByTheOwner) {
    for (const char* sql :
         {"INSERT INTO products VALUES (99, 'x', 'y', 1)", "DELETE FROM products", "CREATE TABLE t (a int)",
          "SELECT 1; DELETE FROM products", "COMMIT; DELETE FROM products", "SELECT nextval('s')",
          "WITH d AS (DELETE FROM products RETURNING 1) SELECT count(*) FROM d"}) {
        EXPECT_FALSE(engine_->run(sql, {}, {})) << sql;
    }
    EXPECT_EQ(cell(*engine_, "SELECT count(*) FROM products"), "6");
}

TEST_F(PostgresEngineTest, SettingsOfAQueryDoNotOutliveIt) {
    EXPECT_EQ(cell(*engine_, "SELECT set_config('statement_timeout', '7', false)"), "7ms");
    EXPECT_NE(cell(*engine_, "SELECT current_setting('statement_timeout')"), "7ms");
    EXPECT_EQ(cell(*engine_, "SELECT set_config('transaction_read_only', 'on', false)"), "on");
    EXPECT_EQ(cell(*engine_, "SELECT current_setting('default_transaction_read_only')"), "on");
}

TEST_F(PostgresEngineTest, FunctionsOfTheServerGoBeforeOthersOfTheSameName) {
    execute(
        "CREATE FUNCTION public.lower(text) RETURNS text LANGUAGE sql AS 'SELECT ''taken''::text'; "
        "ALTER DATABASE postgres SET search_path = public, pg_catalog");
    EXPECT_EQ(cell(*open_as_owner(), "SELECT lower('A')"), "a");
    EXPECT_EQ(cell(*open_as_owner(), "SELECT current_schema()"), "public");
    execute("ALTER DATABASE postgres RESET ALL");
}

TEST_F(PostgresEngineTest, BindFindsNothingWrongWithAGoodStatement) {
    EXPECT_FALSE(problem("SELECT c.name, sum(amount) FROM orders o JOIN customers c ON c.id = customer_id GROUP BY 1"));
}

TEST_F(PostgresEngineTest, BindNamesTheUnknownColumnAndTheOneThatWasMeant) {
    const std::string sql = "SELECT 'ä', amont FROM orders";
    const auto found = problem(sql);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->code, Problem::Code::unknown_column);
    EXPECT_EQ(found->at, sql.find("amont"));
    EXPECT_THAT(found->suggestion, HasSubstr("amount"));
    EXPECT_THAT(problem("SELECT o.order_dat FROM orders o")->suggestion, HasSubstr("order_date"));
    EXPECT_THAT(problem("SELECT \"custmer_idd\" FROM orders, customers")->suggestion, HasSubstr("customer_id"));
    EXPECT_EQ(problem("SELECT xyzzy FROM orders")->suggestion, "");
}

TEST_F(PostgresEngineTest, BindTellsTablesTypesAndSyntaxApart) {
    EXPECT_EQ(problem("SELECT 1 FROM nowhere")->code, Problem::Code::unknown_table);
    EXPECT_EQ(problem("SELECT 1 FROM nowhere.orders")->code, Problem::Code::unknown_table);
    EXPECT_EQ(problem("SELECT name + 1 FROM customers")->code, Problem::Code::wrong_type);
    EXPECT_EQ(problem("SELECT lower(1, 2)")->code, Problem::Code::wrong_type);
    EXPECT_EQ(problem("SELECT name, count(*) FROM customers")->code, Problem::Code::wrong_type);
    EXPECT_EQ(problem("SELECT 'a'::int")->code, Problem::Code::wrong_type);
    EXPECT_EQ(problem("SELECT id FROM orders, customers")->code, Problem::Code::wrong_type);
    EXPECT_EQ(problem("SELECT FROM WHERE")->code, Problem::Code::syntax);
}

TEST_F(PostgresEngineTest, BindRunsNothing) {
    EXPECT_FALSE(problem("SELECT pg_sleep(3600)"));
    EXPECT_FALSE(problem("SELECT 1 / 0"));
}

TEST_F(PostgresEngineTest, AWrongPasswordIsRefusedWithoutShowingIt) {
    const auto engine = open_postgres(reader_url(server_->port(), "not-the-password-at-all"));
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::permission_denied);
    EXPECT_THAT(engine.error().describe(), Not(HasSubstr("not-the-password-at-all")));
    const auto none = open_postgres(fmt::format("postgres://reader@127.0.0.1:{}/postgres", server_->port()));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Code::permission_denied);
}

TEST_F(PostgresEngineTest, AnUnknownDatabaseIsNotFound) {
    const auto engine = open_postgres(server_->url("nowhere"));
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::not_found);
    EXPECT_THAT(engine.error().message, HasSubstr("nowhere"));
}

TEST(PostgresUrl, OneThatCannotBeReadIsNotRepeated) {
    for (const char* url :
         {"postgres://user:pass@word@host/db", "postgres://user:secret-word@host:port/db", "postgres://%zz"}) {
        const auto engine = open_postgres(url);
        ASSERT_FALSE(engine) << url;
        EXPECT_EQ(engine.error().code, Code::invalid_argument) << url;
        EXPECT_THAT(engine.error().describe(), Not(HasSubstr("word@"))) << url;
        EXPECT_FALSE(engine.error().hint.empty());
    }
}

TEST(PostgresUrl, AServerThatIsNotThereIsUnavailable) {
    const auto engine = open_postgres("postgres://reader:top-secret-word@127.0.0.1:1/postgres");
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::unavailable);
    EXPECT_THAT(engine.error().describe(), Not(HasSubstr("top-secret-word")));
    EXPECT_FALSE(engine.error().hint.empty());
}

}  // namespace

}  // namespace quaestor::data
