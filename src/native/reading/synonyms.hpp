// Words that people use instead of names: where they come from, and where a question has them.
// Private to native/.
// Threads: pure functions.
#pragma once

#include "data/catalog.hpp"
#include "native/reading/knowledge.hpp"
#include "native/words.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// From the glossary, where a word may mean a table, a column or other words; and from descriptions that are short.
[[nodiscard]] std::vector<Synonym> synonyms_in(const data::Catalog& catalog, const Schema& schema);

/// Words of a question that are a synonym, the longest first; no word in two places, though one place may mean several.
struct SaidSynonym {
    std::size_t first = 0;
    std::size_t last = 0;
    const Synonym* synonym = nullptr;
};
[[nodiscard]] std::vector<SaidSynonym> synonyms_said(std::string_view question, const std::vector<WordSpan>& words,
                                                     const std::vector<Synonym>& synonyms);

}  // namespace quaestor::native
