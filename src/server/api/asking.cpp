#include "server/api/asking.hpp"

#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "server/api/event_map.hpp"
#include "server/api/node_labels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

namespace quaestor::server {

namespace {

using workflows::Agent;
using workflows::Answer;

constexpr std::size_t kTitleCharacters = 50;
constexpr std::string_view kAgentKey = "agent";
constexpr std::string_view kRunnerKey = "runner";
constexpr std::size_t kAdoptedMax = 10'000;

Result<> check_choice(std::string_view name, const std::optional<std::string>& value,
                      std::span<const std::string_view> allowed) {
    if (!value || std::ranges::find(allowed, *value) != allowed.end()) return {};
    return fail(Code::invalid_argument,
                fmt::format("{}: \"{}\" is none of those there are", name, text::shorten(*value, kTitleCharacters)),
                fmt::format("use {}", fmt::join(allowed, ", ")));
}

/// What a person set beside the question, as a workflow's state names it.
json::object overrides_of(const ChatRequest& request) {
    json::object set;
    const auto put = [&](std::string_view name, const std::optional<std::string>& value) {
        if (value) set[name] = *value;
    };
    put("override_schema", request.override_schema);
    put("override_direction", request.override_direction);
    put("override_mode", request.override_mode);
    put("mode", request.mode);
    return set;
}

std::string text_at(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

/// The agent that a thread is with, by its newest checkpoint; empty for a new one.
Task<Result<std::string>> agent_of_thread(Desk& desk, const std::string& thread_id) {
    graph::CheckpointQuery newest;
    newest.thread_id = thread_id;
    newest.limit = 1;
    auto found = co_await desk.store.checkpoints().list(std::move(newest));
    if (!found) co_return fail(found.error());
    co_return found->empty() ? std::string() : text_at(found->front().metadata, kAgentKey);
}

/// Whom a question is for. The directory keeps the agent alive.
struct Chosen {
    std::shared_ptr<const AgentDirectory> directory;
    const Agent* agent = nullptr;
    std::string reason;
};

Task<Result<Chosen>> choose_agent(Desk& desk, const ChatRequest& request, const std::string& begun_with) {
    Chosen chosen{desk.agents(), nullptr, {}};
    if (request.agent && !begun_with.empty() && begun_with != *request.agent) {
        co_return fail(Code::conflict, fmt::format("this conversation is with {}", begun_with),
                       fmt::format("begin a new one to ask {}", *request.agent));
    }
    if (request.agent || !begun_with.empty()) {
        auto opened = chosen.directory->open(request.agent.value_or(begun_with));
        if (!opened) co_return fail(opened.error());
        chosen.agent = *opened;
        co_return chosen;
    }
    auto routed = co_await chosen.directory->route(request.question);
    if (!routed) co_return fail(routed.error());
    chosen.agent = routed->agent;
    chosen.reason = std::move(routed->reason);
    co_return chosen;
}

/// One run on its way: what it needs, and what is told of it.
struct Work {
    std::shared_ptr<LiveRun> run;
    Chosen chosen;
    json::object input;
    std::optional<store::RunRecord> unfinished;  ///< a run that another process left
};

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

/// Who begins a thread owns it.
Task<Result<>> begin_conversation(Desk& desk, const Caller& caller, const LiveRun& run) {
    store::ConversationInfo info;
    info.thread_id = run.about.thread_id;
    info.owner = caller.owner;
    info.title = title_of(run.about.question);
    info.created_at = desk.clock.wall();
    if (auto begun = co_await desk.store.conversations().begin(std::move(info)); !begun) co_return begun;
    auto own = co_await own_conversation(desk, caller, run.about.thread_id);
    if (!own) co_return fail(own.error());
    co_return Result<>();
}

/// Begins `about`'s run and sends it to work; the thread is free again when it cannot begin.
Task<StartedRun> begin_work(Desk& desk, const Caller& caller, RunAbout about, Chosen chosen, json::object input,
                            bool answers_a_question) {
    auto run = desk.hub.begin(std::move(about));
    if (!run) co_return fail(run.error());
    auto begun = co_await begin_conversation(desk, caller, **run);
    if (begun && answers_a_question) {
        // Somebody else may have answered while this thread was not yet ours.
        auto waiting = co_await workflows::waiting_run(desk.store, *chosen.agent, (*run)->about.thread_id);
        if (!waiting || !*waiting || (*waiting)->run_id != (*run)->about.run_id) {
            begun = fail(Code::conflict, "that question has been answered already", "read the conversation again");
        }
    }
    if (!begun) {
        desk.hub.release(*run);
        (*run)->log.close();
        co_return fail(begun.error());
    }
    desk.parts.spawn(do_work(desk, Work{*run, std::move(chosen), std::move(input), std::nullopt}));
    co_return *run;
}

/// What a run that still counts as running was started with.
std::string started_with(const store::RunRecord& record, std::string_view name) {
    boost::system::error_code none;
    const auto* value = record.outcome.find_pointer(fmt::format("/metadata/{}", name), none);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
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
                   .question = (*record)->input.is_object() ? text_at((*record)->input.get_object(), "question") : ""};
    auto run = desk.hub.begin(std::move(about));
    if (!run) co_return fail(run.error());
    log::info("going on with a run that was left", {{"agent", (*run)->about.agent}},
              {.trace_id = summary.run_id, .node = {}});
    desk.parts.spawn(do_work(desk, Work{*run, std::move(chosen), {}, std::move(**record)}));
    co_return Result<>();
}

}  // namespace

Result<> check(const ChatRequest& request, std::size_t question_bytes) {
    constexpr std::array<std::string_view, 3> kSchemas{"hs92", "hs12", "sitc"};
    constexpr std::array<std::string_view, 2> kDirections{"exports", "imports"};
    constexpr std::array<std::string_view, 2> kModes{"goods", "services"};
    constexpr std::array<std::string_view, 4> kSystemModes{"auto", "sql_only", "graphql_sql", "graphql_only"};
    if (auto usable = workflows::usable_question(request.question); !usable) {
        return fail(Code::invalid_argument, fmt::format("question: {}", usable.error().message),
                    std::string(usable.error().advice()));
    }
    if (request.question.size() > question_bytes) {
        return fail(Code::invalid_argument, fmt::format("question: at most {} bytes are read", question_bytes),
                    "ask a shorter question, or several");
    }
    if (request.thread_id && !is_valid_id(*request.thread_id)) {
        return fail(Code::invalid_argument, "thread_id: this is no valid id", "use 1 to 128 of A-Z a-z 0-9 . _ : -");
    }
    if (auto valid = check_choice("override_schema", request.override_schema, kSchemas); !valid) return valid;
    if (auto valid = check_choice("override_direction", request.override_direction, kDirections); !valid) return valid;
    if (auto valid = check_choice("override_mode", request.override_mode, kModes); !valid) return valid;
    return check_choice("mode", request.mode, kSystemModes);
}

std::string title_of(std::string_view question) {
    std::string_view title = text::trim(question.substr(0, question.find_first_of(".!?")));
    if (title.empty()) title = text::trim(question);
    std::size_t characters = 0;
    std::size_t end = 0;
    std::size_t last_space = 0;
    for (; end < title.size() && characters <= kTitleCharacters; ++end) {
        const bool is_start = (static_cast<unsigned char>(title[end]) & 0xC0U) != 0x80U;
        if (is_start && ++characters > kTitleCharacters) break;
        if (title[end] == ' ') last_space = end;
    }
    if (end == title.size()) return std::string(title);
    return std::string(title.substr(0, last_space == 0 ? end : last_space)) + "...";
}

Task<StartedRun> start_run(Desk& desk, Caller caller, ChatRequest request) {
    std::string begun_with;
    if (request.thread_id) {
        auto info = co_await desk.store.conversations().info(*request.thread_id);
        if (!info) co_return fail(info.error());
        if (*info) {
            if (auto own = co_await own_conversation(desk, caller, *request.thread_id); !own) {
                co_return fail(own.error());
            }
        }
        auto agent = co_await agent_of_thread(desk, *request.thread_id);
        if (!agent) co_return fail(agent.error());
        begun_with = std::move(*agent);
    }
    auto chosen = co_await choose_agent(desk, request, begun_with);
    if (!chosen) co_return fail(chosen.error());
    auto waiting = co_await workflows::waiting_run(desk.store, *chosen->agent, request.thread_id.value_or(""));
    if (!waiting) co_return fail(waiting.error());
    const std::string run_id = *waiting ? (*waiting)->run_id : make_id();
    RunAbout about{.run_id = run_id,
                   .thread_id = request.thread_id.value_or(run_id),
                   .owner = caller.owner,
                   .agent = chosen->agent->info().name,
                   .question = request.question};
    co_return co_await begin_work(desk, caller, std::move(about), std::move(*chosen), overrides_of(request),
                                  waiting->has_value());
}

Task<StartedRun> answer_run(Desk& desk, Caller caller, std::string run_id, std::string said) {
    const auto unknown = fail(Code::not_found, fmt::format("there is no run {}", run_id), "list yours: GET /api/runs");
    if (!is_valid_id(run_id)) co_return unknown;
    auto record = co_await desk.store.traces().get(run_id);
    if (!record) co_return fail(record.error());
    if (!*record) co_return unknown;
    const std::string thread_id = (*record)->thread_id;
    if (auto own = co_await own_conversation(desk, caller, thread_id); !own) co_return unknown;
    auto begun_with = co_await agent_of_thread(desk, thread_id);
    if (!begun_with) co_return fail(begun_with.error());
    ChatRequest request;
    request.question = std::move(said);
    request.thread_id = thread_id;
    auto chosen = co_await choose_agent(desk, request, *begun_with);
    if (!chosen) co_return fail(chosen.error());
    auto waiting = co_await workflows::waiting_run(desk.store, *chosen->agent, thread_id);
    if (!waiting) co_return fail(waiting.error());
    if (!*waiting || (*waiting)->run_id != run_id) {
        co_return fail(Code::conflict, fmt::format("the run {} does not wait for an answer", run_id),
                       "ask a new question in its conversation");
    }
    RunAbout about{run_id, thread_id, caller.owner, chosen->agent->info().name, request.question};
    co_return co_await begin_work(desk, caller, std::move(about), std::move(*chosen), {}, true);
}

Task<> follow(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after, StreamWriter& writer) {
    const LiveRun::Follower follower(run, desk.clock);
    while (!writer.gone().cancelled()) {
        const auto piece = co_await run->log.next(after, desk.settings.keep_alive, writer.gone());
        const bool is_quiet = piece.bytes.empty();
        if (!(is_quiet && piece.ended)) {
            if (auto sent = co_await writer.write(is_quiet ? kKeepAlive : piece.bytes); !sent) co_return;
        }
        if (piece.ended) co_return;
        after = piece.last;
    }
}

StreamResponse stream_of(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after) {
    return {.headers = {{"Content-Type", "text/event-stream"},
                        {"Cache-Control", "no-cache"},
                        {"X-Accel-Buffering", "no"},
                        {"X-Run-Id", run->about.run_id}},
            .body = [&desk, run, after](StreamWriter& writer) { return follow(desk, run, after, writer); }};
}

Task<LiveRun::Ending> end_of_run(Desk& desk, std::shared_ptr<LiveRun> run) {
    const LiveRun::Follower follower(run, desk.clock);
    std::uint64_t after = 0;
    for (;;) {
        const auto piece = co_await run->log.next(after, desk.settings.keep_alive, {});
        if (piece.ended) co_return run->ending();
        after = piece.last;
    }
}

Task<> adopt_runs(Desk& desk, std::function<bool(std::string_view runner)> is_dead) {
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

}  // namespace quaestor::server
