// SQLite files for tests, each in a folder of its own, and SQLite as a home of the conformance suite.
#pragma once

#include "data/conformance.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace quaestor::data {

class SqliteDatabase final : public TestDatabase {
public:
    /// `sql` is run in a file that is then closed; "PRAGMA journal_mode = WAL" makes it one in WAL mode.
    explicit SqliteDatabase(const std::string& sql);
    ~SqliteDatabase() override;
    SqliteDatabase(const SqliteDatabase&) = delete;
    SqliteDatabase& operator=(const SqliteDatabase&) = delete;

    [[nodiscard]] std::unique_ptr<Engine> open() override;
    void write(const std::string& sql) override;
    [[nodiscard]] std::optional<std::filesystem::path> file() const override { return path_; }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path folder() const { return path_.parent_path(); }

private:
    std::filesystem::path path_;
};

[[nodiscard]] EngineHome sqlite_home();

}  // namespace quaestor::data
