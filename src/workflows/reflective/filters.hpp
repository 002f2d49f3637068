// What a query asks of its rows, seen in its text: values that every row has, and values that no row of the table has.
// A model's SQL may be anything, so only what is plain is seen: column = 'value', column IN ('a', 'b').
// Private to the workflow. Threads: pure functions.
#pragma once

#include "native/reading/knowledge.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

/// A column and a text that it is compared with.
struct Filter {
    native::ColumnId column = 0;
    std::string value;
};

/// Equalities that every row of the result fulfils; none for a query in which that cannot be told from the text.
/// `tables` are those that it reads.
[[nodiscard]] std::vector<Filter> filters_of(const native::Knowledge& knowledge, std::string_view sql,
                                             const std::vector<std::string>& tables);

/// A value that a query looks for and that its column does not have.
struct MissingValue {
    std::string value;
    std::string sentence;  ///< there is no "Frnace" in country; there is "France"
};
/// Only of columns all of whose values are known.
[[nodiscard]] std::vector<MissingValue> missing_values(const native::Knowledge& knowledge, std::string_view sql,
                                                       const std::vector<std::string>& tables);

}  // namespace quaestor::workflows::reflective
