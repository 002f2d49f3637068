#include "data/postgres/tree.hpp"
#include "data/postgres/vocabulary.hpp"
#include "data/postgres/walker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace quaestor::data::postgres {

namespace {

bool is_in_system_schema(const std::vector<std::string>& name) {
    return name.size() == 1 || (name.size() == 2 && name.front() == kSystemSchema);
}

/// The text of a literal, also behind LIKE … ESCAPE.
std::optional<std::string_view> literal_in(const json::value* value) {
    const auto node = value == nullptr ? std::nullopt : node_in(*value);
    if (!node) return std::nullopt;
    if (node->kind == "FuncCall") {
        const auto& arguments = list_in(*node->fields, "args");
        const bool is_escape = contains(names_in(*node->fields, "funcname"), "like_escape");
        return is_escape && !arguments.empty() ? literal_in(&arguments.front()) : std::nullopt;
    }
    const json::object* text = node->kind == "A_Const" ? object_in(*node->fields, "sval") : nullptr;
    if (text == nullptr) return std::nullopt;
    return text_in(*text, "sval");
}

/// True for (jsonb_each(x)).key and the like: the field is certain to be a column of the function's result.
bool is_field_of_call(const json::value* argument, const std::string& field) {
    const auto node = argument == nullptr ? std::nullopt : node_in(*argument);
    if (!node || node->kind != "FuncCall") return false;
    const auto name = names_in(*node->fields, "funcname");
    if (name.empty() || !is_in_system_schema(name)) return false;
    const auto columns = columns_of_function(name.back());
    return columns.size() > 1 && std::ranges::find(columns, field) != columns.end();
}

}  // namespace

void Walker::walk_children(const json::object& fields) {
    for (const auto& [name, value] : fields) walk_value(value);
}

void Walker::walk_nothing(const json::object& /*fields*/) {}

void Walker::walk_column(const json::object& column) {
    const auto& fields = list_in(column, "fields");
    auto names = names_in(column, "fields");
    const auto at = location_of(column);
    const bool is_star = names.size() < fields.size();
    if (is_star || names.empty()) return;
    ColumnMention mention{.relation = {}, .name = std::move(names.back()), .at = at};
    names.pop_back();
    if (!names.empty()) {
        const Range* range = find_range(names.back());
        const bool is_qualified = names.size() > 1;
        mention.relation = is_qualified ? fmt::format("{}", fmt::join(names, "."))
                           : range      ? range->relation
                                        : std::string();
        check_function_columns(names.back(), mention.name, at);
    }
    reading_.columns.push_back(std::move(mention));
}

/// Looks at all scopes, not only at the nearest that has the name: which one PostgreSQL would take depends on LATERAL.
void Walker::check_function_columns(std::string_view range, const std::string& column, Place at) {
    for (const Scope& scope : scopes_) {
        for (const Range& candidate : scope.ranges) {
            if (candidate.name != range || !candidate.function_columns) continue;
            if (contains(*candidate.function_columns, column)) continue;
            refuse(Problem::Code::forbidden,
                   fmt::format("\"{}\" is no column of the function \"{}\", so {}.{} could call a function", column,
                               range, range, column),
                   at, fmt::format("name its columns: AS {}(column, …)", range));
            return;
        }
    }
}

void Walker::walk_function(const json::object& call) {
    auto name = names_in(call, "funcname");
    Mention function{.database = {}, .schema = {}, .name = {}, .at = location_of(call)};
    for (std::string* part : {&function.name, &function.schema, &function.database}) {
        if (name.empty()) break;
        *part = std::move(name.back());
        name.pop_back();
    }
    reading_.functions.push_back(std::move(function));
    walk_fields(call, {"args", "agg_order", "agg_filter"});
    if (const json::object* window = object_in(call, "over")) walk_as("WindowDef", *window);
}

void Walker::walk_operation(const json::object& operation) {
    const auto kind = text_in(operation, "kind");
    const bool has_operator = kind == "AEXPR_OP" || kind == "AEXPR_OP_ANY" || kind == "AEXPR_OP_ALL";
    if (has_operator) check_operator(operation, "name", location_of(operation));
    check_wildcard(operation);
    walk_fields(operation, {"lexpr", "rexpr"});
}

void Walker::check_operator(const json::object& fields, std::string_view field, Place at) {
    const auto name = names_in(fields, field);
    if (name.empty()) return;  // as in x IN (SELECT …)
    if (is_in_system_schema(name) && is_builtin_operator(name.back())) return;
    refuse(Problem::Code::forbidden,
           fmt::format("the operator {} is not one of PostgreSQL's own", fmt::join(name, ".")), at,
           "use PostgreSQL's own operators and functions");
}

void Walker::check_wildcard(const json::object& operation) {
    const auto name = names_in(operation, "name");
    const bool is_like = !name.empty() && (name.back().ends_with("~~") || name.back().ends_with("~~*"));
    const auto pattern = is_like ? literal_in(operation.if_contains("rexpr")) : std::nullopt;
    if (!pattern || (!pattern->starts_with('%') && !pattern->starts_with('_'))) return;
    reading_.warnings.push_back({.code = Problem::Code::leading_wildcard,
                                 .message = "a pattern that begins with a wildcard has to look at every row",
                                 .at = location_of(operation),
                                 .suggestion = "begin the pattern with the text to find, where that is known"});
}

void Walker::walk_cast(const json::object& cast) {
    walk_fields(cast, {"arg"});
    if (const json::object* type = object_in(cast, "typeName")) walk_as("TypeName", *type);
}

void Walker::walk_type(const json::object& type) {
    const auto name = names_in(type, "names");
    if (name.empty() || !is_in_system_schema(name) || !is_plain_type(name.back())) {
        refuse(Problem::Code::forbidden,
               fmt::format("the type {} is not among those known to be harmless", fmt::join(name, ".")),
               location_of(type), "compare with plain text or numbers instead; PostgreSQL converts them");
    }
    walk_fields(type, {"typmods", "arrayBounds"});
}

void Walker::walk_column_definition(const json::object& definition) {
    if (const json::object* type = object_in(definition, "typeName")) walk_as("TypeName", *type);
    if (const json::object* collation = object_in(definition, "collClause")) walk_as("CollateClause", *collation);
}

void Walker::walk_sublink(const json::object& link) {
    check_operator(link, "operName", location_of(link));
    walk_fields(link, {"testexpr"});
    is_in_exists_ = text_in(link, "subLinkType") == "EXISTS_SUBLINK";
    walk_fields(link, {"subselect"});
    is_in_exists_ = false;
}

/// (x).name calls the function name with x where x has no such field: (60).pg_sleep waits for a minute.
void Walker::walk_indirection(const json::object& indirection) {
    const json::value* argument = indirection.if_contains("arg");
    for (const std::string& field : names_in(indirection, "indirection")) {
        if (is_field_of_call(argument, field)) continue;
        const auto node = argument == nullptr ? std::nullopt : node_in(*argument);
        refuse(Problem::Code::forbidden, fmt::format("(…).{} could call a function named \"{}\"", field, field),
               node ? location_of(*node->fields) : std::nullopt,
               fmt::format("take a field of a composite value with to_jsonb(…) ->> '{}'", field));
    }
    walk_fields(indirection, {"arg", "indirection"});
}

}  // namespace quaestor::data::postgres
