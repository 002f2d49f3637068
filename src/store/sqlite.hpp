// The store in one SQLite file: one thread writes, in groups; a few connections read beside it.
// Several processes may have the same file open; whoever opens a store owns it.
// Threads: as Store. Reads run on the store's own worker threads, writes on its writer's thread.
#pragma once

#include "base/error.hpp"
#include "store/store.hpp"

#include <memory>

namespace quaestor::store {

/// Connections that read, and so reads that run at the same time.
inline constexpr std::size_t kSqliteReaders = 4;

/// Uses path, fsync and, as the time to wait for a lock of another process, timeout of the settings. Blocks until the
/// file is open and its schema up to date.
[[nodiscard]] Result<std::unique_ptr<Store>> open_sqlite(const StoreSettings& settings);

}  // namespace quaestor::store
