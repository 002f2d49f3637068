#include "data/postgres/walker.hpp"

#include "data/postgres/tree.hpp"
#include "data/postgres/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace quaestor::data::postgres {

namespace {

bool lists(std::string_view words, std::string_view word) {
    return std::ranges::any_of(words | std::views::split(' '),
                               [&](auto&& part) { return std::string_view(part) == word; });
}

/// What people call a part of a query that is refused wherever it stands.
std::string_view title_of_node(std::string_view kind) {
    constexpr auto kTitles = std::to_array<std::pair<std::string_view, std::string_view>>({
        {"CurrentOfExpr", "CURRENT OF"},
        {"ParamRef", "a parameter such as $1"},
        {"RangeTableFunc", "XMLTABLE"},
        {"SetToDefault", "DEFAULT"},
        {"XmlExpr", "an XML expression"},
        {"XmlSerialize", "XMLSERIALIZE"},
    });
    const auto* const found = std::ranges::find(kTitles, kind, [](const auto& entry) { return entry.first; });
    return found == kTitles.end() ? kind : found->second;
}

}  // namespace

void Walker::walk_statement(const json::value& statement) {
    walk_node(statement);
}

const Walker::NodeKind* Walker::find_kind(std::string_view name) {
    static constexpr auto kKinds = std::to_array<NodeKind>({
        {"A_ArrayExpr", "elements location", &Walker::walk_children},
        {"A_Const", "ival fval boolval sval bsval isnull location", &Walker::walk_nothing},
        {"A_Expr", "kind name lexpr rexpr location", &Walker::walk_operation},
        {"A_Indices", "is_slice lidx uidx", &Walker::walk_children},
        {"A_Indirection", "arg indirection", &Walker::walk_indirection},
        {"A_Star", "", &Walker::walk_nothing},
        {"BoolExpr", "boolop args location", &Walker::walk_children},
        {"BooleanTest", "arg booltesttype location", &Walker::walk_children},
        {"CTECycleClause",
         "cycle_col_list cycle_mark_column cycle_mark_value cycle_mark_default cycle_path_column location",
         &Walker::walk_children},
        {"CTESearchClause", "search_col_list search_breadth_first search_seq_column location", &Walker::walk_children},
        {"CaseExpr", "arg args defresult location", &Walker::walk_children},
        {"CaseWhen", "expr result location", &Walker::walk_children},
        {"CoalesceExpr", "args location", &Walker::walk_children},
        {"CollateClause", "arg collname location", &Walker::walk_children},
        {"ColumnDef", "colname typeName is_local collClause location", &Walker::walk_column_definition},
        {"ColumnRef", "fields location", &Walker::walk_column},
        {"CommonTableExpr", "ctename aliascolnames ctematerialized ctequery search_clause cycle_clause location",
         &Walker::walk_cte},
        {"FuncCall",
         "funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat "
         "location",
         &Walker::walk_function},
        {"GroupingFunc", "args location", &Walker::walk_children},
        {"GroupingSet", "kind content location", &Walker::walk_children},
        {"Integer", "ival", &Walker::walk_nothing},
        {"JoinExpr", "jointype isNatural larg rarg usingClause join_using_alias quals alias", &Walker::walk_join},
        {"List", "items", &Walker::walk_children},
        {"MinMaxExpr", "op args location", &Walker::walk_children},
        {"NamedArgExpr", "arg name argnumber location", &Walker::walk_children},
        {"NullTest", "arg nulltesttype location", &Walker::walk_children},
        {"RangeFunction", "lateral ordinality is_rowsfrom functions alias coldeflist", &Walker::walk_range_function},
        {"RangeSubselect", "lateral subquery alias", &Walker::walk_subquery},
        {"RangeTableSample", "relation method args repeatable location", &Walker::walk_sample},
        {"RangeVar", "catalogname schemaname relname inh relpersistence alias location", &Walker::walk_table},
        {"ResTarget", "name val location", &Walker::walk_target},
        {"RowExpr", "args row_format location", &Walker::walk_children},
        {"SQLValueFunction", "op typmod location", &Walker::walk_nothing},
        {"SelectStmt",
         "distinctClause intoClause targetList fromClause whereClause groupClause groupDistinct havingClause "
         "windowClause valuesLists sortClause limitOffset limitCount limitOption lockingClause withClause op all larg "
         "rarg",
         &Walker::walk_select},
        {"SortBy", "node sortby_dir sortby_nulls useOp location", &Walker::walk_sort_key},
        {"String", "sval", &Walker::walk_nothing},
        {"SubLink", "subLinkType testexpr operName subselect location", &Walker::walk_sublink},
        {"TypeCast", "arg typeName location", &Walker::walk_cast},
        {"TypeName", "names typmods typemod arrayBounds location", &Walker::walk_type},
        {"WindowDef", "name refname partitionClause orderClause frameOptions startOffset endOffset location",
         &Walker::walk_children},
        {"WithClause", "ctes recursive location", &Walker::walk_with},
    });
    static_assert(std::ranges::is_sorted(kKinds, {}, &NodeKind::name));
    const auto* const found = std::ranges::lower_bound(kKinds, name, {}, &NodeKind::name);
    return found == kKinds.end() || found->name != name ? nullptr : found;
}

void Walker::walk_node(const json::value& value) {
    if (const auto node = node_in(value)) {
        walk_as(node->kind, *node->fields);
    } else if (!value.is_object() || !value.get_object().empty()) {  // {} stands for a part that was not written
        refuse(Problem::Code::forbidden, "a part of the query is not among those known to be harmless", {});
    }
}

void Walker::walk_as(std::string_view kind, const json::object& fields) {
    if (depth_ == kSqlDepthMax) {
        refuse(Problem::Code::too_deep,
               fmt::format("the query is nested deeper than the {} levels that are looked at", kSqlDepthMax),
               location_of(fields), "split it into WITH parts");
        return;
    }
    const NodeKind* known = find_kind(kind);
    if (known == nullptr) {
        refuse(Problem::Code::forbidden,
               fmt::format("{} is not among the parts of a query known to be harmless", title_of_node(kind)),
               location_of(fields), "write it with plain SELECT expressions");
        return;
    }
    for (const auto& [name, value] : fields) {
        if (lists(known->fields, name)) continue;
        refuse(Problem::Code::forbidden,
               fmt::format("{} in {} is not among the parts of a query known to be harmless", std::string_view(name),
                           kind),
               location_of(fields));
        return;
    }
    ++depth_;
    (this->*known->walk)(fields);
    --depth_;
}

void Walker::walk_value(const json::value& value) {
    if (value.is_array()) {
        for (const json::value& item : value.get_array()) walk_node(item);
    } else if (value.is_object()) {
        walk_node(value);
    }
}

void Walker::walk_fields(const json::object& fields, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        if (const json::value* value = fields.if_contains(name)) walk_value(*value);
    }
}

const Walker::Range* Walker::find_range(std::string_view name) const {
    for (const Scope& scope : scopes_ | std::views::reverse) {
        const auto found = std::ranges::find(scope.ranges, name, &Range::name);
        if (found != scope.ranges.end()) return &*found;
    }
    return nullptr;
}

Walker::Cte* Walker::find_cte(std::string_view name) {
    const auto found = std::ranges::find(ctes_ | std::views::reverse, name, &Cte::name);
    return found == ctes_.rend() ? nullptr : &*found;
}

void Walker::refuse(Problem::Code code, std::string message, Place at, std::string suggestion) {
    reading_.refusals.push_back(
        {.code = code, .message = std::move(message), .at = at, .suggestion = std::move(suggestion)});
}

}  // namespace quaestor::data::postgres
