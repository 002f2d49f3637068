#include "native/answer/marks.hpp"

#include "native/characters.hpp"
#include "native/lower.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

constexpr auto kPointedWords = std::to_array<std::string_view>(
    {"st", "mr", "mrs", "ms", "dr", "jr", "sr", "no", "vs", "inc", "ltd", "co", "ft", "mt", "prof", "e.g", "i.e"});

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool is_letter_or_digit(char c) {
    return static_cast<unsigned char>(c) >= 0x80 || is_word_point(static_cast<unsigned char>(c));
}

/// The word that ends before `end`.
std::string_view word_before(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && (is_letter_or_digit(text[begin - 1]) || text[begin - 1] == '.')) --begin;
    return text.substr(begin, end - begin);
}

bool ends_sentence(std::string_view text, std::size_t at, std::size_t end) {
    const char c = text[at];
    const bool is_last = at + 1 >= end;
    if (c == ';' || c == '!' || c == '?') return is_last || is_blank(text[at + 1]);
    if (c != '.' || is_last || !is_blank(text[at + 1])) return c == '.' && is_last;
    std::size_t next = at + 1;
    while (next < end && is_blank(text[next])) ++next;
    if (next < end && text[next] >= 'a' && text[next] <= 'z') return false;
    const std::string word = lower(word_before(text, at));
    const bool is_initial = word.size() == 1 && !is_digit(word.front());
    return !is_initial && std::ranges::find(kPointedWords, word) == kPointedWords.end();
}

void mask(Masked& masked, std::size_t begin, std::size_t end) {
    std::fill(masked.begin() + static_cast<std::ptrdiff_t>(begin), masked.begin() + static_cast<std::ptrdiff_t>(end),
              true);
}

/// A row of bars and dashes under the head of a table.
bool is_rule(std::string_view line) {
    return line.find('-') != std::string_view::npos && line.find_first_not_of("|-: \t\r") == std::string_view::npos;
}

std::string_view line_at(std::string_view text, std::size_t begin) {
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::size_t first_of_line(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

/// "12. " or "12) " at the beginning of a line.
std::size_t list_number_end(std::string_view line) {
    std::size_t at = first_of_line(line);
    const std::size_t begin = at;
    while (at < line.size() && is_digit(line[at])) ++at;
    const bool is_number =
        at > begin && at + 1 < line.size() && (line[at] == '.' || line[at] == ')') && line[at + 1] == ' ';
    return is_number ? at : 0;
}

/// "[2]", "[1, 3]": the byte behind it, or 0.
std::size_t citation_end(std::string_view text, std::size_t at) {
    const std::size_t end = text.find_first_not_of("0123456789, ", at + 1);
    return end != std::string_view::npos && end > at + 1 && text[end] == ']' ? end + 1 : 0;
}

void mask_in_line(std::string_view text, std::size_t begin, std::size_t end, const std::vector<bool>& was_escaped,
                  Masked& masked) {
    for (std::size_t at = begin; at < end; ++at) {
        if (was_escaped[at]) continue;
        if (text[at] == '`') {
            const std::size_t close = text.find('`', at + 1);
            if (close == std::string_view::npos || close >= end) continue;
            mask(masked, at, close + 1);
            at = close;
        } else if (text[at] == '[') {
            if (const std::size_t close = citation_end(text, at); close != 0) mask(masked, at, close);
        } else if (text.substr(at).starts_with("http://") || text.substr(at).starts_with("https://")) {
            const std::size_t close = std::min(text.find_first_of(" \t)>\n", at), end);
            mask(masked, at, close);
            at = close;
        }
    }
}

void mask_names(std::string_view text, const std::vector<std::string>& names, Masked& masked) {
    if (names.empty()) return;
    const std::string folded = lower(text);
    for (const std::string& name : names) {
        const std::string key = lower(name);
        if (key.empty()) continue;
        for (std::size_t at = folded.find(key); at != std::string::npos; at = folded.find(key, at + 1)) {
            const std::size_t end = at + key.size();
            const bool is_whole = (at == 0 || !is_letter_or_digit(folded[at - 1])) &&
                                  (end == folded.size() || !is_letter_or_digit(folded[end]));
            if (is_whole) mask(masked, at, end);
        }
    }
}

}  // namespace

MarkedText without_escapes(std::string_view text, std::vector<bool>& was_escaped) {
    constexpr std::string_view kMarks = "\\`*_[]<>|~#+-:.!(){}";
    MarkedText out;
    out.plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_escape = text[at] == '\\' && at + 1 < text.size() && kMarks.contains(text[at + 1]);
        if (is_escape) ++at;
        out.plain += text[at];
        out.origin.push_back(is_escape ? at - 1 : at);
        was_escaped.push_back(is_escape);
    }
    out.origin.push_back(text.size());
    return out;
}

