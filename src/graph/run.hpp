// How a run is started and how it ends: options in, outcome out.
// A run lives on the executor that awaits it: a loop with one thread, or a strand.
// Threads: options and outcomes are plain values; a CancelSource may be used from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "graph/checkpoint.hpp"
#include "graph/event.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::graph {

/// When a step's checkpoint is written.
enum class Durability {
    sync,   ///< before the next step begins: what was reported is stored
    async,  ///< while the next steps run; the run ends after the last one is stored
    exit,   ///< once, when the run ends for whatever reason
};
BOOST_DESCRIBE_ENUM(Durability, sync, async, exit)

inline constexpr int kStepLimitDefault = 200;
inline constexpr int kParallelDefault = 1'024;
/// Tasks that one fan-out may make.
inline constexpr std::size_t kFanOutMax = 100'000;
/// Checkpoints between two whole snapshots.
inline constexpr int kSnapshotInterval = 16;

struct RunOptions {
    std::string thread_id;                   ///< whose state is continued; empty: a new thread
    std::string run_id;                      ///< empty: a new id
    CheckpointStore* checkpoints = nullptr;  ///< none: nothing is saved, interrupts cannot be resumed
    Durability durability = Durability::async;
    int step_limit = kStepLimitDefault;     ///< supersteps; reaching it is an error, not an end
    int parallel_limit = kParallelDefault;  ///< tasks of one fan-out that run at the same time
    Deadline deadline;                      ///< for the whole run
    CancelToken cancel;
    EventStream* events = nullptr;  ///< who listens
    json::object metadata;          ///< kept with every checkpoint, for list() to filter by
    Clock* clock = &system_clock();
    Random* random = &system_random();
};

enum class RunStatus {
    finished,     ///< reached END
    interrupted,  ///< waits for answers; resume() continues
    failed,       ///< a node, a limit or the store failed; resume() tries again from the last checkpoint
    cancelled,    ///< stopped from outside; resume() continues
};
BOOST_DESCRIBE_ENUM(RunStatus, finished, interrupted, failed, cancelled)

/// A question that a node asked of a person.
struct Interrupt {
    std::string id;  ///< "node:task:index"; key for answering several at once
    std::string node;
    json::value question;
    std::string problem;  ///< why the previous answer was not accepted; empty the first time
};
BOOST_DESCRIBE_STRUCT(Interrupt, (), (id, node, question, problem))

struct RunOutcome {
    RunStatus status = RunStatus::failed;
    std::string run_id;
    std::string thread_id;
    std::string checkpoint_id;          ///< the last one written; empty without a store
    std::int64_t steps = 0;             ///< supersteps of this call
    std::vector<Interrupt> interrupts;  ///< open questions, when interrupted
    std::optional<Error> error;         ///< names node, attempt and cause, when failed or cancelled
};

/// Answers for resume(): nothing (try again), one value for the one open question, or values by interrupt id.
using Answers = std::map<std::string, json::value>;
inline const std::string kOnlyQuestion;  ///< key that means "the one open question"

}  // namespace quaestor::graph
