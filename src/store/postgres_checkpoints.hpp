// Checkpoints in PostgreSQL.
// Part of the PostgreSQL store, which owns the database.
// Threads: as CheckpointStore.
#pragma once

#include "graph/checkpoint.hpp"
#include "store/postgres_database.hpp"

namespace quaestor::store::postgres {

class Checkpoints final : public graph::CheckpointStore {
public:
    explicit Checkpoints(Database& database) : database_(database) {}

    Task<Result<>> put(graph::Checkpoint checkpoint) override;
    Task<Result<>> put_all(std::vector<graph::Checkpoint> checkpoints) override;
    Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id,
                              std::vector<graph::PendingWrite> writes) override;
    Task<Result<std::optional<graph::SavedCheckpoint>>> get(std::string thread_id,
                                                            std::optional<std::string> id) override;
    Task<Result<std::vector<graph::CheckpointInfo>>> list(graph::CheckpointQuery query) override;
    Task<Result<std::size_t>> delete_thread(std::string thread_id) override;
    Task<Result<std::size_t>> copy_thread(std::string from, std::string to) override;
    Task<Result<std::size_t>> prune(graph::PruneQuery query) override;

private:
    Database& database_;
};

}  // namespace quaestor::store::postgres
