#include "base/ids.hpp"
#include "server/api/route_kit.hpp"
#include "server/api/routes.hpp"
#include "server/api/turns.hpp"

#include <fmt/format.h>

#include <random>

namespace quaestor::server {

namespace {

constexpr std::size_t kThreadsListedMax = 1'000;
constexpr std::size_t kMessagesReadMax = 10'000;
constexpr std::size_t kTitleBytesMax = 200;

json::object thread_json(const Desk& desk, const store::ConversationInfo& info) {
    return {{"thread_id", info.thread_id},
            {"title", info.title},
            {"created_at", to_iso8601(info.created_at)},
            {"updated_at", to_iso8601(info.updated_at)},
            {"messages", info.messages},
            {"running", desk.hub.on_thread(info.thread_id) != nullptr}};
}

/// A UUID of random bits, version 4, as clients of document 001 make them too.
std::string make_uuid() {
    Random& random = system_random();
    const std::uint64_t high = (random.bits() & ~0xF000ULL) | 0x4000ULL;
    const std::uint64_t low = (random.bits() & ~(3ULL << 62U)) | (1ULL << 63U);
    return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xFFFFU, high & 0xFFFFU,
                       low >> 48U, low & 0xFFFFFFFFFFFFULL);
}

Task<Reply> make_thread(Desk&, Request) {
    co_return json_response(200, {{"thread_id", make_uuid()}});
}

Task<Reply> list_threads(Desk& desk, Request request) {
    const auto caller = caller_with_session(desk, request);
    if (!caller) co_return error_response(400, caller.error(), request.request_id);
    const auto limit = number_in_query(request, "limit", 50, 1, kThreadsListedMax);
    const auto offset = number_in_query(request, "offset", 0, 0, kMessagesReadMax);
    if (!limit || !offset) co_return refusal(limit ? offset.error() : limit.error(), request);
    auto infos = co_await desk.store.conversations().list({.owner = caller->owner, .limit = *limit, .offset = *offset});
    if (!infos) co_return refusal(infos.error(), request);
    json::array threads;
    for (const auto& info : *infos) threads.push_back(thread_json(desk, info));
    co_return json_response(200, threads);
}

/// A conversation that the request names and its caller may see, with its messages.
struct OpenThread {
    store::ConversationInfo info;
    std::vector<store::Message> messages;
};

Task<Result<OpenThread>> open_thread(Desk& desk, const Request& request) {
    const auto caller = desk.caller_of(request);
    if (!caller) co_return fail(caller.error());
    auto info = co_await own_conversation(desk, *caller, request.parts.at(0));
    if (!info) co_return fail(info.error());
    auto messages = co_await desk.store.conversations().messages(info->thread_id, kMessagesReadMax);
    if (!messages) co_return fail(messages.error());
    co_return OpenThread{std::move(*info), std::move(*messages)};
}

Task<Reply> read_messages(Desk& desk, Request request) {
    auto thread = co_await open_thread(desk, request);
    if (!thread) co_return refusal(thread.error(), request);
    const auto turns = turns_of(thread->messages);
    const auto run = desk.hub.on_thread(thread->info.thread_id);
    if (turns.empty() && run == nullptr) {
        co_return refusal({Code::not_found, "nothing has been said in this conversation", {}, {}}, request);
    }
    json::array summaries;
    json::array metadata;
    const auto asked = request.query.find("include_turns");
    const bool wants_turns = asked == request.query.end() || asked->second != "false";
    for (const auto& turn : turns) {
        json::object summary = summary_json(turn);
        metadata.push_back(metadata_json(summary));
        summaries.push_back(wants_turns ? std::move(summary) : json::object());
    }
    json::object reply{{"messages", messages_json(turns)},
                       {"overrides", overrides_json(thread->messages)},
                       {"turn_summaries", std::move(summaries)},
                       {"turn_metadata", std::move(metadata)},
                       {"title", thread->info.title}};
    const auto* agent = turns.empty() ? nullptr : turns.back().answer.if_contains("agent");
    reply["agent"] = agent != nullptr ? *agent : json::value(run ? json::value(run->about.agent) : nullptr);
    if (run != nullptr) {
        reply["running"] =
            json::object{{"run_id", run->about.run_id}, {"question", run->about.question}, {"agent", run->about.agent}};
    }
    co_return json_response(200, reply);
}

Task<Reply> read_turn(Desk& desk, Request request) {
    auto thread = co_await open_thread(desk, request);
    if (!thread) co_return refusal(thread.error(), request);
    const auto turns = turns_of(thread->messages);
    Request number = request;
    number.query = {{"n", request.parts.at(1)}};
    const auto at_turn = number_in_query(number, "n", 0, 0, kMessagesReadMax);
    if (!at_turn || *at_turn >= turns.size()) {
        co_return refusal({Code::not_found,
                           fmt::format("this conversation has {} turns", turns.size()),
                           "they are counted from 0",
                           {}},
                          request);
    }
    co_return json_response(200, summary_json(turns[*at_turn]));
}

Response attachment(std::string body, std::string_view type, std::string_view name) {
    return {.status = 200,
            .headers = {{"Content-Type", std::string(type)},
                        {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}},
            .body = std::move(body)};
}

Task<Reply> export_thread(Desk& desk, Request request) {
    auto thread = co_await open_thread(desk, request);
    if (!thread) co_return refusal(thread.error(), request);
    const auto turns = turns_of(thread->messages);
    const auto asked = request.query.find("format");
    const std::string format = asked == request.query.end() ? "md" : asked->second;
    if (format == "md") {
        co_return attachment(export_markdown(thread->info, turns), "text/markdown; charset=utf-8", "conversation.md");
    }
    if (format == "csv") co_return attachment(export_csv(turns), "text/csv; charset=utf-8", "conversation.csv");
    if (format == "json") {
        co_return attachment(to_pretty_text(export_json(thread->info, turns)) + "\n", "application/json",
                             "conversation.json");
    }
    co_return refusal({Code::invalid_argument, "format: expected md, json or csv", {}, {}}, request);
}

struct RenameRequest {
    std::string title;
    static constexpr auto kRequired = std::array{"title"};
};
BOOST_DESCRIBE_STRUCT(RenameRequest, (), (title))

Task<Reply> rename_thread(Desk& desk, Request request) {
    auto body = read_body<RenameRequest>(request);
    if (!body) co_return std::move(body.error());
    if (body->title.empty() || body->title.size() > kTitleBytesMax) {
        co_return refusal(
            {Code::invalid_argument, fmt::format("title: expected 1 to {} bytes", kTitleBytesMax), {}, {}}, request);
    }
    auto thread = co_await open_thread(desk, request);
    if (!thread) co_return refusal(thread.error(), request);
    auto renamed = co_await desk.store.conversations().rename(thread->info.thread_id, body->title);
    if (!renamed) co_return refusal(renamed.error(), request);
    thread->info.title = std::move(body->title);
    co_return json_response(200, thread_json(desk, thread->info));
}

Task<Reply> remove_thread(Desk& desk, Request request) {
    const auto caller = desk.caller_of(request);
    if (!caller) co_return refusal(caller.error(), request);
    auto info = co_await own_conversation(desk, *caller, request.parts.at(0));
    if (!info) co_return refusal(info.error(), request);
    if (const auto run = desk.hub.on_thread(info->thread_id)) {
        co_return refusal({Code::conflict,
                           "this conversation is still busy with its last question",
                           fmt::format("stop it first: POST /api/runs/{}/cancel", run->about.run_id),
                           {}},
                          request);
    }
    if (auto removed = co_await desk.store.checkpoints().delete_thread(info->thread_id); !removed) {
        co_return refusal(removed.error(), request);
    }
    if (auto removed = co_await desk.store.conversations().remove(info->thread_id); !removed) {
        co_return refusal(removed.error(), request);
    }
    co_return Response{.status = 204, .headers = {}, .body = {}};
}

json::object thread_schema() {
    return object_schema({{"thread_id", typed("string")},
                          {"title", typed("string")},
                          {"created_at", typed("string")},
                          {"updated_at", typed("string")},
                          {"messages", typed("integer")},
                          {"running", typed("boolean")}});
}

}  // namespace

