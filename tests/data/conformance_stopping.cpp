// Queries stop when they are told to, do not disturb each other, and leave an engine that goes on working.

#include "data/conformance.hpp"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace quaestor::data {

namespace {

constexpr const char* kEndless =
    "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
constexpr int kThreads = 8;
constexpr int kQueriesPerThread = 40;
/// Queries that are answered meanwhile: after so many a query that was begun before is running for certain.
constexpr int kQueriesMeanwhile = 25;

/// A query on a thread of its own, which the test can stop.
class RunningQuery {
public:
    RunningQuery(Engine& engine, std::string sql)
        : thread_([this, &engine, sql = std::move(sql)] {
              begun_.count_down();
              result_ = engine.run(sql, {}, source_.token());
          }) {
        begun_.wait();
    }

    [[nodiscard]] Result<ResultSet> stop(CancelReason reason) {
        source_.cancel(reason, "by the test");
        thread_.join();
        return std::move(result_);
    }

private:
    CancelSource source_;
    std::latch begun_{1};
    Result<ResultSet> result_ = fail(Code::internal, "has not run");
    std::jthread thread_;
};

}  // namespace

TEST_P(EngineConformance, StopsAtADeadline) {
    open_shop();
    RunningQuery query(*engine_, kEndless);
    for (int i = 0; i < kQueriesMeanwhile; ++i) EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
    const auto result = query.stop(CancelReason::deadline);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
}

TEST_P(EngineConformance, StopsWhenItIsCancelledFromAnotherThread) {
    open_shop();
    RunningQuery query(*engine_, kEndless);
    for (int i = 0; i < kQueriesMeanwhile; ++i) EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
    const auto result = query.stop(CancelReason::client_gone);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::cancelled);
}

TEST_P(EngineConformance, StopsWhenItIsCancelledAtTheVeryBeginning) {
    open_shop();
    for (int i = 0; i < kQueriesMeanwhile; ++i) {
        const auto result = RunningQuery(*engine_, kEndless).stop(CancelReason::user_request);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Code::cancelled);
    }
}

TEST_P(EngineConformance, DoesNotBeginWhenItIsCancelledBefore) {
    open_shop();
    CancelSource source;
    source.cancel(CancelReason::shutdown);
    const auto result = engine_->run(kEndless, {}, source.token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::cancelled);
}

TEST_P(EngineConformance, DoesNotReadTheSchemaWhenItIsCancelledBefore) {
    open_shop();
    CancelSource source;
    source.cancel(CancelReason::shutdown);
    const auto catalog = engine_->read_schema(source.token());
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().code, Code::cancelled);
}

TEST_P(EngineConformance, StopsALargeCrossJoin) {
    open_shop();
    RunningQuery query(*engine_,
                       "SELECT count(*) FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g"
                       " WHERE a.amount + b.amount + c.amount + d.amount + e.amount + f.amount < g.amount");
    for (int i = 0; i < kQueriesMeanwhile; ++i) EXPECT_EQ(cell("SELECT count(*) FROM customers"), "10");
    const auto result = query.stop(CancelReason::deadline);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::timeout);
}

TEST_P(EngineConformance, WorksAfterACancellation) {
    open_shop();
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(RunningQuery(*engine_, kEndless).stop(CancelReason::user_request));
        EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
    }
}

TEST_P(EngineConformance, IgnoresACancellationThatComesAfterTheEnd) {
    open_shop();
    CancelSource source;
    EXPECT_TRUE(engine_->run("SELECT count(*) FROM orders", {}, source.token()));
    source.cancel(CancelReason::user_request);
    EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
}

TEST_P(EngineConformance, AnswersManyThreadsAtOnce) {
    open_shop();
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&] {
                for (int j = 0; j < kQueriesPerThread; ++j) {
                    const auto result = engine_->run("SELECT count(*) FROM order_items", {}, {});
                    if (result && result->columns[0].text(0) == "67") ++right;
                }
            });
        }
    }
    EXPECT_EQ(right, kThreads * kQueriesPerThread) << cell("SELECT count(*) FROM order_items");
}

TEST_P(EngineConformance, GoesOnWithOtherQueriesWhenOneIsCancelled) {
    open_shop();
    RunningQuery stopped(*engine_, kEndless);
    std::atomic<int> right = 0;
    std::vector<std::jthread> threads;
    std::latch half_way(kThreads);
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&] {
            for (int j = 0; j < kQueriesPerThread; ++j) {
                if (j == kQueriesPerThread / 2) half_way.count_down();
                const auto result = engine_->run("SELECT sum(quantity) FROM order_items", {}, {});
                if (result && result->row_count == 1) ++right;
            }
        });
    }
    half_way.wait();
    EXPECT_FALSE(stopped.stop(CancelReason::user_request));
    threads.clear();
    EXPECT_EQ(right, kThreads * kQueriesPerThread);
}

TEST_P(EngineConformance, ReadsAndBindsFromManyThreadsAtOnce) {
    open_shop();
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < kThreads; ++i) {
            threads.emplace_back([&] {
                for (int j = 0; j < kQueriesPerThread; ++j) {
                    const auto reading = engine_->read("SELECT id FROM orders");
                    const auto problem = engine_->bind("SELECT id FROM orders", {});
                    if (reading.relations.size() == 1 && problem && !*problem) ++right;
                }
            });
        }
    }
    EXPECT_EQ(right, kThreads * kQueriesPerThread);
}

TEST_P(EngineConformance, WorksAfterAMistakeInTheStatement) {
    open_shop();
    EXPECT_EQ(error_of("SELECT nothing_like_this FROM orders").code, Code::invalid_argument);
    EXPECT_EQ(error_of("SELEC 1").code, Code::invalid_argument);
    EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
}

TEST_P(EngineConformance, WorksAfterAMistakeThatOnlyTheDataShows) {
    open_shop();
    EXPECT_EQ(error_of(GetParam().mistake_in_data).code, Code::invalid_argument);
    EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
}

TEST_P(EngineConformance, WorksAfterAResultWasCutOff) {
    open_shop();
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(run("SELECT id FROM orders", {.rows = 1}).truncated);
    EXPECT_EQ(cell("SELECT count(*) FROM orders"), "40");
}

}  // namespace quaestor::data
