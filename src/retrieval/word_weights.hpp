// How much the words of a text say in a corpus: rare ones say much, and one that occurs nowhere is known as such.
// Pure functions over a corpus.
// Threads: safe everywhere.
#pragma once

#include "retrieval/corpus.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

struct WordWeight {
    std::string term;        ///< as terms_of() gives it
    double weight = 0;       ///< from 0, in every chunk, to 1, in none
    std::size_t chunks = 0;  ///< that have it
};

/// Each word of `text` once, in order.
[[nodiscard]] std::vector<WordWeight> weigh_words(const Corpus& corpus, std::string_view text);

}  // namespace quaestor::retrieval
