#include "data/source.hpp"

#include "data/duckdb/handle.hpp"
#include "data/scripted_engine.hpp"
#include "data/shop.hpp"

#include <boost/asio/steady_timer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace quaestor::data {

namespace {

using testing::Contains;
using testing::HasSubstr;

namespace fs = std::filesystem;

class SourceTest : public testing::Test {
protected:
    SourceTest() {
        std::string pattern = (fs::temp_directory_path() / "quaestor-source-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
    }
    ~SourceTest() override { fs::remove_all(folder_); }

    std::string make_shop() {
        const auto path = (folder_ / "shop.duckdb").string();
        const auto database = duck::Database::open(path, {}).value();
        if (auto made = database.connect().value().query(kShopSql); !made)
            throw std::runtime_error(made.error().describe());
        return path;
    }

    std::unique_ptr<Source> open(std::string uri, SourceSettings settings = {}) {
        auto source = run_to_end(open_source(std::move(uri), std::move(settings)));
        if (!source) throw std::runtime_error(source.error().describe());
        return std::move(*source);
    }

    std::unique_ptr<Source> open_scripted(SourceSettings settings = {}) {
        auto source =
            run_to_end(open_source("scripted", std::make_unique<ScriptedEngine>(script_), std::move(settings)));
        return std::move(source.value());
    }

    static Task<Result<ResultSet>> ask(Source& source, std::string sql, QueryLimits limits = {}) {
        return source.query(std::move(sql), limits);
    }

    fs::path folder_;
    std::shared_ptr<ScriptedEngine::Script> script_ = std::make_shared<ScriptedEngine::Script>();
};

TEST_F(SourceTest, RunsWhatItsGuardAdmits) {
    const auto source = open(make_shop());
    const auto result = run_to_end(ask(*source, "SELECT count(*) AS n FROM orders"));
    ASSERT_TRUE(result) << result.error().describe();
    EXPECT_EQ(result->columns.at(0).name(), "n");
    EXPECT_EQ(result->columns.at(0).text(0), "40");
    EXPECT_GT(result->execution_time.count(), 0);
}

TEST_F(SourceTest, RefusesWhatItsGuardRefuses) {
    const auto source = open(make_shop());
    const auto result = run_to_end(ask(*source, "DROP TABLE orders"));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::permission_denied);
}

TEST_F(SourceTest, TellsWhatOnlyTheEngineCanObjectTo) {
    const auto source = open(make_shop());
    const auto verdict = run_to_end(source->check("SELECT amuont FROM orders"));
    ASSERT_TRUE(verdict);
    EXPECT_FALSE(verdict->ok);
    EXPECT_TRUE(verdict->sql.empty());
    ASSERT_EQ(verdict->errors.size(), 1U);
    EXPECT_EQ(verdict->errors[0].code, Problem::Code::unknown_column);
    EXPECT_THAT(verdict->errors[0].suggestion, HasSubstr("amount"));
    EXPECT_EQ(verdict->errors[0].at, 7U);
}

TEST_F(SourceTest, CutsAResultAtTheRowLimitAndSaysSo) {
    const auto source = open(make_shop());
    auto sql = run_to_end(source->admit("SELECT id FROM orders", 10)).value();
    const auto result = run_to_end(source->run(std::move(sql), {.rows = 10})).value();
    EXPECT_EQ(result.row_count, 10U);
    EXPECT_TRUE(result.truncated);
    sql = run_to_end(source->admit("SELECT id FROM orders", 40)).value();
    const auto whole = run_to_end(source->run(std::move(sql), {.rows = 40})).value();
    EXPECT_EQ(whole.row_count, 40U);
    EXPECT_FALSE(whole.truncated);
}

TEST_F(SourceTest, StopsAQueryAtItsDeadline) {
    ManualClock clock;
    script_->run = [](const CancelToken& stop) -> Result<ResultSet> {
        std::mutex mutex;
        std::condition_variable changed;
        const auto registration = stop.on_cancel([&] {
            const std::lock_guard lock(mutex);
            changed.notify_all();
        });
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stop.cancelled(); });
        return fail(stop.error());
    };
    const auto source = open_scripted({.clock = &clock});
    asio::io_context loop;
    std::optional<Result<ResultSet>> result;
    asio::co_spawn(loop, ask(*source, "SELECT 1 FROM orders", {.timeout = std::chrono::seconds(5)}),
                   [&](std::exception_ptr, Result<ResultSet> ended) { result = std::move(ended); });
    while (clock.sleepers() == 0) loop.run_one();
    clock.advance(std::chrono::seconds(4));
    loop.poll();
    EXPECT_FALSE(result);
    clock.advance(std::chrono::seconds(1));
    loop.run();
    ASSERT_TRUE(result);
    ASSERT_FALSE(*result);
    EXPECT_EQ(result->error().code, Code::timeout);
    EXPECT_THAT(result->error().message, HasSubstr("within 5 s"));
}

