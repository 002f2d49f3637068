// The two halves of a person's name, where a table keeps them apart.
// Private to native/. Threads: pure functions.
#pragma once

#include "native/schema.hpp"

namespace quaestor::native {

enum class NamePart { none, first, last };

[[nodiscard]] NamePart name_part(const SchemaColumn& column);
/// The column with the other half of the name, in the same table; 0 when there is none.
[[nodiscard]] ColumnId other_half(ColumnId half, const Schema& schema);

}  // namespace quaestor::native
