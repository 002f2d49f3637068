// Reads files into a DuckDB file of our own: CSV, Parquet and JSON files, or all tables of a SQLite file. Used by
// `quaestor import` and for folders that are opened as a source. The files that are read are never changed.
// Threads: blocking; call from a worker thread. Each call is independent.
#pragma once

#include "base/error.hpp"
#include "resilience/cancellation.hpp"

#include <boost/describe/class.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// Called now and then with what is being read and how much of everything is done, 0 to 1.
using ImportProgress = std::function<void(std::string_view what, double done)>;

struct ImportOptions {
    bool replace = false;  ///< tables of the same name are replaced; otherwise they are an error
    ImportProgress progress;
    CancelToken stop;
    std::size_t memory_limit = std::size_t{1} << 30;
};

struct ImportedTable {
    std::string name;
    std::string from;  ///< the file, or the table of a SQLite file
    std::int64_t rows = 0;
    std::int64_t skipped_rows = 0;  ///< that could not be read: ragged, not the column's type
    std::vector<std::string>
        notes;  ///< what a person should know: "read as Latin-1", "column 3 read as text: 'n/a' in line 7"
};
BOOST_DESCRIBE_STRUCT(ImportedTable, (), (name, from, rows, skipped_rows, notes))

/// Reads each file into a table named after it: "Sales 2024.csv" becomes sales_2024. Kinds are told by ending (.csv,
/// .tsv, .parquet, .json, .jsonl, .ndjson, and .csv.gz and the like) and checked by content. Either all tables are
/// there afterwards or, after an error, none of them.
[[nodiscard]] Result<std::vector<ImportedTable>> import_files(const std::vector<std::string>& files,
                                                              const std::string& into, const ImportOptions& options);

/// Reads all tables of a SQLite file, with their keys.
[[nodiscard]] Result<std::vector<ImportedTable>> import_sqlite(const std::string& file, const std::string& into,
                                                               const ImportOptions& options);

/// The DuckDB file that stands for a folder of files: made in `cache_dir` at the first call, and again whenever a file
/// came, went or changed. Files of unknown kinds are passed over. Code::not_found when there is nothing to read.
[[nodiscard]] Result<std::string> cached_folder(const std::string& folder, const std::string& cache_dir,
                                                const ImportOptions& options);

}  // namespace quaestor::data
