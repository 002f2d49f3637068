// Checkpoints and pending writes in SQLite tables. Arguments have been checked; values are JSON text.
// Functions over a connection: those that write expect a transaction and leave nothing behind when they fail with it.
// Threads: as the Database given.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "graph/checkpoint.hpp"
#include "store/sqlite_handle.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::store::sqlite {

/// A checkpoint on its way into the table.
struct CheckpointRow {
    explicit CheckpointRow(graph::Checkpoint checkpoint);

    graph::Checkpoint checkpoint;  ///< without what follows
    json::value set;
    json::value append;
    json::value metadata;
};

[[nodiscard]] Result<> put_checkpoint(Database& database, const CheckpointRow& row);
[[nodiscard]] Result<> put_writes(Database& database, const std::string& thread_id, const std::string& checkpoint_id,
                                  const std::vector<graph::PendingWrite>& writes);
[[nodiscard]] Result<std::optional<graph::SavedCheckpoint>> get_checkpoint(Database& database,
                                                                           const std::string& thread_id,
                                                                           const std::optional<std::string>& id);
[[nodiscard]] Result<std::vector<graph::CheckpointInfo>> list_checkpoints(Database& database,
                                                                          const graph::CheckpointQuery& query);
[[nodiscard]] Result<std::size_t> delete_thread(Database& database, const std::string& thread_id);
[[nodiscard]] Result<std::size_t> copy_thread(Database& database, const std::string& from, const std::string& to);
[[nodiscard]] Result<std::size_t> prune(Database& database, const graph::PruneQuery& query);

}  // namespace quaestor::store::sqlite
