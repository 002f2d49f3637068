#include "store/postgres_records.hpp"

#include "base/text.hpp"
#include "store/checks.hpp"
#include "store/postgres_values.hpp"

namespace quaestor::store::postgres {

namespace {

constexpr Statement kTouchConversation{"touch_conversation", R"sql(
INSERT INTO quaestor.conversations (thread_id, created_at, updated_at) VALUES ($1, $2, $2)
ON CONFLICT (thread_id) DO UPDATE SET changed = DEFAULT, updated_at = excluded.updated_at
)sql"};

constexpr Statement kAppend{"append", R"sql(
INSERT INTO quaestor.messages (thread_id, id, role, text, data, created_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (thread_id, id) DO UPDATE SET
    role = excluded.role, text = excluded.text, data = excluded.data, created_at = excluded.created_at
)sql"};

constexpr Statement kMessages{"messages", R"sql(
SELECT id, role, text, data, created_at FROM (
    SELECT * FROM quaestor.messages WHERE thread_id = $1 ORDER BY seq DESC LIMIT $2) newest
ORDER BY seq
)sql"};

constexpr Statement kBeginConversation{"begin_conversation", R"sql(
INSERT INTO quaestor.conversations (thread_id, owner, title, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
ON CONFLICT (thread_id) DO NOTHING
)sql"};

// A title is short; the text it is made from may be megabytes.
constexpr Statement kConversations{"conversations", R"sql(
SELECT thread_id, title, owner, created_at, updated_at,
    (SELECT count(*) FROM quaestor.messages WHERE thread_id = conversation.thread_id),
    (SELECT left(text, 4096) FROM quaestor.messages
     WHERE thread_id = conversation.thread_id AND role = 'user' ORDER BY seq LIMIT 1)
FROM quaestor.conversations conversation
WHERE owner = coalesce($1, owner) AND thread_id = coalesce($2, thread_id)
ORDER BY changed DESC LIMIT $3 OFFSET $4
)sql"};

constexpr Statement kRenameConversation{"rename_conversation", R"sql(
WITH renamed AS (UPDATE quaestor.conversations SET title = $2 WHERE thread_id = $1 RETURNING 1)
SELECT count(*) FROM renamed
)sql"};

constexpr Statement kRemoveConversation{"remove_conversation", R"sql(
WITH removed AS (DELETE FROM quaestor.conversations WHERE thread_id = $1),
    forgotten AS (DELETE FROM quaestor.feedback WHERE thread_id = $1)
SELECT count(*) FROM quaestor.messages WHERE thread_id = $1
)sql"};

constexpr Statement kRate{"rate", R"sql(
INSERT INTO quaestor.feedback (id, thread_id, turn, owner, rating, comment, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (thread_id, turn, owner) DO UPDATE SET
    rating = excluded.rating, comment = excluded.comment, updated_at = excluded.updated_at
)sql"};

constexpr Statement kFeedback{"feedback", R"sql(
SELECT id, thread_id, turn, owner, rating, comment, created_at, updated_at FROM quaestor.feedback
WHERE id = coalesce($1, id) AND thread_id = coalesce($2, thread_id) AND owner = coalesce($3, owner)
    AND rating = coalesce($4, rating)
ORDER BY seq DESC LIMIT $5 OFFSET $6
)sql"};

constexpr Statement kSaveRun{"save_run", R"sql(
INSERT INTO quaestor.runs (run_id, thread_id, graph, status, started_at, ended_at, input, outcome, trace)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (run_id) DO UPDATE SET
    thread_id = excluded.thread_id, graph = excluded.graph, status = excluded.status, started_at = excluded.started_at,
    ended_at = excluded.ended_at, input = excluded.input, outcome = excluded.outcome, trace = excluded.trace
)sql"};

constexpr Statement kGetRun{"get_run", R"sql(
SELECT run_id, thread_id, graph, status, started_at, ended_at, outcome, input, trace
FROM quaestor.runs WHERE run_id = $1
)sql"};

constexpr Statement kRuns{"runs", R"sql(
SELECT run_id, thread_id, graph, status, started_at, ended_at, outcome
FROM quaestor.runs
WHERE graph = coalesce($1, graph) AND status = coalesce($2, status) AND thread_id = coalesce($3, thread_id)
ORDER BY started_at DESC, seq DESC LIMIT $4
)sql"};

Result<Message> read_message(const Rows& rows, std::size_t row) {
    auto role = read_name<Message::Role>(rows.text(row, 1));
    if (!role) return fail(role.error());
    auto data = read_column<json::object>(rows.text(row, 3));
    if (!data) return fail(data.error());
    return Message{.id = std::string(rows.text(row, 0)),
                   .role = *role,
                   .text = std::string(rows.text(row, 2)),
                   .data = std::move(*data),
                   .created_at = to_time(rows.integer(row, 4))};
}

/// A row of kConversations.
ConversationInfo read_conversation(const Rows& rows, std::size_t row) {
    const auto title = rows.text(row, 1);
    return {.thread_id = std::string(rows.text(row, 0)),
            .title = title.empty() ? text::shorten(rows.text(row, 6), kTitleColumns) : std::string(title),
            .owner = std::string(rows.text(row, 2)),
            .messages = static_cast<std::size_t>(rows.integer(row, 5)),
            .created_at = to_time(rows.integer(row, 3)),
            .updated_at = to_time(rows.integer(row, 4))};
}

Result<Feedback> read_feedback(const Rows& rows, std::size_t row) {
    const auto rating = read_name<Feedback::Rating>(rows.text(row, 4));
    if (!rating) return fail(rating.error());
    return Feedback{.id = std::string(rows.text(row, 0)),
                    .thread_id = std::string(rows.text(row, 1)),
                    .turn = rows.integer(row, 2),
                    .owner = std::string(rows.text(row, 3)),
                    .rating = *rating,
                    .comment = std::string(rows.text(row, 5)),
                    .created_at = to_time(rows.integer(row, 6)),
                    .updated_at = to_time(rows.integer(row, 7))};
}

/// All but input and trace.
Result<RunRecord> read_summary(const Rows& rows, std::size_t row) {
    auto outcome = read_column<json::value>(rows.text(row, 6));
    if (!outcome) return fail(outcome.error());
    RunRecord record;
    record.run_id = rows.text(row, 0);
    record.thread_id = rows.text(row, 1);
    record.graph = rows.text(row, 2);
    record.status = rows.text(row, 3);
    record.started_at = to_time(rows.integer(row, 4));
    if (!rows.is_null(row, 5)) record.ended_at = to_time(rows.integer(row, 5));
    record.outcome = std::move(*outcome);
    return record;
}

}  // namespace

Task<Result<>> Conversations::append(std::string thread_id, Message message) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
    if (auto valid = check(message); !valid) co_return valid;
    auto queries = [thread_id = std::move(thread_id), message = std::move(message)]() mutable {
        const auto time = to_value(message.created_at);
        return std::vector<Query>{{.statement = &kTouchConversation, .values = {thread_id, time}},
                                  {.statement = &kAppend,
                                   .values = {thread_id, message.id, name_of(message.role), std::move(message.text),
                                              to_text(std::move(message.data)), time}}};
    };
    co_return co_await database_.write(std::move(queries));
}

Task<Result<std::vector<Message>>> Conversations::messages(std::string thread_id, std::size_t limit) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    co_return co_await database_.read([=](Connection& connection) -> Result<std::vector<Message>> {
        const auto rows = connection.run(kMessages, {thread_id, to_value(limit)});
        if (!rows) return fail(rows.error());
        std::vector<Message> messages;
        for (std::size_t row = 0; row < rows->size(); ++row) {
            auto message = read_message(*rows, row);
            if (!message) return fail(message.error());
            messages.push_back(std::move(*message));
        }
        return messages;
    });
}

Task<Result<>> Conversations::begin(ConversationInfo info) {
    if (auto valid = check(info); !valid) co_return valid;
    auto queries = [info = std::move(info)] {
        return std::vector{Query{.statement = &kBeginConversation,
                                 .values = {info.thread_id, info.owner, info.title, to_value(info.created_at)}}};
    };
    co_return co_await database_.write(std::move(queries));
}

Task<Result<std::optional<ConversationInfo>>> Conversations::info(std::string thread_id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    co_return co_await database_.read([=](Connection& connection) -> Result<std::optional<ConversationInfo>> {
        const auto rows =
            connection.run(kConversations, {std::nullopt, thread_id, to_value(std::size_t{1}), std::string("0")});
        if (!rows) return fail(rows.error());
        if (rows->size() == 0) return std::nullopt;
        return read_conversation(*rows, 0);
    });
}

Task<Result<std::vector<ConversationInfo>>> Conversations::list(ConversationQuery query) {
    co_return co_await database_.read(
        [query = std::move(query)](Connection& connection) -> Result<std::vector<ConversationInfo>> {
            const auto rows = connection.run(
                kConversations, {query.owner, std::nullopt, to_value(query.limit), to_value(query.offset)});
            if (!rows) return fail(rows.error());
            std::vector<ConversationInfo> infos;
            for (std::size_t row = 0; row < rows->size(); ++row) infos.push_back(read_conversation(*rows, row));
            return infos;
        });
}

Task<Result<bool>> Conversations::rename(std::string thread_id, std::string title) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    if (auto valid = check_text("the title", title); !valid) co_return fail(valid.error());
    co_return co_await database_.write(
        [=] { return std::vector{Query{.statement = &kRenameConversation, .values = {thread_id, title}}}; },
        [](std::span<const Rows> rows) { return Result<bool>(rows.front().integer(0, 0) > 0); });
}

Task<Result<std::size_t>> Conversations::remove(std::string thread_id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    co_return co_await database_.write(
        [=] { return std::vector{Query{.statement = &kRemoveConversation, .values = {thread_id}}}; },
        [](std::span<const Rows> rows) {
            return Result<std::size_t>(static_cast<std::size_t>(rows.front().integer(0, 0)));
        });
}

Task<Result<>> Conversations::rate(Feedback feedback) {
    if (auto valid = check(feedback); !valid) co_return valid;
    auto queries = [feedback = std::move(feedback)] {
        return std::vector{Query{.statement = &kRate,
                                 .values = {feedback.id, feedback.thread_id, std::to_string(feedback.turn),
                                            feedback.owner, name_of(feedback.rating), feedback.comment,
                                            to_value(feedback.created_at), to_value(feedback.updated_at)}}};
    };
    co_return co_await database_.write(std::move(queries));
}

Task<Result<std::vector<Feedback>>> Conversations::feedback(FeedbackQuery query) {
    co_return co_await database_.read([query =
                                           std::move(query)](Connection& connection) -> Result<std::vector<Feedback>> {
        std::optional<std::string> rating;
        if (query.rating) rating = name_of(*query.rating);
        const auto rows = connection.run(
            kFeedback, {query.id, query.thread_id, query.owner, rating, to_value(query.limit), to_value(query.offset)});
        if (!rows) return fail(rows.error());
        std::vector<Feedback> all;
        for (std::size_t row = 0; row < rows->size(); ++row) {
            auto feedback = read_feedback(*rows, row);
            if (!feedback) return fail(feedback.error());
            all.push_back(std::move(*feedback));
        }
        return all;
    });
}

Task<Result<>> Traces::save(RunRecord record) {
    if (auto valid = check(record); !valid) co_return valid;
    auto queries = [record = std::move(record)] {
        std::optional<std::string> ended_at;
        if (record.ended_at) ended_at = to_value(*record.ended_at);
        return std::vector{Query{.statement = &kSaveRun,
                                 .values = {record.run_id, record.thread_id, record.graph, record.status,
                                            to_value(record.started_at), std::move(ended_at), to_text(record.input),
                                            to_text(record.outcome), to_text(encode(record.trace))}}};
    };
    co_return co_await database_.write(std::move(queries));
}

Task<Result<std::optional<RunRecord>>> Traces::get(std::string run_id) {
    if (auto valid = check_id("run_id", run_id); !valid) co_return fail(valid.error());
    co_return co_await database_.read([=](Connection& connection) -> Result<std::optional<RunRecord>> {
        const auto rows = connection.run(kGetRun, {run_id});
        if (!rows) return fail(rows.error());
        if (rows->size() == 0) return std::nullopt;
        auto record = read_summary(*rows, 0);
        if (!record) return fail(record.error());
        auto input = read_column<json::value>(rows->text(0, 7));
        if (!input) return fail(input.error());
        record->input = std::move(*input);
        auto trace = read_column<std::vector<TraceStep>>(rows->text(0, 8));
        if (!trace) return fail(trace.error());
        record->trace = std::move(*trace);
        return record;
    });
}

Task<Result<std::vector<RunRecord>>> Traces::list(RunQuery query) {
    co_return co_await database_.read([query =
                                           std::move(query)](Connection& connection) -> Result<std::vector<RunRecord>> {
        const auto rows = connection.run(kRuns, {query.graph, query.status, query.thread_id, to_value(query.limit)});
        if (!rows) return fail(rows.error());
        std::vector<RunRecord> records;
        for (std::size_t row = 0; row < rows->size(); ++row) {
            auto record = read_summary(*rows, row);
            if (!record) return fail(record.error());
            records.push_back(std::move(*record));
        }
        return records;
    });
}

}  // namespace quaestor::store::postgres
