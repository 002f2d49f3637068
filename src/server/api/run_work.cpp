#include "server/api/run_work.hpp"

#include "base/log.hpp"
#include "server/api/event_map.hpp"

#include <fmt/format.h>

namespace quaestor::server {

namespace {

using workflows::Answer;

constexpr std::size_t kAdoptedMax = 10'000;

graph::RunOptions options_for(const Desk& desk, const Work& work) {
    graph::RunOptions options = desk.settings.run;
    options.run_id = work.run->about.run_id;
    options.cancel = work.run->cancel.token();
    options.clock = &desk.clock;
    options.deadline = Deadline::after(desk.clock, desk.settings.run_time);
    options.metadata = {{kAgentKey, work.run->about.agent}, {kRunnerKey, desk.settings.runner}};
    return options;
}

void tell(LiveRun& run, const EventMap::Events& events) {
    for (const auto& event : events) run.log.append(event);
}

Task<Result<Answer>> answer_of(Desk& desk, Work& work, EventMap& map) {
    const auto& about = work.run->about;
    const auto hear = [&desk, &map, run = work.run.get()](const graph::Event& event) {
        if (event.kind == graph::EventKind::node_end) {
            desk.metrics.node(event.node, event.latency_ms.value_or(0) / 1'000);
        }
        tell(*run, map.hear(event));
    };
    workflows::AskRequest request{.question = about.question,
                                  .thread_id = about.thread_id,
                                  .options = options_for(desk, work),
                                  .listener = hear,
                                  .input = std::move(work.input)};
    if (work.unfinished) {
        co_return co_await workflows::go_on(*work.chosen.agent, desk.store, std::move(*work.unfinished),
                                            std::move(request));
    }
    co_return co_await workflows::ask(*work.chosen.agent, desk.store, std::move(request));
}

/// What the run threw, as an error; it must not take the server with it.
Task<Result<Answer>> guarded_answer(Desk& desk, Work& work, EventMap& map) {
    try {
        co_return co_await answer_of(desk, work, map);
    } catch (const std::exception& thrown) {
        log::error("a run threw", {{"what", thrown.what()}}, {.trace_id = work.run->about.run_id, .node = {}});
        co_return fail(Code::internal, "something went wrong inside while the question was answered",
                       "try again; the log says more");
    }
}

/// The text at a JSON pointer; empty where there is none.
std::string text_at(const json::value& value, std::string_view pointer) {
    boost::system::error_code none;
    const auto* found = value.find_pointer(pointer, none);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

/// What a run that still counts as running was started with.
std::string started_with(const store::RunRecord& record, std::string_view name) {
    return text_at(record.outcome, fmt::format("/metadata/{}", name));
}

Task<Result<>> adopt(Desk& desk, const store::RunRecord& summary) {
    auto record = co_await desk.store.traces().get(summary.run_id);
    if (!record) co_return fail(record.error());
    if (!*record) co_return Result<>();
    Chosen chosen{desk.agents(), nullptr, {}};
    auto agent = chosen.directory->open(started_with(summary, kAgentKey));
    if (!agent) co_return fail(agent.error());
    chosen.agent = *agent;
    auto info = co_await desk.store.conversations().info(summary.thread_id);
    if (!info) co_return fail(info.error());
    RunAbout about{.run_id = summary.run_id,
                   .thread_id = summary.thread_id,
                   .owner = *info ? (*info)->owner : "",
                   .agent = chosen.agent->info().name,
                   .question = text_at((*record)->input, "/question")};
    auto run = desk.hub.begin(std::move(about));
    if (!run) co_return fail(run.error());
    log::info("going on with a run that was left", {{"agent", (*run)->about.agent}},
              {.trace_id = summary.run_id, .node = {}});
    desk.parts.spawn(do_work(desk, Work{*run, std::move(chosen), {}, std::move(**record)}));
    co_return Result<>();
}

Task<> adopt_all(Desk& desk, const std::function<bool(std::string_view runner)>& is_dead) {
    auto left =
        co_await desk.store.traces().list({.graph = {}, .status = "running", .thread_id = {}, .limit = kAdoptedMax});
    if (!left) {
        log::error("runs that were left could not be read", {{"problem", left.error().describe()}});
        co_return;
    }
    for (const auto& summary : *left) {
        const std::string runner = started_with(summary, kRunnerKey);
        if (runner.empty() || runner == desk.settings.runner || !is_dead(runner)) continue;
        if (auto adopted = co_await adopt(desk, summary); !adopted) {
            log::error("a run that was left could not go on", {{"problem", adopted.error().describe()}},
                       {.trace_id = summary.run_id, .node = {}});
        }
    }
}

}  // namespace

Task<> do_work(Desk& desk, Work work) {
    LiveRun& run = *work.run;
    EventMap map(run.about, work.chosen.reason, work.unfinished.has_value());
    const auto answer = co_await guarded_answer(desk, work, map);
    const double seconds = std::chrono::duration<double>(desk.clock.now() - run.began).count();
    if (answer) {
        desk.metrics.run(run.about.agent, encode(answer->status).as_string(), seconds, answer->usage);
        run.end({*answer, map.error()});
    } else {
        desk.metrics.run(run.about.agent, "failed", seconds, {});
        run.end({std::nullopt, answer.error()});
    }
    // Free before the client hears the end: it may ask the next question at once.
    desk.hub.release(work.run);
    tell(run, answer ? map.end(*answer) : map.fail(answer.error()));
    run.log.close();
}

Task<> adopt_runs(Desk& desk, std::function<bool(std::string_view runner)> is_dead) {
    co_await adopt_all(desk, is_dead);
    desk.is_adopting = false;
}

}  // namespace quaestor::server
