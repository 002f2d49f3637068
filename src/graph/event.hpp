// What a run tells while it works: a bounded stream of events with back-pressure. A slow reader slows the run down, a
// reader that leaves cancels it or lets it finish, as the reader chose.
// The stream belongs to whoever reads; it outlives the run.
// Threads: one run writes and one reader reads, each on an executor of its own.
#pragma once

#include "base/bell.hpp"
#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "resilience/cancellation.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

namespace quaestor::graph {

enum class EventKind { run_start, node_start, node_end, token, custom, checkpoint, interrupt, run_end };
BOOST_DESCRIBE_ENUM(EventKind, run_start, node_start, node_end, token, custom, checkpoint, interrupt, run_end)

/// How one attempt of a node ended.
enum class NodeStatus { success, cached, error, interrupted, cancelled };
BOOST_DESCRIBE_ENUM(NodeStatus, success, cached, error, interrupted, cancelled)

struct Event {
    EventKind kind = EventKind::custom;
    std::string run_id;
    std::int64_t step = 0;             ///< superstep, from 1
    std::string node;                  ///< empty for events of the run as a whole
    std::int64_t task = 0;             ///< place in a fan-out
    int attempt = 0;                   ///< node_start and node_end: from 1
    std::optional<NodeStatus> status;  ///< node_end
    std::optional<double> latency_ms;  ///< node_end
    json::value data;                  ///< node_end: update or error; token: text; run_end: outcome
};
BOOST_DESCRIBE_STRUCT(Event, (), (kind, run_id, step, node, task, attempt, status, latency_ms, data))

/// What becomes of the run when the reader leaves.
enum class ReaderGone { cancel_run, finish_run };
BOOST_DESCRIBE_ENUM(ReaderGone, cancel_run, finish_run)

/// Events that may wait for the reader unless the stream is made with another bound.
inline constexpr std::size_t kEventQueueDefault = 256;

class EventStream {
public:
    explicit EventStream(const asio::any_io_executor& executor, ReaderGone when_gone = ReaderGone::cancel_run,
                         std::size_t capacity = kEventQueueDefault);

    /// The next event; nothing when all have been read and the run has ended, or after leave().
    Task<std::optional<Event>> next();
    /// The reader leaves: nothing more will be read.
    void leave();

    /// For the run: adds an event, waiting for room. False when the reader has left.
    Task<bool> push(Event event);
    /// For the run: no more events will come; what was pushed can still be read.
    void finish();
    /// For the run: cancelled when the reader leaves and wants the run to end with it.
    [[nodiscard]] CancelToken gone() const { return gone_.token(); }

private:
    enum class Push { done, full, unread };
    [[nodiscard]] Push try_push(Event& event);

    const ReaderGone when_gone_;
    const std::size_t capacity_;
    CancelSource gone_;
    std::mutex mutex_;
    std::deque<Event> queue_;
    bool is_finished_ = false;
    bool has_left_ = false;
    Bell arrived_;  ///< for the reader: an event, or the end
    Bell room_;     ///< for the run: room, or the reader has left
};

}  // namespace quaestor::graph
