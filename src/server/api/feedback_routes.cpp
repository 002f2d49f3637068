#include "base/ids.hpp"
#include "server/api/route_kit.hpp"
#include "server/api/routes.hpp"
#include "server/api/turns.hpp"

#include <fmt/format.h>

namespace quaestor::server {

namespace {

using store::Feedback;

constexpr std::size_t kCommentBytesMax = 4'000;
constexpr std::size_t kFeedbackListedMax = 10'000;
constexpr std::size_t kTurnsOfFeedback = 10'000;

struct FeedbackRequest {
    std::string thread_id;
    std::int64_t turn_index = 0;
    Feedback::Rating rating = Feedback::Rating::up;
    std::optional<std::string> comment;
    static constexpr auto kRequired = std::array{"thread_id", "turn_index", "rating"};
};
BOOST_DESCRIBE_STRUCT(FeedbackRequest, (), (thread_id, turn_index, rating, comment))

struct FeedbackChange {
    Feedback::Rating rating = Feedback::Rating::up;
    std::optional<std::string> comment;
    static constexpr auto kRequired = std::array{"rating"};
};
BOOST_DESCRIBE_STRUCT(FeedbackChange, (), (rating, comment))

json::object feedback_json(const Feedback& given) {
    return {{"id", given.id},
            {"thread_id", given.thread_id},
            {"turn_index", given.turn},
            {"rating", encode(given.rating)},
            {"comment", given.comment.empty() ? json::value() : json::value(given.comment)},
            {"created_at", to_iso8601(given.created_at)},
            {"updated_at", to_iso8601(given.updated_at)}};
}

Result<> check_comment(const std::optional<std::string>& comment) {
    if (!comment || comment->size() <= kCommentBytesMax) return {};
    return fail(Code::invalid_argument, fmt::format("comment: at most {} bytes are kept", kCommentBytesMax));
}

Task<Result<std::vector<TurnRecord>>> turns_in(Desk& desk, std::string thread_id) {
    auto messages = co_await desk.store.conversations().messages(std::move(thread_id), kTurnsOfFeedback);
    if (!messages) co_return fail(messages.error());
    co_return turns_of(*messages);
}

/// Keeps it, and reads back what is kept: a second opinion on a turn has the first one's id.
Task<Result<Feedback>> kept(Desk& desk, Feedback given) {
    if (auto rated = co_await desk.store.conversations().rate(given); !rated) co_return fail(rated.error());
    auto all = co_await desk.store.conversations().feedback({.id = {},
                                                             .thread_id = given.thread_id,
                                                             .owner = given.owner,
                                                             .rating = {},
                                                             .limit = kFeedbackListedMax,
                                                             .offset = 0});
    if (!all) co_return fail(all.error());
    for (auto& one : *all) {
        if (one.turn == given.turn) co_return std::move(one);
    }
    co_return given;
}

Task<Reply> give_feedback(Desk& desk, Request request) {
    const auto caller = caller_with_session(desk, request);
    if (!caller) co_return error_response(400, caller.error(), request.request_id);
    auto body = read_body<FeedbackRequest>(request);
    if (!body) co_return std::move(body.error());
    if (auto valid = check_comment(body->comment); !valid) co_return refusal(valid.error(), request);
    auto info = co_await own_conversation(desk, *caller, body->thread_id);
    if (!info) co_return refusal(info.error(), request);
    auto turns = co_await turns_in(desk, body->thread_id);
    if (!turns) co_return refusal(turns.error(), request);
    if (body->turn_index < 0 || static_cast<std::size_t>(body->turn_index) >= turns->size()) {
        co_return refusal({Code::invalid_argument,
                           fmt::format("turn_index: this conversation has {} turns", turns->size()),
                           "they are counted from 0",
                           {}},
                          request);
    }
    const WallTime now = desk.clock.wall();
    auto entry = co_await kept(desk, {.id = make_id(),
                                      .thread_id = body->thread_id,
                                      .turn = body->turn_index,
                                      .owner = caller->owner,
                                      .rating = body->rating,
                                      .comment = body->comment.value_or(""),
                                      .created_at = now,
                                      .updated_at = now});
    if (!entry) co_return refusal(entry.error(), request);
    co_return json_response(201, feedback_json(*entry));
}

Task<Reply> list_feedback(Desk& desk, Request request) {
    const auto caller = caller_with_session(desk, request);
    if (!caller) co_return error_response(400, caller.error(), request.request_id);
    store::FeedbackQuery query;
    query.owner = caller->owner;
    query.limit = kFeedbackListedMax;
    if (const auto thread = request.query.find("thread_id"); thread != request.query.end())
        query.thread_id = thread->second;
    auto all = co_await desk.store.conversations().feedback(std::move(query));
    if (!all) co_return refusal(all.error(), request);
    json::array shown;
    for (const auto& given : *all) shown.push_back(feedback_json(given));
    co_return json_response(200, shown);
}

Task<Reply> change_feedback(Desk& desk, Request request) {
    const auto caller = caller_with_session(desk, request);
    if (!caller) co_return error_response(400, caller.error(), request.request_id);
    auto body = read_body<FeedbackChange>(request);
    if (!body) co_return std::move(body.error());
    if (auto valid = check_comment(body->comment); !valid) co_return refusal(valid.error(), request);
    store::FeedbackQuery query;
    query.id = request.parts.at(0);
    auto found = co_await desk.store.conversations().feedback(std::move(query));
    if (!found) co_return refusal(found.error(), request);
    if (found->empty()) {
        co_return refusal({Code::not_found, fmt::format("there is no feedback {}", request.parts.at(0)), {}, {}},
                          request);
    }
    Feedback given = found->front();
    if (given.owner != caller->owner) {
        co_return refusal({Code::permission_denied, "this feedback was given by somebody else", {}, {}}, request);
    }
    given.rating = body->rating;
    given.comment = body->comment.value_or("");
    given.updated_at = desk.clock.wall();
    auto entry = co_await kept(desk, std::move(given));
    if (!entry) co_return refusal(entry.error(), request);
    co_return json_response(200, feedback_json(*entry));
}

/// What was asked and answered, so that an opinion can become a test question.
Task<json::object> context_of(Desk& desk, const Feedback& given) {
    auto turns = co_await turns_in(desk, given.thread_id);
    if (!turns || static_cast<std::size_t>(given.turn) >= turns->size()) co_return json::object();
    const auto& turn = (*turns)[static_cast<std::size_t>(given.turn)];
    co_return json::object{{"question", turn.question}, {"answer", turn.answer}};
}

Task<Reply> export_feedback(Desk& desk, Request request) {
    const auto limit = number_in_query(request, "limit", 100, 1, 1'000);
    const auto offset = number_in_query(request, "offset", 0, 0, 1'000'000);
    if (!limit || !offset) co_return refusal(limit ? offset.error() : limit.error(), request);
    store::FeedbackQuery query;
    query.limit = *limit;
    query.offset = *offset;
    if (const auto rating = request.query.find("rating"); rating != request.query.end()) {
        const auto wanted = decode<Feedback::Rating>(json::value(rating->second));
        if (!wanted) co_return refusal({Code::invalid_argument, "rating: expected up or down", {}, {}}, request);
        query.rating = *wanted;
    }
    auto all = co_await desk.store.conversations().feedback(std::move(query));
    if (!all) co_return refusal(all.error(), request);
    json::array shown;
    for (const auto& given : *all) {
        json::object entry = feedback_json(given);
        entry["session_id"] = given.owner;
        entry["context"] = co_await context_of(desk, given);
        shown.push_back(std::move(entry));
    }
    co_return json_response(200, shown);
}

json::object feedback_schema() {
    return object_schema({{"id", typed("string")},
                          {"thread_id", typed("string")},
                          {"turn_index", typed("integer")},
                          {"rating", typed("string", "up or down")},
                          {"comment", typed("string")},
                          {"created_at", typed("string")},
                          {"updated_at", typed("string")}});
}

}  // namespace

void add_feedback_routes(Router& router, Desk& desk) {
    router.add({"POST",
                "/api/feedback",
                Access::user,
                at(desk, give_feedback),
                {.summary = "Say what an answer was worth; a second time replaces the first",
                 .parameters = {kSessionNeeded},
                 .request_schema = object_schema({{"thread_id", typed("string")},
                                                  {"turn_index", typed("integer", "Which turn, from 0.")},
                                                  {"rating", typed("string", "up or down")},
                                                  {"comment", typed("string")}},
                                                 {"thread_id", "turn_index", "rating"}),
                 .replies = {{201, "Kept"},
                             {400, "X-Session-Id is missing"},
                             {404, "No such conversation"},
                             {422, "A field is wrong"}},
                 .reply_schema = feedback_schema()}});
    router.add({"GET",
                "/api/feedback",
                Access::user,
                at(desk, list_feedback),
                {.summary = "What this session said of answers",
                 .parameters = {kSessionNeeded, {"thread_id", "query", "Of this conversation only."}},
                 .request_schema = {},
                 .replies = {{200, "The entries"}, {400, "X-Session-Id is missing"}},
                 .reply_schema = list_of(feedback_schema())}});
    router.add({"PUT",
                "/api/feedback/{id}",
                Access::user,
                at(desk, change_feedback),
                {.summary = "Say it otherwise",
                 .parameters = {{"id", "path", "The entry.", true}, kSessionNeeded},
                 .request_schema = object_schema(
                     {{"rating", typed("string", "up or down")}, {"comment", typed("string")}}, {"rating"}),
                 .replies = {{200, "Changed"}, {403, "Somebody else's"}, {404, "No such entry"}},
                 .reply_schema = feedback_schema()}});
    router.add({"GET",
                "/api/feedback/export",
                Access::admin,
                at(desk, export_feedback),
                {.summary = "What everybody said, with questions and answers",
                 .parameters = {{"rating", "query", "up or down."},
                                {"limit", "query", "100 without it."},
                                {"offset", "query", "How many to leave out first."}},
                 .request_schema = {},
                 .replies = {{200, "The entries"}},
                 .reply_schema = list_of(feedback_schema())}});
}

}  // namespace quaestor::server
