// JSON Schema as Google takes it: a subset with a dialect of its own.
// Private to llm/providers.
// Threads: a pure function.
#pragma once

#include "base/json.hpp"

namespace quaestor::llm {

/// Types in capitals, nullable in place of a null type, no additionalProperties, the order of properties said apart.
/// What the dialect has no word for is left out: the reply is checked against the whole schema anyway.
[[nodiscard]] json::object google_schema(const json::object& schema);

}  // namespace quaestor::llm
