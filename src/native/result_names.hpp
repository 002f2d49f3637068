// What the columns of a result are called: "name", "count", "average price", "singer name".
// Private to native/.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"

#include <string>
#include <vector>

namespace quaestor::native {

/// One for each expression, no two alike. A column that is alone with its name keeps it.
[[nodiscard]] std::vector<std::string> result_names(const std::vector<Expression>& select, const Schema& schema);

/// What both columns are called: "points" of "points home" and "points away"; "opposing points" for the other side's.
[[nodiscard]] std::string shared_words(const Schema& schema, const OfEnd& of_end);

}  // namespace quaestor::native
