// Every rule about characters and words that the trained parser was taught with: splitting, folding, stems, names as
// words, WordPiece. They are those of training/text.py to the letter; a test holds both together. Threads: pure
// functions; a WordPiece is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quaestor::native {

/// Words of a question that are looked at.
inline constexpr std::size_t kWordsMax = 60;

/// Bytes of a word in its text.
struct WordSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// A number with separators, a run of letters and digits, or one other character. Malformed UTF-8 is read as U+FFFD.
[[nodiscard]] std::vector<WordSpan> split_words(std::string_view text);
/// Lower case without accents.
[[nodiscard]] std::string fold(std::string_view text);
/// A folded word without its plural ending.
[[nodiscard]] std::string stem(std::string_view word);
/// The folded words without marks.
[[nodiscard]] std::vector<std::string> plain_words(std::string_view text);
[[nodiscard]] std::vector<std::string> stems(std::string_view text);
/// The key under which two spellings of a value count as the same.
[[nodiscard]] std::string squash(std::string_view text);
/// The name of a table or column as words: "CustID" → "customer id".
[[nodiscard]] std::string name_words(std::string_view name);
[[nodiscard]] bool is_stop_word(std::string_view word);

class WordPiece {
public:
    explicit WordPiece(const std::vector<std::string>& vocabulary);
    /// The pieces of a text, its words split once more at underscores and marks.
    [[nodiscard]] std::vector<int> pieces_of(std::string_view text) const;
    /// Of a special piece: "[CLS]". It must be there.
    [[nodiscard]] int id_of(std::string_view piece) const;

private:
    void add_word(std::string_view word, std::vector<int>& out) const;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, int, Hash, std::equal_to<>> ids_;
    int unknown_ = 0;
    std::size_t longest_ = 0;  ///< bytes of a piece
};

}  // namespace quaestor::native
