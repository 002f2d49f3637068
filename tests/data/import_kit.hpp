// For tests of the import: a folder of its own, files written into it, and what is in a DuckDB file afterwards.
// Removed with everything in it by the destructor.
// Threads: one at a time.
#pragma once

#include "data/duckdb/handle.hpp"
#include "data/import.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

class ImportTest : public testing::Test {
protected:
    ImportTest();
    ~ImportTest() override;

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    /// Writes a file, with the folders on its way, and returns its path.
    std::string write(const std::string& name, std::string_view content) const;
    /// Imports into target(), which must work.
    std::vector<ImportedTable> import(const std::vector<std::string>& files, const ImportOptions& options = {}) const;
    ImportedTable import_one(const std::string& name, std::string_view content) const;
    /// The error of an import that must not work; also that it left nothing.
    Error import_error(const std::vector<std::string>& files, const ImportOptions& options = {}) const;

    [[nodiscard]] std::string target() const { return path("target.duckdb"); }
    /// What the folder holds, by name.
    [[nodiscard]] std::vector<std::string> files() const;

    /// Each row as its values with | between them, NULL as "NULL".
    [[nodiscard]] std::vector<std::string> ask(const std::string& sql) const { return ask_file(target(), sql); }
    [[nodiscard]] std::vector<std::string> ask_file(const std::string& file, const std::string& sql) const;
    /// "a BIGINT, b VARCHAR"
    [[nodiscard]] std::string columns(const std::string& table) const;

    /// Lets go of the file that was asked last, so that it can be imported into.
    void close() const;

    std::filesystem::path folder_;

private:
    struct Asked {
        std::string file;
        duck::Database database;
        duck::Connection connection;
    };
    mutable std::optional<Asked> asked_;  ///< opening takes long, so it is kept
};

[[nodiscard]] std::string read_whole(const std::string& path);

}  // namespace quaestor::data
