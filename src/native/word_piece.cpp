#include "native/characters.hpp"
#include "native/words.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

/// Longer words are not looked at.
constexpr std::size_t kWordPointsMax = 100;
constexpr std::string_view kContinued = "##";
constexpr std::string_view kUnknown = "[UNK]";

}  // namespace

WordPiece::WordPiece(const std::vector<std::string>& vocabulary) {
    ids_.reserve(vocabulary.size());
    for (const auto& piece : vocabulary) {
        ids_.insert_or_assign(piece, static_cast<int>(&piece - vocabulary.data()));
        longest_ = std::max(longest_, piece.size());
    }
    unknown_ = id_of(kUnknown);
}

int WordPiece::id_of(std::string_view piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? unknown_ : found->second;
}

std::vector<int> WordPiece::pieces_of(std::string_view text) const {
    std::vector<int> out;
    for (const auto& [begin, end] : split_words(text)) {
        const std::string word = fold(text.substr(begin, end - begin));
        std::size_t run = 0;  // where the letters began that are not yet added
        for (std::size_t at = 0; at < word.size();) {
            const std::size_t from = at;
            const char32_t point = next_point(word, at);
            if (is_word_point(point) && point != U'_') continue;
            if (from > run) add_word(std::string_view(word).substr(run, from - run), out);
            add_word(std::string_view(word).substr(from, at - from), out);
            run = at;
        }
        if (run < word.size()) add_word(std::string_view(word).substr(run), out);
    }
    return out;
}

/// The longest piece first, then the longest that goes on; a word of which no pieces are known is one unknown piece.
void WordPiece::add_word(std::string_view word, std::vector<int>& out) const {
    const std::size_t before = out.size();
    bool is_known = count_points(word) <= kWordPointsMax;
    std::string key;
    while (is_known && !word.empty()) {
        key.assign(out.size() > before ? kContinued : "");
        const std::size_t mark = key.size();
        key += word.substr(0, longest_);
        auto found = ids_.end();
        for (; key.size() > mark && found == ids_.end(); key.pop_back()) found = ids_.find(key);
        is_known = found != ids_.end();
        if (!is_known) break;
        out.push_back(found->second);
        word.remove_prefix(found->first.size() - mark);
    }
    if (is_known) return;
    out.resize(before);
    out.push_back(unknown_);
}

}  // namespace quaestor::native
