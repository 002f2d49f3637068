#include "base/json.hpp"
#include "data/shop.hpp"
#include "kit/postgres_server.hpp"
#include "program.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::Not;

/// The commands on a PostgreSQL server that holds the shop.
class PostgresSource : public testing::Test {
protected:
    PostgresSource() : server_(*test::shared_postgres().value()), url_(server_.empty_database().value()) {
        EXPECT_TRUE(server_.execute(data::kShopSql));
    }

    ProgramEnd run(std::vector<std::string> arguments) {
        ProgramCall call;
        call.arguments = std::move(arguments);
        call.folder = folder_.path();
        return run_program(call).value();
    }

    store::TemporaryFolder folder_;
    test::PostgresServer& server_;
    const std::string url_;
};

TEST_F(PostgresSource, IsAskedLikeAnyOther) {
    const std::string sql =
        "SELECT status, count(*) AS orders, sum(amount) AS total FROM orders GROUP BY status ORDER BY status";
    const auto end = run({"sql", "run", "--source", url_, "--quiet", sql});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    EXPECT_EQ(end.output,
              "status     orders    total\n"
              "─────────  ──────  ───────\n"
              "cancelled      13  4657.74\n"
              "open           14  4623.23\n"
              "paid           13  4933.92\n");
}

TEST_F(PostgresSource, IsAskedInPlainWords) {
    const auto end = run({"ask", "--source", url_, "--json", "How many orders are there?"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    const auto answer = parse_json(end.output);
    ASSERT_TRUE(answer) << end.output;
    EXPECT_EQ(answer->at("status"), "answered");
    EXPECT_EQ(to_text(answer->at_pointer("/queries/0/rows")), "[[40]]");
}

TEST_F(PostgresSource, IsNotWrittenTo) {
    EXPECT_EQ(run({"sql", "run", "--source", url_, "DELETE FROM orders"}).exit_code, 1);
    EXPECT_EQ(run({"sql", "run", "--source", url_, "SELECT id INTO other FROM orders"}).exit_code, 1);
    const auto end = run({"sql", "run", "--source", url_, "--format", "csv", "--quiet", "SELECT count(*) FROM orders"});
    EXPECT_EQ(end.output, "count\n40\n") << end.errors;
}

TEST_F(PostgresSource, ObjectsToColumnsWithTheirPlace) {
    const auto end = run({"sql", "check", "--source", url_, "SELECT custmer_id FROM orders"});
    EXPECT_EQ(end.exit_code, 1);
    EXPECT_THAT(end.output, HasSubstr("    SELECT custmer_id FROM orders\n           ^\n"));
    EXPECT_THAT(end.output, HasSubstr("customer_id"));
}

TEST_F(PostgresSource, HasACatalogue) {
    const auto end = run({"catalog", "show", url_, "--quiet"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    EXPECT_THAT(end.output, HasSubstr("PostgreSQL, 6 tables"));
    EXPECT_THAT(end.output, HasSubstr("  orders.customer_id → customers.id\n"));
}

TEST_F(PostgresSource, RefusesAWrongPasswordWithoutShowingIt) {
    ASSERT_TRUE(
        server_.execute("DO $$ BEGIN CREATE ROLE reader LOGIN PASSWORD 'right'; "
                        "EXCEPTION WHEN duplicate_object THEN NULL; END $$"));
    const auto url = fmt::format("postgres://reader:hunter2secret@127.0.0.1:{}/postgres", server_.port());
    const auto end = run({"sql", "run", "--source", url, "SELECT 1"});
    EXPECT_EQ(end.exit_code, 2) << end.errors;
    EXPECT_THAT(end.errors, HasSubstr("check the user and password in the URL"));
    EXPECT_THAT(end.output + end.errors, Not(HasSubstr("hunter2secret")));
}

}  // namespace

}  // namespace quaestor::cli
