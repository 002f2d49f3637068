// The part of a large schema that a question is about, for a parser that can only look at so many columns: the tables
// that its words are linked to and those between them with their keys, names and linked columns, then their other
// columns and their neighbours as far as there is room. Threads: pure functions.
#pragma once

#include "native/form_tokens.hpp"
#include "native/reading/linking.hpp"

#include <vector>

namespace quaestor::native {

/// Columns that the trained parser sees whole; of more it would drop some, and not those that nobody needs.
inline constexpr std::size_t kPartColumnsMax = 48;

struct SchemaPart {
    Schema schema;
    std::vector<TableId> tables;    ///< of the whole schema, by number in the part
    std::vector<ColumnId> columns;  ///< the same; the first is `*`

    /// Hits in columns of the part, numbered as there.
    [[nodiscard]] std::vector<ValueHit> hits(const std::vector<ValueHit>& all) const;
    /// Tokens that point into the part, pointing into the whole.
    [[nodiscard]] std::vector<FormToken> in_whole(std::vector<FormToken> tokens) const;
};

/// All of a schema that is small enough.
[[nodiscard]] SchemaPart part_about(const LinkedQuestion& question, const Schema& schema);

}  // namespace quaestor::native
