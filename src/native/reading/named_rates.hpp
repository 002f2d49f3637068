// Rates that are called by what happens: "return rate" → "percentage of returned orders", where a column says which
// orders were returned. Private to native/.
// Threads: pure function.
#pragma once

#include "native/reading/linking.hpp"

#include <optional>
#include <string>

namespace quaestor::native {

/// The question in those words; nothing where it names no such rate, or where a column is called like it.
[[nodiscard]] std::optional<std::string> with_named_rates(const LinkedQuestion& question, const Knowledge& knowledge);

}  // namespace quaestor::native
