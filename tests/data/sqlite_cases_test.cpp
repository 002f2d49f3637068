#include "data/case_file.hpp"
#include "data/conformance_sqlite.hpp"
#include "data/guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace quaestor::data {

namespace {

constexpr QueryLimits kLimits{.rows = 100, .bytes = 1 << 20};
constexpr std::size_t kMemoryLimit = std::size_t{256} << 20;
constexpr std::chrono::milliseconds kDeadline{300};

/// Cancels its token when the deadline passes before it ends.
class Deadline {
public:
    explicit Deadline(std::chrono::milliseconds time)
        : watch_([this, time](const std::stop_token& done) {
              std::unique_lock lock(mutex_);
              if (!over_.wait_for(lock, done, time, [&] { return done.stop_requested(); })) {
                  source_.cancel(CancelReason::deadline);
              }
          }) {}
    [[nodiscard]] CancelToken token() const { return source_.token(); }

private:
    CancelSource source_;
    std::mutex mutex_;
    std::condition_variable_any over_;
    std::jthread watch_;
};

std::string told(const Verdict& verdict) {
    std::string text;
    for (const Problem& problem : verdict.errors) text += problem.message + "\n";
    return text;
}

std::string code_name(Problem::Code code) {
    return boost::describe::enum_to_string(code, "?");
}

}  // namespace

/// One shop for all cases of a suite; its bytes are compared when the suite ends.
class SqliteCases : public testing::TestWithParam<SqlCase> {
protected:
    static void SetUpTestSuite() {
        database_ = std::make_unique<SqliteDatabase>(
            shop_sql() + "CREATE VIEW paid AS SELECT id, amount AS worth FROM orders WHERE status = 'paid';");
        before_ = bytes_in(database_->folder());
        engine_ = std::move(*open_sqlite(database_->path().string(), kMemoryLimit));
        names_ = names_of(*engine_->read_schema({}));
    }
    static void TearDownTestSuite() {
        EXPECT_EQ(bytes_in(database_->folder()), before_) << "something was written";
        engine_.reset();
        EXPECT_EQ(bytes_in(database_->folder()), before_) << "something was written while closing";
        database_.reset();
    }

    [[nodiscard]] static Verdict judge(const std::string& sql) {
        return Guard(Dialect::sqlite, names_, kLimits.rows).judge(sql, engine_->read(sql));
    }

    static std::unique_ptr<SqliteDatabase> database_;
    static std::map<std::string, std::string> before_;
    static std::unique_ptr<Engine> engine_;
    static TableNames names_;
};

std::unique_ptr<SqliteDatabase> SqliteCases::database_;
std::map<std::string, std::string> SqliteCases::before_;
std::unique_ptr<Engine> SqliteCases::engine_;
TableNames SqliteCases::names_;

class SqliteAttack : public SqliteCases {};

TEST_P(SqliteAttack, IsRefusedOrBounded) {
    const SqlCase& attack = GetParam();
    const std::string expected = attack.fact("expect");
    const auto verdict = judge(attack.sql);
    if (expected.starts_with("refused ")) {
        ASSERT_FALSE(verdict.ok) << attack.sql;
        EXPECT_EQ(code_name(verdict.errors[0].code), expected.substr(8)) << told(verdict);
        EXPECT_FALSE(verdict.errors[0].message.empty());
        EXPECT_TRUE(verdict.sql.empty());
        // What the guard refuses does not run past it either, at least not for long.
        const Deadline deadline(kDeadline);
        const auto result = engine_->run(attack.sql, kLimits, deadline.token());
        if (expected != "refused unknown_table" && expected != "refused too_long") EXPECT_FALSE(result);
        return;
    }
    ASSERT_EQ(expected, "bounded");
    ASSERT_TRUE(verdict.ok) << told(verdict);
    const Deadline deadline(kDeadline);
    const auto result = engine_->run(verdict.sql, kLimits, deadline.token());
    if (result) {
        EXPECT_LE(result->row_count, kLimits.rows);
    } else {
        const auto code = result.error().code;
        EXPECT_TRUE(code == Code::timeout || code == Code::limit_exceeded || code == Code::invalid_argument)
            << result.error().describe();
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, SqliteAttack, testing::ValuesIn(read_cases("attack_sqlite.cases")),
                         [](const auto& info) { return test_name_of(info.param); });

class SqliteQuery : public SqliteCases {};

/// `rows` and `first` (the first row, cells separated by " | ") are looked at where a case has them.
TEST_P(SqliteQuery, IsAcceptedAndRuns) {
    const SqlCase& query = GetParam();
    const auto verdict = judge(query.sql);
    ASSERT_TRUE(verdict.ok) << told(verdict);
    const auto problem = engine_->bind(verdict.sql, {});
    ASSERT_TRUE(problem) << problem.error().describe();
    EXPECT_FALSE(*problem) << (*problem)->message;
    const auto result = engine_->run(verdict.sql, {}, {});
    ASSERT_TRUE(result) << result.error().describe() << "\n" << verdict.sql;
    if (const auto rows = query.fact("rows"); !rows.empty()) EXPECT_EQ(std::to_string(result->row_count), rows);
    if (const auto first = query.fact("first"); !first.empty()) {
        std::string row;
        for (const auto& column : result->columns) row += (row.empty() ? "" : " | ") + column.text(0);
        EXPECT_EQ(row, first);
    }
    if (const auto tables = query.fact("tables"); !tables.empty()) {
        auto found = verdict.tables;
        std::ranges::sort(found);
        EXPECT_EQ(fmt::format("{}", fmt::join(found, ", ")), tables);
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, SqliteQuery, testing::ValuesIn(read_cases("positive_sqlite.cases")),
                         [](const auto& info) { return test_name_of(info.param); });

}  // namespace quaestor::data
