#include "data/sqlite/text.hpp"

#include <algorithm>

namespace quaestor::data::sqlite {

namespace {

std::string unquoted(std::string_view quoted) {
    const char mark = quoted.front();
    if (quoted.size() < 2) return {};
    const std::string_view inside = quoted.substr(1, quoted.size() - 2);
    if (mark == '[') return std::string(inside);
    std::string name;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        name += inside[i];
        if (inside[i] == mark) ++i;
    }
    return name;
}

std::string name_in(const SqlToken& token) {
    switch (token.kind) {
        case SqlToken::Kind::word:
            return lower(token.text);
        case SqlToken::Kind::quoted_name:
        case SqlToken::Kind::text:  // SQLite takes FROM 'orders' for a table
            return lower(unquoted(token.text));
        case SqlToken::Kind::number:
        case SqlToken::Kind::symbol:
            return {};
    }
    return {};
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

StatementText::StatementText(std::string_view sql) : tokens_(tokens_of(sql, Dialect::sqlite)) {
    names_.reserve(tokens_.size());
    for (const SqlToken& token : tokens_) names_.push_back(name_in(token));
    if (!tokens_.empty() && tokens_.front().kind == SqlToken::Kind::word) verb_ = names_.front();
    find_ctes();
}

bool StatementText::is_word(std::size_t place, std::string_view word) const {
    return place < tokens_.size() && tokens_[place].kind == SqlToken::Kind::word && names_[place] == word;
}

bool StatementText::is_symbol(std::size_t place, std::string_view symbol) const {
    return place < tokens_.size() && tokens_[place].kind == SqlToken::Kind::symbol && tokens_[place].text == symbol;
}

std::optional<std::size_t> StatementText::find_name(std::string_view name) const {
    const auto found = std::ranges::find(names_, lower(name));
    if (name.empty() || found == names_.end()) return std::nullopt;
    return tokens_[static_cast<std::size_t>(found - names_.begin())].at;
}

std::optional<std::size_t> StatementText::find_call(std::string_view name) const {
    const std::string wanted = lower(name);
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
        if (names_[i] == wanted && is_symbol(i + 1, "(")) return tokens_[i].at;
    }
    return std::nullopt;
}

std::vector<std::string> StatementText::names() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (!names_[i].empty()) result.push_back(names_[i]);
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return result;
}

std::vector<std::string> StatementText::sources() const {
    std::vector<std::string> result;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
        if ((is_word(i, "from") || is_word(i, "join")) && !names_[i + 1].empty()) result.push_back(names_[i + 1]);
    }
    return result;
}

bool StatementText::is_cte(std::string_view name) const {
    return std::ranges::find(ctes_, lower(name)) != ctes_.end();
}

bool StatementText::is_quoted_at(std::size_t at) const {
    const auto found = std::ranges::find(tokens_, at, &SqlToken::at);
    return found != tokens_.end() && found->text.starts_with('"');
}

/// The place in front of the brackets that close at `place`.
std::size_t StatementText::before_brackets(std::size_t place) const {
    int depth = 0;
    for (;; --place) {
        if (is_symbol(place, ")")) ++depth;
        if (is_symbol(place, "(")) --depth;
        if (place == 0) return 0;
        if (depth == 0) return place - 1;
    }
}

/// name [(columns)] AS [[NOT] MATERIALIZED] ( SELECT …
void StatementText::find_ctes() {
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
        if (!is_word(i, "as")) continue;
        std::size_t body = i + 1;
        while (is_word(body, "not") || is_word(body, "materialized")) ++body;
        const bool is_query = is_word(body + 1, "select") || is_word(body + 1, "values") || is_word(body + 1, "with");
        if (!is_symbol(body, "(") || !is_query) continue;
        ctes_.push_back(names_[is_symbol(i - 1, ")") ? before_brackets(i - 1) : i - 1]);
    }
}

void StatementText::read_limit(Reading& reading) const {
    int depth = 0;
    std::optional<std::size_t> limit;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (is_symbol(i, "(")) ++depth;
        if (is_symbol(i, ")")) --depth;
        if (depth > 0) continue;
        // SQLite's grammar has no LIMIT behind VALUES.
        if (is_word(i, "select")) reading.takes_limit = true;
        if (is_word(i, "values")) reading.takes_limit = false;
        if (is_word(i, "limit")) limit = i;
    }
    if (!limit) return;
    const auto is_number = [&](std::size_t place) {
        return place < tokens_.size() && tokens_[place].kind == SqlToken::Kind::number;
    };
    std::size_t end = *limit + 2;
    reading.has_limit = is_number(*limit + 1);
    if (is_word(end, "offset") || is_symbol(end, ",")) {
        reading.has_limit = reading.has_limit && is_number(end + 1);
        end += 2;
    }
    while (is_symbol(end, ";")) ++end;
    // LIMIT -1 is no limit, and an expression may be large; none can be written behind one either.
    reading.has_limit = reading.has_limit && end >= tokens_.size();
    reading.takes_limit = reading.has_limit;
}

bool StatementText::is_star(std::size_t place) const {
    if (!is_symbol(place, "*") || place == 0) return false;
    const bool begins_column =
        tokens_[place - 1].kind == SqlToken::Kind::word && is_one_of(names_[place - 1], {"select", "distinct", "all"});
    return begins_column || is_symbol(place - 1, ",") || is_symbol(place - 1, ".");
}

bool StatementText::has_leading_wildcard(std::size_t place) const {
    if (place + 1 >= tokens_.size() || tokens_[place + 1].kind != SqlToken::Kind::text) return false;
    const std::string& pattern = names_[place + 1];
    return (is_word(place, "like") && (pattern.starts_with('%') || pattern.starts_with('_'))) ||
           (is_word(place, "glob") && (pattern.starts_with('*') || pattern.starts_with('?')));
}

std::vector<Problem> StatementText::warnings(bool recurses) const {
    std::vector<Problem> found;
    const auto warn_once = [&](Problem::Code code, std::size_t at, const char* message, const char* suggestion) {
        if (std::ranges::find(found, code, &Problem::code) != found.end()) return;
        found.push_back({.code = code, .message = message, .at = at, .suggestion = suggestion});
    };
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (is_star(i)) {
            warn_once(Problem::Code::select_star, tokens_[i].at, "SELECT * reads every column, also those not needed",
                      "name the columns");
        }
        if (has_leading_wildcard(i)) {
            warn_once(Problem::Code::leading_wildcard, tokens_[i].at,
                      "a pattern that begins with a wildcard cannot use an index, so every row is looked at",
                      "begin the pattern with what is known");
        }
    }
    if (recurses) {
        const std::size_t at = find_name("recursive").value_or(0);
        warn_once(Problem::Code::unbounded_recursion, at,
                  "a recursive query ends at the deadline if its data does not end it",
                  "give the recursion a condition or a LIMIT");
    }
    return found;
}

}  // namespace quaestor::data::sqlite
