// What SQLite's columns hold. SQLite keeps any value in any column; a declared type is a hint, and the values decide.
// Private to the SQLite engine.
// Threads: pure functions.
#pragma once

#include "data/result_set.hpp"

#include <string_view>

namespace quaestor::data::sqlite {

/// By the declared type, or ValueKind::other when it says nothing.
[[nodiscard]] ValueKind kind_of_declared(std::string_view type);

/// True for date, time and timestamp when `value` is written like one: "2026-01-31", "12:30:00.5".
[[nodiscard]] bool looks_like(ValueKind kind, std::string_view value);

}  // namespace quaestor::data::sqlite
