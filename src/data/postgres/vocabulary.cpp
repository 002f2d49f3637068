#include "data/postgres/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::data::postgres {

namespace {

using Names = std::span<const std::string_view>;

constexpr auto kPlainTypes = std::to_array<std::string_view>({
    "bit",       "bool",           "box",       "bpchar",    "bytea",
    "char",      "cidr",           "circle",    "date",      "datemultirange",
    "daterange", "float4",         "float8",    "inet",      "int2",
    "int4",      "int4multirange", "int4range", "int8",      "int8multirange",
    "int8range", "interval",       "json",      "jsonb",     "jsonpath",
    "line",      "lseg",           "macaddr",   "macaddr8",  "money",
    "numeric",   "nummultirange",  "numrange",  "path",      "point",
    "polygon",   "text",           "time",      "timestamp", "timestamptz",
    "timetz",    "tsmultirange",   "tsquery",   "tsrange",   "tstzmultirange",
    "tstzrange", "tsvector",       "uuid",      "varbit",    "varchar",
});
static_assert(std::ranges::is_sorted(kPlainTypes));

/// All symbols of pg_operator in PostgreSQL 15, and "!=", which the parser may leave as written.
constexpr auto kOperators = std::to_array<std::string_view>({
    "!!",  "!=",  "!~", "!~*", "!~~", "!~~*", "#",   "##", "#-",   "#>",  "#>>", "%",    "&",   "&&",  "&<",
    "&<|", "&>",  "*",  "*<",  "*<=", "*<>",  "*=",  "*>", "*>=",  "+",   "-",   "->",   "->>", "-|-", "/",
    "<",   "<->", "<<", "<<=", "<<|", "<=",   "<>",  "<@", "<^",   "=",   ">",   ">=",   ">>",  ">>=", ">^",
    "?",   "?#",  "?&", "?-",  "?-|", "?|",   "?||", "@",  "@-@",  "@>",  "@?",  "@@",   "@@@", "^",   "^@",
    "|",   "|&>", "|/", "|>>", "||",  "||/",  "~",   "~*", "~<=~", "~<~", "~=",  "~>=~", "~>~", "~~",  "~~*",
});
static_assert(std::ranges::is_sorted(kOperators));

constexpr auto kSamplingMethods = std::to_array<std::string_view>({
    "bernoulli",
    "system",
});

constexpr auto kKeyAndValue = std::to_array<std::string_view>({
    "key",
    "value",
});
constexpr auto kValue = std::to_array<std::string_view>({
    "value",
});

/// By function.
constexpr auto kFunctionColumns = std::to_array<std::pair<std::string_view, Names>>({
    {"json_array_elements", kValue},
    {"json_array_elements_text", kValue},
    {"json_each", kKeyAndValue},
    {"json_each_text", kKeyAndValue},
    {"jsonb_array_elements", kValue},
    {"jsonb_array_elements_text", kValue},
    {"jsonb_each", kKeyAndValue},
    {"jsonb_each_text", kKeyAndValue},
});

/// Statements whose name for people is not what the parser calls them.
constexpr auto kStatementNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"CreateTableAsStmt", "create table"},
    {"CreateStmt", "create table"},
    {"CreatedbStmt", "create database"},
    {"DropdbStmt", "drop database"},
    {"IndexStmt", "create index"},
    {"RuleStmt", "create rule"},
    {"TransactionStmt", "transaction control"},
    {"VariableSetStmt", "set"},
    {"VariableShowStmt", "show"},
    {"ViewStmt", "create view"},
});

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

}  // namespace

bool is_plain_type(std::string_view name) {
    return std::ranges::binary_search(kPlainTypes, name);
}

bool is_builtin_operator(std::string_view symbol) {
    return std::ranges::binary_search(kOperators, symbol);
}

bool is_sampling_method(std::string_view name) {
    return std::ranges::binary_search(kSamplingMethods, name);
}

Names columns_of_function(std::string_view name) {
    const auto* const found = std::ranges::find(kFunctionColumns, name, [](const auto& entry) { return entry.first; });
    return found == kFunctionColumns.end() ? Names() : found->second;
}

std::string statement_name(std::string_view node_kind) {
    const auto* const known =
        std::ranges::find(kStatementNames, node_kind, [](const auto& entry) { return entry.first; });
    if (known != kStatementNames.end()) return std::string(known->second);
    if (node_kind.ends_with("Stmt")) node_kind.remove_suffix(4);
    std::string name;
    for (const char c : node_kind) {
        if (is_upper(c) && !name.empty()) name += ' ';
        name += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

}  // namespace quaestor::data::postgres
