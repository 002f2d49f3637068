// The kind of value that a column of a declared type holds, for the type names of all engines. Private to data/.
// Threads: pure function.
#pragma once

#include "data/result_set.hpp"

#include <string_view>

namespace quaestor::data {

/// "DECIMAL(18,2)" → decimal, "character varying(20)" → text, "INTEGER[]" → list; other when it is not known.
[[nodiscard]] ValueKind kind_of_type(std::string_view type);

}  // namespace quaestor::data