void split_sentences(MarkedText& text, const std::vector<bool>& was_escaped) {
    const std::string_view plain = text.plain;
    std::size_t table_line = 0;
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::string_view line = line_at(plain, begin);
        const std::size_t end = begin + line.size();
        const std::size_t bar = begin + first_of_line(line);
        if (bar < end && plain[bar] == '|' && !was_escaped[bar]) {
            const bool is_head = end < plain.size() && is_rule(line_at(plain, end + 1)) && table_line == 0;
            MarkedSentence row{.kind = MarkedSentence::Kind::table_row, .begin = begin, .end = end};
            if (is_head || is_rule(line)) {
                row.kind = MarkedSentence::Kind::table_head;
            } else {
                row.table_line = ++table_line;
            }
            for (std::size_t at = bar; at < end; ++at) {
                if (plain[at] == '|' && !was_escaped[at]) row.cell_begins.push_back(at + 1);
            }
            const bool is_closed = line.find_last_not_of(" \t\r") == row.cell_begins.back() - 1 - begin;
            if (is_closed) row.cell_begins.pop_back();
            text.sentences.push_back(std::move(row));
        } else {
            table_line = 0;
            std::size_t start = begin;
            for (std::size_t at = begin; at < end; ++at) {
                if (!ends_sentence(plain, at, end) && at + 1 != end) continue;
                text.sentences.push_back({.begin = start, .end = at + 1});
                start = at + 1;
            }
        }
        begin = end + 1;
    }
}

Masked masked_bytes(const MarkedText& text, const std::vector<bool>& was_escaped,
                    const std::vector<std::string>& names) {
    const std::string_view plain = text.plain;
    Masked masked(plain.size(), false);
    bool is_code = false;
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::string_view line = line_at(plain, begin);
        const std::size_t end = begin + line.size();
        const std::string_view inner = line.substr(first_of_line(line));
        const bool is_fence = inner.starts_with("```") || inner.starts_with("~~~");
        if (is_fence) is_code = !is_code;
        if (is_code || is_fence) {
            mask(masked, begin, end);
        } else {
            mask(masked, begin, begin + list_number_end(line));
            mask_in_line(plain, begin, end, was_escaped, masked);
        }
        begin = end + 1;
    }
    mask_names(plain, names, masked);
    return masked;
}

MarkedText mark_text(std::string_view text, const std::vector<std::string>& names, std::size_t marks_max) {
    std::vector<bool> was_escaped;
    MarkedText out = without_escapes(text, was_escaped);
    split_sentences(out, was_escaped);
    const Masked masked = masked_bytes(out, was_escaped, names);
    for (std::size_t at = 0; at < out.sentences.size() && out.marks.size() < marks_max; ++at) {
        if (out.sentences[at].kind == MarkedSentence::Kind::table_head) continue;
        const auto first = static_cast<std::ptrdiff_t>(out.marks.size());
        mark_numbers(out, masked, at);
        mark_names(out, masked, at);
        std::sort(out.marks.begin() + first, out.marks.end(),
                  [](const Mark& left, const Mark& right) { return left.begin < right.begin; });
    }
    if (out.marks.size() > marks_max) out.marks.resize(marks_max);
    return out;
}

}  // namespace quaestor::native
