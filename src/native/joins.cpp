#include "native/joins.hpp"

#include "native/lower.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace quaestor::native {

namespace {

/// A new table, the one it hangs on, and the columns that join them.
struct Hop {
    TableId table = 0;
    TableId there = 0;
    std::optional<std::pair<ColumnId, ColumnId>> on;
};

bool contains(const std::vector<TableId>& tables, TableId table) {
    return std::ranges::find(tables, table) != tables.end();
}

void add_once(std::vector<TableId>& tables, TableId table) {
    if (!contains(tables, table)) tables.push_back(table);
}

/// A table without a key to the others: a column of the same name joins it, or nothing does.
Hop loose_hop(const Schema& schema, const std::vector<TableId>& reached, TableId table) {
    const auto lower_name = [&schema](ColumnId column) {
        return lower(schema.columns()[static_cast<std::size_t>(column)].name);
    };
    std::map<std::string, ColumnId> own;
    for (const ColumnId column : schema.columns_of(table)) own[lower_name(column)] = column;
    for (const TableId there : reached) {
        for (const ColumnId column : schema.columns_of(there)) {
            const auto same = own.find(lower_name(column));
            if (same == own.end() || same->first == "name" || same->first == "id") continue;
            return {table, there, std::pair(column, same->second)};
        }
    }
    return {table, reached.front(), std::nullopt};
}

/// Breadth first from all tables reached so far, up to the first wanted one: the hops to it, the nearest first.
std::vector<Hop> nearest_path(const Schema& schema, const std::vector<TableId>& reached,
                              const std::vector<TableId>& wanted) {
    std::map<TableId, std::optional<Hop>> hops;
    for (const TableId table : reached) hops.emplace(table, std::nullopt);
    std::deque<TableId> queue(reached.begin(), reached.end());
    const auto path_to = [&hops](TableId table) {
        std::vector<Hop> path;
        for (std::optional<Hop> hop = hops[table]; hop; hop = hops[hop->there]) path.push_back(*hop);
        std::ranges::reverse(path);
        return path;
    };
    while (!queue.empty()) {
        const TableId table = queue.front();
        queue.pop_front();
        for (const Schema::Neighbour& next : schema.neighbours(table)) {
            if (!hops.emplace(next.table, Hop{next.table, table, std::pair(next.own, next.other)}).second) continue;
            if (contains(wanted, next.table)) return path_to(next.table);
            queue.push_back(next.table);
        }
    }
    return {};
}

/// The hops that bring every wanted table to `start`.
std::vector<Hop> hops_to_all(const Schema& schema, TableId start, const std::vector<TableId>& wanted) {
    std::vector<TableId> reached{start};
    std::vector<TableId> missing;
    for (const TableId table : wanted) {
        if (table != start) add_once(missing, table);
    }
    std::vector<Hop> hops;
    while (!missing.empty()) {
        std::vector<Hop> path = nearest_path(schema, reached, missing);
        if (path.empty()) path.push_back(loose_hop(schema, reached, missing.front()));
        for (const Hop& hop : path) {
            hops.push_back(hop);
            reached.push_back(hop.table);
            std::erase(missing, hop.table);
        }
    }
    return hops;
}

/// The tables that one foreign key, or either of two, leads to, in writing order.
struct Branch {
    ColumnId via = 0;
    ColumnId or_via = 0;
    std::vector<TableId> tables;
};

struct Needs {
    std::vector<TableId> trunk;
    std::vector<Branch> branches;
};

Needs needs_of(const Schema& schema, const std::vector<ColumnRef>& columns, const std::vector<TableId>& tables) {
    Needs needs;
    for (const auto [column, via, or_via] : columns) {
        if (via == 0) {
            if (column != 0) add_once(needs.trunk, schema.table_of(column));
            continue;
        }
        add_once(needs.trunk, schema.table_of(via));
        auto branch = std::ranges::find_if(needs.branches,
                                           [&](const Branch& one) { return one.via == via && one.or_via == or_via; });
        if (branch == needs.branches.end()) branch = needs.branches.insert(branch, Branch{via, or_via, {}});
        branch->tables.push_back(schema.table_of(column));
    }
    for (const TableId table : tables) add_once(needs.trunk, table);
    return needs;
}

void add_hops(std::vector<JoinStep>& plan, const std::vector<Hop>& hops, ColumnId via, ColumnId or_via) {
    for (const Hop& hop : hops) plan.push_back({{via, hop.table, or_via}, JoinNode{via, hop.there, or_via}, hop.on});
}

bool names_what_is_there(const Schema& schema, const std::vector<ColumnRef>& columns,
                         const std::vector<TableId>& tables) {
    const auto is_column = [&schema](ColumnId column) {
        return column >= 0 && static_cast<std::size_t>(column) < schema.columns().size();
    };
    return std::ranges::all_of(columns,
                               [&](const ColumnRef& ref) {
                                   return is_column(ref.column) && is_column(ref.via) && is_column(ref.or_via) &&
                                          (ref.via == 0 || ref.column != 0);
                               }) &&
           std::ranges::all_of(tables, [&schema](TableId table) {
               return table >= 0 && static_cast<std::size_t>(table) < schema.tables().size();
           });
}

}  // namespace

