// A query's result as part of a workflow's state: it goes through checkpoints, events and answers as JSON.
// Plain values. Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "data/result_set.hpp"

#include <boost/describe/class.hpp>

#include <string>
#include <vector>

namespace quaestor::workflows {

/// Rows that a state keeps; the rest of a result is counted, and can be had by running the query again.
inline constexpr std::size_t kStateRowsMax = 1'000;

struct TableColumn {
    std::string name;
    data::ValueKind kind = data::ValueKind::text;
    std::string type;
};
BOOST_DESCRIBE_STRUCT(TableColumn, (), (name, kind, type))

struct ResultTable {
    std::vector<TableColumn> columns;
    std::vector<json::array> rows;
    std::int64_t row_count = 0;  ///< of the result, which may be more than are kept
    bool truncated = false;      ///< the database had more
    double execution_time_ms = 0;
};
BOOST_DESCRIBE_STRUCT(ResultTable, (), (columns, rows, row_count, truncated, execution_time_ms))

[[nodiscard]] ResultTable table_of(const data::ResultSet& result, std::size_t rows = kStateRowsMax);
/// The other way round, for what reads results.
[[nodiscard]] data::ResultSet result_of(const ResultTable& table);

/// For a model: a fenced block of at most `rows` rows and `bytes` bytes, cells quoted as JSON, so that nothing in a row
/// can be taken for an instruction.
[[nodiscard]] std::string quoted_for_model(const ResultTable& table, std::size_t rows = 30, std::size_t bytes = 6'000);

}  // namespace quaestor::workflows
