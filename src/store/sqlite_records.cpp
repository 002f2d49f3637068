#include "store/sqlite_records.hpp"

#include "base/text.hpp"
#include "store/sqlite_values.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

namespace quaestor::store::sqlite {

namespace {

Result<std::vector<TraceStep>> read_trace(std::string_view what, std::string_view text) {
    const auto value = read_json(what, text);
    if (!value) return fail(value.error());
    auto trace = decode<std::vector<TraceStep>>(*value);
    if (!trace) return fail(Code::corrupt, fmt::format("the trace of {} makes no sense", what), kDamaged);
    return trace;
}

/// A row of `SELECT run_id, thread_id, graph, status, started_at, ended_at, outcome`.
Result<RunRecord> read_run(const Query& row) {
    auto outcome = read_json(fmt::format("run {}", row.text(0)), row.text(6));
    if (!outcome) return fail(outcome.error());
    return RunRecord{.run_id = std::string(row.text(0)),
                     .thread_id = std::string(row.text(1)),
                     .graph = std::string(row.text(2)),
                     .status = std::string(row.text(3)),
                     .started_at = row.time(4),
                     .ended_at = row.is_null(5) ? std::nullopt : std::optional(row.time(5)),
                     .input = {},
                     .outcome = std::move(*outcome),
                     .trace = {}};
}

/// A row of `SELECT thread_id, title, owner, created_at, updated_at, <messages>, <the first user message>`.
ConversationInfo read_conversation(const Query& row) {
    const auto title = row.text(1);
    return {.thread_id = std::string(row.text(0)),
            .title = title.empty() ? text::shorten(row.text(6), kTitleColumns) : std::string(title),
            .owner = std::string(row.text(2)),
            .messages = static_cast<std::size_t>(row.integer(5)),
            .created_at = row.time(3),
            .updated_at = row.time(4)};
}

}  // namespace

// ---- conversations

Result<> append_message(Database& database, const std::string& thread_id, const Message& message) {
    Query conversation(database, R"sql(
        INSERT INTO conversations (thread_id, changed, created_at, updated_at)
        VALUES (?1, (SELECT coalesce(max(changed), 0) + 1 FROM conversations), ?2, ?2)
        ON CONFLICT (thread_id) DO UPDATE SET changed = excluded.changed, updated_at = excluded.updated_at)sql",
                       thread_id, message.created_at);
    if (auto done = conversation.run(); !done) return done;
    return Query(database, R"sql(
        INSERT INTO messages (thread_id, id, role, text, data, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (thread_id, id) DO UPDATE SET
            role = excluded.role, text = excluded.text, data = excluded.data, created_at = excluded.created_at)sql",
                 thread_id, message.id, name_of(message.role), message.text, to_text(message.data), message.created_at)
        .run();
}

Result<std::vector<Message>> list_messages(Database& database, const std::string& thread_id, std::size_t limit) {
    std::vector<Message> messages;
    Query query(database, R"sql(
        SELECT id, role, text, data, created_at FROM messages WHERE thread_id = ?1 ORDER BY seq DESC LIMIT ?2)sql",
                thread_id, sql_limit(limit));
    const auto read = query.for_each([&]() -> Result<> {
        const std::string what = fmt::format("message {} of thread {}", query.text(0), thread_id);
        const auto role = read_name<Message::Role>(what, query.text(1));
        if (!role) return fail(role.error());
        auto data = read_json_object(what, query.text(3));
        if (!data) return fail(data.error());
        messages.push_back({.id = std::string(query.text(0)),
                            .role = *role,
                            .text = std::string(query.text(2)),
                            .data = std::move(*data),
                            .created_at = query.time(4)});
        return {};
    });
    if (!read) return fail(read.error());
    std::ranges::reverse(messages);
    return messages;
}

