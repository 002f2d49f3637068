#include "native/known_rows.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

struct NodeColumn {
    JoinNode node;
    ColumnId column = 0;
    friend auto operator<=>(const NodeColumn&, const NodeColumn&) = default;
};

/// Whether a column alone is the primary key of its table.
bool identifies_row(const Schema& schema, ColumnId id) {
    const auto is_primary = [&schema](ColumnId column) {
        return schema.columns()[static_cast<std::size_t>(column)].is_primary;
    };
    return is_primary(id) && std::ranges::count_if(schema.columns_of(schema.table_of(id)), is_primary) == 1;
}

}  // namespace

std::set<JoinNode> known_rows(const Schema& schema, const std::vector<JoinStep>& plan,
                              const std::vector<Expression>& group) {
    std::set<NodeColumn> known_columns;
    std::set<JoinNode> known;
    for (const Expression& expression : group) {
        const auto* ref = std::get_if<ColumnRef>(&expression.node);
        if (ref == nullptr || ref->column == 0) continue;
        const JoinNode node = node_of(schema, *ref);
        known_columns.insert({node, ref->column});
        if (identifies_row(schema, ref->column)) known.insert(node);
    }
    const auto is_known = [&](const NodeColumn& column) {
        return known.contains(column.node) || known_columns.contains(column);
    };
    const auto learn = [&](const NodeColumn& from, const NodeColumn& to) {
        return is_known(from) && identifies_row(schema, to.column) && known.insert(to.node).second;
    };
    for (bool has_learnt = true; has_learnt;) {
        has_learnt = false;
        for (const JoinStep& step : plan) {
            if (!step.there || !step.on || step.or_on) continue;
            const NodeColumn there{*step.there, step.on->first};
            const NodeColumn here{step.node, step.on->second};
            has_learnt = learn(there, here) || learn(here, there) || has_learnt;
        }
    }
    return known;
}

}  // namespace quaestor::native
