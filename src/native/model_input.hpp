// A question and a schema as the arrays that the trained model reads. Those of training/features.py to the letter; a
// test holds both together. Threads: pure functions.
#pragma once

#include "native/schema.hpp"
#include "native/value_index.hpp"
#include "native/words.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Items are the words of the question, then the kept columns, then the tables.
struct ModelInput {
    std::vector<int> ids;       ///< pieces of the text
    std::vector<int> items;     ///< the item that each piece belongs to, or -1
    std::vector<int> segments;  ///< 0: the question, 1: the schema
    std::vector<int> features;
    std::vector<std::uint8_t> relations;  ///< a square of item pairs, row by row
    std::vector<int> kinds;               ///< of the items: 0 word, 1 column, 2 table
    std::size_t words = 0;
    std::vector<ColumnId> columns;  ///< that were kept; the first is `*`
    std::vector<TableId> tables;

    [[nodiscard]] std::size_t item_count() const { return kinds.size(); }
};

[[nodiscard]] ModelInput model_input(std::string_view question, const std::vector<WordSpan>& words,
                                     const Schema& schema, const std::vector<ValueHit>& hits, const WordPiece& pieces);

}  // namespace quaestor::native
