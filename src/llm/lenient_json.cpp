#include "llm/lenient_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace quaestor::llm {

namespace {

constexpr std::string_view kOpeningQuote = "\u201C";
constexpr std::string_view kClosingQuote = "\u201D";
constexpr std::string_view kReplacement = "\uFFFD";

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$';
}

void append_utf8(std::string& out, std::uint32_t point) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | (point >> 6));
        put(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
        put(0xE0 | (point >> 12));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    } else {
        put(0xF0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3F));
        put(0x80 | ((point >> 6) & 0x3F));
        put(0x80 | (point & 0x3F));
    }
}

/// A number as people write it: "1.", ".5", "+3" and "007" too.
std::optional<json::value> number_from(std::string_view digits) {
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const char* const end = digits.data() + digits.size();
    const auto read = [&](auto number) -> std::optional<decltype(number)> {
        const auto [stop, error] = std::from_chars(digits.data(), end, number);
        return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
    };
    if (const auto number = read(std::int64_t())) return *number;
    if (const auto number = read(std::uint64_t())) return *number;
    if (const auto number = read(double())) return *number;
    return std::nullopt;
}

/// What a word stands for outside of strings; JSON has nothing but null for what is no number.
std::optional<json::value> literal_from(std::string word) {
    std::ranges::transform(word, word.begin(),
                           [](char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; });
    constexpr std::array kNulls = {"null", "none", "nil", "undefined", "nan", "infinity", "inf"};
    if (word == "true") return true;
    if (word == "false") return false;
    if (std::ranges::find(kNulls, word) != kNulls.end()) return json::value();
    return std::nullopt;
}

/// How reading a piece went on.
enum class Step { fine, ended, failed };

class Reader {
public:
    Reader(std::string_view text, std::size_t begin) : text_(text), at_(begin) {}

    Step object(json::object& out);
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] LenientProblem problem() const { return {at_, what_}; }

private:
    Step array(json::array& out);
    Step member(json::object& out);
    Step name(std::string& out);
    /// Leaves `out` empty when the text ended before anything of the value was known.
    Step value(std::optional<json::value>& out);
    template <class Container>
    Step nested(Step (Reader::*read)(Container&), std::optional<json::value>& out);
    Step string(std::string& out);
    Step escape(std::string& out);
    Step unicode_escape(std::string& out);
    Step number(std::optional<json::value>& out);
    Step literal(std::optional<json::value>& out);

    Step failed(std::string_view what) {
        what_ = what;
        return Step::failed;
    }
    [[nodiscard]] bool has(std::string_view next) const { return text_.substr(at_).starts_with(next); }
    [[nodiscard]] bool ended() const { return at_ >= text_.size() || has(kCodeFence); }
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(std::string_view wanted);
    void skip_blank();
    bool skip_comment();
    [[nodiscard]] bool opens_string() const;
    [[nodiscard]] std::string_view closing_quote();
    [[nodiscard]] bool ends_quoted_singly() const;
    [[nodiscard]] std::optional<std::uint32_t> hex_at(std::size_t at) const;

    std::string_view text_;
    std::size_t at_;
    std::size_t depth_ = 0;
    std::string_view what_;
};

bool Reader::take(std::string_view wanted) {
    if (!has(wanted)) return false;
    at_ += wanted.size();
    return true;
}

void Reader::skip_blank() {
    constexpr std::array<std::string_view, 6> kBlanks = {" ", "\n", "\r", "\t", "\u00A0", "\uFEFF"};
    while (std::ranges::any_of(kBlanks, [this](std::string_view blank) { return take(blank); }) || skip_comment()) {
    }
}

bool Reader::skip_comment() {
    const bool is_line = has("//") || has("#");
    if (!is_line && !has("/*")) return false;
    const std::string_view end = is_line ? "\n" : "*/";
    const std::size_t found = text_.find(end, at_ + (is_line ? 1 : 2));
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    return true;
}

Step Reader::object(json::object& out) {
    take("{");
    for (;;) {
        skip_blank();
        if (take("}")) return Step::fine;
        if (ended()) return Step::ended;
        if (const Step step = member(out); step != Step::fine) return step;
        skip_blank();
        // A comma that was forgotten between two lines is no riddle either.
        if (!take(",") && !ended() && peek() != '}' && !opens_string()) return failed("expected ',' or '}'");
    }
}

Step Reader::member(json::object& out) {
    std::string key;
    if (const Step step = name(key); step != Step::fine) return step;
    skip_blank();
    if (ended()) return Step::ended;
    if (!take(":")) return failed("expected ':' behind a name");
    std::optional<json::value> item;
    const Step step = value(item);
    if (step != Step::failed && item) out.insert_or_assign(key, std::move(*item));
    return step;
}

Step Reader::name(std::string& out) {
    if (opens_string()) return string(out);
    while (is_letter(peek()) || (!out.empty() && is_digit(peek()))) out.push_back(text_[at_++]);
    return out.empty() ? failed("expected a name in quotes") : Step::fine;
}

