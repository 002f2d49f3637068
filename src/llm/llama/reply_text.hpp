// The text of a reply as it grows: pieces of bytes go in, text that may be told comes out. Held back are characters
// whose bytes are not all there yet, and what may be the beginning of a stop string. A private header of llm/llama/.
// Threads: for one task at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm::llama {

class ReplyText {
public:
    /// Empty stop strings count for nothing.
    explicit ReplyText(std::vector<std::string> stops);

    /// What may be told now: well-formed UTF-8, malformed bytes as U+FFFD; without white space before the first word.
    [[nodiscard]] std::string add(std::string_view bytes);
    /// What was held back, when nothing more comes.
    [[nodiscard]] std::string rest();
    /// A stop string was found; it and what came behind it are no part of the text.
    [[nodiscard]] bool is_stopped() const { return is_stopped_; }

private:
    [[nodiscard]] std::string release(std::size_t size);

    const std::vector<std::string> stops_;
    std::string bytes_;  ///< of a character that is not complete
    std::string held_;
    bool has_begun_ = false;
    bool is_stopped_ = false;
};

}  // namespace quaestor::llm::llama
