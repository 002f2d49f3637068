#include "base/text.hpp"
#include "data/duckdb/parser.hpp"
#include "data/duckdb/tree.hpp"
#include "data/duckdb/walker.hpp"
#include "data/reading.hpp"
#include "data/sql_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace quaestor::data {

namespace {

using Code = Problem::Code;
using tree::is_among;
using tree::list_field;
using tree::object_field;
using tree::text_field;

/// Enough for the tree of most statements; a larger one takes more from the heap.
constexpr std::size_t kTreeBytes = std::size_t{32} << 10;
constexpr std::size_t kSyntaxMessageColumnsMax = 300;
constexpr std::size_t kWordColumnsMax = 30;

/// What writes, also behind WITH.
constexpr auto kWritingWords = std::to_array<std::string_view>({"delete", "insert", "merge", "update"});
constexpr auto kQueryWords = std::to_array<std::string_view>({"from", "pivot", "select", "unpivot", "with"});
/// Words of DuckDB's parser for what is nested deeper than it goes.
constexpr auto kTooDeepWords = std::to_array<std::string_view>({"Max expression depth", "memory exhausted"});
/// Clauses of a SELECT that DuckDB's parser knows and refuses.
constexpr auto kRefusedClauses = std::to_array<std::string_view>({"SELECT INTO", "SELECT locking clause"});

std::string lower_word(const SqlToken& token) {
    std::string word(token.kind == SqlToken::Kind::word ? token.text : std::string_view());
    std::ranges::transform(word, word.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return word;
}

template <std::size_t N>
std::string first_among(const std::vector<SqlToken>& tokens, const std::array<std::string_view, N>& words) {
    for (const auto& token : tokens) {
        if (auto word = lower_word(token); is_among(word, words)) return word;
    }
    return {};
}

std::string first_word(const std::vector<SqlToken>& tokens) {
    const auto found = std::ranges::find(tokens, SqlToken::Kind::word, &SqlToken::kind);
    return found == tokens.end() ? std::string() : lower_word(*found);
}

/// The parser found something that is no SELECT. Behind WITH the verb is further on; a SELECT without one is a PIVOT.
Problem not_a_query(const std::vector<SqlToken>& tokens) {
    std::string word = first_word(tokens);
    if (is_among(word, kQueryWords)) word = first_among(tokens, kWritingWords);
    if (word.empty() && !first_among(tokens, std::to_array<std::string_view>({"pivot"})).empty()) {
        return {.code = Code::forbidden,
                .message = "PIVOT without a list of its values makes a type in the database before it runs",
                .at = tokens.front().at,
                .suggestion = "name the values: PIVOT sales ON year IN (2023, 2024) USING sum(amount)"};
    }
    return {.code = Code::not_a_query,
            .message = fmt::format("only queries may run, and {} is none",
                                   word.empty() ? "this" : text::shorten(word, kWordColumnsMax)),
            .at = tokens.front().at,
            .suggestion = "write one SELECT statement"};
}

Problem parse_failure(const json::object& answer, const std::vector<SqlToken>& tokens) {
    if (text_field(answer, "error_type") == "not implemented") return not_a_query(tokens);
    const auto message = text_field(answer, "error_message");
    const auto says = [&](std::string_view words) { return message.starts_with(words); };
    Problem problem{.code = std::ranges::any_of(kTooDeepWords, says)     ? Code::too_deep
                            : std::ranges::any_of(kRefusedClauses, says) ? Code::forbidden
                                                                         : Code::syntax,
                    .message = text::shorten(message, kSyntaxMessageColumnsMax),
                    .at = {},
                    .suggestion = {}};
    const auto position = text_field(answer, "position");
    std::size_t at = 0;
    if (std::from_chars(position.data(), position.data() + position.size(), at).ec == std::errc()) problem.at = at;
    return problem;
}

Problem several_statements(std::optional<std::size_t> at) {
    return {.code = Code::several_statements,
            .message = "there are several statements, and exactly one may run",
            .at = at,
            .suggestion = "ask for one thing at a time"};
}

std::optional<Problem> refusal_by_text(const std::vector<SqlToken>& tokens) {
    const auto is_end = [](const SqlToken& token) { return token.text == ";"; };
    const auto begin = std::ranges::find_if_not(tokens, is_end);
    if (begin == tokens.end()) {
        return Problem{.code = Code::empty, .message = "there is no statement", .at = {}, .suggestion = {}};
    }
    const auto end = std::find_if(begin, tokens.end(), is_end);
    const auto next = std::find_if_not(end, tokens.end(), is_end);
    if (next != tokens.end()) return several_statements(next->at);
    return std::nullopt;
}

/// The query that a LIMIT behind the statement would belong to.
const json::object& outermost(const json::object& query) {
    const auto* child = text_field(query, "type") == "CTE_NODE" ? object_field(query, "child") : nullptr;
    return child != nullptr ? outermost(*child) : query;
}

bool has_limit(const json::object& query) {
    const auto* modifiers = list_field(query, "modifiers");
    return modifiers != nullptr && std::ranges::any_of(*modifiers, [](const json::value& modifier) {
               return modifier.is_object() && modifier.get_object().contains("limit");
           });
}

/// DESCRIBE and SUMMARIZE: a LIMIT would cut the query that they look at.
bool is_description(const json::object& query) {
    const auto* from = object_field(query, "from_table");
    const auto* results = list_field(query, "select_list");
    const auto* star = results != nullptr && results->size() == 1 ? results->front().if_object() : nullptr;
    return from != nullptr && text_field(*from, "type") == "SHOW_REF" && star != nullptr && !tree::place_of(*star);
}

void read_answer(const json::object& answer, const std::vector<SqlToken>& tokens, Reading& reading) {
    const auto* statements = list_field(answer, "statements");
    if (statements == nullptr) {
        reading.statement = first_word(tokens);
        reading.refusals.push_back(parse_failure(answer, tokens));
        return;
    }
    const auto* statement = statements->size() == 1 ? statements->front().if_object() : nullptr;
    const auto* query = statement != nullptr ? object_field(*statement, "node") : nullptr;
    if (query == nullptr) return reading.refusals.push_back(several_statements({}));
    reading.takes_limit = !is_description(outermost(*query));
    reading.has_limit = has_limit(outermost(*query));
    walk_duckdb_query(*query, reading);
}

}  // namespace

Reading read_duckdb(std::string_view sql) {
    Reading reading;
    const auto tokens = tokens_of(sql, Dialect::duckdb);
    if (auto refusal = refusal_by_text(tokens)) {
        reading.statement = first_word(tokens);
        reading.refusals.push_back(std::move(*refusal));
        return reading;
    }
    std::array<unsigned char, kTreeBytes> block;
    json::monotonic_resource memory(block.data(), block.size());
    const auto parsed = parse_with_duckdb(sql, tokens, &memory);
    if (parsed) {
        read_answer(parsed->get_object(), tokens, reading);
    } else {
        const bool is_too_much = parsed.error().code == quaestor::Code::limit_exceeded;
        reading.refusals.push_back({.code = is_too_much ? Code::too_deep : Code::syntax,
                                    .message = parsed.error().describe(),
                                    .at = {},
                                    .suggestion = std::string(parsed.error().advice())});
    }
    return reading;
}

}  // namespace quaestor::data
