// A DuckDB file with the shop in it, in a folder of its own that goes when the object does, and an engine over it.
#pragma once

#include "data/engine.hpp"
#include "data/guard.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace quaestor::data {

class DuckdbShop {
public:
    explicit DuckdbShop(std::size_t memory_limit = kMemoryLimitDefault);
    ~DuckdbShop();
    DuckdbShop(const DuckdbShop&) = delete;
    DuckdbShop& operator=(const DuckdbShop&) = delete;

    [[nodiscard]] Engine& engine() { return *engine_; }
    [[nodiscard]] Guard guard(std::size_t row_limit = kRowLimitDefault) const {
        return {Dialect::duckdb, names_, row_limit};
    }

    /// The files of the folder with all their bytes.
    [[nodiscard]] std::map<std::string, std::string> files() const;

private:
    std::filesystem::path folder_;
    std::unique_ptr<Engine> engine_;
    TableNames names_;
};

/// A folder for one test.
[[nodiscard]] std::filesystem::path make_folder();

/// Makes a DuckDB file by running the statements.
void make_duckdb(const std::filesystem::path& file, const std::string& sql);

/// Runs with a deadline on a clock of its own.
[[nodiscard]] Result<ResultSet> run_for(Engine& engine, const std::string& sql, const QueryLimits& limits);

}  // namespace quaestor::data
