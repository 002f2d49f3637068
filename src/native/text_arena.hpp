// Private to native: many short texts, kept side by side until the arena goes. It owns them; views stay valid when it
// is moved.
// Threads: for one thread while texts are added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace quaestor::native {

class TextArena {
public:
    [[nodiscard]] std::string_view keep(std::string_view text) {
        if (chunks_.empty() || text.size() > kChunkBytes - used_) {
            chunks_.push_back(std::make_unique_for_overwrite<char[]>(std::max(kChunkBytes, text.size())));
            used_ = 0;
        }
        char* const begin = chunks_.back().get() + used_;
        std::ranges::copy(text, begin);
        used_ = std::min(used_ + text.size(), kChunkBytes);
        return {begin, text.size()};
    }

    /// Takes back the text that was kept last.
    void give_back(std::string_view text) { used_ -= std::min(text.size(), used_); }

private:
    static constexpr std::size_t kChunkBytes = 32'768;
    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t used_ = 0;  ///< bytes of the last chunk
};

}  // namespace quaestor::native
