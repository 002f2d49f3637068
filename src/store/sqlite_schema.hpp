// The file of an SQLite store: who may read it, whether it is ours, and what its tables look like.
// Opening makes the file where there is none, and brings an older one up to date.
// Threads: call from one thread; several processes may open the same file at once.
#pragma once

#include "base/error.hpp"
#include "store/sqlite_handle.hpp"
#include "store/store.hpp"

namespace quaestor::store::sqlite {

/// The version that this program writes. Older files are migrated, newer ones refused.
inline constexpr int kSchemaVersion = 3;

/// Stored in the file's header ("Quae"), so that no other program's database is taken for a store.
inline constexpr std::int32_t kApplicationId = 0x51756165;

/// Opens the connection that writes. The file is made, readable by its owner only, if it is not there.
[[nodiscard]] Result<Database> open_for_writing(const StoreSettings& settings);

/// Opens a connection that only reads. The file must have been opened for writing before.
[[nodiscard]] Result<Database> open_for_reading(const StoreSettings& settings);

}  // namespace quaestor::store::sqlite
