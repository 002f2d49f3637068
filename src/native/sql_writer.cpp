#include "native/sql_writer.hpp"

#include "native/known_rows.hpp"
#include "native/result_names.hpp"
#include "native/sql_statement.hpp"
#include "native/unsupported.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native {

using data::Dialect;

namespace {

std::string_view sql_of(SetOperation operation) {
    constexpr std::array<std::string_view, 3> kNames{"INTERSECT", "UNION", "EXCEPT"};
    return kNames[static_cast<std::size_t>(operation)];
}

/// The aggregates of an expression, sub-queries left out.
void add_aggregates(const Expression& expression, std::vector<const AggregateOf*>& out) {
    if (const auto* aggregate = std::get_if<AggregateOf>(&expression.node)) out.push_back(aggregate);
    if (const auto* calculation = std::get_if<Calculation>(&expression.node)) {
        add_aggregates(*calculation->left, out);
        add_aggregates(*calculation->right, out);
    }
    if (const auto* window = std::get_if<Window>(&expression.node)) add_aggregates(*window->of, out);
}

bool selects_all_keys(const Query& query) {
    return std::ranges::all_of(query.order, [&query](const OrderBy& order) {
        return std::ranges::find(query.select, order.by) != query.select.end();
    });
}

bool has_ties(const Query& query) {
    return query.limit && query.limit->kind == Limit::Kind::with_ties && !query.order.empty();
}

/// Whether the order of the last part of a set operation can be that of the whole.
bool orders_whole(const Query& query) {
    return !has_ties(query) && selects_all_keys(query);
}

}  // namespace

std::string SqlStatement::query(const Query& query, bool is_tail) {
    auto plan = join_plan(schema_, columns_in(query), query.tables);
    if (!plan) throw Unsupported{plan.error().message};
    scopes_.push_back({.plan = std::move(*plan)});
    const std::string source = from();
    std::string sql = body(query, source, is_tail);
    scopes_.pop_back();
    const bool is_ordered = !query.order.empty() || query.limit;
    if (is_ordered && (query.combined || (is_tail && !orders_whole(query)))) {
        sql = fmt::format("SELECT * FROM ({}) AS part", sql);
    }
    if (query.combined) {
        sql += fmt::format(" {} {}", sql_of(query.combined->operation), this->query(*query.combined->with, true));
    }
    return sql;
}

std::string SqlStatement::from() {
    std::string source;
    for (const JoinStep& step : scope().plan) {
        if (scope().names.contains(step.node)) continue;
        const std::string& name = scope().names[step.node] = fmt::format("T{}", ++aliases_);
        const SchemaTable& table = schema_.tables()[static_cast<std::size_t>(step.node.table)];
        const std::string written = fmt::format("{} AS {}", data::quote_name(table.schema, table.name), name);
        if (!step.there) {
            source += written;
        } else if (!step.on) {
            source += " CROSS JOIN " + written;
        } else {
            const auto equal = [&](const std::pair<ColumnId, ColumnId>& on) {
                return fmt::format("{}.{} = {}.{}", scope().names.at(*step.there), column_name(on.first), name,
                                   column_name(on.second));
            };
            source += fmt::format(" JOIN {} ON ", written);
            source += step.or_on ? fmt::format("({} OR {})", equal(*step.on), equal(*step.or_on)) : equal(*step.on);
        }
    }
    return source;
}

std::string SqlStatement::body(const Query& query, const std::string& source, bool is_tail) {
    begin_group(query);
    const bool is_listed = needs_listing(query);
    const std::vector<Item> select = items(query, has_ties(query) || is_listed, is_tail);
    const bool is_group = std::exchange(scope().is_group, false);
    const std::string where = query.where ? " WHERE " + condition(*query.where) : "";
    scope().is_group = is_group;
    const bool has_having = query.having && !query.group.empty();
    const std::string having = has_having ? " HAVING " + condition(*query.having) : "";
    std::vector<std::string> keys;
    std::vector<std::string> order;
    for (const OrderBy& by : query.order) {
        keys.push_back(order_key(query, by, is_tail));
        order.push_back(keys.back() + direction(by));
    }
    const std::string rest = source + where + group(query) + having;
    scope().is_group = false;
    const std::string order_list = fmt::format("{}", fmt::join(order, ", "));
    if (has_ties(query)) return with_ties(query, select, order_list, rest);
    if (is_listed) return distinct_in_order(query, select, keys, rest);
    return fmt::format("SELECT {}{} FROM {}{}{}{}", query.distinct ? "DISTINCT " : "", list_of(select), rest,
                       order.empty() ? "" : " ORDER BY ", order_list, limit(query));
}

/// From here on columns stand for groups, if the query makes some. SQLite takes any column of a group.
void SqlStatement::begin_group(const Query& query) {
    std::vector<const AggregateOf*> aggregates;
    for (const Expression& expression : query.select) add_aggregates(expression, aggregates);
    for (const OrderBy& order : query.order) add_aggregates(order.by, aggregates);
    if (dialect_ == Dialect::sqlite || (query.group.empty() && aggregates.empty())) return;
    scope().is_group = true;
    scope().group = query.group;
    scope().known = known_rows(schema_, scope().plan, query.group);
    std::erase_if(aggregates, [](const AggregateOf* one) {
        return one->aggregate != Aggregate::min && one->aggregate != Aggregate::max;
    });
    if (aggregates.size() != 1) return;
    scope().extreme = &*aggregates.front()->of;
    scope().is_highest = aggregates.front()->aggregate == Aggregate::max;
}

