#include "program.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;

constexpr const char* kFull = "/dev/full";

/// What becomes of a command whose output nobody can take.
class UnwritableOutput : public testing::Test {
protected:
    UnwritableOutput() { std::ofstream(folder_.file("one.csv")) << "a\n1\n"; }

    ProgramEnd run(std::vector<std::string> arguments, std::string output_file, std::string error_file) {
        ProgramCall call;
        call.arguments = std::move(arguments);
        call.folder = folder_.path();
        call.output_file = std::move(output_file);
        call.error_file = std::move(error_file);
        return run_program(call).value();
    }

private:
    store::TemporaryFolder folder_;
};

TEST_F(UnwritableOutput, IsAFailureOfTheCommand) {
    const auto end = run({"graph", "list"}, kFull, "");
    EXPECT_EQ(end.exit_code, 3);
    EXPECT_THAT(end.errors, HasSubstr("could not write the output"));
}

TEST_F(UnwritableOutput, IsNoticedAlsoWhenMoreWasWrittenThanIsKeptBack) {
    const std::string sql = "SELECT repeat('x', 10000) AS long FROM range(10)";
    ASSERT_EQ(run({"import", "csv", "one.csv", "--into", "one.duckdb"}, "", "").exit_code, 0);
    for (const char* format : {"table", "csv", "json"}) {
        const auto end = run({"sql", "run", "--source", "one.duckdb", "--format", format, sql}, kFull, "");
        EXPECT_EQ(end.exit_code, 3) << format;
        EXPECT_THAT(end.errors, HasSubstr("could not write the output")) << format;
    }
}

TEST_F(UnwritableOutput, OfMessagesForPeopleIsNone) {
    const auto end = run({"demo", "graph", "--tolerance", "0.05"}, "", kFull);
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_THAT(end.output, HasSubstr("pi is 3.1"));
}

TEST_F(UnwritableOutput, OfAnErrorMessageLeavesItsExitCode) {
    EXPECT_EQ(run({"runs", "show", "last"}, "", kFull).exit_code, 2);
}

}  // namespace

}  // namespace quaestor::cli
