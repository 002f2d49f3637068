// The readers for each kind of file: each makes one table in a target and fills it.
// Private to the import.
// Threads: one at a time for each target.
#pragma once

#include "base/error.hpp"
#include "data/import.hpp"
#include "data/import/target.hpp"

#include <string>
#include <string_view>

namespace quaestor::data {

/// A file and the table that it becomes.
struct FilePlan {
    std::string file;
    std::string table;
    double size = 0;
};

[[nodiscard]] Result<ImportedTable> import_csv(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter);
[[nodiscard]] Result<ImportedTable> import_json(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter);
[[nodiscard]] Result<ImportedTable> import_parquet(const FilePlan& plan, const ImportTarget& target,
                                                   ImportMeter& meter);

/// Reads the file into its table, by the kind that its ending tells.
[[nodiscard]] Result<ImportedTable> import_file(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter);

/// True for an ending that import_file() knows.
[[nodiscard]] bool is_importable(std::string_view path);

/// Makes the plan's table from `CREATE TABLE … AS select`, in which {} stands for the file's path as a literal, and
/// returns the number of rows. DuckDB sees a link of ours to `file`: no character of the file's name can mean anything.
[[nodiscard]] Result<std::int64_t> create_table_as(std::string_view select, const std::string& file,
                                                   const FilePlan& plan, const ImportTarget& target,
                                                   ImportMeter& meter);

}  // namespace quaestor::data
