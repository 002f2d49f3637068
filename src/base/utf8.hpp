// Private to base: walking over UTF-8 that may be malformed.
// Functions over borrowed text.
// Threads: pure functions.
#pragma once

#include <unicode/utf8.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quaestor::utf8 {

inline constexpr std::string_view kReplacement = "\uFFFD";
inline constexpr UChar32 kMalformed = -1;

/// The code point at `text[at]`, or kMalformed; moves `at` behind it, or behind the longest malformed piece.
inline UChar32 next(std::string_view text, std::size_t& at) {
    UChar32 point = 0;
    U8_NEXT(text.data(), at, text.size(), point);
    return point;
}

/// The code point that ends at `text[at]`, or kMalformed; moves `at` back to its beginning.
inline UChar32 previous(std::string_view text, std::size_t& at) {
    // ICU counts backwards in 32 bits, so it is shown only as much as one character can take.
    const auto window = static_cast<std::int32_t>(std::min<std::size_t>(at, U8_MAX_LENGTH));
    const char* const begin = text.data() + at - window;
    std::int32_t rest = window;
    UChar32 point = 0;
    U8_PREV(begin, 0, rest, point);
    at -= static_cast<std::size_t>(window - rest);
    return point;
}

inline bool is_ascii(char byte) {
    return static_cast<unsigned char>(byte) < 0x80;
}

/// Adds `text` to `out` with every malformed piece replaced by U+FFFD.
inline void append_valid(std::string& out, std::string_view text) {
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (is_ascii(text[at])) {
            ++at;
        } else if (next(text, at) == kMalformed) {
            out.append(text, copied, begin - copied);
            out += kReplacement;
            copied = at;
        }
    }
    out.append(text, copied);
}

}  // namespace quaestor::utf8
