// The store in PostgreSQL: for many processes that share their state, on one machine or on many.
// Whoever opens it owns it. Its tables live in the schema quaestor of the database that the URL names.
// Threads: as Store. A server that goes away fails calls with Code::unavailable; they work again when it is back.
#pragma once

#include "store/store.hpp"

#include <memory>

namespace quaestor::store {

/// Connects, and makes or migrates the tables. Blocks until that is done.
[[nodiscard]] Result<std::unique_ptr<Store>> open_postgres(const StoreSettings& settings);

}  // namespace quaestor::store
