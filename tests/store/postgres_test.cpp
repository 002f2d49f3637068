#include "store/postgres.hpp"

#include "conformance.hpp"
#include "kit/postgres_server.hpp"
#include "store/postgres_connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <latch>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::store {

namespace {

using postgres::Connection;
using postgres::Query;
using postgres::Statement;
using std::chrono::milliseconds;
using test::PostgresServer;
using testing::HasSubstr;
using testing::Not;

constexpr milliseconds kShort{200};
constexpr milliseconds kLong{10'000};

StoreSettings settings_for(const std::string& url, milliseconds timeout = kLong) {
    StoreSettings settings;
    settings.backend = Backend::postgres;
    settings.url = Secret(url);
    settings.timeout = timeout;
    return settings;
}

class PostgresHome final : public StoreHome {
public:
    PostgresHome() : url_(unwrap(unwrap(test::shared_postgres())->empty_database())) {}
    std::unique_ptr<Store> open() override { return unwrap(open_store(settings_for(url_))); }

private:
    std::string url_;
};

const TestBackend kPostgres{.name = "postgres", .make_home = [] { return std::make_unique<PostgresHome>(); }};

INSTANTIATE_TEST_SUITE_P(Postgres, StoreConformance, testing::Values(kPostgres), backend_name);

/// An empty database on the server that all tests share.
class Postgres : public testing::Test {
protected:
    Postgres() : server_(*unwrap(test::shared_postgres())), url_(unwrap(server_.empty_database())) {}
    ~Postgres() override { unwrap(server_.start()); }

    void open(milliseconds timeout = kLong) { store_ = unwrap(open_store(settings_for(url_, timeout))); }
    [[nodiscard]] graph::CheckpointStore& checkpoints() { return store_->checkpoints(); }
    [[nodiscard]] Result<> put(const Draft& draft) { return run_to_end(checkpoints().put(draft)); }
    [[nodiscard]] auto get(std::string thread_id) { return run_to_end(checkpoints().get(std::move(thread_id))); }
    void execute(const std::string& sql) { unwrap(server_.execute(sql)); }
    [[nodiscard]] Connection connect() {
        return unwrap(Connection::open(unwrap(postgres::read_address(Secret(url_), kLong))));
    }

    /// Stores checkpoints without waiting for one before submitting the next; returns how each went.
    [[nodiscard]] std::vector<Result<>> put_all(std::vector<graph::Checkpoint> drafts) {
        std::vector<Result<>> results(drafts.size());
        asio::io_context loop;
        for (std::size_t i = 0; i < drafts.size(); ++i) {
            asio::co_spawn(loop, checkpoints().put(std::move(drafts[i])),
                           [&results, i](std::exception_ptr, Result<> result) { results[i] = std::move(result); });
        }
        loop.run();
        return results;
    }

    PostgresServer& server_;
    std::string url_;
    std::unique_ptr<Store> store_;
};

template <class T>
Code code_of(const Result<T>& result) {
    if (result) throw std::runtime_error("it succeeded, and should not have");
    return result.error().code;
}

TEST_F(Postgres, AStoppedServerIsUnavailableAndTheStoreGoesOnWhenItIsBack) {
    open();
    unwrap(put(Draft("t", "c1").snapshot().set("n", 1)));
    unwrap(server_.stop());

    const auto refused = put(Draft("t", "c2").after("c1").set("n", 2));
    EXPECT_EQ(code_of(refused), Code::unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("PostgreSQL"));
    EXPECT_THAT(refused.error().hint, HasSubstr("check that the PostgreSQL server runs"));
    EXPECT_EQ(code_of(get("t")), Code::unavailable);
    EXPECT_EQ(code_of(run_to_end(store_->health())), Code::unavailable);

    unwrap(server_.start());
    unwrap(put(Draft("t", "c2").after("c1").set("n", 2)));
    EXPECT_EQ(unwrap(get("t"))->state, (json::object{{"n", 2}}));
}

TEST_F(Postgres, ARestartBetweenCallsIsNotNoticed) {
    open();
    unwrap(put(Draft("t", "c1").snapshot().set("n", 1)));
    ASSERT_TRUE(unwrap(get("t")));
    unwrap(server_.stop());
    unwrap(server_.start());
    unwrap(put(Draft("t", "c2").after("c1").set("n", 2)));
    EXPECT_EQ(unwrap(get("t"))->id, "c2");
}

TEST_F(Postgres, TerminatedConnectionsAreReplaced) {
    open();
    unwrap(put(Draft("t", "c1").snapshot()));
    ASSERT_TRUE(unwrap(get("t")));
    execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()");
    ASSERT_TRUE(unwrap(get("t")));
    unwrap(put(Draft("t", "c2").after("c1")));
    EXPECT_EQ(unwrap(get("t"))->id, "c2");
}

/// Stores c1, c2, … of one thread, each after the last, until one fails.
Task<> write_until_failure(Store& store, std::string thread_id, std::latch& enough, int& acknowledged) {
    for (int n = 1;; ++n) {
        const auto stored =
            co_await store.checkpoints().put(Draft(thread_id, fmt::format("c{}", n)).snapshot().set("n", n));
        if (!stored) co_return;
        acknowledged = n;
        if (n == 50) enough.count_down();
    }
}

TEST(PostgresCrash, EveryAcknowledgedCheckpointSurvivesAServerThatIsKilled) {
    const auto server = unwrap(PostgresServer::create({.fsync = true, .loopback = false}));
    const auto store = unwrap(open_store(settings_for(server->url())));
    std::array<int, 8> acknowledged{};
    std::latch enough(acknowledged.size());
    asio::io_context loop;
    for (std::size_t i = 0; i < acknowledged.size(); ++i) {
        asio::co_spawn(loop, write_until_failure(*store, fmt::format("t{}", i), enough, acknowledged[i]),
                       asio::detached);
    }
    std::thread writers([&] { loop.run(); });
    enough.wait();
    unwrap(server->stop(PostgresServer::Stop::immediate));
    writers.join();
    unwrap(server->start());

    for (std::size_t i = 0; i < acknowledged.size(); ++i) {
        for (int n = 1; n <= acknowledged[i]; ++n) {
            const auto saved = wait(store->checkpoints().get(fmt::format("t{}", i), fmt::format("c{}", n)));
            ASSERT_TRUE(saved) << "t" << i << " c" << n;
            EXPECT_EQ(saved->state, (json::object{{"n", n}}));
        }
    }
}

TEST_F(Postgres, ALockedTableIsATimeoutAndNotAHang) {
    open(kShort);
    unwrap(put(Draft("t", "c1").snapshot()));
    {
        auto other = connect();
        unwrap(other.run_script("BEGIN; LOCK TABLE quaestor.checkpoints IN ACCESS EXCLUSIVE MODE"));
        const auto stuck = put(Draft("t", "c2").after("c1"));
        EXPECT_EQ(code_of(stuck), Code::timeout);
        EXPECT_THAT(stuck.error().hint, HasSubstr("lock"));
        EXPECT_EQ(code_of(get("t")), Code::timeout);
        EXPECT_EQ(code_of(put_all(several(Draft("a", "c"), Draft("b", "c"), Draft("d", "c"))).back()), Code::timeout);
    }
    unwrap(put(Draft("t", "c2").after("c1")));
    EXPECT_EQ(unwrap(get("t"))->id, "c2");
}

TEST_F(Postgres, ALockedThreadDoesNotFailTheThreadsStoredTogetherWithIt) {
    open(kShort);
    unwrap(put(Draft("locked", "c").snapshot()));
    auto other = connect();
    unwrap(other.run_script("BEGIN; SELECT FROM quaestor.checkpoints FOR UPDATE"));
    std::vector<graph::Checkpoint> drafts;
    for (int n = 0; n < 50; ++n) drafts.push_back(Draft(n == 20 ? "locked" : fmt::format("free{}", n), "c").snapshot());
    const auto results = put_all(std::move(drafts));
    for (std::size_t n = 0; n < results.size(); ++n) EXPECT_EQ(results[n].has_value(), n != 20) << n;
    EXPECT_EQ(code_of(results[20]), Code::timeout);
    EXPECT_TRUE(unwrap(get("free49")));
}

/// Stops a process of the server for as long as it lives.
class Frozen {
public:
    explicit Frozen(pid_t pid) : pid_(pid) { kill(pid_, SIGSTOP); }
    ~Frozen() { kill(pid_, SIGCONT); }
    Frozen(const Frozen&) = delete;
    Frozen& operator=(const Frozen&) = delete;

private:
    pid_t pid_;
};

TEST_F(Postgres, AServerProcessThatStandsStillIsATimeoutAndIsReplaced) {
    open(kShort);
    unwrap(put(Draft("t", "c1").snapshot()));
    constexpr Statement kOtherProcess{
        "other_process",
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"};
    const auto writer = unwrap(connect().run(kOtherProcess));
    ASSERT_EQ(writer.size(), 1U);
    const Frozen frozen(static_cast<pid_t>(writer.integer(0, 0)));
    EXPECT_EQ(code_of(put(Draft("t", "c2").after("c1"))), Code::timeout);
    unwrap(put(Draft("t", "c3").after("c1")));
    EXPECT_EQ(unwrap(get("t"))->id, "c3");
}

TEST_F(Postgres, ACheckpointThatTheServerRefusesFailsAlone) {
    open();
    execute("ALTER TABLE quaestor.checkpoints ADD CHECK (id <> 'poison')");
    std::vector<graph::Checkpoint> drafts;
    for (int n = 0; n < 100; ++n) drafts.push_back(Draft("t", n == 42 ? "poison" : fmt::format("c{}", n)).snapshot());
    const auto results = put_all(std::move(drafts));
    for (std::size_t n = 0; n < results.size(); ++n) EXPECT_EQ(results[n].has_value(), n != 42) << n;
    EXPECT_EQ(results[42].error().code, Code::internal);
    EXPECT_THAT(results[42].error().message, HasSubstr("violates check constraint"));
    EXPECT_EQ(unwrap(get("t"))->id, "c99");
}

TEST_F(Postgres, ACheckpointThatLosesARaceIsStoredAtTheSecondTry) {
    open();
    execute(R"sql(
        CREATE SEQUENCE attempts;
        CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER fail_once BEFORE INSERT ON quaestor.checkpoints FOR EACH ROW EXECUTE FUNCTION fail_once())sql");
    unwrap(put(Draft("t", "c1").snapshot()));
    EXPECT_EQ(unwrap(get("t"))->id, "c1");
}

TEST_F(Postgres, StoresThatOpenAnEmptyDatabaseTogetherAllSucceed) {
    constexpr std::size_t kStores = 4;
    std::array<Result<std::unique_ptr<Store>>, kStores> stores;
    std::latch begin(kStores);
    std::vector<std::thread> threads;
    for (auto& store : stores) {
        threads.emplace_back([&] {
            begin.arrive_and_wait();
            store = open_store(settings_for(url_));
        });
    }
    for (auto& thread : threads) thread.join();

    for (auto& store : stores) ASSERT_TRUE(store) << store.error().describe();
    wait((*stores.front())->checkpoints().put(Draft("t", "c1").snapshot()));
    EXPECT_EQ(wait((*stores.back())->checkpoints().get("t"))->id, "c1");
}

TEST_F(Postgres, TablesOfANewerQuaestorAreRefused) {
    open();
    execute("UPDATE quaestor.meta SET version = 1000");
    const auto refused = open_store(settings_for(url_));
    EXPECT_EQ(code_of(refused), Code::unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("1000"));
}

TEST_F(Postgres, ASchemaOfSomebodyElseIsRefused) {
    execute("CREATE SCHEMA quaestor; CREATE TABLE quaestor.meta (something text)");
    EXPECT_EQ(code_of(open_store(settings_for(url_))), Code::corrupt);
}

TEST_F(Postgres, TablesThatAnotherProgramIsMakingAndDoesNotFinishAreUnavailable) {
    auto other = connect();
    unwrap(other.run_script("BEGIN; CREATE SCHEMA quaestor"));
    const auto refused = open_store(settings_for(url_, kShort));
    EXPECT_EQ(code_of(refused), Code::unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("another program"));
}

TEST_F(Postgres, AUserWhoMayCreateNothingCanUseTablesThatAreThere) {
    execute("DROP ROLE IF EXISTS clerk; CREATE ROLE clerk LOGIN");
    const auto clerk_url = std::string(url_).replace(url_.find("postgres@"), 8, "clerk");
    const auto refused = open_store(settings_for(clerk_url));
    EXPECT_EQ(code_of(refused), Code::permission_denied);
    EXPECT_THAT(refused.error().hint, HasSubstr("schema quaestor"));

    open();
    execute(
        "GRANT USAGE ON SCHEMA quaestor TO clerk;"
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA quaestor TO clerk");
    const auto store = unwrap(open_store(settings_for(clerk_url)));
    wait(store->checkpoints().put(Draft("t", "c1").snapshot()));
    EXPECT_EQ(wait(store->health()).checkpoints, 1U);
    execute("DROP OWNED BY clerk; DROP ROLE clerk");
}

TEST_F(Postgres, HealthTellsVersionSizeAndALocationWithoutPassword) {
    execute("DROP ROLE IF EXISTS keeper; CREATE ROLE keeper SUPERUSER LOGIN PASSWORD 'open-sesame'");
    const auto url = fmt::format("postgres://keeper:open-sesame@127.0.0.1:{}/postgres", server_.port());
    const auto store = unwrap(open_store(settings_for(url)));
    const auto health = wait(store->health());
    EXPECT_THAT(health.backend, testing::MatchesRegex("PostgreSQL [0-9]+\\.[0-9]+"));
    EXPECT_EQ(health.location, fmt::format("postgres://keeper@127.0.0.1:{}/postgres", server_.port()));
    EXPECT_EQ(health.schema_version, 2);
    EXPECT_GT(health.bytes, 0U);
}

/// A socket that is bound to a free port of 127.0.0.1, and listens or not; nobody ever answers there.
class SilentPort {
public:
    explicit SilentPort(bool listens) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (bind(socket_, generic, size) != 0 || getsockname(socket_, generic, &size) != 0 ||
            (listens && listen(socket_, 1) != 0)) {
            throw std::runtime_error("no port to listen on");
        }
        number_ = ntohs(address.sin_port);
    }
    ~SilentPort() { close(socket_); }
    SilentPort(const SilentPort&) = delete;
    SilentPort& operator=(const SilentPort&) = delete;

    [[nodiscard]] int number() const { return number_; }

private:
    int socket_;
    int number_ = 0;
};

/// What opening a store at `url` says; the password in it, s3cret or a part of it, must not be there.
Error opening(const std::string& url, milliseconds timeout = kLong) {
    const auto opened = open_store(settings_for(url, timeout));
    if (opened) throw std::runtime_error("it opened, and should not have");
    const auto everything = opened.error().describe() + std::string(opened.error().advice());
    EXPECT_THAT(everything, Not(HasSubstr("s3")));
    EXPECT_THAT(everything, Not(HasSubstr("cret")));
    EXPECT_FALSE(opened.error().advice().empty()) << everything;
    return opened.error();
}

TEST_F(Postgres, AWrongPasswordIsRefusedWithoutRepeatingIt) {
    execute("DROP ROLE IF EXISTS guarded; CREATE ROLE guarded LOGIN PASSWORD 'right'");
    const auto wrong = opening(fmt::format("postgres://guarded:s3cret@127.0.0.1:{}/postgres", server_.port()));
    EXPECT_EQ(wrong.code, Code::permission_denied);
    EXPECT_THAT(wrong.message, HasSubstr("password authentication failed for user \"guarded\""));
    const auto missing = opening(fmt::format("postgres://guarded@127.0.0.1:{}/postgres", server_.port()));
    EXPECT_EQ(missing.code, Code::permission_denied);
    execute("DROP ROLE guarded");
}

TEST_F(Postgres, AnUnknownDatabaseIsNotFound) {
    const auto error = opening(server_.url("nowhere"));
    EXPECT_EQ(error.code, Code::not_found);
    EXPECT_THAT(error.message, HasSubstr("nowhere"));
}

TEST(PostgresUrl, ARefusedPortIsUnavailable) {
    const SilentPort port(/*listens=*/false);
    const auto error = opening(fmt::format("postgres://user:s3cret@127.0.0.1:{}/db", port.number()));
    EXPECT_EQ(error.code, Code::unavailable);
    EXPECT_THAT(error.message, HasSubstr(std::to_string(port.number())));
}

TEST(PostgresUrl, AServerThatNeverAnswersIsUnavailable) {
    const SilentPort port(/*listens=*/true);
    const auto error = opening(fmt::format("postgres://user:s3cret@127.0.0.1:{}/db", port.number()), kShort);
    EXPECT_EQ(error.code, Code::unavailable);
    EXPECT_THAT(error.message, HasSubstr("200ms"));
}

TEST(PostgresUrl, AnUnknownHostIsUnavailable) {
    // Two full stops in a row make a name that needs no network to be unknown.
    const auto error = opening("postgres://user:s3cret@no..such.host/db");
    EXPECT_EQ(error.code, Code::unavailable);
    EXPECT_THAT(error.message, HasSubstr("no..such.host"));
}

TEST(PostgresUrl, AnUnreadableUrlIsRefusedWithoutRepeatingAnyOfIt) {
    for (const std::string url :
         {"", "s3cret", "postgres://user:s3cret", "postgres://user:s3@cret@host/db", "postgres://user:s3/cret@host/db",
          "postgres://user:1234/s3cret@host/db", "postgres://user:s3%ZZcret@host/db",
          "postgres://user:pa?s3@cret@host/db", "host=here password=s3 cret", "postgres://user@host/db?s3cret=1",
          "host=here port=s3cret"}) {
        const auto error = opening(url);
        EXPECT_EQ(error.code, Code::invalid_argument) << url;
        EXPECT_THAT(error.hint, HasSubstr("postgres://user:password@host")) << url;
    }
}

constexpr Statement kInsert{"insert", "INSERT INTO items (name) VALUES ($1)"};
constexpr Statement kNames{"names", "SELECT name FROM items ORDER BY name"};

class PostgresTransaction : public Postgres {
protected:
    PostgresTransaction() : connection_(connect()) {
        unwrap(connection_.run_script("CREATE TABLE items (name text UNIQUE)"));
    }

    [[nodiscard]] std::vector<std::string> names() {
        const auto rows = unwrap(connection_.run(kNames));
        std::vector<std::string> found;
        for (std::size_t row = 0; row < rows.size(); ++row) found.emplace_back(rows.text(row, 0));
        return found;
    }

    Connection connection_;
};

TEST_F(PostgresTransaction, StoresAllOrNothingAndSaysWhichQueryWasWrong) {
    const std::vector<Query> good{{&kInsert, {"a"}}, {&kInsert, {"b"}}};
    ASSERT_TRUE(connection_.run_together(good));
    const std::vector<Query> bad{{&kInsert, {"c"}}, {&kInsert, {"d"}}, {&kInsert, {"a"}}, {&kInsert, {"e"}}};
    const auto refused = connection_.run_together(bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().query, 2U);
    EXPECT_EQ(refused.error().error.code, Code::already_exists);
    EXPECT_EQ(names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(PostgresTransaction, SendsMoreThanTheSocketHoldsInOneRoundTrip) {
    std::vector<Query> queries;
    constexpr Statement kEcho{"echo", "SELECT $1::text"};
    const std::string large(1'000'000, 'x');
    for (int i = 0; i < 20; ++i) queries.push_back({&kEcho, {large}});
    const auto rows = connection_.run_together(queries);
    ASSERT_TRUE(rows) << rows.error().error.describe();
    ASSERT_EQ(rows->size(), queries.size());
    for (const auto& row : *rows) EXPECT_EQ(row.text(0, 0), large);
}

TEST_F(PostgresTransaction, RefusesTextThatPostgresCannotHoldAndGoesOn) {
    EXPECT_EQ(code_of(connection_.run(kInsert, {std::string("a\0b", 3)})), Code::invalid_argument);
    EXPECT_EQ(code_of(connection_.run(kInsert, {"\xff"})), Code::invalid_argument);
    EXPECT_EQ(code_of(connection_.run(kInsert, {std::string(postgres::kValueMax + 1, 'x')})), Code::limit_exceeded);
    const std::vector<Query> queries{{&kInsert, {"a"}}, {&kInsert, {std::string(1, '\0')}}};
    EXPECT_EQ(connection_.run_together(queries).error().query, 1U);
    EXPECT_TRUE(connection_.is_alive());
    EXPECT_EQ(names(), std::vector<std::string>{});
}

TEST_F(PostgresTransaction, ValuesAreNeverPartOfTheStatement) {
    unwrap(connection_.run(kInsert, {"'); DROP TABLE items; --"}));
    EXPECT_EQ(names(), (std::vector<std::string>{"'); DROP TABLE items; --"}));
}

}  // namespace

}  // namespace quaestor::store
