// A form with some of its values or columns replaced.
// Private to native/.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"

#include <functional>

namespace quaestor::native {

/// Each value, words and constants; sub-queries too.
[[nodiscard]] Query with_values_replaced(Query form, const std::function<Value(const Value&)>& replace);

/// Only those that are words of the question.
[[nodiscard]] Query with_words_replaced(Query form, const std::function<Value(const Words&)>& replace);

/// Each column of this level; sub-queries keep theirs.
[[nodiscard]] Query with_columns_replaced(Query form, const std::function<ColumnRef(const ColumnRef&)>& replace);

}  // namespace quaestor::native