std::string SqlStatement::group(const Query& query) {
    if (query.group.empty()) return {};
    std::vector<std::string> parts;
    for (const Expression& expression : query.group) parts.push_back(this->expression(expression));
    for (const std::string& also : scope().also_grouped) {
        if (std::ranges::find(parts, also) == parts.end()) parts.push_back(also);
    }
    return fmt::format(" GROUP BY {}", fmt::join(parts, ", "));
}

std::vector<SqlStatement::Item> SqlStatement::items(const Query& query, bool needs_names, bool is_tail) {
    const bool is_outermost = scopes_.size() == 1 && !is_tail;
    std::vector<Expression> select;
    for (const Expression& expression : query.select) {
        if (is_star(expression) && (needs_names || scope().is_group)) {
            add_all_columns(select);
        } else {
            select.push_back(expression);
        }
    }
    const std::vector<std::string> names = result_names(select, schema_);
    std::vector<Item> items;
    for (std::size_t at = 0; at < select.size(); ++at) {
        Item item{is_star(select[at]) ? "*" : expression(select[at]), ""};
        if (is_outermost && (needs_names || !has_name(select[at], item.sql, names[at]))) item.name = names[at];
        items.push_back(std::move(item));
    }
    return items;
}

void SqlStatement::add_all_columns(std::vector<Expression>& select) {
    for (const auto& [node, name] : scope().names) {
        for (const ColumnId id : schema_.columns_of(node.table))
            select.push_back({ColumnRef{id, node.via, node.or_via}});
    }
}

/// Whether the engine calls a column of the result so by itself.
bool SqlStatement::has_name(const Expression& expression, const std::string& sql, const std::string& name) const {
    const auto* ref = std::get_if<ColumnRef>(&expression.node);
    if (ref == nullptr) return false;
    return ref->column == 0 || (sql.ends_with('"') && column(ref->column).name == name);
}

std::string SqlStatement::list_of(const std::vector<Item>& items) {
    std::vector<std::string> parts;
    for (const auto& [sql, name] : items) {
        parts.push_back(name.empty() ? sql : fmt::format("{} AS {}", sql, data::quote_name(name)));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

SqlStatement::Wrapped SqlStatement::wrap(const std::vector<Item>& select) {
    Wrapped wrapped;
    std::vector<Item> outer;
    std::vector<std::string> inner;
    for (const auto& [sql, name] : select) {
        wrapped.columns.push_back(fmt::format("C{}", outer.size()));
        inner.push_back(fmt::format("{} AS {}", sql, wrapped.columns.back()));
        outer.push_back({wrapped.columns.back(), name});
    }
    wrapped.inner = fmt::format("{}", fmt::join(inner, ", "));
    wrapped.outer = list_of(outer);
    return wrapped;
}

std::string SqlStatement::order_key(const Query& query, const OrderBy& order, bool is_tail) {
    // A set operation has only the columns of its result to be ordered by; SQLite finds them by what is written.
    if (is_tail && dialect_ != Dialect::sqlite && orders_whole(query)) {
        return std::to_string(std::ranges::find(query.select, order.by) - query.select.begin() + 1);
    }
    return amount(order.by);
}

/// PostgreSQL takes NULL for the highest value of all.
std::string SqlStatement::direction(const OrderBy& order) const {
    if (!order.descending) return " ASC";
    return dialect_ == Dialect::postgres ? " DESC NULLS LAST" : " DESC";
}

std::string SqlStatement::limit(const Query& query) {
    if (!query.limit) return {};
    const std::size_t count = values_.row_count(query.limit->count);
    if (query.limit->kind != Limit::Kind::nth) return fmt::format(" LIMIT {}", count);
    return fmt::format(" LIMIT 1 OFFSET {}", count == 0 ? 0 : count - 1);
}

std::string SqlStatement::with_ties(const Query& query, const std::vector<Item>& select, const std::string& order,
                                    const std::string& rest) {
    const Wrapped wrapped = wrap(select);
    return fmt::format(
        "SELECT {} FROM (SELECT {}{}, RANK() OVER (ORDER BY {}) AS place FROM {}) AS ranked "
        "WHERE place <= {} ORDER BY place",
        wrapped.outer, query.distinct ? "DISTINCT " : "", wrapped.inner, order, rest,
        values_.row_count(query.limit->count));
}

/// Only SQLite orders different rows by what is not in them.
bool SqlStatement::needs_listing(const Query& query) const {
    return dialect_ != Dialect::sqlite && query.distinct && !has_ties(query) && !selects_all_keys(query);
}

std::string SqlStatement::distinct_in_order(const Query& query, const std::vector<Item>& select,
                                            const std::vector<std::string>& keys, const std::string& rest) {
    const Wrapped wrapped = wrap(select);
    std::string inner_keys;
    std::vector<std::string> order;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        const OrderBy& by = query.order[at];
        inner_keys += fmt::format(", {} AS O{}", keys[at], at);
        order.push_back(fmt::format("{}(O{}){}", by.descending ? "MAX" : "MIN", at, direction(by)));
    }
    return fmt::format("SELECT {} FROM (SELECT {}{} FROM {}) AS listed GROUP BY {} ORDER BY {}{}", wrapped.outer,
                       wrapped.inner, inner_keys, rest, fmt::join(wrapped.columns, ", "), fmt::join(order, ", "),
                       limit(query));
}

Result<WrittenSql> write_sql(const Query& query, const Schema& schema, Dialect dialect, const Spoken& spoken) {
    try {
        SqlStatement statement(schema, dialect, spoken);
        std::string sql = statement.query(query);
        return WrittenSql{std::move(sql), statement.take_used()};
    } catch (const Unsupported& problem) {
        return fail(Code::unsupported, "this meaning cannot be written as SQL: " + problem.what);
    }
}

}  // namespace quaestor::native
