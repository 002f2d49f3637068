// Goes through the conditions of a query with its sub-queries and filters, so that a value can be replaced where it
// stands. Private to the rules.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"

#include <functional>
#include <vector>

namespace quaestor::native::rules {

/// A condition that compares one column with values.
struct ColumnTest {
    ColumnRef column;
    Condition* condition = nullptr;
};
/// All of a query that compare a column which `fits`, at every level.
[[nodiscard]] std::vector<ColumnTest> tests_of(Query& query, const std::function<bool(ColumnId)>& fits);

/// Takes the conditions of one level that compare a column which `fits` out of it.
void drop_tests(Query& query, const std::function<bool(ColumnId)>& fits);

/// Every column of the measures of a query: what is aggregated, calculated, windowed or ordered by.
void replace_measures(Query& query, const std::function<void(Expression&)>& replace);

}  // namespace quaestor::native::rules
