#include "native/sql_lexer.hpp"

#include "native/unsupported.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Letters, digits, underscores, and every byte of other scripts.
bool is_name_character(char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return result;
}

class Lexer {
public:
    explicit Lexer(std::string_view sql) : sql_(sql) {}

    std::vector<SqlToken> tokens() {
        std::vector<SqlToken> out;
        for (skip_spaces(); at_ < sql_.size(); skip_spaces()) out.push_back(next());
        while (!out.empty() && out.back().key == ";") out.pop_back();
        return out;
    }

private:
    void skip_spaces() {
        while (at_ < sql_.size() && is_space(sql_[at_])) ++at_;
    }

    SqlToken next() {
        const char c = sql_[at_];
        if (c == '\'' || c == '"' || c == '`') return quoted(c);
        if (is_name_character(c)) return word();
        return sign(c);
    }

    SqlToken quoted(char mark) {
        std::string text;
        for (++at_; at_ < sql_.size(); ++at_) {
            const bool is_mark = sql_[at_] == mark;
            const bool is_doubled = is_mark && at_ + 1 < sql_.size() && sql_[at_ + 1] == mark;
            if (is_mark && !is_doubled) {
                ++at_;
                if (mark == '\'') return {SqlToken::Kind::text, text, "'" + text + "'"};
                return {SqlToken::Kind::quoted, text, ""};
            }
            if (is_doubled) ++at_;
            text += sql_[at_];
        }
        throw Unsupported{"a quote that is opened and not closed"};
    }

    /// A name may begin with a digit; what has nothing but digits, and at most one point, is a number.
    SqlToken word() {
        const std::size_t begin = at_;
        while (at_ < sql_.size() && is_name_character(sql_[at_])) ++at_;
        const bool is_number = std::ranges::all_of(sql_.substr(begin, at_ - begin), is_digit);
        if (is_number && at_ + 1 < sql_.size() && sql_[at_] == '.' && is_digit(sql_[at_ + 1])) {
            ++at_;
            while (at_ < sql_.size() && is_digit(sql_[at_])) ++at_;
        }
        const std::string text(sql_.substr(begin, at_ - begin));
        return {is_number ? SqlToken::Kind::number : SqlToken::Kind::word, text, upper(text)};
    }

    SqlToken sign(char c) {
        constexpr std::string_view kSigns = "<>!=(),.*+-/%;[]";
        if (!kSigns.contains(c)) throw Unsupported{std::string("the sign ") + c};
        ++at_;
        std::string text(1, c);
        if (c == '<' && at_ < sql_.size() && sql_[at_] == '>') {
            ++at_;
            text = "!=";
        } else if (c == '<' || c == '>' || c == '!') {
            const std::size_t after_spaces = std::min(sql_.find_first_not_of(" \t\r\n", at_), sql_.size());
            if (after_spaces < sql_.size() && sql_[after_spaces] == '=') {
                at_ = after_spaces + 1;
                text += '=';
            }
        }
        return {SqlToken::Kind::sign, text, text};
    }

    std::string_view sql_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<SqlToken> sql_tokens(std::string_view sql) {
    if (sql.size() > kReadBytesMax) throw Unsupported{"a statement of this length"};
    return Lexer(sql).tokens();
}

}  // namespace quaestor::native
