// What every engine has to do alike. A backend instantiates the suite for itself:
//
//     INSTANTIATE_TEST_SUITE_P(Sqlite, EngineConformance, testing::Values(sqlite_home()), name_of_home);
//
// and says in its EngineHome how a test gets a database, and what the engine can and cannot do.
// Threads: a test's own.
#pragma once

#include "data/engine.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace quaestor::data {

/// A database that a test has made; gone with its object. Engines that were opened on it are closed before.
class TestDatabase {
public:
    virtual ~TestDatabase() = default;

    /// Opens it as the program does. Fails the test and gives nullptr when that does not work.
    [[nodiscard]] virtual std::unique_ptr<Engine> open() = 0;

    /// Runs statements with a handle that may write, as another program would.
    virtual void write(const std::string& sql) = 0;

    /// The file, for engines that have one.
    [[nodiscard]] virtual std::optional<std::filesystem::path> file() const { return std::nullopt; }
};

struct EngineHome {
    std::string name;  ///< of the parameter: "Sqlite"
    Dialect dialect = Dialect::duckdb;
    /// Makes a database by running `sql`, statements separated by semicolons.
    std::function<std::unique_ptr<TestDatabase>(const std::string& sql)> make;

    // What the engine can do.
    bool has_decimals = true;           ///< DECIMAL is exact and not a double
    bool checks_types = true;           ///< sum('text') is refused when it is prepared
    bool is_written_while_open = true;  ///< TestDatabase::write() works while an engine has it open
    bool has_schemas = true;            ///< CREATE SCHEMA

    // What differs from dialect to dialect.
    std::string forbidden_call;   ///< a call that the guard must refuse: "pg_sleep(1)"
    std::string mistake_in_data;  ///< a query over the shop that fails only while it runs
    std::string blob_query;       ///< the bytes 00 and FF
    std::string list_query;       ///< a list of 1, 2 and 3; empty when there are no lists
};

inline void PrintTo(const EngineHome& home, std::ostream* out) {
    *out << home.name;
}

[[nodiscard]] inline std::string name_of_home(const testing::TestParamInfo<EngineHome>& info) {
    return info.param.name;
}

/// The shop of shop.hpp.
[[nodiscard]] std::string shop_sql();

/// The bytes of every file in `folder`, by name: equal before and after means that nothing was written.
[[nodiscard]] std::map<std::string, std::string> bytes_in(const std::filesystem::path& folder);

class EngineConformance : public testing::TestWithParam<EngineHome> {
protected:
    /// Opens a database made by these statements, for reading: the one of the test before, when it was made by the
    /// same.
    void open(const std::string& sql);
    /// One of the test's own, which it may write to, close and open again.
    void open_own(const std::string& sql);
    /// The shop.
    void open_shop() { open(shop_sql()); }
    static void TearDownTestSuite() { last_ = {}; }
    /// A result without an error, or a failed test and an empty one.
    [[nodiscard]] ResultSet run(const std::string& sql, const QueryLimits& limits = {});
    /// The error of a statement that must not run.
    [[nodiscard]] Error error_of(const std::string& sql);
    /// The only cell of a result.
    [[nodiscard]] std::string cell(const std::string& sql);
    /// What the guard says, knowing the catalogue.
    [[nodiscard]] Verdict judge(const std::string& sql);
    [[nodiscard]] std::optional<Problem> bind(const std::string& sql);
    [[nodiscard]] Catalog schema();

    std::shared_ptr<TestDatabase> database_;
    std::shared_ptr<Engine> engine_;

private:
    /// Making a database takes longer than most tests over it.
    struct Made {
        std::string sql;
        std::shared_ptr<TestDatabase> database;
        std::shared_ptr<Engine> engine;
    };
    static inline Made last_;
};

}  // namespace quaestor::data
