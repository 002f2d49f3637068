#include "server/api/asking.hpp"
#include "server/api/following.hpp"
#include "server/api/route_kit.hpp"
#include "server/api/routes.hpp"
#include "server/api/stage_payload.hpp"
#include "server/api/totals.hpp"

namespace quaestor::server {

namespace {

using workflows::Answer;

/// The reply of document 001, with our Answer around it.
json::object chat_reply(const Answer& answer) {
    json::object reply = to_json(answer);
    json::array queries;
    for (const auto& query : answer.queries) queries.push_back(query_payload(query));
    reply["queries"] = std::move(queries);
    reply["resolved_products"] = nullptr;
    reply["schemas_used"] = json::array();
    for (const auto& field : totals_of(answer)) reply[field.key()] = field.value();
    return reply;
}

Reply reply_of(const LiveRun::Ending& ending, const Request& request) {
    const bool has_failed = !ending.answer || ending.answer->status == workflows::AnswerStatus::failed;
    if (!has_failed) return json_response(200, chat_reply(*ending.answer));
    const Error error = ending.error.value_or(Error{Code::internal, "the run ended without an answer", {}, {}});
    return refusal(error, request);
}

/// A run for the request's body, or the reply that says why not.
Task<std::expected<std::shared_ptr<LiveRun>, Response>> run_for(Desk& desk, const Request& request) {
    auto body = read_body<ChatRequest>(request);
    if (!body) co_return std::unexpected(std::move(body.error()));
    if (auto valid = check(*body, desk.settings.question_bytes); !valid) {
        co_return std::unexpected(refusal(valid.error(), request));
    }
    auto caller = desk.caller_of(request);
    if (!caller) co_return std::unexpected(refusal(caller.error(), request));
    auto run = co_await start_run(desk, std::move(*caller), std::move(*body));
    if (!run) co_return std::unexpected(refusal(run.error(), request));
    co_return std::move(*run);
}

Task<Reply> chat(Desk& desk, Request request) {
    auto run = co_await run_for(desk, request);
    if (!run) co_return std::move(run.error());
    co_return reply_of(co_await end_of_run(desk, std::move(*run)), request);
}

Task<Reply> chat_stream(Desk& desk, Request request) {
    auto run = co_await run_for(desk, request);
    if (!run) co_return std::move(run.error());
    co_return stream_of(desk, std::move(*run), 0);
}

/// Body of POST /api/runs/{id}/resume.
struct ResumeRequest {
    std::string answer;
    static constexpr auto kRequired = std::array{"answer"};
};
BOOST_DESCRIBE_STRUCT(ResumeRequest, (), (answer))

Task<Reply> resume(Desk& desk, Request request) {
    auto body = read_body<ResumeRequest>(request);
    if (!body) co_return std::move(body.error());
    ChatRequest said;
    said.question = body->answer;
    if (auto valid = check(said, desk.settings.question_bytes); !valid) co_return refusal(valid.error(), request);
    auto caller = desk.caller_of(request);
    if (!caller) co_return refusal(caller.error(), request);
    auto run = co_await answer_run(desk, std::move(*caller), request.parts.at(0), std::move(body->answer));
    if (!run) co_return refusal(run.error(), request);
    const bool wants_stream = request.header("Accept").value_or("").contains("text/event-stream");
    if (wants_stream) co_return stream_of(desk, std::move(*run), 0);
    co_return reply_of(co_await end_of_run(desk, std::move(*run)), request);
}

json::object chat_schema() {
    return object_schema({{"question", typed("string")},
                          {"thread_id", typed("string", "A conversation to go on with, or to begin under this id.")},
                          {"agent", typed("string", "Who is asked; without it whoever's data fits the question.")},
                          {"override_schema", typed("string", "hs92, hs12 or sitc")},
                          {"override_direction", typed("string", "exports or imports")},
                          {"override_mode", typed("string", "goods or services")},
                          {"mode", typed("string", "auto, sql_only, graphql_sql or graphql_only")}},
                         {"question"});
}

const std::map<int, std::string> kChatReplies{{200, "The answer"},
                                              {400, "The body is no JSON"},
                                              {404, "Unknown agent, or a conversation of somebody else"},
                                              {409, "The conversation is busy, or with another agent"},
                                              {422, "A field is wrong; the message names it"},
                                              {429, "Too many requests; see Retry-After"},
                                              {503, "No room, or a dependency is down; see Retry-After"},
                                              {504, "The answer took longer than it may"}};

}  // namespace

void add_chat_routes(Router& router, Desk& desk) {
    router.add({.method = "POST",
                .pattern = "/api/chat",
                .access = Access::user,
                .endpoint = at(desk, chat),
                .about = {.summary = "Ask, and get the answer when it is there",
                          .parameters = {kSessionHeader},
                          .request_schema = chat_schema(),
                          .replies = kChatReplies,
                          .reply_schema = answer_schema()}});
    auto stream_replies = kChatReplies;
    stream_replies[200] = "Server-sent events until done";
    stream_replies.erase(504);
    router.add({.method = "POST",
                .pattern = "/api/chat/stream",
                .access = Access::user,
                .endpoint = at(desk, chat_stream),
                .about = {.summary = "Ask, and see the steps while it works",
                          .parameters = {kSessionHeader},
                          .request_schema = chat_schema(),
                          .replies = stream_replies,
                          .reply_schema = {}}});
    auto resume_replies = kChatReplies;
    resume_replies[404] = "No such run";
    resume_replies[409] = "The run does not wait for an answer";
    router.add(
        {.method = "POST",
         .pattern = "/api/runs/{id}/resume",
         .access = Access::user,
         .endpoint = at(desk, resume),
         .about = {.summary = "Answer the question that a run asked back; streams where the client accepts that",
                   .parameters = {kRunInPath, kSessionHeader},
                   .request_schema = object_schema(
                       {{"answer", typed("string", "An option's text or number, or words of one's own.")}}, {"answer"}),
                   .replies = resume_replies,
                   .reply_schema = answer_schema()}});
}

}  // namespace quaestor::server