Step Reader::array(json::array& out) {
    take("[");
    for (;;) {
        skip_blank();
        if (take("]")) return Step::fine;
        if (ended()) return Step::ended;
        std::optional<json::value> item;
        const Step step = value(item);
        if (step == Step::failed) return step;
        if (item) out.push_back(std::move(*item));
        if (step == Step::ended) return step;
        skip_blank();
        if (!take(",") && !ended() && peek() != ']') return failed("expected ',' or ']'");
    }
}

template <class Container>
Step Reader::nested(Step (Reader::*read)(Container&), std::optional<json::value>& out) {
    if (depth_ + 1 >= kJsonDepthMax) return failed("it is nested too deeply");
    ++depth_;
    Container container;
    const Step step = (this->*read)(container);
    --depth_;
    out.emplace(std::move(container));
    return step;
}

Step Reader::value(std::optional<json::value>& out) {
    skip_blank();
    if (ended()) return Step::ended;
    if (peek() == '{') return nested<json::object>(&Reader::object, out);
    if (peek() == '[') return nested<json::array>(&Reader::array, out);
    if (opens_string()) {
        std::string text;
        const Step step = string(text);
        out.emplace(text);
        return step;
    }
    if (is_digit(peek()) || peek() == '-' || peek() == '+' || peek() == '.') return number(out);
    return literal(out);
}

bool Reader::opens_string() const {
    return peek() == '"' || peek() == '\'' || has(kOpeningQuote) || has(kClosingQuote);
}

/// Takes the opening quote and says what closes the string.
std::string_view Reader::closing_quote() {
    if (take("\"")) return "\"";
    if (take("'")) return "'";
    at_ += kOpeningQuote.size();
    return kClosingQuote;
}

Step Reader::string(std::string& out) {
    const std::string_view quote = closing_quote();
    while (at_ < text_.size()) {
        if (peek() == '\\') {
            if (const Step step = escape(out); step != Step::fine) return step;
        } else if (has(quote) && (quote != "'" || ends_quoted_singly())) {
            at_ += quote.size();
            return Step::fine;
        } else {
            out.push_back(text_[at_++]);
        }
    }
    return Step::ended;
}

/// Whether the quote here is no apostrophe: 'it's here'.
bool Reader::ends_quoted_singly() const {
    const std::size_t next = text_.find_first_not_of(" \n\r\t", at_ + 1);
    return next == std::string_view::npos || std::string_view(",:}]").contains(text_[next]);
}

Step Reader::escape(std::string& out) {
    if (at_ + 1 >= text_.size()) {
        at_ = text_.size();
        return Step::ended;
    }
    constexpr std::string_view kEscapes = "\"\\/'bfnrt";
    constexpr std::string_view kMeant = "\"\\/'\b\f\n\r\t";
    const char escaped = text_[at_ + 1];
    if (escaped == 'u') return unicode_escape(out);
    if (const auto known = kEscapes.find(escaped); known != std::string_view::npos) {
        out.push_back(kMeant[known]);
        at_ += 2;
    } else {
        out.push_back(text_[at_++]);  // a backslash that was not doubled, as in "\d"
    }
    return Step::fine;
}

std::optional<std::uint32_t> Reader::hex_at(std::size_t at) const {
    std::uint32_t unit = 0;
    const std::string_view digits = at < text_.size() ? text_.substr(at, 4) : std::string_view();
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc() || digits.size() != 4 || end != digits.data() + 4) return std::nullopt;
    return unit;
}

Step Reader::unicode_escape(std::string& out) {
    auto point = hex_at(at_ + 2);
    if (!point) {
        out.push_back(text_[at_++]);
        return Step::fine;
    }
    at_ += 6;
    const bool is_high = *point >= 0xD800 && *point < 0xDC00;
    const auto low = is_high && has("\\u") ? hex_at(at_ + 2) : std::nullopt;
    if (low && *low >= 0xDC00 && *low < 0xE000) {
        at_ += 6;
        point = 0x10000 + ((*point - 0xD800) << 10) + (*low - 0xDC00);
    }
    if (*point >= 0xD800 && *point < 0xE000) {
        out += kReplacement;
    } else {
        append_utf8(out, *point);
    }
    return Step::fine;
}

Step Reader::number(std::optional<json::value>& out) {
    const std::size_t begin = at_;
    if ((peek() == '-' || peek() == '+') && at_ + 1 < text_.size() && is_letter(text_[at_ + 1])) {
        ++at_;
        return literal(out);
    }
    while (is_digit(peek()) || std::string_view("+-.eE").contains(peek())) ++at_;
    out = number_from(text_.substr(begin, at_ - begin));
    if (out) return Step::fine;
    return at_ >= text_.size() ? Step::ended : failed("expected a number");
}

Step Reader::literal(std::optional<json::value>& out) {
    const std::size_t begin = at_;
    while (is_letter(peek())) ++at_;
    out = literal_from(std::string(text_.substr(begin, at_ - begin)));
    if (out) return Step::fine;
    return at_ >= text_.size() ? Step::ended : failed("expected a value");
}

}  // namespace

std::expected<LenientObject, LenientProblem> read_lenient_object(std::string_view text, std::size_t begin) {
    Reader reader(text, begin);
    LenientObject object;
    const Step step = reader.object(object.value);
    if (step == Step::failed) return std::unexpected(reader.problem());
    object.end = reader.at();
    object.is_complete = step == Step::fine;
    return object;
}

}  // namespace quaestor::llm
