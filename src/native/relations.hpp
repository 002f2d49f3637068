// Private to native: how words of a question, columns and tables stand to each other, as the trained model reads it.
// Works on what its caller owns.
// Threads: pure functions.
#pragma once

#include "native/schema.hpp"
#include "native/value_index.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace quaestor::native {

/// What relations are taken of.
struct RelatedItems {
    std::span<const std::string> word_stems;
    std::span<const ColumnId> columns;  ///< the first is `*`
    std::span<const TableId> tables;
    std::span<const ValueHit> hits;  ///< of these words
};

/// A square over words, columns and tables, row by row. The numbers are those of training/features.py.
[[nodiscard]] std::vector<std::uint8_t> relations_of(const RelatedItems& items, const Schema& schema);

}  // namespace quaestor::native
