// Writes a run's checkpoints as its durability asks: waiting for each, or letting them follow while the run goes on.
// What piles up meanwhile is handed to the store together. Owned by the engine of one run, which calls drain() before
// it ends. Threads: lives on the run's executor.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "graph/checkpoint.hpp"

#include <boost/asio/steady_timer.hpp>

#include <optional>
#include <string>
#include <vector>

namespace quaestor::graph {

/// Writes that may pile up for one run before it waits for the store.
inline constexpr std::size_t kWritesWaitingMax = 64;

class CheckpointWriter {
public:
    CheckpointWriter(asio::any_io_executor executor, CheckpointStore& store, bool waits_for_each);

    /// When it does not wait for each, the error of an earlier write is returned by a later call.
    Task<Result<>> put(Checkpoint checkpoint);
    Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id, std::vector<PendingWrite> writes);
    /// Waits until everything is stored; the first error, if there was one.
    Task<Result<>> drain();

    /// Id of the last checkpoint that the store has acknowledged; empty when there is none.
    [[nodiscard]] const std::string& last_stored() const { return last_stored_; }

private:
    struct Writes {
        std::string thread_id;
        std::string checkpoint_id;
        std::vector<PendingWrite> writes;
    };
    /// What piled up. The checkpoints are stored first: pending writes belong to one of them or to an earlier one.
    struct Pile {
        std::vector<Checkpoint> checkpoints;
        std::vector<Writes> writes;
        [[nodiscard]] std::size_t size() const { return checkpoints.size() + writes.size(); }
    };

    Task<> wait_for_room();
    void begin_writing();
    Task<> write_piles();
    Task<Result<>> write(Pile pile);

    asio::any_io_executor executor_;
    CheckpointStore& store_;
    const bool waits_for_each_;
    asio::steady_timer changed_;  ///< never expires; cancelled to wake the run when a pile was stored
    Pile pile_;
    bool is_writing_ = false;
    std::optional<Error> first_error_;
    std::string last_stored_;
};

}  // namespace quaestor::graph
