#include "server/api/asking.hpp"

#include "base/ids.hpp"
#include "server/api/run_work.hpp"

#include <fmt/format.h>

namespace quaestor::server {

namespace {

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

}  // namespace

Task<Result<std::string>> agent_of_thread(Desk& desk, std::string thread_id) {
    graph::CheckpointQuery newest;
    newest.thread_id = std::move(thread_id);
    newest.limit = 1;
    auto found = co_await desk.store.checkpoints().list(std::move(newest));
    if (!found) co_return fail(found.error());
    if (found->empty()) co_return std::string();
    const auto* agent = found->front().metadata.if_contains(kAgentKey);
    co_return agent != nullptr && agent->is_string() ? std::string(agent->get_string()) : std::string();
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

}  // namespace quaestor::server
