// Functions that make a value as large as they are told: repeat('x', 1e9), range(1e9). DuckDB counts neither their
// memory against its limit nor can it be interrupted within one of them, so the guard wants to see a small number.
// Private to data/. Threads: pure function.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <string>

namespace quaestor::data {

/// Largest number that such a function may be told.
inline constexpr std::size_t kValueSizeMax = 10'000;

/// What to write instead, when a FUNCTION of DuckDB's tree is such a function and its size is not known to be small;
/// empty when all is well. `is_method`: its first argument is written in front of it, name.repeat(3).
[[nodiscard]] std::string objection_to_size(const json::object& function, bool is_method);

}  // namespace quaestor::data
