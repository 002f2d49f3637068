#include "data/postgres/tree.hpp"
#include "data/postgres/vocabulary.hpp"
#include "data/postgres/walker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::data::postgres {

namespace {

/// "schema.name" as written.
std::string written(std::string_view schema, std::string_view name) {
    return schema.empty() ? std::string(name) : fmt::format("{}.{}", schema, name);
}

std::string_view alias_in(const json::object& fields) {
    const json::object* alias = object_in(fields, "alias");
    return alias == nullptr ? std::string_view() : text_in(*alias, "aliasname");
}

/// "total" of the bare column reference total; nothing for anything else.
std::optional<std::string> bare_name(const json::value& value) {
    const auto node = node_in(value);
    if (!node || node->kind != "ColumnRef") return std::nullopt;
    auto names = names_in(*node->fields, "fields");
    if (names.size() != 1 || list_in(*node->fields, "fields").size() != 1) return std::nullopt;
    return std::move(names.front());
}

/// The last part of the name of the function that stands as item of FROM; nothing when it is no plain call.
std::optional<std::string> called_function(const json::value& item) {
    const auto list = node_in(item);  // the call and its column definitions
    if (!list || list->kind != "List") return std::nullopt;
    const auto& parts = list_in(*list->fields, "items");
    const auto call = parts.empty() ? std::nullopt : node_in(parts.front());
    if (!call || call->kind != "FuncCall") return std::nullopt;
    auto names = names_in(*call->fields, "funcname");
    return names.empty() ? std::nullopt : std::optional(std::move(names.back()));
}

}  // namespace

void Walker::walk_select(const json::object& select) {
    if (select.contains("intoClause")) {
        refuse(Problem::Code::forbidden, "SELECT INTO would create a table; only reading is allowed", {},
               "leave INTO out");
    }
    if (select.contains("lockingClause")) {
        refuse(Problem::Code::forbidden, "FOR UPDATE and FOR SHARE lock rows; only reading is allowed", {},
               "leave the FOR clause out");
    }
    const std::size_t outer_ctes = ctes_.size();
    const bool is_in_exists = std::exchange(is_in_exists_, false);
    if (const json::object* with = object_in(select, "withClause")) walk_as("WithClause", *with);
    is_in_exists_ = is_in_exists;
    if (select.contains("larg")) {
        walk_set_operation(select);
    } else {
        walk_simple_select(select);
    }
    ctes_.resize(outer_ctes);
}

void Walker::walk_set_operation(const json::object& select) {
    const bool is_in_exists = is_in_exists_;
    for (const std::string_view side : {"larg", "rarg"}) {
        is_in_exists_ = is_in_exists;
        if (const json::object* arm = object_in(select, side)) walk_as("SelectStmt", *arm);
    }
    is_in_exists_ = false;
    // Behind a set operation only names of its output can stand.
    scopes_.emplace_back();
    for (const json::value& key : list_in(select, "sortClause")) {
        const auto node = node_in(key);
        const json::value* column = node ? node->fields->if_contains("node") : nullptr;
        if (column == nullptr || !bare_name(*column)) walk_node(key);
    }
    walk_fields(select, {"limitOffset", "limitCount"});
    scopes_.pop_back();
}

void Walker::walk_simple_select(const json::object& select) {
    const bool is_in_exists = std::exchange(is_in_exists_, false);
    scopes_.emplace_back();
    walk_fields(select, {"fromClause"});
    for (const json::value& target : list_in(select, "targetList")) {
        const auto node = node_in(target);
        const auto name = node ? text_in(*node->fields, "name") : std::string_view();
        if (!name.empty()) scopes_.back().output_names.emplace_back(name);
        is_in_exists_ = is_in_exists;
        walk_node(target);
    }
    is_in_exists_ = false;
    // DISTINCT without ON is a list with an empty node.
    walk_fields(select, {"whereClause", "havingClause", "windowClause", "valuesLists", "limitOffset", "limitCount"});
    for (const std::string_view clause : {"distinctClause", "groupClause", "sortClause"}) {
        walk_ordering(list_in(select, clause));
    }
    scopes_.pop_back();
}

void Walker::walk_ordering(const json::array& items) {
    const auto is_output = [&](const json::value& value) {
        const auto name = bare_name(value);
        return name && contains(scopes_.back().output_names, *name);
    };
    for (const json::value& item : items) {
        const auto node = node_in(item);
        const json::value* key = node && node->kind == "SortBy" ? node->fields->if_contains("node") : nullptr;
        if (is_output(key == nullptr ? item : *key)) continue;
        walk_node(item);
    }
}

void Walker::walk_sort_key(const json::object& key) {
    walk_fields(key, {"node"});
    check_operator(key, "useOp", location_of(key));
}

void Walker::walk_with(const json::object& with) {
    const auto& ctes = list_in(with, "ctes");
    const bool may_recurse = flag_in(with, "recursive");
    const std::size_t first = ctes_.size();
    const auto name_of = [](const json::value& cte) {
        const auto node = node_in(cte);
        return std::string(node ? text_in(*node->fields, "ctename") : std::string_view());
    };
    if (may_recurse) {
        for (const json::value& cte : ctes) ctes_.push_back({.name = name_of(cte)});
    }
    for (std::size_t i = 0; i < ctes.size(); ++i) {
        if (may_recurse) ctes_[first + i].is_used = false;
        walk_node(ctes[i]);
        if (!may_recurse) {
            ctes_.push_back({.name = name_of(ctes[i])});
        } else if (ctes_[first + i].is_used) {
            const auto node = node_in(ctes[i]);
            reading_.warnings.push_back(
                {.code = Problem::Code::unbounded_recursion,
                 .message = fmt::format("\"{}\" refers to itself and runs until its data or the time limit ends it",
                                        ctes_[first + i].name),
                 .at = node ? location_of(*node->fields) : std::nullopt,
                 .suggestion = "make sure that its WHERE condition comes to an end"});
        }
    }
}

