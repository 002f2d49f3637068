// What people call values that a database writes otherwise: "women" for F, "goalie" for G, "European" for Europe.
// Private to native/. Threads: pure functions.
#pragma once

#include "native/schema.hpp"
#include "native/value_index.hpp"

namespace quaestor::native {

/// Adds a way to say a value where a column has the value, is about such things, and no column has the word itself.
void add_aliases(ValueIndex& values, const Schema& schema);

}  // namespace quaestor::native
