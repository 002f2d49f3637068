#include "data/reading.hpp"
#include "data/sql_text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::data {

namespace {

/// The statement as DuckDB reads it the same way, every byte in its place, so that offsets stay right. Comments are
/// blanked, because SQLite's do not nest. `name` and [name] become "name"; a double quote inside has no place to be
/// doubled, and a blank stands for it.
std::string for_duckdb(std::string_view sql, const std::vector<SqlToken>& tokens) {
    std::string result(sql.size(), ' ');
    for (const SqlToken& token : tokens) {
        std::string text(token.text);
        const char end = text.front() == '[' ? ']' : text.front();
        if (token.kind == SqlToken::Kind::quoted_name && text.size() > 1 && end != '"' && text.back() == end) {
            std::ranges::replace(text, '"', ' ');
            text.front() = text.back() = '"';
        }
        result.replace(token.at, text.size(), text);
    }
    return result;
}

/// $name and @name are placeholders in SQLite, and something else in DuckDB.
std::optional<Problem> placeholder_in(const std::vector<SqlToken>& tokens) {
    const auto found =
        std::ranges::find_if(tokens, [](const SqlToken& token) { return token.text == "$" || token.text == "@"; });
    if (found == tokens.end()) return std::nullopt;
    return Problem{.code = Problem::Code::forbidden,
                   .message = "the statement has placeholders, for which there are no values",
                   .at = found->at,
                   .suggestion = "write the values into the statement"};
}

}  // namespace

Reading read_sqlite(std::string_view sql) {
    // The line break shows which name never ends: it would be a part of it.
    const std::string text = std::string(sql) + '\n';
    const auto tokens = tokens_of(text, Dialect::sqlite);
    Reading reading = read_duckdb(for_duckdb(text, tokens));
    if (auto problem = placeholder_in(tokens)) reading.refusals.push_back(std::move(*problem));
    return reading;
}

}  // namespace quaestor::data
