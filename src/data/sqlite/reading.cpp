#include "data/sqlite/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::data::sqlite {

namespace {

/// Functions that operators stand for.
constexpr std::array<std::string_view, 6> kOperators = {"->", "->>", "glob", "like", "match", "regexp"};

constexpr const char* kIsStored =
    "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE";

void add_once(std::vector<Mention>& list, Mention mention) {
    if (std::ranges::find(list, mention) == list.end()) list.push_back(std::move(mention));
}

/// SQLite's table-valued functions may also be written without brackets. A table of that name comes first.
bool is_table_function(Connection& connection, const std::string& table, const StatementText& text) {
    const std::string name = lower(table);
    const bool may_be =
        name.starts_with("pragma_") || name == "json_each" || name == "json_tree" || text.find_call(name);
    return may_be && connection.first_column(kIsStored, table).empty();
}

bool is_own(const Observed::ColumnRead& read, const StatementText& text) {
    const bool is_in_view = !read.within.empty() && !text.is_cte(read.within);
    const bool is_cte = read.schema.empty() && text.is_cte(read.table);
    // What is not written here was read by a view that SQLite has merged into the statement, or by a virtual table.
    return !is_in_view && !is_cte && text.find_name(read.table);
}

void add_reads(const Observed& observed, Connection& connection, const StatementText& text, Reading& reading) {
    for (const auto& read : observed.reads) {
        if (!is_own(read, text) || is_table_function(connection, read.table, text)) continue;
        const bool is_main = read.schema.empty() || read.schema == "main";
        add_once(reading.relations, {.database = {},
                                     .schema = is_main ? std::string() : read.schema,
                                     .name = read.table,
                                     .at = text.find_name(read.table)});
        if (const auto at = text.find_name(read.column)) {
            reading.columns.push_back({.relation = read.table, .name = read.column, .at = at});
        }
    }
    // A view of which no column is used is merged without a trace.
    const auto is_known = [&](const std::string& name) {
        return text.is_cte(name) || std::ranges::any_of(reading.relations, [&](const Mention& relation) {
                   return lower(relation.name) == name;
               });
    };
    for (const auto& name : text.sources()) {
        if (is_known(name) || connection.first_column(kIsStored, name).empty()) continue;
        reading.relations.push_back({.database = {}, .schema = {}, .name = name, .at = text.find_name(name)});
    }
}

Reading too_long(std::string_view sql) {
    Reading reading;
    reading.statement.clear();
    reading.refusals.push_back(
        {.code = Problem::Code::too_long,
         .message = fmt::format("the statement has {} bytes; at most {} are looked at", sql.size(), kSqlBytesMax),
         .at = {},
         .suggestion = "ask for less at once"});
    return reading;
}

}  // namespace

std::vector<Mention> functions_in(const Observed& observed, Connection& connection, const StatementText& text) {
    std::vector<Mention> functions;
    for (const auto& name : observed.functions) {
        const auto at = text.find_call(name);
        const bool is_operator = !at && std::ranges::find(kOperators, name) != kOperators.end();
        if (!is_operator) add_once(functions, {.database = {}, .schema = {}, .name = name, .at = at});
    }
    for (const auto& read : observed.reads) {
        const Mention mention{
            .database = {}, .schema = {}, .name = lower(read.table), .at = text.find_name(read.table)};
        if (std::ranges::find(functions, mention) != functions.end() || text.is_cte(read.table)) continue;
        if (is_table_function(connection, read.table, text)) functions.push_back(mention);
    }
    return functions;
}

Result<Reading> read(Connection& connection, std::string_view sql) {
    if (sql.size() > kSqlBytesMax) return too_long(sql);
    const StatementText text(sql);
    const CancelToken never;
    const Connection::Oversight oversight(connection, never);
    auto prepared = prepare(connection, oversight, sql, text, never);
    if (!prepared) return fail(prepared.error());

    Reading reading;
    const bool is_query = text.verb() == "select" || text.verb() == "with" || text.verb() == "values";
    reading.statement = is_query ? "select" : text.verb();
    reading.functions = functions_in(oversight.observed(), connection, text);
    add_reads(oversight.observed(), connection, text, reading);
    // Names that SQLite does not know are for the guard to judge, as in every dialect.
    if (prepared->missing_table) {
        add_once(reading.relations, *prepared->missing_table);
    } else if (prepared->missing_function) {
        add_once(reading.functions, *prepared->missing_function);
    } else {
        reading.refusals = std::move(prepared->problems);
    }
    reading.warnings = text.warnings(oversight.observed().recurses);
    text.read_limit(reading);
    return reading;
}

}  // namespace quaestor::data::sqlite
