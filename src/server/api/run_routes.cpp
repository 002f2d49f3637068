#include "base/ids.hpp"
#include "server/api/asking.hpp"
#include "server/api/event_map.hpp"
#include "server/api/following.hpp"
#include "server/api/node_labels.hpp"
#include "server/api/route_kit.hpp"
#include "server/api/routes.hpp"
#include "server/api/turns.hpp"

#include <fmt/format.h>

#include <set>

namespace quaestor::server {

namespace {

constexpr std::size_t kRunsListedMax = 1'000;
constexpr std::size_t kRunsLookedAt = 5'000;
constexpr std::size_t kTurnsLookedAt = 1'000;

json::object run_json(const store::RunRecord& run) {
    json::object shown{{"run_id", run.run_id},
                       {"thread_id", run.thread_id},
                       {"graph", run.graph},
                       {"status", run.status},
                       {"started_at", to_iso8601(run.started_at)}};
    if (run.ended_at) {
        shown["ended_at"] = to_iso8601(*run.ended_at);
        shown["duration_ms"] = std::chrono::duration<double, std::milli>(*run.ended_at - run.started_at).count();
    }
    return shown;
}

/// Whom a run asked and what: the title of its conversation says neither once that has gone on.
Task<Result<>> name_run(Desk& desk, const store::RunRecord& run, json::object& shown) {
    auto agent = co_await agent_of_thread(desk, run.thread_id);
    if (!agent) co_return fail(agent.error());
    shown["agent"] = std::move(*agent);
    auto whole = co_await desk.store.traces().get(run.run_id);
    if (!whole) co_return fail(whole.error());
    const auto* input = *whole ? (*whole)->input.if_object() : nullptr;
    if (const auto* question = input != nullptr ? input->if_contains("question") : nullptr) {
        shown["question"] = *question;
    }
    co_return Result<>();
}

Task<Reply> list_runs(Desk& desk, Request request) {
    const auto caller = caller_with_session(desk, request);
    if (!caller) co_return error_response(400, caller.error(), request.request_id);
    const auto limit = number_in_query(request, "limit", 50, 1, kRunsListedMax);
    if (!limit) co_return refusal(limit.error(), request);
    auto own = co_await desk.store.conversations().list({.owner = caller->owner, .limit = kRunsListedMax, .offset = 0});
    if (!own) co_return refusal(own.error(), request);
    std::map<std::string, std::string> titles;
    for (auto& info : *own) titles.emplace(std::move(info.thread_id), std::move(info.title));
    auto runs = co_await desk.store.traces().list({.graph = {}, .status = {}, .thread_id = {}, .limit = kRunsLookedAt});
    if (!runs) co_return refusal(runs.error(), request);
    json::array shown;
    for (const auto& run : *runs) {
        const auto title = titles.find(run.thread_id);
        if (title == titles.end()) continue;
        json::object line = run_json(run);
        line["title"] = title->second;
        if (auto named = co_await name_run(desk, run, line); !named) co_return refusal(named.error(), request);
        shown.push_back(std::move(line));
        if (shown.size() == *limit) break;
    }
    co_return json_response(200, {{"runs", std::move(shown)}});
}

/// A run that the caller may see.
Task<Result<store::RunRecord>> own_run(Desk& desk, const Request& request) {
    const std::string run_id = request.parts.at(0);
    const auto unknown = fail(Code::not_found, fmt::format("there is no run {}", run_id), "list yours: GET /api/runs");
    const auto caller = desk.caller_of(request);
    if (!caller) co_return fail(caller.error());
    if (!is_valid_id(run_id)) co_return unknown;
    if (const auto live = desk.hub.find(run_id)) {
        if (!live->about.owner.empty() && live->about.owner != caller->owner) co_return unknown;
    }
    auto record = co_await desk.store.traces().get(run_id);
    if (!record) co_return fail(record.error());
    if (!*record) co_return unknown;
    auto info = co_await desk.store.conversations().info((*record)->thread_id);
    if (!info) co_return fail(info.error());
    if (*info && !(*info)->owner.empty() && (*info)->owner != caller->owner) co_return unknown;
    co_return std::move(**record);
}

/// The turns of a run's thread that the run answered: two when it asked back.
Task<Result<std::vector<TurnRecord>>> turns_of_run(Desk& desk, const store::RunRecord& run) {
    auto messages = co_await desk.store.conversations().messages(run.thread_id, kTurnsLookedAt);
    if (!messages) co_return fail(messages.error());
    auto turns = turns_of(*messages);
    std::erase_if(turns, [&](const TurnRecord& turn) {
        const auto* of = turn.answer.if_contains("run_id");
        return of == nullptr || *of != json::value(run.run_id);
    });
    co_return turns;
}

Task<Reply> read_run(Desk& desk, Request request) {
    auto run = co_await own_run(desk, request);
    if (!run) co_return refusal(run.error(), request);
    auto turns = co_await turns_of_run(desk, *run);
    if (!turns) co_return refusal(turns.error(), request);
    json::object shown = run_json(*run);
    json::array steps;
    for (const auto& step : run->trace) {
        json::object line = encode(step).as_object();
        line["label"] = label_of(step.node);
        steps.push_back(std::move(line));
    }
    shown["trace"] = std::move(steps);
    if (!turns->empty()) shown["answer"] = turns->back().answer;
    shown["question"] = turns->empty() ? "" : turns->back().question;
    co_return json_response(200, shown);
}

/// The totals at the end of a run, as far as its answer tells them.
json::object done_from_store(const store::RunRecord& run, const TurnRecord& turn) {
    const json::object summary = summary_json(turn);
    const auto* time = turn.answer.if_contains("timing_ms");
    return {{"thread_id", run.thread_id},
            {"run_id", run.run_id},
            {"status", run.status},
            {"total_queries", summary.at("queries").as_array().size()},
            {"total_rows", summary.at("total_rows")},
            {"total_execution_time_ms", summary.at("total_execution_time_ms")},
            {"total_time_ms", time != nullptr ? *time : json::value(0)},
            {"total_graphql_queries", 0},
            {"total_graphql_time_ms", summary.at("total_graphql_time_ms")}};
}

/// The events of a run whose log is gone, as far as the store still knows them.
std::string told_from_store(const store::RunRecord& run, const TurnRecord& turn) {
    std::string frames;
    std::size_t number = 0;
    const auto add = [&](const ServerEvent& event) { append_frame(frames, fmt::format("store.{}", ++number), event); };
    add({"thread_id", {{"thread_id", run.thread_id}}});
    add({"run",
         {{"run_id", run.run_id}, {"thread_id", run.thread_id}, {"question", turn.question}, {"resumed", true}}});
    for (const auto& step : run.trace) {
        add({"node_start", {{"node", step.node}, {"label", label_of(step.node)}, {"query_index", 1}}});
        add({"pipeline_state",
             {{"stage", step.node},
              {"label", label_of(step.node)},
              {"status", step.status},
              {"latency_ms", step.latency_ms}}});
    }
    add({"agent_talk", {{"source", "agent"}, {"content", turn.text}, {"message_type", "agent_talk"}}});
    add({"answer", turn.answer});
    add({"done", done_from_store(run, turn)});
    return frames;
}

Task<Reply> follow_run(Desk& desk, Request request) {
    auto run = co_await own_run(desk, request);
    const auto after = request.query.find("after");
    const std::string last(after != request.query.end() ? after->second : request.header("Last-Event-ID").value_or(""));
    const auto live = desk.hub.find(request.parts.at(0));
    // The record of a run that has only just begun may not be there yet.
    const auto caller = desk.caller_of(request);
    if (live != nullptr && caller && (live->about.owner.empty() || live->about.owner == caller->owner)) {
        co_return stream_of(desk, live, live->log.place_of(last));
    }
    if (!run) co_return refusal(run.error(), request);
    auto turns = co_await turns_of_run(desk, *run);
    if (!turns) co_return refusal(turns.error(), request);
    if (run->status == "running" && desk.is_adopting) {
        co_return refusal(
            {Code::unavailable, "the server has just started and is about to go on with this run", {}, {}}, request);
    }
    if (turns->empty() || run->status == "running") {
        co_return refusal({Code::conflict,
                           "this run works in another process, which tells of it",
                           "read the conversation when it has ended",
                           {}},
                          request);
    }
    Response told{
        .status = 200, .headers = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-cache"}}, .body = {}};
    told.body = told_from_store(*run, turns->back());
    co_return told;
}

Task<Reply> cancel_run(Desk& desk, Request request) {
    const auto caller = desk.caller_of(request);
    if (!caller) co_return refusal(caller.error(), request);
    const auto live = desk.hub.find(request.parts.at(0));
    const bool is_own = live != nullptr && (live->about.owner.empty() || live->about.owner == caller->owner);
    if (is_own && desk.hub.on_thread(live->about.thread_id) == live) {
        live->cancel.cancel(CancelReason::user_request);
        co_return json_response(202, {{"run_id", live->about.run_id}, {"status", "stopping"}});
    }
    auto run = co_await own_run(desk, request);
    if (!run) co_return refusal(run.error(), request);
    co_return refusal(
        {Code::conflict, fmt::format("the run {} does not work any more: {}", run->run_id, run->status), {}, {}},
        request);
}

json::object run_schema() {
    return object_schema({{"run_id", typed("string")},
                          {"thread_id", typed("string")},
                          {"graph", typed("string")},
                          {"status", typed("string", "running, finished, interrupted, failed or cancelled")},
                          {"started_at", typed("string")},
                          {"trace", list_of(typed("object"))},
                          {"answer", answer_schema()}});
}

}  // namespace

void add_run_routes(Router& router, Desk& desk) {
    const std::string unknown = "No such run, or somebody else's";
    router.add({"GET",
                "/api/runs",
                Access::user,
                at(desk, list_runs),
                {.summary = "Runs of this session's conversations, the latest first",
                 .parameters = {kSessionNeeded, {"limit", "query", "How many at most; 50 without it."}},
                 .request_schema = {},
                 .replies = {{200, "The runs"}, {400, "X-Session-Id is missing"}},
                 .reply_schema = object_schema({{"runs", list_of(run_schema())}})}});
    router.add({"GET",
                "/api/runs/{id}",
                Access::user,
                at(desk, read_run),
                {.summary = "What a run did, step by step, and its answer",
                 .parameters = {kRunInPath, kSessionHeader},
                 .request_schema = {},
                 .replies = {{200, "The run"}, {404, unknown}},
                 .reply_schema = run_schema()}});
    router.add({"GET",
                "/api/runs/{id}/events",
                Access::user,
                at(desk, follow_run),
                {.summary = "Follow a run: what was missed, then what comes",
                 .parameters = {kRunInPath,
                                kSessionHeader,
                                {"Last-Event-ID", "header", "The last event that the client has."},
                                {"after", "query", "The same, for those who cannot set headers."}},
                 .request_schema = {},
                 .replies = {{200, "Server-sent events until done"}, {404, unknown}, {409, "It works elsewhere"}},
                 .reply_schema = {}}});
    router.add({"POST",
                "/api/runs/{id}/cancel",
                Access::user,
                at(desk, cancel_run),
                {.summary = "Stop a run; what it has is kept",
                 .parameters = {kRunInPath, kSessionHeader},
                 .request_schema = {},
                 .replies = {{202, "It stops"}, {404, unknown}, {409, "It has ended already"}},
                 .reply_schema = object_schema({{"run_id", typed("string")}, {"status", typed("string")}})}});
}

}  // namespace quaestor::server
