#include "cli/commands.hpp"
#include "data/duckdb/handle.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

/// Commands that are stopped before they begin, as by a Ctrl-C that came early.
class StoppedCommand : public testing::Test {
protected:
    StoppedCommand() {
        auto database = data::duck::Database::open(file_, {});
        EXPECT_TRUE(database->connect()->query("CREATE TABLE t AS SELECT 1 AS a"));
        invocation_.loaded.settings.data_dir = folder_.file("data");
        invocation_.cancel = stop_.token();
        stop_.cancel(CancelReason::user_request);
    }

    store::TemporaryFolder folder_;
    const std::string file_ = folder_.file("a.duckdb");
    CancelSource stop_;
    Invocation invocation_;
};

/// The exit code, whether the command printed its error itself or left that to main().
ExitCode exit_code_of(const CommandResult& result) {
    return result ? *result : exit_code_for(result.error());
}

TEST_F(StoppedCommand, SqlRunEndsAsInterrupted) {
    testing::internal::CaptureStderr();
    const auto result = sql_run(invocation_, {.sql = "SELECT a FROM t", .source = file_, .limit = {}, .timeout = {}});
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(exit_code_of(result), ExitCode::interrupted);
}

TEST_F(StoppedCommand, CatalogShowEndsAsInterrupted) {
    EXPECT_EQ(exit_code_of(catalog_show(invocation_, {.source = file_, .table = {}, .annotations = {}})),
              ExitCode::interrupted);
}

TEST_F(StoppedCommand, AStatementThatIsStillToComeIsNotWaitedFor) {
    EXPECT_EQ(exit_code_of(sql_run(invocation_, {.sql = "-", .source = file_, .limit = {}, .timeout = {}})),
              ExitCode::interrupted);
}

}  // namespace

}  // namespace quaestor::cli
