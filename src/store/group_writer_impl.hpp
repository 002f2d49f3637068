// How a GroupWriter works: waiters queue up, the writer's thread takes as many as fit a group and tells each its
// result. Included by group_writer.hpp only. The queue is shared with the waiters, whose cancellation may come at any
// time. Threads: a Queue may be used from any thread; its mutex guards it, and the `resume` of every waiter.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>

namespace quaestor::store {

/// One caller of submit().
template <class Change>
struct GroupWriter<Change>::Waiter {
    using Resume = std::move_only_function<void(boost::system::error_code)>;

    explicit Waiter(Change wanted) : change(std::move(wanted)) {}

    /// Keeps the caller's event loop running until it is resumed there. The guard stays with the function and not with
    /// what it posts: the loop must not end, and be destroyed, while post() is still at work on it.
    template <class Handler>
    static Resume resume_with(Handler handler) {
        auto executor = asio::get_associated_executor(handler);
        auto work = asio::make_work_guard(executor);
        return [handler = std::move(handler), executor, work = std::move(work)](auto error) mutable {
            asio::post(executor, [handler = std::move(handler), error]() mutable { std::move(handler)(error); });
        };
    }

    Change change;    ///< the caller's, then the writer's
    Result<> result;  ///< the writer's, then the caller's
    Resume resume;    ///< taken by the writer or by a cancellation, whichever comes first
};

template <class Change>
struct GroupWriter<Change>::Queue {
    using WaiterPtr = std::shared_ptr<Waiter>;

    void push(WaiterPtr waiter) {
        std::unique_lock lock(mutex);
        if (waiting.size() >= kQueueMax) {
            waiting_for_room.push_back(std::move(waiter));
            return;
        }
        waiting.push_back(std::move(waiter));
        const bool wake = std::exchange(idle, false);
        lock.unlock();
        if (wake) changed.notify_one();
    }

    /// Ends the wait. Takes the change back if it has not got into the queue yet; otherwise it will be committed.
    void cancel(const WaiterPtr& waiter) {
        typename Waiter::Resume resume;
        {
            const std::lock_guard lock(mutex);
            resume = std::exchange(waiter->resume, nullptr);
            std::erase(waiting_for_room, waiter);
        }
        if (resume) resume(asio::error::operation_aborted);
    }

    /// Waits for work and takes as much as fits a group; nothing when the queue is closed and empty.
    std::vector<WaiterPtr> pop_group() {
        std::unique_lock lock(mutex);
        while (waiting.empty() && !closed) {
            idle = true;
            changed.wait(lock);
        }
        std::vector<WaiterPtr> group;
        move_front(waiting, group, kGroupMax);
        move_front(waiting_for_room, waiting, kQueueMax - waiting.size());
        return group;
    }

    void finish(const std::vector<WaiterPtr>& group) {
        std::vector<typename Waiter::Resume> resumes(group.size());
        {
            const std::lock_guard lock(mutex);
            for (std::size_t i = 0; i < group.size(); ++i) resumes[i] = std::exchange(group[i]->resume, nullptr);
        }
        for (auto& resume : resumes) {
            if (resume) resume({});
        }
    }

    void close() {
        const std::lock_guard lock(mutex);
        closed = true;
        changed.notify_one();
    }

    static void move_front(std::deque<WaiterPtr>& from, auto& to, std::size_t most) {
        const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(from.size(), most));
        to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(end));
        from.erase(from.begin(), end);
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<WaiterPtr> waiting;           ///< at most kQueueMax
    std::deque<WaiterPtr> waiting_for_room;  ///< those who came when it was full, in order
    bool idle = false;                       ///< the writer sleeps and must be woken
    bool closed = false;
};

template <class Change>
GroupWriter<Change>::GroupWriter(Commit commit)
    : commit_(std::move(commit)), queue_(std::make_shared<Queue>()), thread_([this] { write_until_closed(); }) {}

template <class Change>
GroupWriter<Change>::~GroupWriter() {
    queue_->close();
    thread_.join();
}

template <class Change>
Task<Result<>> GroupWriter<Change>::submit(Change change) {
    const auto waiter = std::make_shared<Waiter>(std::move(change));
    const auto wait = [queue = queue_, waiter](auto handler) {
        if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) {
            slot.assign([queue, waiter](asio::cancellation_type) { queue->cancel(waiter); });
        }
        waiter->resume = Waiter::resume_with(std::move(handler));
        queue->push(waiter);
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(boost::system::error_code)>(wait,
                                                                                                   asio::use_awaitable);
    co_return std::move(waiter->result);
}

template <class Change>
void GroupWriter<Change>::write_until_closed() {
    for (auto group = queue_->pop_group(); !group.empty(); group = queue_->pop_group()) {
        std::vector<Change> changes;
        changes.reserve(group.size());
        for (const auto& waiter : group) changes.push_back(std::move(waiter->change));

        auto results = commit(std::move(changes));
        for (std::size_t i = 0; i < group.size(); ++i) group[i]->result = std::move(results[i]);
        queue_->finish(group);
    }
}

/// One result per change, whatever the backend's function does.
template <class Change>
std::vector<Result<>> GroupWriter<Change>::commit(std::vector<Change> group) {
    const std::size_t size = group.size();
    std::vector<Result<>> results;
    try {
        results = commit_(group);
    } catch (const std::exception& error) {
        results.assign(size, fail(Code::internal, std::string("the store could not write: ") + error.what()));
    }
    results.resize(size, fail(Code::internal, "the store gave no result for a change"));
    return results;
}

}  // namespace quaestor::store
