// Which joined tables have but one row in each group of a query, so that their columns need no aggregate: a group by
// singer_id knows the singer, and the country that the singer points to.
// Private to native/. Threads: pure function.
#pragma once

#include "native/joins.hpp"

#include <set>
#include <vector>

namespace quaestor::native {

[[nodiscard]] std::set<JoinNode> known_rows(const Schema& schema, const std::vector<JoinStep>& plan,
                                            const std::vector<Expression>& group);

}  // namespace quaestor::native
