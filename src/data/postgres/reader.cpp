#include "base/text.hpp"
#include "data/postgres/errors.hpp"
#include "data/postgres/tree.hpp"
#include "data/postgres/vocabulary.hpp"
#include "data/postgres/walker.hpp"
#include "data/reading.hpp"
#include "data/sql_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <pg_query.h>
#include <utility>

namespace quaestor::data {

namespace {

using postgres::node_in;

/// libpg_query recurses over its tree without a check of its own. No part of a tree is deeper than the words that
/// stand in a row, so this many keep it within 2 MiB of stack.
constexpr std::size_t kWordsInRowMax = 5'000;
/// Levels of JSON that one level of a query may take.
constexpr std::size_t kJsonLevelsPerNode = 8;

struct FreeParse {
    void operator()(PgQueryParseResult* result) const {
        pg_query_free_parse_result(*result);
        delete result;
    }
};
using Parse = std::unique_ptr<PgQueryParseResult, FreeParse>;

Reading refused(Problem::Code code, std::string message, std::optional<std::size_t> at = {},
                std::string suggestion = {}) {
    Reading reading;
    reading.statement.clear();
    reading.refusals.push_back(
        {.code = code, .message = std::move(message), .at = at, .suggestion = std::move(suggestion)});
    return reading;
}

Reading too_deep() {
    return refused(Problem::Code::too_deep, "the statement is nested deeper than is looked at", {},
                   "split it into WITH parts");
}

/// Words in a row: between commas, with those around the brackets that are open. No tree is deeper than that.
std::size_t longest_row(std::string_view sql) {
    std::vector<std::size_t> open{0};
    std::size_t row = 0;
    std::size_t longest = 0;
    for (const SqlToken& token : tokens_of(sql, Dialect::postgres)) {
        if (token.text == ",") {
            row -= std::exchange(open.back(), 0);
            continue;
        }
        ++row;
        ++open.back();
        longest = std::max(longest, row);
        if (token.text == "(" || token.text == "[") {
            open.push_back(0);
        } else if ((token.text == ")" || token.text == "]") && open.size() > 1) {
            row -= open.back();
            open.pop_back();
        }
    }
    return longest;
}

Reading not_parsed(std::string_view sql, const PgQueryError& error) {
    const std::string_view message = error.message;
    if (message.contains("memory exhausted") || message.contains("stack depth")) return too_deep();
    const auto character = static_cast<std::size_t>(std::max(error.cursorpos, 0));
    return refused(Problem::Code::syntax, postgres::for_people(message), postgres::byte_offset(sql, character));
}

/// Where the words of a statement begin.
std::size_t start_of(std::string_view sql, const json::object& statement) {
    const json::value* location = statement.if_contains("stmt_location");
    const auto from = location == nullptr ? 0 : static_cast<std::size_t>(location->as_int64());
    const auto tokens = tokens_of(sql.substr(from), Dialect::postgres);
    return tokens.empty() ? from : from + tokens.front().at;
}

Reading not_a_query(std::string_view kind, std::size_t at) {
    const auto name = postgres::statement_name(kind);
    auto reading =
        refused(Problem::Code::not_a_query,
                fmt::format("this is a statement of the kind \"{}\"; only SELECT may run", name), at, "write a SELECT");
    reading.statement = name;
    return reading;
}

/// LIMIT with a number bounds the rows. With anything else none can be added behind it, and the engine's bound holds.
void note_limit(const json::object& select, Reading& reading) {
    const json::value* count = select.if_contains("limitCount");
    if (count == nullptr) return;
    const auto node = node_in(*count);
    reading.has_limit =
        node && node->kind == "A_Const" && (node->fields->contains("ival") || node->fields->contains("fval"));
    reading.takes_limit = false;
}

Reading read_tree(std::string_view sql, const json::value& tree) {
    const auto& statements = postgres::list_in(tree.as_object(), "stmts");
    if (statements.empty()) return refused(Problem::Code::empty, "there is no statement", {}, "write a SELECT");
    if (statements.size() > 1) {
        return refused(Problem::Code::several_statements,
                       fmt::format("there are {} statements; exactly one may run", statements.size()),
                       start_of(sql, statements[1].as_object()), "run them one by one");
    }
    const json::object& statement = statements.front().as_object();
    const json::value* content = statement.if_contains("stmt");
    const auto node = content == nullptr ? std::nullopt : node_in(*content);
    if (!node || node->kind != "SelectStmt") return not_a_query(node ? node->kind : "", start_of(sql, statement));
    Reading reading;
    postgres::Walker(reading).walk_statement(*content);
    note_limit(*node->fields, reading);
    return reading;
}

Reading parse(std::string_view sql) {
    const Parse parsed(new PgQueryParseResult(pg_query_parse(std::string(sql).c_str())));
    if (parsed->error != nullptr) return not_parsed(sql, *parsed->error);
    // Values in one block are dropped without a walk over them, which for a deep tree would need a deep stack.
    json::monotonic_resource memory;
    json::parse_options options;
    options.max_depth = kSqlDepthMax * kJsonLevelsPerNode;
    boost::system::error_code failure;
    const json::value tree = json::parse(parsed->parse_tree, failure, &memory, options);
    if (failure == json::error::too_deep) return too_deep();
    if (failure) return refused(Problem::Code::syntax, "the parse tree of the statement cannot be read");
    return read_tree(sql, tree);
}

}  // namespace

Reading read_postgres(std::string_view sql) {
    if (sql.size() > kSqlBytesMax) {
        return refused(Problem::Code::too_long,
                       fmt::format("the statement has {} bytes; at most {} are looked at", sql.size(), kSqlBytesMax),
                       {}, "ask for less at once");
    }
    if (const auto end = sql.find('\0'); end != sql.npos) {
        return refused(Problem::Code::syntax, "the statement holds a NUL character", end, "leave it out");
    }
    if (!text::is_utf8(sql)) {
        return refused(Problem::Code::syntax, "the statement is not written in UTF-8", {}, "save it as UTF-8");
    }
    if (longest_row(sql) > kWordsInRowMax) return too_deep();
    return parse(sql);
}

}  // namespace quaestor::data
