// Which tables a query needs and how they hang together: short paths over keys, and branches through a named key. Those
// of training/joins.py to the letter. Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "native/logical_form.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace quaestor::native {

/// A table of a query: the same table may come once for each foreign key it is reached through.
struct JoinNode {
    ColumnId via = 0;  ///< 0: the trunk
    TableId table = 0;
    ColumnId or_via = 0;  ///< as in ColumnRef
    friend auto operator<=>(const JoinNode&, const JoinNode&) = default;
};

struct JoinStep {
    JoinNode node;
    std::optional<JoinNode> there;  ///< what it hangs on; nothing for the first
    std::optional<std::pair<ColumnId, ColumnId>>
        on;  ///< the column there and the one here; nothing: every row with every row
    std::optional<std::pair<ColumnId, ColumnId>> or_on{};  ///< other columns that may join them instead
};

[[nodiscard]] inline JoinNode node_of(const Schema& schema, const ColumnRef& ref) {
    return {ref.via, schema.table_of(ref.column), ref.or_via};
}

/// Code::invalid_argument when the columns cannot be brought together, or there are none.
[[nodiscard]] Result<std::vector<JoinStep>> join_plan(const Schema& schema, const std::vector<ColumnRef>& columns,
                                                      const std::vector<TableId>& tables);

/// The tables of a query that its columns do not bring along.
[[nodiscard]] std::vector<TableId> extra_tables(const Schema& schema, const Query& query);

/// Other foreign keys that would join the same tables in another way, where the plan had to choose: a person may have
/// meant one of them.
[[nodiscard]] std::vector<ForeignKey> other_ways(const Schema& schema, const std::vector<JoinStep>& plan);

}  // namespace quaestor::native