void add_thread_routes(Router& router, Desk& desk) {
    const std::map<int, std::string> found{{200, "There it is"}, {404, "No such conversation, or somebody else's"}};
    router.add({"POST",
                "/api/threads",
                Access::user,
                at(desk, make_thread),
                {.summary = "A new id for a conversation",
                 .parameters = {},
                 .request_schema = {},
                 .replies = {{200, "The id"}},
                 .reply_schema = object_schema({{"thread_id", typed("string")}})}});
    router.add({"GET",
                "/api/threads",
                Access::user,
                at(desk, list_threads),
                {.summary = "Conversations of this session, the latest first",
                 .parameters = {kSessionNeeded,
                                {"limit", "query", "How many at most; 50 without it."},
                                {"offset", "query", "How many to leave out first."}},
                 .request_schema = {},
                 .replies = {{200, "The conversations"}, {400, "X-Session-Id is missing"}},
                 .reply_schema = list_of(thread_schema())}});
    router.add({"PATCH",
                "/api/threads/{id}",
                Access::user,
                at(desk, rename_thread),
                {.summary = "Rename a conversation",
                 .parameters = {kThreadInPath, kSessionHeader},
                 .request_schema = object_schema({{"title", typed("string")}}, {"title"}),
                 .replies = found,
                 .reply_schema = thread_schema()}});
    router.add({"DELETE",
                "/api/threads/{id}",
                Access::user,
                at(desk, remove_thread),
                {.summary = "Remove a conversation with all that was remembered for it",
                 .parameters = {kThreadInPath, kSessionHeader},
                 .request_schema = {},
                 .replies = {{204, "Gone"}, {404, "No such conversation, or somebody else's"}, {409, "It is busy"}},
                 .reply_schema = {}}});
    router.add(
        {"GET",
         "/api/threads/{id}/messages",
         Access::user,
         at(desk, read_messages),
         {.summary = "What was said, how each answer was found, and what is being answered now",
          .parameters = {kThreadInPath, kSessionHeader, {"include_turns", "query", "false: without the summaries."}},
          .request_schema = {},
          .replies = found,
          .reply_schema = object_schema({{"messages", list_of(typed("object"))},
                                         {"overrides", typed("object")},
                                         {"turn_summaries", list_of(typed("object"))},
                                         {"agent", typed("string")},
                                         {"running", typed("object")}})}});
    router.add({"GET",
                "/api/threads/{id}/turns/{n}",
                Access::user,
                at(desk, read_turn),
                {.summary = "How one answer was found",
                 .parameters = {kThreadInPath, {"n", "path", "Which turn, from 0.", true}, kSessionHeader},
                 .request_schema = {},
                 .replies = found,
                 .reply_schema = typed("object")}});
    router.add({"GET",
                "/api/threads/{id}/export",
                Access::user,
                at(desk, export_thread),
                {.summary = "A conversation as a file",
                 .parameters = {kThreadInPath, kSessionHeader, {"format", "query", "md (the default), json or csv."}},
                 .request_schema = {},
                 .replies = found,
                 .reply_schema = {}}});
}

}  // namespace quaestor::server
