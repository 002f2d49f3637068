#include "store/recorded_run.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

namespace quaestor::store {

namespace {

using graph::AnyResult;
using graph::Event;
using graph::EventKind;
using graph::EventStream;

TraceStep step_of(const Event& event) {
    TraceStep step{.step = event.step,
                   .node = event.node,
                   .status = std::string(encode(*event.status).as_string()),
                   .attempt = event.attempt,
                   .latency_ms = event.latency_ms.value_or(0),
                   .error = {}};
    if (event.status == graph::NodeStatus::error) step.error = decode_error(event.data).describe();
    return step;
}

/// Reads a run's events to their end, keeping the steps.
Task<> listen(EventStream& events, RunRecord& record, const Listener& listener) {
    while (auto event = co_await events.next()) {
        if (event->kind == EventKind::node_end) record.trace.push_back(step_of(*event));
        if (listener) listener(*event);
    }
}

json::value outcome_of(const AnyResult& result) {
    if (result.error) return {{"error", encode(*result.error)}};
    if (!result.interrupts.empty()) return {{"interrupts", encode(result.interrupts)}};
    return {{"state", result.state}};
}

using Start = std::function<Task<AnyResult>(graph::RunOptions)>;

Task<AnyResult> record(Store& store, RunRecord record, graph::RunOptions options, Start start, Listener listener) {
    const auto executor = co_await asio::this_coro::executor;
    EventStream events(executor, graph::ReaderGone::finish_run);
    options.checkpoints = &store.checkpoints();
    options.events = &events;
    record.status = "running";
    if (auto saved = co_await store.traces().save(record); !saved) {
        AnyResult refused;
        refused.error = std::move(saved.error());
        co_return refused;
    }
    Clock& clock = *options.clock;
    AnyResult result;
    auto run = [&]() -> Task<> {
        result = co_await start(std::move(options));
        events.finish();  // also when the run was refused before it began
    };
    co_await asio::experimental::make_parallel_group(
        asio::co_spawn(executor, run, asio::deferred),
        asio::co_spawn(executor, listen(events, record, listener), asio::deferred))
        .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);

    record.status = std::string(encode(result.status).as_string());
    record.outcome = outcome_of(result);
    record.ended_at = clock.wall();
    auto saved = co_await store.traces().save(std::move(record));
    if (!saved && !result.error) result.error = std::move(saved.error());
    co_return result;
}

}  // namespace

Task<AnyResult> run_recorded(Store& store, const graph::AnyGraph& graph, json::value input, graph::RunOptions options,
                             Listener listener) {
    if (options.run_id.empty()) options.run_id = make_id();
    if (options.thread_id.empty()) options.thread_id = options.run_id;
    RunRecord run{.run_id = options.run_id,
                  .thread_id = options.thread_id,
                  .graph = graph.name(),
                  .status = {},
                  .started_at = options.clock->wall(),
                  .ended_at = {},
                  .input = input,
                  .outcome = {},
                  .trace = {}};
    const auto start = [&](graph::RunOptions prepared) { return graph.run_json(std::move(input), std::move(prepared)); };
    co_return co_await record(store, std::move(run), std::move(options), start, std::move(listener));
}

Task<AnyResult> resume_recorded(Store& store, const graph::AnyGraph& graph, RunRecord run, graph::Answers answers,
                                graph::RunOptions options, Listener listener) {
    options.run_id = run.run_id;
    options.thread_id = run.thread_id;
    run.ended_at.reset();
    const auto start = [&](graph::RunOptions prepared) {
        return graph.resume_json(std::move(prepared), std::move(answers));
    };
    co_return co_await record(store, std::move(run), std::move(options), start, std::move(listener));
}

}  // namespace quaestor::store
