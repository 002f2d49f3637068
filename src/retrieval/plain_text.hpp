// Private to retrieval/: small helpers on lines of clean text.
// Functions over borrowed text.
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace quaestor::retrieval {

/// `text` with one space where there were several, none at the ends of lines, and at most one empty line in a row.
[[nodiscard]] std::string tidy(std::string_view text);

/// Calls `see(line, begin)` for each line of `text`, with the place where it begins.
template <class See>
void for_each_line(std::string_view text, See see) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        see(text.substr(begin, end - begin), begin);
        begin = end + 1;
    }
}

template <class List, class Value>
[[nodiscard]] bool is_one_of(const Value& value, const List& list) {
    return std::ranges::find(list, value) != std::ranges::end(list);
}

[[nodiscard]] inline bool is_digit(char character) {
    return character >= '0' && character <= '9';
}
[[nodiscard]] inline bool is_upper(char character) {
    return character >= 'A' && character <= 'Z';
}
[[nodiscard]] inline bool is_lower(char character) {
    return character >= 'a' && character <= 'z';
}
[[nodiscard]] inline bool is_letter(char character) {
    return is_upper(character) || is_lower(character) || static_cast<unsigned char>(character) >= 0x80;
}
[[nodiscard]] inline bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\n';
}

[[nodiscard]] inline std::string lower_ascii(std::string_view text) {
    std::string lower(text);
    for (char& character : lower) {
        if (is_upper(character)) character = static_cast<char>(character - 'A' + 'a');
    }
    return lower;
}

}  // namespace quaestor::retrieval
