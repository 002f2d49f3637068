// What each run did: which nodes, how long, how often, how it ended. Kept for `quaestor runs` and for people.
// A record is saved when a run starts and again when it ends, so a run that died is visible as still running.
// Threads: as Store.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"

#include <boost/describe/class.hpp>

#include <optional>
#include <string>
#include <vector>

namespace quaestor::store {

/// One attempt of one node.
struct TraceStep {
    std::int64_t step = 0;
    std::string node;
    std::string status;  ///< success, cached, error, interrupted, cancelled
    int attempt = 1;
    double latency_ms = 0;
    std::string error;  ///< empty unless status is error
};
BOOST_DESCRIBE_STRUCT(TraceStep, (), (step, node, status, attempt, latency_ms, error))

struct RunRecord {
    std::string run_id;
    std::string thread_id;
    std::string graph;
    std::string status;  ///< running, finished, interrupted, failed, cancelled
    WallTime started_at;
    std::optional<WallTime> ended_at;
    json::value input;
    json::value outcome;  ///< the error, or the open questions of an interrupted run; while it runs, its metadata
    std::vector<TraceStep> trace;
};
BOOST_DESCRIBE_STRUCT(RunRecord, (), (run_id, thread_id, graph, status, started_at, ended_at, input, outcome, trace))

struct RunQuery {
    std::optional<std::string> graph;
    std::optional<std::string> status;
    std::optional<std::string> thread_id;
    std::size_t limit = 100;
};

class TraceStore {
public:
    virtual ~TraceStore() = default;
    /// Stores a record; one with the same run_id is replaced.
    virtual Task<Result<>> save(RunRecord record) = 0;
    virtual Task<Result<std::optional<RunRecord>>> get(std::string run_id) = 0;
    /// The most recently started first; `trace` and `input` are left empty.
    virtual Task<Result<std::vector<RunRecord>>> list(RunQuery query) = 0;
};

}  // namespace quaestor::store
