// A PostgreSQL server that goes away, and a network that delays, cuts, corrupts and falls silent: each gives a clear
// error within its bound, and the next query works.
#include "data/postgres_fixture.hpp"
#include "kit/tcp_proxy.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace quaestor::data {

namespace {

using std::chrono::milliseconds;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class PostgresFault : public PostgresShop {
protected:
    void SetUp() override {
        PostgresShop::SetUp();
        auto proxy = test::TcpProxy::create(server_->port());
        ASSERT_TRUE(proxy) << proxy.error().describe();
        proxy_ = std::move(*proxy);
        engine_ = open(reader_url(proxy_->port()));
        ASSERT_NE(engine_, nullptr);
    }

    void expect_recovery() {
        proxy_->pass();
        EXPECT_EQ(cell(*engine_, "SELECT count(*) FROM customers"), "10");
    }

    static void expect_clear(const Error& error) {
        EXPECT_FALSE(error.message.empty());
        EXPECT_FALSE(error.hint.empty()) << error.describe();
        EXPECT_THAT(error.describe(), Not(HasSubstr(kReaderPassword)));
    }

    std::unique_ptr<test::TcpProxy> proxy_;
    std::unique_ptr<Engine> engine_;
};

TEST_F(PostgresFault, ASlowServerIsWaitedFor) {
    proxy_->delay(milliseconds(20));
    EXPECT_EQ(cell(*engine_, "SELECT count(*) FROM customers"), "10");
}

TEST_F(PostgresFault, AServerThatIsTooSlowEndsInATimeout) {
    proxy_->delay(milliseconds(60'000));
    const auto result = engine_->run("SELECT 1", {.timeout = milliseconds(50)}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
    expect_clear(result.error());
    expect_recovery();
}

TEST_F(PostgresFault, AConnectionThatIsCutInMidResultIsUnavailable) {
    proxy_->cut_after(200'000);
    const auto result = engine_->run("SELECT repeat('x', 1000) FROM generate_series(1, 1000)", {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::unavailable);
    EXPECT_THAT(result.error().message, HasSubstr("lost"));
    expect_clear(result.error());
    expect_recovery();
}

TEST_F(PostgresFault, AConnectionThatIsCutAnywhereGivesAnErrorOrTheResult) {
    for (std::size_t bytes = 0; bytes < 400; bytes += 7) {
        SCOPED_TRACE(bytes);
        proxy_->cut_after(bytes);
        const auto result = engine_->run("SELECT id, name FROM products", {.timeout = milliseconds(2'000)}, {});
        if (!result) {
            EXPECT_EQ(result.error().code, Code::unavailable) << result.error().describe();
            expect_clear(result.error());
        } else {
            EXPECT_EQ(result->row_count, 6U);
        }
        expect_recovery();
    }
}

TEST_F(PostgresFault, CorruptedBytesGiveAnErrorAndNeverAWrongResult) {
    for (const std::size_t bytes :
         std::initializer_list<std::size_t>{0, 10, 50, 100, 150, 200, 230, 260, 300, 400, 1'000, 5'000}) {
        SCOPED_TRACE(bytes);
        proxy_->corrupt_after(bytes);
        const auto result =
            engine_->run("SELECT n FROM generate_series(1, 1000) AS g(n)", {.timeout = milliseconds(100)}, {});
        ASSERT_FALSE(result);
        EXPECT_THAT(result.error().code, AnyOf(Code::unavailable, Code::corrupt, Code::timeout));
        expect_clear(result.error());
        expect_recovery();
    }
}

TEST_F(PostgresFault, SilenceEndsAtTheTimeLimit) {
    proxy_->fall_silent();
    const auto result = engine_->run("SELECT 1", {.timeout = milliseconds(50)}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
    expect_clear(result.error());
    expect_recovery();
}

TEST_F(PostgresFault, SilenceEndsWhenTheQueryIsCancelled) {
    proxy_->fall_silent();
    CancelSource source;
    std::thread canceller([&] { source.cancel(CancelReason::user_request); });
    const auto result = engine_->run("SELECT 1", {.timeout = milliseconds(600'000)}, source.token());
    canceller.join();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::cancelled);
    expect_recovery();
}

TEST_F(PostgresFault, ASilentServerIsNotConnectedTo) {
    proxy_->cut_after(0);
    EXPECT_FALSE(engine_->run("SELECT 1", {}, {}));
    proxy_->fall_silent();
    const auto result = engine_->run("SELECT 1", {.timeout = milliseconds(50)}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::unavailable);
    expect_clear(result.error());
    expect_recovery();
}

TEST_F(PostgresFault, AServerThatWasStoppedAndStartedIsUsedAgain) {
    for (const auto how : {test::PostgresServer::Stop::fast, test::PostgresServer::Stop::immediate}) {
        ASSERT_TRUE(server_->stop(how));
        const auto result = engine_->run("SELECT 1", {}, {});
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Code::unavailable) << result.error().describe();
        expect_clear(result.error());
        const auto bound = engine_->bind("SELECT 1", {});
        ASSERT_FALSE(bound);
        EXPECT_EQ(bound.error().code, Code::unavailable);
        ASSERT_TRUE(server_->start());
        expect_recovery();
    }
}

TEST_F(PostgresFault, ASessionThatWasEndedWhileIdleIsReplacedUnnoticed) {
    execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'reader'");
    EXPECT_EQ(cell(*engine_, "SELECT count(*) FROM customers"), "10");
}

TEST_F(PostgresFault, ASessionThatIsEndedWhileAQueryRunsIsUnavailable) {
    const auto owner = open_as_owner();
    std::thread terminator([&] {
        const std::string end =
            "SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE usename = 'reader' AND state = "
            "'active' AND query LIKE 'SELECT pg_sleep%'";
        while (cell(*owner, end) == "0") std::this_thread::yield();
    });
    const auto result = engine_->run("SELECT pg_sleep(3600)", {.timeout = milliseconds(600'000)}, {});
    terminator.join();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::unavailable);
    expect_recovery();
}

}  // namespace

}  // namespace quaestor::data
