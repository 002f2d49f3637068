// People ask for players and mean their names: a form that would show keys which nobody asked for shows the names of
// what they stand for.
// Private to native/. Threads: pure function.
#pragma once

#include "native/reading/linking.hpp"
#include "native/reading/rules/schema_view.hpp"

namespace quaestor::native {

/// Only what is shown changes: groups, filters and sub-queries keep their keys. Unchanged when the question speaks of
/// ids, numbers or codes, or where rows have no names.
[[nodiscard]] Query with_names_shown(Query form, const LinkedQuestion& question, const rules::SchemaView& view);

}  // namespace quaestor::native