TEST_F(SourceTest, StopsAQueryWhenItsCallerLeaves) {
    const auto source = open(make_shop());
    CancelSource caller;
    const auto result = run_to_end([&]() -> Task<Result<ResultSet>> {
        auto executor = co_await asio::this_coro::executor;
        auto sql = co_await source->admit("SELECT count(*) FROM range(1000000000000) t(i)");
        asio::post(executor, [&] { caller.cancel(CancelReason::client_gone); });
        co_return co_await source->run(std::move(*sql), {}, caller.token());
    }());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::cancelled);
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1")));
}

TEST_F(SourceTest, RestsAfterThreeFaultsOfTheDatabase) {
    ManualClock clock;
    script_->run = [](const CancelToken&) -> Result<ResultSet> { return fail(Code::unavailable, "the disk is gone"); };
    const auto source = open_scripted({.clock = &clock});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run_to_end(ask(*source, "SELECT 1")).error().message, "the disk is gone");
    const auto resting = run_to_end(ask(*source, "SELECT 1"));
    EXPECT_EQ(resting.error().code, Code::unavailable);
    EXPECT_THAT(resting.error().message, HasSubstr("resting after 3 failures"));
    EXPECT_EQ(script_->runs, 3);
    script_->run = [](const CancelToken&) { return ResultSet(); };
    clock.advance(std::chrono::seconds(60));
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1")));
    EXPECT_EQ(script_->runs, 4);
}

TEST_F(SourceTest, DoesNotCountMistakesInTheStatement) {
    script_->run = [](const CancelToken&) -> Result<ResultSet> {
        return fail(Code::invalid_argument, "no such column");
    };
    const auto source = open_scripted();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(run_to_end(ask(*source, "SELECT 1")).error().code, Code::invalid_argument);
    EXPECT_EQ(script_->runs, 10);
}

TEST_F(SourceTest, ARefusalSaysNothingOfTheDatabase) {
    script_->run = [](const CancelToken&) -> Result<ResultSet> { return fail(Code::unavailable, "the disk is gone"); };
    const auto source = open_scripted();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run_to_end(ask(*source, "SELECT 1")).error().code, Code::unavailable);
    EXPECT_EQ(run_to_end(ask(*source, "DROP TABLE orders")).error().code, Code::permission_denied);
    EXPECT_EQ(run_to_end(ask(*source, "SELECT 1")).error().message, "the disk is gone");
    EXPECT_THAT(run_to_end(ask(*source, "SELECT 1")).error().message, HasSubstr("resting after 3 failures"));
}

TEST_F(SourceTest, ReadsAStatementOnceToCheckAndToRunIt) {
    const auto source = open_scripted();
    EXPECT_TRUE(run_to_end(source->check("SELECT 1 FROM orders"))->ok);
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1 FROM orders")));
    EXPECT_EQ(script_->reads, 1);
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1 FROM orders", {.rows = 5})));
    EXPECT_EQ(script_->reads, 2) << "another limit is another statement";
    EXPECT_FALSE(run_to_end(ask(*source, "DROP TABLE orders")));
    EXPECT_FALSE(run_to_end(ask(*source, "DROP TABLE orders")));
    EXPECT_EQ(script_->reads, 4) << "refusals are not kept";
}

TEST_F(SourceTest, ForgetsWhatItAdmittedWhenTheTablesChange) {
    ManualClock clock;
    const auto source = open_scripted({.clock = &clock});
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1 FROM orders")));
    script_->version = 2;
    script_->schema = [] {
        return Catalog{.default_schema = "main", .tables = {{.schema = "main", .name = "invoices"}}};
    };
    clock.advance(std::chrono::seconds(2));
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1 FROM invoices")));
    EXPECT_EQ(run_to_end(ask(*source, "SELECT 1 FROM orders")).error().code, Code::invalid_argument);
}

TEST_F(SourceTest, FindsATableThatCameLater) {
    ManualClock clock;
    const auto source = open_scripted({.clock = &clock});
    EXPECT_FALSE(run_to_end(ask(*source, "SELECT 1 FROM invoices")));
    EXPECT_EQ(script_->schema_reads, 1);
    script_->version = 2;
    script_->schema = [] {
        return Catalog{.default_schema = "main", .tables = {{.schema = "main", .name = "invoices"}}};
    };
    clock.advance(std::chrono::seconds(2));
    EXPECT_TRUE(run_to_end(ask(*source, "SELECT 1 FROM invoices")));
    EXPECT_EQ(script_->schema_reads, 2);
}

