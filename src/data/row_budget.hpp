// Keeps a result within its limits while an engine reads rows into it, a whole row at a time.
// Private to data/; lives as long as one result is read.
// Threads: one at a time.
#pragma once

#include "data/engine.hpp"
#include "data/result_set.hpp"

namespace quaestor::data {

class RowBudget {
public:
    RowBudget(ResultSet& result, const QueryLimits& limits) : result_(result), limits_(limits) {}

    /// Ask before each row. At the limit it marks the result as truncated: somebody had another row to add.
    [[nodiscard]] bool has_room() {
        if (result_.row_count >= limits_.rows) result_.truncated = true;
        return !result_.truncated;
    }

    /// Call behind each row that was added to every column. A row that is too much is taken back.
    void count_row() {
        std::size_t bytes = 0;
        for (const auto& column : result_.columns) bytes += column.bytes();
        if (bytes > limits_.bytes) {
            for (auto& column : result_.columns) column.remove_last();
            result_.truncated = true;
        } else {
            ++result_.row_count;
        }
    }

private:
    ResultSet& result_;
    const QueryLimits& limits_;
};

}  // namespace quaestor::data
