// The store that lives in memory and ends with the process: for tests, for one-off questions, and for measuring.
// Whoever opens it owns it.
// Threads: as Store. A call takes a lock for a moment; states are put together outside it.
#pragma once

#include "store/store.hpp"

#include <memory>

namespace quaestor::store {

[[nodiscard]] std::unique_ptr<Store> open_memory();

}  // namespace quaestor::store
