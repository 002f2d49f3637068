#include "data/sql_text.hpp"

#include "data/ascii.hpp"

#include <algorithm>

namespace quaestor::data {

namespace {

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Letters of other scripts count as parts of words, as they do for the engines.
bool begins_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_in_word(char c) {
    return begins_word(c) || is_digit(c) || c == '$';
}

class Scanner {
public:
    Scanner(std::string_view sql, Dialect dialect) : sql_(sql), dialect_(dialect) {}

    /// The next token; false at the end.
    bool next(SqlToken& token) {
        skip_blanks();
        if (at_ == sql_.size()) return false;
        const std::size_t begin = at_;
        token.kind = scan();
        token.at = begin;
        token.text = sql_.substr(begin, at_ - begin);
        return true;
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
    }
    [[nodiscard]] bool sees(std::string_view text) const { return sql_.substr(at_).starts_with(text); }

    void skip_blanks() {
        while (at_ < sql_.size()) {
            if (is_space(peek())) {
                ++at_;
            } else if (sees("--")) {
                at_ = std::min(sql_.find_first_of(dialect_ == Dialect::sqlite ? "\n" : "\r\n", at_), sql_.size());
            } else if (sees("/*")) {
                skip_block_comment();
            } else {
                return;
            }
        }
    }

    /// Comments nest, except in SQLite.
    void skip_block_comment() {
        int depth = 0;
        do {
            if (sees("/*") && (depth == 0 || dialect_ != Dialect::sqlite)) {
                ++depth;
                at_ += 2;
            } else if (sees("*/")) {
                --depth;
                at_ += 2;
            } else {
                ++at_;
            }
        } while (depth > 0 && at_ < sql_.size());
        at_ = std::min(at_, sql_.size());
    }

    SqlToken::Kind scan() {
        using Kind = SqlToken::Kind;
        const char c = peek();
        if (c == '\'') return skip_quoted('\'', false), Kind::text;
        if (c == '"') return skip_quoted('"', false), Kind::quoted_name;
        if (dialect_ == Dialect::sqlite && c == '`') return skip_quoted('`', false), Kind::quoted_name;
        if (dialect_ == Dialect::sqlite && c == '[') return skip_to(']'), Kind::quoted_name;
        if (dialect_ != Dialect::sqlite && c == '$' && skip_dollar_quoted()) return Kind::text;
        if (dialect_ != Dialect::sqlite && (c == 'e' || c == 'E') && peek(1) == '\'') {
            ++at_;
            return skip_quoted('\'', true), Kind::text;
        }
        if (begins_word(c)) {
            while (at_ < sql_.size() && is_in_word(peek())) ++at_;
            return Kind::word;
        }
        if (is_digit(c)) {
            while (begins_word(peek()) || is_digit(peek()) || peek() == '.') ++at_;
            return Kind::number;
        }
        ++at_;
        return Kind::symbol;
    }

    /// A doubled mark stands for itself, and so does one behind a backslash where those count.
    void skip_quoted(char mark, bool has_escapes) {
        for (++at_; at_ < sql_.size(); ++at_) {
            if (has_escapes && peek() == '\\') {
                ++at_;
            } else if (peek() == mark) {
                if (peek(1) != mark) break;
                ++at_;
            }
        }
        at_ = std::min(at_ + 1, sql_.size());
    }

    void skip_to(char mark) { at_ = std::min(sql_.find(mark, at_), sql_.size() - 1) + 1; }

    /// $$…$$ or $tag$…$tag$; false when the dollar begins something else.
    bool skip_dollar_quoted() {
        std::size_t end = at_ + 1;
        while (end < sql_.size() && sql_[end] != '$' && is_in_word(sql_[end])) ++end;
        if (end >= sql_.size() || sql_[end] != '$' || is_digit(peek(1))) return false;
        const std::string_view tag = sql_.substr(at_, end + 1 - at_);
        const std::size_t close = sql_.find(tag, end + 1);
        at_ = close == std::string_view::npos ? sql_.size() : close + tag.size();
        return true;
    }

    std::string_view sql_;
    Dialect dialect_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<SqlToken> tokens_of(std::string_view sql, Dialect dialect) {
    std::vector<SqlToken> tokens;
    Scanner scanner(sql, dialect);
    for (SqlToken token; scanner.next(token);) tokens.push_back(token);
    return tokens;
}

std::string printable(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(result, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
    return result;
}

std::string_view without_tail(std::string_view sql, Dialect dialect) {
    Scanner scanner(sql, dialect);
    std::size_t end = 0;
    for (SqlToken token; scanner.next(token);) {
        if (token.text != ";") end = token.at + token.text.size();
    }
    return sql.substr(0, end);
}

}  // namespace quaestor::data
