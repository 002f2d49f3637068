#include "native/sql_scope.hpp"

#include "native/lower.hpp"
#include "native/unsupported.hpp"

#include <algorithm>
#include <set>

namespace quaestor::native {

namespace {

struct PlacedColumn {
    ColumnId via = 0;
    ColumnId or_via = 0;
    ColumnId column = 0;
    friend auto operator<=>(const PlacedColumn&, const PlacedColumn&) = default;
};
using Equality = std::set<PlacedColumn>;

PlacedColumn placed(const ColumnRef& ref) {
    return {ref.via, ref.or_via, ref.column};
}

/// Comparisons of two columns that hold for every row.
void add_equalities(const Condition& condition, std::set<Equality>& out) {
    if (const auto* all = std::get_if<AllOf>(&condition.node)) {
        for (const Condition& part : all->parts) add_equalities(part, out);
    }
    const auto* compare = std::get_if<Compare>(&condition.node);
    if (compare == nullptr || compare->comparison != Comparison::equal) return;
    const auto* right = std::get_if<Expression>(&compare->right);
    const auto* left_ref = std::get_if<ColumnRef>(&compare->left.node);
    const auto* right_ref = right == nullptr ? nullptr : std::get_if<ColumnRef>(&right->node);
    if (left_ref != nullptr && right_ref != nullptr) out.insert({placed(*left_ref), placed(*right_ref)});
}

}  // namespace

void SqlScope::add_table(TableId table, std::string_view name, std::string_view alias) {
    const std::size_t at = tables_.size();
    tables_.push_back(table);
    via_.push_back(0);
    or_via_.push_back(0);
    aliases_.emplace(lower(name), at);
    if (!alias.empty()) aliases_[lower(alias)] = at;
}

bool SqlScope::has_alias(std::string_view alias) const {
    return aliases_.contains(lower(alias));
}

SqlScope::Place SqlScope::find(std::string_view alias, std::string_view column) const {
    const std::size_t table = aliases_.at(lower(alias));
    const auto& columns = schema_.columns_of(tables_[table]);
    const auto found = std::ranges::find_if(columns, [this, name = lower(column)](ColumnId id) {
        return lower(schema_.columns()[static_cast<std::size_t>(id)].name) == name;
    });
    return {table, found == columns.end() ? 0 : *found};
}

SqlScope::Place SqlScope::find(std::string_view column) const {
    const std::string name = lower(column);
    for (std::size_t table = 0; table < tables_.size(); ++table) {
        for (const ColumnId id : schema_.columns_of(tables_[table])) {
            if (lower(schema_.columns()[static_cast<std::size_t>(id)].name) == name) return {table, id};
        }
    }
    return {};
}

SqlScope::Link SqlScope::link_of(const Place& left, const Place& right) const {
    const auto has_key = [this](ColumnId from, ColumnId to) {
        return std::ranges::any_of(schema_.keys(),
                                   [=](const ForeignKey& key) { return key.from == from && key.to == to; });
    };
    if (has_key(left.column, right.column)) return {left, right, true};
    return has_key(right.column, left.column) ? Link{right, left, true} : Link{left, right, false};
}

void SqlScope::add_either(const std::pair<Place, Place>& first, const std::pair<Place, Place>& second) {
    const Link one = link_of(first.first, first.second);
    const Link other = link_of(second.first, second.second);
    const bool are_ends = one.is_key && other.is_key && one.from.table == other.from.table &&
                          one.to.table == other.to.table && one.to.table != one.from.table;
    if (!are_ends) throw Unsupported{"a join on one thing or another"};
    via_[one.to.table] = one.from.column;
    or_via_[one.to.table] = other.from.column;
}

/// Whether another key joins the same two tables, or the key joins a table with itself; for rival ways, whether the
/// table is a key away from another one too.
bool SqlScope::has_rivals(const Link& link) const {
    const auto ends = [this](ColumnId from, ColumnId to) {
        return std::minmax({schema_.table_of(from), schema_.table_of(to)});
    };
    const auto mine = ends(link.from.column, link.to.column);
    const TableId target = schema_.table_of(link.to.column);
    const bool has_rival_way =
        naming_ == Naming::rival_ways && std::ranges::any_of(tables_, [&](TableId table) {
            return table != schema_.table_of(link.from.column) &&
                   std::ranges::any_of(schema_.keys(), [&](const ForeignKey& key) {
                       return schema_.table_of(key.from) == table && schema_.table_of(key.to) == target;
                   });
        });
    if (has_rival_way) return true;
    return mine.first == mine.second || std::ranges::count_if(schema_.keys(), [&](const ForeignKey& key) {
                                            return ends(key.from, key.to) == mine;
                                        }) > 1;
}

/// Marks a table and what hangs on it, away from where it was reached.
void SqlScope::spread(std::size_t table, ColumnId via, std::size_t back, const std::vector<Link>& links) {
    via_[table] = via;
    or_via_[table] = or_via_[back] == 0 || via_[back] != via ? 0 : or_via_[back];
    for (const auto& [from, to, is_key] : links) {
        if (from.table != table && to.table != table) continue;
        const std::size_t other = from.table == table ? to.table : from.table;
        if (other != back && other != table && via_[other] == 0) spread(other, via, table, links);
    }
}

void SqlScope::find_branches() {
    std::vector<Link> links;
    for (const auto& [left, right] : equalities_) links.push_back(link_of(left, right));
    for (const Link& link : links) {
        if (!link.is_key || link.from.table == link.to.table || !has_rivals(link)) continue;
        spread(link.to.table, link.from.column, link.from.table, links);
    }
    const std::vector<TableId> plain = trunk();
    if (std::set(plain.begin(), plain.end()).size() != plain.size()) {
        throw Unsupported{"the same table twice without a foreign key that tells the two apart"};
    }
}

std::vector<TableId> SqlScope::trunk() const {
    std::vector<TableId> out;
    for (std::size_t at = 0; at < tables_.size(); ++at) {
        if (via_[at] == 0) out.push_back(tables_[at]);
    }
    return out;
}

void SqlScope::check_joins(const Query& query) const {
    std::set<Equality> written;
    for (const auto& [left, right] : equalities_) written.insert({placed(ref(left)), placed(ref(right))});
    const auto plan = join_plan(schema_, columns_in(query), trunk());
    if (!plan) throw Unsupported{plan.error().message};
    std::set<Equality> planned;
    for (const JoinStep& step : *plan) {
        if (!step.on || step.or_on) continue;
        planned.insert(Equality{PlacedColumn{step.there->via, step.there->or_via, step.on->first},
                                PlacedColumn{step.node.via, step.node.or_via, step.on->second}});
    }
    if (!std::ranges::includes(planned, written)) throw Unsupported{"a join that the keys of the tables do not imply"};
    if (query.where) add_equalities(*query.where, written);
    if (!std::ranges::includes(written, planned)) throw Unsupported{"tables side by side that a key joins"};
}

}  // namespace quaestor::native