TEST_F(SourceTest, CompletesItsCatalogueAndKeepsIt) {
    const auto path = make_shop();
    const SourceSettings settings{.cache_dir = (folder_ / "cache").string()};
    {
        const auto source = open(path, settings);
        EXPECT_FALSE(run_to_end(source->schema()).value()->is_complete);
        const auto catalog = run_to_end(source->catalog()).value();
        EXPECT_TRUE(catalog->is_complete);
        const auto* orders = catalog->find_table("orders");
        ASSERT_NE(orders, nullptr);
        EXPECT_EQ(orders->rows, 40);
        EXPECT_EQ(orders->find_column("status")->distinct, 3);
        EXPECT_THAT(orders->find_column("status")->samples, Contains("paid"));
        EXPECT_EQ(orders->find_column("order_date")->kind, ValueKind::date);
        EXPECT_TRUE(orders->find_column("order_date")->min);
        EXPECT_EQ(orders->find_column("note")->nulls, 27);
        ASSERT_EQ(orders->foreign_keys.size(), 1U);
        EXPECT_EQ(orders->foreign_keys[0].table, "customers");
        EXPECT_EQ(orders->foreign_keys[0].origin, Origin::declared);
    }
    const auto again = open(path, settings);
    EXPECT_TRUE(run_to_end(again->schema()).value()->is_complete);
}

TEST_F(SourceTest, ForgetsAKeptCatalogueWhenTheDatabaseHasChanged) {
    const SourceSettings settings{.cache_dir = (folder_ / "cache").string()};
    run_to_end(open_scripted(settings)->catalog()).value();
    const int reads = script_->schema_reads;
    EXPECT_TRUE(run_to_end(open_scripted(settings)->schema()).value()->is_complete);
    EXPECT_EQ(script_->schema_reads, reads);
    script_->version = 2;
    EXPECT_FALSE(run_to_end(open_scripted(settings)->schema()).value()->is_complete);
    EXPECT_EQ(script_->schema_reads, reads + 1);
}

TEST_F(SourceTest, AddsWhatPeopleWroteAboutIt) {
    const auto notes = (folder_ / "notes.yaml").string();
    std::ofstream(notes) << "tables: {orders: {description: one line per order, columns: {amount: gross}}}\n"
                            "glossary: {revenue: sum of paid amounts}\n";
    const auto source = open(make_shop(), {.annotations = notes});
    const auto catalog = run_to_end(source->schema()).value();
    EXPECT_EQ(catalog->find_table("orders")->description, "one line per order");
    EXPECT_EQ(catalog->find_table("orders")->find_column("amount")->description, "gross");
    EXPECT_EQ(catalog->glossary.at("revenue"), "sum of paid amounts");
}

TEST_F(SourceTest, SaysWhatIsWrongWithAPath) {
    const auto code_of = [](std::string uri) { return run_to_end(open_source(std::move(uri))).error().code; };
    EXPECT_EQ(code_of((folder_ / "nothing.duckdb").string()), Code::not_found);
    std::ofstream(folder_ / "text.duckdb") << "this is no database, only some text that is long enough";
    EXPECT_EQ(code_of((folder_ / "text.duckdb").string()), Code::corrupt);
    std::ofstream(folder_ / "letter.txt") << "dear reader";
    EXPECT_EQ(code_of((folder_ / "letter.txt").string()), Code::invalid_argument);
}

TEST_F(SourceTest, TellsTheKindOfAFileByItsContents) {
    const auto path = make_shop();
    fs::rename(path, folder_ / "shop.data");
    const auto source = open((folder_ / "shop.data").string());
    EXPECT_EQ(source->dialect(), Dialect::duckdb);
}

TEST_F(SourceTest, NeverShowsAPassword) {
    const auto opened = run_to_end(open_source("postgres://ann:geheim@127.0.0.1:1/shop"));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().describe().find("geheim"), std::string::npos);
    EXPECT_EQ(opened.error().advice().find("geheim"), std::string_view::npos);
}

TEST_F(SourceTest, RunsQueriesOfManyCallersAtTheSameTime) {
    const auto source = open(make_shop(), {.threads = 4});
    asio::io_context loop;
    int good = 0;
    for (int i = 0; i < 40; ++i) {
        asio::co_spawn(loop, ask(*source, "SELECT count(*) FROM orders o, order_items i WHERE i.order_id = o.id"),
                       [&](std::exception_ptr thrown, Result<ResultSet> result) {
                           good += !thrown && result && result->row_count == 1 ? 1 : 0;
                       });
    }
    loop.run();
    EXPECT_EQ(good, 40);
}

}  // namespace

}  // namespace quaestor::data
