// Private to native: the classes of characters and the folding that words.hpp stands on. Text is UTF-8 from anywhere;
// malformed bytes are read as U+FFFD. Functions over borrowed text.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quaestor::native {

/// next_point() at a byte from 0x80 on.
[[nodiscard]] char32_t next_long_point(std::string_view text, std::size_t& at);
/// The code point at `text[at]`; moves `at` behind it.
[[nodiscard]] inline char32_t next_point(std::string_view text, std::size_t& at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    return byte < 0x80 ? (++at, byte) : next_long_point(text, at);
}
/// How many code points a text has.
[[nodiscard]] std::size_t count_points(std::string_view text);
/// At most `count` code points from the beginning of a text.
[[nodiscard]] std::string_view first_points(std::string_view text, std::size_t count);

[[nodiscard]] constexpr bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}
/// Separates words.
[[nodiscard]] constexpr bool is_space(char32_t point) {
    return point == U' ' || (point >= 0x09 && point <= 0x0D) || point == 0xA0 || (point >= 0x2000 && point <= 0x200B) ||
           point == 0x202F || point == 0x3000;
}
/// is_word_point() of a point from 0x80 on.
[[nodiscard]] bool is_long_word_point(char32_t point);
/// A letter, a digit or an underscore; every other point that is no space is a mark.
[[nodiscard]] inline bool is_word_point(char32_t point) {
    if (point >= 0x80) return is_long_word_point(point);
    return (point >= U'a' && point <= U'z') || (point >= U'A' && point <= U'Z') || (point >= U'0' && point <= U'9') ||
           point == U'_';
}
/// append_folded() of a point from 0x80 on.
void append_folded_long(std::string& out, char32_t point);
/// Adds the lower-case form without accents: none, one or two letters.
inline void append_folded(std::string& out, char32_t point) {
    if (point >= 0x80) return append_folded_long(out, point);
    out += static_cast<char>(point >= U'A' && point <= U'Z' ? point - U'A' + U'a' : point);
}

}  // namespace quaestor::native
