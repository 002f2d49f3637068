// One thread that writes for everybody. Changes that arrive while it is busy are committed together in the next group,
// so that a hundred runs, or a hundred steps of one run, share one transaction and one fsync.
// Owned by a backend; its destructor commits what was submitted, then joins the thread.
// Threads: submit() from any executor; the commit function is called from the writer's thread only.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace quaestor::store {

/// Changes committed at most in one transaction.
inline constexpr std::size_t kGroupMax = 512;
/// Changes that may wait; submit() waits for room beyond it.
inline constexpr std::size_t kQueueMax = 8'192;

/// `Change` is what a backend needs to do one write. The results, one per change, say how each went: a change that is
/// wrong in itself fails alone, a database that is gone fails the group.
template <class Change>
class GroupWriter {
public:
    using Commit = std::function<std::vector<Result<>>(std::vector<Change>& group)>;

    explicit GroupWriter(Commit commit);
    ~GroupWriter();
    GroupWriter(const GroupWriter&) = delete;
    GroupWriter& operator=(const GroupWriter&) = delete;

    /// Resumes, on the caller's executor, when the change is durable or has failed. Changes of one caller, and of
    /// callers that submit one after another, are committed in that order. A caller that is cancelled while it waits
    /// does not undo its change, unless it still waited for room in the queue. The caller's executor must outlive the
    /// wait.
    Task<Result<>> submit(Change change);

private:
    struct Waiter;
    struct Queue;

    void write_until_closed();
    std::vector<Result<>> commit(std::vector<Change> group);

    const Commit commit_;
    const std::shared_ptr<Queue> queue_;
    std::thread thread_;
};

}  // namespace quaestor::store

#include "store/group_writer_impl.hpp"