Result<> begin_conversation(Database& database, const ConversationInfo& info) {
    return Query(database, R"sql(
        INSERT INTO conversations (thread_id, changed, owner, title, created_at, updated_at)
        VALUES (?1, (SELECT coalesce(max(changed), 0) + 1 FROM conversations), ?2, ?3, ?4, ?4)
        ON CONFLICT (thread_id) DO NOTHING)sql",
                 info.thread_id, info.owner, info.title, info.created_at)
        .run();
}

Result<std::vector<ConversationInfo>> list_conversations(Database& database, const ConversationQuery& wanted) {
    std::vector<ConversationInfo> infos;
    Query query(database, R"sql(
        SELECT thread_id, title, owner, created_at, updated_at,
            (SELECT count(*) FROM messages WHERE messages.thread_id = conversations.thread_id),
            (SELECT text FROM messages WHERE messages.thread_id = conversations.thread_id AND role = 'user'
             ORDER BY seq LIMIT 1)
        FROM conversations WHERE ?1 IS NULL OR owner = ?1 ORDER BY changed DESC LIMIT ?2 OFFSET ?3)sql",
                wanted.owner, sql_limit(wanted.limit), sql_limit(wanted.offset));
    const auto read = query.for_each([&]() -> Result<> {
        infos.push_back(read_conversation(query));
        return {};
    });
    if (!read) return fail(read.error());
    return infos;
}

Result<std::optional<ConversationInfo>> get_conversation(Database& database, const std::string& thread_id) {
    Query query(database, R"sql(
        SELECT thread_id, title, owner, created_at, updated_at,
            (SELECT count(*) FROM messages WHERE messages.thread_id = conversations.thread_id),
            (SELECT text FROM messages WHERE messages.thread_id = conversations.thread_id AND role = 'user'
             ORDER BY seq LIMIT 1)
        FROM conversations WHERE thread_id = ?1)sql",
                thread_id);
    const auto found = query.next();
    if (!found) return fail(found.error());
    if (!*found) return std::nullopt;
    return read_conversation(query);
}

Result<std::size_t> rename_conversation(Database& database, const std::string& thread_id, const std::string& title) {
    Query query(database, "UPDATE conversations SET title = ?2 WHERE thread_id = ?1", thread_id, title);
    if (auto done = query.run(); !done) return fail(done.error());
    return database.changes();
}

Result<std::size_t> remove_conversation(Database& database, const std::string& thread_id) {
    Query messages(database, "DELETE FROM messages WHERE thread_id = ?1", thread_id);
    if (auto done = messages.run(); !done) return fail(done.error());
    const std::size_t count = database.changes();
    Query conversation(database, "DELETE FROM conversations WHERE thread_id = ?1", thread_id);
    if (auto done = conversation.run(); !done) return fail(done.error());
    Query feedback(database, "DELETE FROM feedback WHERE thread_id = ?1", thread_id);
    if (auto done = feedback.run(); !done) return fail(done.error());
    return count;
}

Result<> keep_feedback(Database& database, const Feedback& feedback) {
    return Query(database, R"sql(
        INSERT INTO feedback (id, thread_id, turn, owner, rating, comment, created_at, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (thread_id, turn, owner) DO UPDATE SET
            rating = excluded.rating, comment = excluded.comment, updated_at = excluded.updated_at)sql",
                 feedback.id, feedback.thread_id, feedback.turn, feedback.owner, name_of(feedback.rating),
                 feedback.comment, feedback.created_at, feedback.updated_at)
        .run();
}

