#include "data/conformance.hpp"

#include "data/guard.hpp"
#include "data/shop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace quaestor::data {

// The kit is linked into programs that need only a part of it.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EngineConformance);

std::string shop_sql() {
    return kShopSql;
}

std::map<std::string, std::string> bytes_in(const std::filesystem::path& folder) {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        // Read as a block: a character at a time would take longer than the tests do.
        std::string bytes(static_cast<std::size_t>(entry.file_size()), '\0');
        std::ifstream(entry.path(), std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        found[entry.path().filename().string()] = std::move(bytes);
    }
    return found;
}

void EngineConformance::open(const std::string& sql) {
    if (last_.engine == nullptr || last_.sql != sql) {
        open_own(sql);
        last_ = {.sql = sql, .database = database_, .engine = engine_};
    }
    database_ = last_.database;
    engine_ = last_.engine;
    ASSERT_NE(engine_, nullptr);
}

// An engine may have but one database for tests, so the last one goes first.
void EngineConformance::open_own(const std::string& sql) {
    engine_.reset();
    database_.reset();
    last_ = {};
    database_ = GetParam().make(sql);
    engine_ = database_->open();
    ASSERT_NE(engine_, nullptr);
}

ResultSet EngineConformance::run(const std::string& sql, const QueryLimits& limits) {
    auto result = engine_->run(sql, limits, {});
    EXPECT_TRUE(result) << sql << "\n" << (result ? "" : result.error().describe());
    return result ? std::move(*result) : ResultSet{};
}

Error EngineConformance::error_of(const std::string& sql) {
    const auto result = engine_->run(sql, {}, {});
    EXPECT_FALSE(result) << sql;
    return result ? Error{} : result.error();
}

std::string EngineConformance::cell(const std::string& sql) {
    const ResultSet result = run(sql);
    EXPECT_EQ(result.columns.size(), 1U) << sql;
    EXPECT_EQ(result.row_count, 1U) << sql;
    return result.columns.size() == 1 && result.row_count == 1 ? result.columns[0].text(0) : "";
}

Verdict EngineConformance::judge(const std::string& sql) {
    const TableNames names = names_of(schema());
    return Guard(GetParam().dialect, names).judge(sql, engine_->read(sql));
}

std::optional<Problem> EngineConformance::bind(const std::string& sql) {
    auto problem = engine_->bind(sql, {});
    EXPECT_TRUE(problem) << sql << "\n" << (problem ? "" : problem.error().describe());
    return problem ? std::move(*problem) : std::nullopt;
}

Catalog EngineConformance::schema() {
    auto catalog = engine_->read_schema({});
    EXPECT_TRUE(catalog) << (catalog ? "" : catalog.error().describe());
    return catalog ? std::move(*catalog) : Catalog{};
}

}  // namespace quaestor::data