void Walker::walk_cte(const json::object& cte) {
    const json::value* query = cte.if_contains("ctequery");
    const auto node = query == nullptr ? std::nullopt : node_in(*query);
    if (!node || node->kind != "SelectStmt") {
        reading_.statement = node ? statement_name(node->kind) : "";
        refuse(Problem::Code::not_a_query,
               fmt::format("the WITH part \"{}\" is no SELECT but {}; only reading is allowed", text_in(cte, "ctename"),
                           reading_.statement),
               location_of(cte), "write a SELECT there");
        return;
    }
    walk_as(node->kind, *node->fields);
    if (const json::object* search = object_in(cte, "search_clause")) walk_as("CTESearchClause", *search);
    if (const json::object* cycle = object_in(cte, "cycle_clause")) walk_as("CTECycleClause", *cycle);
}

void Walker::walk_target(const json::object& target) {
    const bool is_in_exists = std::exchange(is_in_exists_, false);
    const json::value* value = target.if_contains("val");
    if (value == nullptr) return;
    const auto node = node_in(*value);
    const bool is_column = node && node->kind == "ColumnRef" && !list_in(*node->fields, "fields").empty();
    const auto last = is_column ? node_in(list_in(*node->fields, "fields").back()) : std::nullopt;
    if (last && last->kind == "A_Star" && !is_in_exists) {
        reading_.warnings.push_back({.code = Problem::Code::select_star,
                                     .message = "SELECT * fetches every column",
                                     .at = location_of(target),
                                     .suggestion = "name the columns that are needed"});
    }
    walk_node(*value);
}

void Walker::add_range(Range range) {
    if (range.name.empty()) return;
    scopes_.back().ranges.push_back(std::move(range));
}

void Walker::walk_table(const json::object& table) {
    const auto name = text_in(table, "relname");
    const auto schema = text_in(table, "schemaname");
    const auto alias = alias_in(table);
    Range range{.name = std::string(alias.empty() ? name : alias), .relation = {}, .function_columns = {}};
    Cte* const cte = schema.empty() ? find_cte(name) : nullptr;
    if (cte != nullptr) {
        cte->is_used = true;
    } else {
        range.relation = written(schema, name);
        reading_.relations.push_back({.database = std::string(text_in(table, "catalogname")),
                                      .schema = std::string(schema),
                                      .name = std::string(name),
                                      .at = location_of(table)});
    }
    add_range(std::move(range));
}

void Walker::walk_subquery(const json::object& range) {
    walk_fields(range, {"subquery"});
    add_range({.name = std::string(alias_in(range)), .relation = {}, .function_columns = {}});
}

/// Behind the alias of a function, PostgreSQL takes any name that is no column for a function to call with the alias:
/// g.pg_sleep is pg_sleep(g). So its columns are kept, and walk_column() refuses other names.
void Walker::walk_range_function(const json::object& range) {
    std::string name(alias_in(range));
    const json::object* alias = object_in(range, "alias");
    auto columns = alias == nullptr ? std::vector<std::string>() : names_in(*alias, "colnames");
    const bool are_named = !columns.empty();
    for (const json::value& item : list_in(range, "functions")) {
        const auto function = called_function(item);
        if (!function && name.empty()) {
            refuse(Problem::Code::forbidden, "an expression in FROM needs a name", {}, "write AS name behind it");
            continue;
        }
        if (name.empty()) name = *function;
        if (!function) continue;
        const auto own = columns_of_function(*function);
        if (!are_named) columns.push_back(*function);
        if (!are_named || own.size() > 1) columns.insert(columns.end(), own.begin(), own.end());
    }
    if (!are_named) columns.push_back(name);
    if (flag_in(range, "ordinality")) columns.emplace_back("ordinality");
    for (const json::value& definition : list_in(range, "coldeflist")) {
        const auto node = node_in(definition);
        if (node) columns.emplace_back(text_in(*node->fields, "colname"));
    }
    walk_fields(range, {"functions", "coldeflist"});
    add_range({.name = std::move(name), .relation = {}, .function_columns = std::move(columns)});
}

void Walker::walk_join(const json::object& join) {
    walk_fields(join, {"larg", "rarg", "quals"});
    add_range({.name = std::string(alias_in(join)), .relation = {}, .function_columns = {}});
    if (const json::object* alias = object_in(join, "join_using_alias")) {
        add_range({.name = std::string(text_in(*alias, "aliasname")), .relation = {}, .function_columns = {}});
    }
}

void Walker::walk_sample(const json::object& sample) {
    const auto method = names_in(sample, "method");
    if (method.size() != 1 || !is_sampling_method(method.front())) {
        refuse(Problem::Code::forbidden, "this method of TABLESAMPLE is not among those known to be harmless",
               location_of(sample), "use SYSTEM or BERNOULLI");
    }
    walk_fields(sample, {"relation", "args", "repeatable"});
}

}  // namespace quaestor::data::postgres
