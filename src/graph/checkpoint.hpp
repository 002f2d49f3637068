// What the runtime saves after each step, and the port through which it saves. Backends live in store/.
// A checkpoint holds only what its step changed; whole snapshots come at intervals, so that reading one is bounded.
// Threads: a CheckpointStore may be called from any executor; it never blocks the caller's thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::graph {

/// The block of memory that the values of one checkpoint share, so that a small one costs one allocation and is dropped
/// without visiting its values. They must not outlive it: copy them by assigning to a value that has memory of its own,
/// never by constructing one from them. Without a block, values lie where they would anyway.
class ValueMemory {
public:
    ValueMemory() = default;
    [[nodiscard]] static ValueMemory make();
    ValueMemory(ValueMemory&&) noexcept = default;
    ValueMemory& operator=(ValueMemory&&) = delete;

    [[nodiscard]] json::storage_ptr storage() const;

private:
    struct Block;
    struct Free {
        void operator()(Block* block) const;
    };
    std::unique_ptr<Block, Free> block_;
};

/// A change of the state as data: fields with new values, and items added to the end of list fields.
struct Patch {
    json::object set;
    json::object append;  ///< field → array of the items added
};
BOOST_DESCRIBE_STRUCT(Patch, (), (set, append))

/// Applies `patch` to `state`. Code::corrupt when it appends to something that is no list.
[[nodiscard]] Result<> apply(const Patch& patch, json::object& state);

/// One step's result as it is stored. It can be moved, but not copied or assigned: see ValueMemory.
struct Checkpoint {
    ValueMemory memory = {};  ///< of change, position and metadata; the first member, so that it goes last
    std::string thread_id;
    std::string id;            ///< unique within its thread
    std::string parent_id;     ///< the checkpoint it stands on; empty for a thread's first
    bool is_snapshot = false;  ///< `change.set` is the whole state; nothing before it is needed to read it
    Patch change;
    json::value position;   ///< where the run goes on from here; the engine's own, opaque to a store
    json::object metadata;  ///< what list() filters by: source, step, run_id, graph and the caller's own
    WallTime created_at;
};

/// A copy that has memory of its own.
[[nodiscard]] Checkpoint copy_of(const Checkpoint& original);

/// What a task of the superstep after a checkpoint left behind before that superstep was complete.
struct PendingWrite {
    enum class Kind { update, interrupt, resume, failure };
    BOOST_DESCRIBE_NESTED_ENUM(Kind, update, interrupt, resume, failure)

    std::int64_t task = 0;  ///< place of the task in its superstep
    Kind kind = Kind::update;
    std::int64_t index = 0;  ///< several of one kind, such as the answers to two interrupts of one node
    json::value value;
};
BOOST_DESCRIBE_STRUCT(PendingWrite, (), (task, kind, index, value))

/// A checkpoint read back: the whole state, and the pending writes in order of task, kind and index.
struct SavedCheckpoint {
    std::string thread_id;
    std::string id;
    std::string parent_id;
    json::object state;
    json::value position;
    json::object metadata;
    WallTime created_at;
    std::vector<PendingWrite> writes;
};

/// A line of a listing: everything but the state.
struct CheckpointInfo {
    std::string thread_id;
    std::string id;
    std::string parent_id;
    bool is_snapshot = false;
    json::value position;
    json::object metadata;
    WallTime created_at;
};

struct CheckpointQuery {
    std::optional<std::string> thread_id;  ///< all threads without it
    std::optional<std::string> before;     ///< only checkpoints stored before this one; needs thread_id
    json::object metadata;                 ///< each key must be there with an equal string, number, bool or null
    std::size_t limit = 100;
};

struct PruneQuery {
    std::optional<std::string> thread_id;  ///< all threads without it
    std::size_t keep_last = 1;             ///< newest checkpoints that stay, per thread
    std::optional<WallTime> older_than;    ///< if given, only checkpoints made before it go
};

/// The port. "Newest" is the order in which checkpoints were stored, whatever their clocks said.
class CheckpointStore {
public:
    virtual ~CheckpointStore() = default;

    /// Stores a checkpoint durably. Storing the same id again replaces it in its place, so a retry is harmless.
    virtual Task<Result<>> put(Checkpoint checkpoint) = 0;

    /// Stores several in order, as a run leaves them behind when it is faster than the store. After an error some of
    /// the first may be stored. A backend overrides it where it can store them together.
    virtual Task<Result<>> put_all(std::vector<Checkpoint> checkpoints);

    /// Stores pending writes of a checkpoint durably; one with the same task, kind and index replaces the old.
    virtual Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id,
                                      std::vector<PendingWrite> writes) = 0;

    /// One checkpoint, or the thread's newest without an id; nothing when there is none.
    /// Code::corrupt when its state cannot be put together.
    virtual Task<Result<std::optional<SavedCheckpoint>>> get(std::string thread_id,
                                                             std::optional<std::string> id = {}) = 0;

    /// Newest first.
    virtual Task<Result<std::vector<CheckpointInfo>>> list(CheckpointQuery query) = 0;

    /// Removes a thread's checkpoints and writes; returns how many checkpoints there were. 0 is no error.
    virtual Task<Result<std::size_t>> delete_thread(std::string thread_id) = 0;

    /// Copies checkpoints and writes to a new thread, in order. Code::not_found, Code::already_exists.
    virtual Task<Result<std::size_t>> copy_thread(std::string from, std::string to) = 0;

    /// Removes old checkpoints; what stays can still be read whole. Returns how many were removed.
    virtual Task<Result<std::size_t>> prune(PruneQuery query) = 0;
};

}  // namespace quaestor::graph