Result<std::vector<Feedback>> list_feedback(Database& database, const FeedbackQuery& wanted) {
    std::optional<std::string> rating;
    if (wanted.rating) rating = name_of(*wanted.rating);
    std::vector<Feedback> all;
    Query query(database, R"sql(
        SELECT id, thread_id, turn, owner, rating, comment, created_at, updated_at FROM feedback
        WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR thread_id = ?2) AND (?3 IS NULL OR owner = ?3)
            AND (?4 IS NULL OR rating = ?4)
        ORDER BY seq DESC LIMIT ?5 OFFSET ?6)sql",
                wanted.id, wanted.thread_id, wanted.owner, rating, sql_limit(wanted.limit), sql_limit(wanted.offset));
    const auto read = query.for_each([&]() -> Result<> {
        const auto given = read_name<Feedback::Rating>(fmt::format("feedback {}", query.text(0)), query.text(4));
        if (!given) return fail(given.error());
        all.push_back({.id = std::string(query.text(0)),
                       .thread_id = std::string(query.text(1)),
                       .turn = query.integer(2),
                       .owner = std::string(query.text(3)),
                       .rating = *given,
                       .comment = std::string(query.text(5)),
                       .created_at = query.time(6),
                       .updated_at = query.time(7)});
        return {};
    });
    if (!read) return fail(read.error());
    return all;
}

// ---- runs

Result<> save_run(Database& database, const RunRecord& record) {
    return Query(database, R"sql(
        INSERT INTO runs (run_id, thread_id, graph, status, started_at, ended_at, input, outcome, trace)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT (run_id) DO UPDATE SET
            thread_id = excluded.thread_id, graph = excluded.graph, status = excluded.status,
            started_at = excluded.started_at, ended_at = excluded.ended_at, input = excluded.input,
            outcome = excluded.outcome, trace = excluded.trace)sql",
                 record.run_id, record.thread_id, record.graph, record.status, record.started_at, record.ended_at,
                 to_text(record.input), to_text(record.outcome), to_text(encode(record.trace)))
        .run();
}

Result<std::optional<RunRecord>> get_run(Database& database, const std::string& run_id) {
    Query query(database, R"sql(
        SELECT run_id, thread_id, graph, status, started_at, ended_at, outcome, input, trace
        FROM runs WHERE run_id = ?1)sql",
                run_id);
    const auto found = query.next();
    if (!found) return fail(found.error());
    if (!*found) return std::nullopt;

    const std::string what = fmt::format("run {}", run_id);
    auto record = read_run(query);
    if (!record) return fail(record.error());
    auto input = read_json(what, query.text(7));
    if (!input) return fail(input.error());
    auto trace = read_trace(what, query.text(8));
    if (!trace) return fail(trace.error());
    record->input = std::move(*input);
    record->trace = std::move(*trace);
    return record;
}

Result<std::vector<RunRecord>> list_runs(Database& database, const RunQuery& query) {
    std::vector<RunRecord> records;
    Query rows(database, R"sql(
        SELECT run_id, thread_id, graph, status, started_at, ended_at, outcome FROM runs
        WHERE (?1 IS NULL OR graph = ?1) AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR thread_id = ?3)
        ORDER BY started_at DESC, seq DESC LIMIT ?4)sql",
               query.graph, query.status, query.thread_id, sql_limit(query.limit));
    const auto read = rows.for_each([&]() -> Result<> {
        auto record = read_run(rows);
        if (!record) return fail(record.error());
        records.push_back(std::move(*record));
        return {};
    });
    if (!read) return fail(read.error());
    return records;
}

// ---- health

Result<> beat(Database& database) {
    return Query(database, R"sql(
        INSERT INTO heartbeat (id, beats) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET beats = beats + 1)sql")
        .run();
}

Result<StoreHealth> read_health(Database& database) {
    Query query(database, R"sql(
        SELECT (SELECT count(DISTINCT thread_id) FROM checkpoints), (SELECT count(*) FROM checkpoints),
            (SELECT user_version FROM pragma_user_version),
            (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size))sql");
    const auto found = query.next();
    if (!found) return fail(found.error());
    return StoreHealth{.backend = fmt::format("SQLite {}", sqlite3_libversion()),
                       .location = {},
                       .schema_version = static_cast<int>(query.integer(2)),
                       .threads = static_cast<std::size_t>(query.integer(0)),
                       .checkpoints = static_cast<std::size_t>(query.integer(1)),
                       .bytes = static_cast<std::size_t>(query.integer(3))};
}

}  // namespace quaestor::store::sqlite