Result<std::vector<JoinStep>> join_plan(const Schema& schema, const std::vector<ColumnRef>& columns,
                                        const std::vector<TableId>& tables) {
    if (!names_what_is_there(schema, columns, tables)) {
        return fail(Code::invalid_argument, "the query names a column or table that is not there");
    }
    const Needs needs = needs_of(schema, columns, tables);
    if (needs.trunk.empty()) return fail(Code::invalid_argument, "the query reads no table");
    const TableId start = needs.trunk.front();
    std::vector<JoinStep> plan{{{0, start}, std::nullopt, std::nullopt}};
    add_hops(plan, hops_to_all(schema, start, needs.trunk), 0, 0);
    for (const Branch& branch : needs.branches) {
        const auto key = std::ranges::find(schema.keys(), branch.via, &ForeignKey::from);
        if (key == schema.keys().end()) {
            return fail(Code::invalid_argument, "a table is reached through a column that is no foreign key");
        }
        const TableId root = schema.table_of(key->to);
        JoinStep step{{branch.via, root, branch.or_via},
                      JoinNode{0, schema.table_of(branch.via)},
                      std::pair(branch.via, key->to)};
        if (branch.or_via != 0) {
            const bool is_beside = std::ranges::any_of(schema.keys(), [&](const ForeignKey& other) {
                return other.from == branch.or_via && other.to == key->to &&
                       schema.table_of(other.from) == schema.table_of(branch.via);
            });
            if (!is_beside) return fail(Code::invalid_argument, "the other end is not joined by a key of the same row");
            step.or_on = std::pair(branch.or_via, key->to);
        }
        plan.push_back(std::move(step));
        add_hops(plan, hops_to_all(schema, root, branch.tables), branch.via, branch.or_via);
    }
    return plan;
}

std::vector<TableId> extra_tables(const Schema& schema, const Query& query) {
    std::vector<TableId> there;
    if (const auto plan = join_plan(schema, columns_in(query), {})) {
        for (const JoinStep& step : *plan) there.push_back(step.node.table);
    }
    std::vector<TableId> extra;
    for (const TableId table : query.tables) {
        if (!contains(there, table)) add_once(extra, table);
    }
    return extra;
}

std::vector<ForeignKey> other_ways(const Schema& schema, const std::vector<JoinStep>& plan) {
    std::vector<ForeignKey> others;
    for (const JoinStep& step : plan) {
        const bool was_named = step.there && step.there->via != step.node.via;
        if (!step.on || was_named) continue;
        const auto is_taken = [&step](const ForeignKey& key) {
            return *step.on == std::pair(key.from, key.to) || *step.on == std::pair(key.to, key.from);
        };
        const auto taken = std::ranges::find_if(schema.keys(), is_taken);
        const bool is_plain = taken != schema.keys().end() && schema.is_plain(*taken);
        for (const ForeignKey& key : schema.keys()) {
            // A role that nobody said is not asked about.
            if (is_taken(key) || (is_plain && !schema.is_plain(key))) continue;
            const std::pair ends(schema.table_of(key.from), schema.table_of(key.to));
            const bool joins_both = ends == std::pair(step.there->table, step.node.table) ||
                                    ends == std::pair(step.node.table, step.there->table);
            if (joins_both) others.push_back(key);
        }
    }
    return others;
}

}  // namespace quaestor::native
