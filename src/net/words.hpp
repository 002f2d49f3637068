// Private to net/: errors of the system in the words of our messages.
// Plain values.
// Threads: pure functions.
#pragma once

#include <boost/system/error_code.hpp>

#include <cctype>
#include <string>

namespace quaestor::net {

/// "connection refused": as the system says it, but able to stand in the middle of a sentence.
[[nodiscard]] inline std::string in_words(const boost::system::error_code& failure) {
    std::string text = failure.message();
    const bool is_abbreviation = text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1])) != 0;
    if (!text.empty() && !is_abbreviation)
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

}  // namespace quaestor::net
