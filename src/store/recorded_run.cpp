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

/// Reads a run's events to their end, keeping the steps. A listener that throws must not leave the run waiting.
Task<> listen(EventStream& events, RunRecord& record, const Listener& listener) {
    try {
        while (auto event = co_await events.next()) {
            if (event->kind == EventKind::node_end) record.trace.push_back(step_of(*event));
            if (listener) listener(*event);
        }
    } catch (...) {
        events.leave();
        throw;
    }
}

json::value outcome_of(const AnyResult& result) {
    if (result.error) return {{"error", encode(*result.error)}};
    if (!result.interrupts.empty()) return {{"interrupts", encode(result.interrupts)}};
    return {{"state", result.state}};
}

using Start = std::function<Task<AnyResult>(graph::RunOptions)>;

struct Heard {
    AnyResult result;
    std::exception_ptr listener_threw;
};

/// Runs with events going to the record and the listener; returns when both have seen the end.
Task<Heard> run_and_listen(RunRecord& run, graph::RunOptions options, const Start& start, const Listener& listener) {
    const auto executor = co_await asio::this_coro::executor;
    EventStream events(executor, graph::ReaderGone::finish_run);
    options.events = &events;
    AnyResult result;
    const auto running = [&]() -> Task<> {
        result = co_await start(std::move(options));
        events.finish();  // also when the run was refused before it began
    };
    const auto [order, run_threw, listener_threw] =
        co_await asio::experimental::make_parallel_group(
            asio::co_spawn(executor, running, asio::deferred),
            asio::co_spawn(executor, listen(events, run, listener), asio::deferred))
            .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    if (run_threw) std::rethrow_exception(run_threw);
    result.run_id = run.run_id;
    result.thread_id = run.thread_id;
    co_return Heard{std::move(result), listener_threw};
}

/// `before` is the record as it was, when there was one.
Task<AnyResult> record(Store& store, RunRecord run, std::optional<RunRecord> before, graph::RunOptions options,
                       Start start, Listener listener) {
    options.checkpoints = &store.checkpoints();
    Clock& clock = *options.clock;
    run.status = "running";
    run.outcome = options.metadata.empty() ? json::value() : json::object{{"metadata", options.metadata}};
    if (auto saved = co_await store.traces().save(run); !saved) {
        co_return AnyResult{{.run_id = run.run_id, .thread_id = run.thread_id, .error = std::move(saved.error())},
                            /*state=*/{}};
    }
    auto [result, listener_threw] = co_await run_and_listen(run, std::move(options), start, listener);
    run.status = std::string(encode(result.status).as_string());
    run.outcome = outcome_of(result);
    run.ended_at = clock.wall();
    const bool was_refused = result.error && result.steps == 0;
    if (was_refused && before) run = std::move(*before);
    auto saved = co_await store.traces().save(std::move(run));
    if (listener_threw) std::rethrow_exception(listener_threw);
    if (!saved && !result.error) {
        result.status = graph::RunStatus::failed;
        result.error =
            Error{saved.error().code, "the run ended, but that could not be recorded", {}}.because(saved.error());
    }
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
    const auto start = [&](graph::RunOptions prepared) {
        return graph.run_json(std::move(input), std::move(prepared));
    };
    co_return co_await record(store, std::move(run), {}, std::move(options), start, std::move(listener));
}

Task<AnyResult> resume_recorded(Store& store, const graph::AnyGraph& graph, RunRecord run, graph::Answers answers,
                                graph::RunOptions options, Listener listener) {
    options.run_id = run.run_id;
    options.thread_id = run.thread_id;
    // A run that cannot go on stays as it was; a new run over an old checkpoint has no such past.
    std::optional<RunRecord> before;
    if (!run.status.empty()) before = run;
    run.ended_at.reset();
    const auto start = [&](graph::RunOptions prepared) {
        return graph.resume_json(std::move(prepared), std::move(answers));
    };
    co_return co_await record(store, std::move(run), std::move(before), std::move(options), start, std::move(listener));
}

}  // namespace quaestor::store
